"""Commands per second over HTTP, every command one durable commit; reads; the writer by itself.

    python benchmarks/commands.py [--clients 1 16 64 256] [--seconds S] [--rounds N] [--quick]
                                  [--no-slow] [--json FILE]

Each server (granian) is one process: the service, its views left to a worker; two of it over one
log, each playing its own half of the games; two of it that share nothing, which tells what sharing
costs from what a second process does; the service that keeps its views up by itself; the service
with the stock recorder; an endpoint that does one raw INSERT for each request; and one that only
decodes; these two with the framework and as bare ASGI. Then 64 callers of the writer in this
process, without HTTP. All take turns in every round. It is done again on a PostgreSQL whose
fdatasync takes 1 ms longer, where there is a C compiler. Uses throw-away servers.
"""

import asyncio
import itertools
import sys
import time
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from functools import partial
from importlib.metadata import version
from pathlib import Path
from uuid import uuid4

import psycopg

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from benchmarks.decoder import CONNECTIONS, EVENT
from benchmarks.results import Goal, Results, Row, arguments, interleaved, row, show, write
from benchmarks.servers import (
    INSERT,
    RAW,
    Round,
    Target,
    bare,
    service,
    strangers,
    throw_away,
)
from benchmarks.slow_disk import is_possible, slowed
from phaseledger.service.database.setup import prepare
from phaseledger.service.eventlog.postgres import PostgresStore
from phaseledger.service.eventlog.rows import Row as Stored
from phaseledger.service.settings import Settings

CLIENTS = (1, 16, 64, 256)
MAIN = 64  # clients, of which the goals speak
CALLERS = 64
SHARED = "clients, servers and PostgreSQL share the machine's cores with whatever else runs there"
OWN = (
    "one process has one core of Python, and the rules, the view, the seals, the signed receipt "
    "and the log line of a command take most of it (see the rows of processor time)"
)
READS = (
    "one process has one core of Python, which 8,000 reads leave 125 us each: bare ASGI takes a "
    "third of that, and 90 us are the head of the request, the token, the game, its head in the "
    "log, the view's headers and the log line, none of which takes more than a tenth. That no "
    "statement be sent is not possible: another service may have written, or the log may have "
    "gone back"
)
RAW_INSERT, RAW_BARE = "raw INSERT", "raw INSERT, bare ASGI"
SELECTING = "one SELECT, bare ASGI"
DECODING, DECODING_BARE = "decode-only", "decode-only, bare ASGI"
AGAINST = {
    RAW_BARE: Goal(0.9, obstacle=OWN),
    RAW_INSERT: Goal(1.3, obstacle=OWN),
    DECODING: Goal(0.45, obstacle=OWN),
    DECODING_BARE: None,
    "stock recorder": Goal(6, obstacle=f"{OWN}; {SHARED}"),
}
UNLIKE = (
    "The service's commands store 1.5 events each in the mean, chained and sealed, in one commit "
    "with others, and answer about 2 kB, the table and a signed receipt; the raw INSERTs store one "
    "event each that is nothing but bytes, and they and decode-only answer 30 bytes."
)
SMALLER = (
    "both cores are busy, and commits are half as large: two services that share nothing, each "
    "with a log of its own, cost 1.02 times as much, and PostgreSQL 1.14 times. What is beyond "
    "that comes of one log, whose appends come one after another. Tried: one writer for both, by "
    "a prototype, which brought no fewer commits; to wait 4 ms for more commands before each "
    "commit, which made no difference (1.18 in place of 1.14). Hints of an owner cannot help: a "
    "game stays with its service here"
)
LITTLE = (
    f"of {MAIN} clients each waits for all others: at R commands a second an answer takes "
    f"{MAIN} / R in the mean, so 15 ms ask for {MAIN / 0.015:,.0f} commands a second even if all "
    "took alike"
)
ONE, TWO, VIEWS = "service", "two services", "service with views"
APART = "two services with logs of their own"

Plays = dict[str, list[Round]]


def targets(stack: ExitStack, dsn: str, most: int) -> dict[str, Target]:
    """All that is measured over HTTP, started."""
    with_games = {
        ONE: partial(service, schema="one", projections="false"),
        TWO: partial(service, schema="two", projections="false", workers=2),
        APART: partial(strangers, schema="apart"),
        VIEWS: partial(service, schema="views"),
        "stock recorder": partial(
            service,
            schema="stock",
            projections="false",
            program=("-m", "benchmarks.stock_recorder"),
        ),
    }
    made = {name: start(stack, dsn, clients=most) for name, start in with_games.items()}
    with psycopg.connect(dsn, autocommit=True) as conn:
        conn.execute(RAW)
    made[RAW_INSERT] = bare(stack, "raw", most, dsn)
    made[RAW_BARE] = bare(stack, "bare_raw", most, dsn)
    made[DECODING] = bare(stack, "app", most)
    made[DECODING_BARE] = bare(stack, "bare_app", most)
    return made


def played(
    at: dict[str, Target], names: Sequence[str], rounds: int, play: Callable[[Target], Round]
) -> Plays:
    """What each round came to, at each of the named; they take turns, after one to warm up."""
    results: Plays = {name: [] for name in names}

    def once(name: str) -> float:
        results[name].append(play(at[name]))
        return 0.0

    interleaved({name: partial(once, name) for name in names}, rounds)
    return {name: done[1:] for name, done in results.items()}


def rates(done: Sequence[Round]) -> list[float]:
    """Answers a second of each round."""
    return [sample.rate for sample in done]


def at_main(done: Plays, disk: str) -> list[Row]:
    """The rows of which the goals speak."""
    mine = done[ONE]
    rows = [
        row(
            f"commands, {MAIN} clients{disk}",
            "commands/s",
            rates(mine),
            baseline=name,
            beside=rates(done[name]),
            goal=goal,
        )
        for name, goal in AGAINST.items()
    ]
    p99 = Goal(15, of="figure", at_most=True, obstacle=f"{LITTLE}; {SHARED}")
    rows.append(row(f"p99, {MAIN} clients{disk}", "ms", [sample.p99 for sample in mine], goal=p99))
    rows.append(
        row(
            f"two services, {MAIN} clients{disk}",
            "commands/s",
            rates(done[TWO]),
            baseline="one",
            beside=rates(mine),
        )
    )
    for field, whose in (("cost", ""), ("database", ", PostgreSQL")):
        beside_one = [getattr(sample, field) for sample in mine]
        apart = [getattr(sample, field) for sample in done[APART]]
        both = [getattr(sample, field) for sample in done[TWO]]
        what = f"processor time a command{whose}{disk}"
        goal = Goal(1.05, at_most=True, obstacle=SMALLER)
        rows += [
            row(f"{TWO}, {what}", "us", both, baseline="one", beside=beside_one, goal=goal),
            row(f"{TWO}, {what}", "us", both, baseline=APART, beside=apart),
            row(f"{APART}, {what}", "us", apart, baseline="one", beside=beside_one),
        ]
    rows.append(
        row(
            f"with views kept up in the process{disk}",
            "commands/s",
            rates(done[VIEWS]),
            baseline="without",
            beside=rates(mine),
        )
    )
    for name, rounds in done.items():
        what, most = f"processor time a command, {name}", None
        if name == ONE:
            most = Goal(165, of="figure", at_most=True, obstacle=OWN)
        rows.append(row(f"{what}{disk}", "us", [sample.cost for sample in rounds], goal=most))
        if any(sample.database for sample in rounds):
            spent = [sample.database for sample in rounds]
            rows.append(row(f"{what}, PostgreSQL{disk}", "us", spent))
    clients = [sample.clients for sample in mine]
    return [*rows, row(f"processor time a command, clients{disk}", "us", clients)]


def beside_clients(done: Plays, clients: int, what: str) -> list[Row]:
    """Rates and latencies with so many clients."""
    rows = []
    for name, samples in done.items():
        title = f"{what}, {name}, {clients} clients"
        against = SELECTING if what == "reads" and name in (ONE, TWO) else DECODING_BARE
        beside, other = rates(done[against]), against if name != DECODING_BARE else ""
        rate, unit, goal = rates(samples), f"{what}/s", None
        if (what, name, clients) == ("reads", ONE, MAIN):
            goal = Goal(8_000, of="figure", obstacle=f"{READS}; {SHARED}")
        rows.append(
            row(title, unit, rate, baseline=other, beside=beside if other else (), goal=goal)
        )
        rows += [
            row(f"{title}: {cut}", "ms", [getattr(sample, cut) for sample in samples])
            for cut in ("p50", "p99")
        ]
        if what == "reads":
            whose = {"cost": "", "database": ", PostgreSQL", "clients": ", clients"}
            rows += [
                row(
                    f"{title}: processor time{words}",
                    "us",
                    [getattr(sample, field) for sample in samples],
                )
                for field, words in whose.items()
                if any(getattr(sample, field) for sample in samples)
            ]
    return rows


async def _appended(dsn: str, seconds: float) -> float:
    """Events a second of 64 callers, each of which waits for the commit of its one event."""
    async with PostgresStore(dsn, schema="writer") as store:
        return await _counted(
            CALLERS,
            seconds,
            lambda _, game, seq: store.append(game, [Stored(seq, "CardDrawn/1", EVENT, b"l" * 32)]),
        )


async def _inserted(dsn: str, seconds: float) -> float:
    """Events a second of raw INSERTs, each committed by itself."""
    connect = partial(psycopg.AsyncConnection.connect, dsn, autocommit=True)
    conns = [await connect() for _ in range(CONNECTIONS)]
    try:
        return await _counted(
            CONNECTIONS,
            seconds,
            lambda n, game, seq: conns[n].execute(
                INSERT, (game, seq, "CardDrawn/1", EVENT, b"l" * 32), prepare=True, binary=True
            ),
        )
    finally:
        for conn in conns:
            await conn.close()


async def _counted(callers: int, seconds: float, once: Callable[..., object]) -> float:
    began, done = time.perf_counter(), 0

    async def go_on(number: int) -> None:
        nonlocal done
        game = uuid4()
        for seq in itertools.count(1):
            if time.perf_counter() > began + seconds:
                return
            await once(number, game, seq)  # type: ignore[misc]
            done += 1

    await asyncio.gather(*map(go_on, range(callers)))
    return done / (time.perf_counter() - began)


def writer(dsn: str, seconds: float, rounds: int, disk: str) -> Row:
    """The group-commit writer beside raw INSERTs, in this process."""
    prepare(Settings(database_url=dsn, schema="writer"))
    done = interleaved(
        {
            "writer": lambda: asyncio.run(_appended(dsn, seconds)),
            "raw": lambda: asyncio.run(_inserted(dsn, seconds)),
        },
        rounds,
    )
    return row(
        f"in process, {CALLERS} waiting callers{disk}",
        "events/s",
        done["writer"],
        baseline="raw one-event INSERTs",
        beside=done["raw"],
        goal=Goal(1.5, obstacle=SHARED),
    )


def measured(dsn: str, clients: Sequence[int], seconds: float, rounds: int, disk: str) -> list[Row]:
    """All rows of one PostgreSQL; only those of the goals where its disk is slow."""
    rows = []
    with ExitStack() as stack:
        at = targets(stack, dsn, MAIN if disk else max(clients))
        main = min(MAIN, max(clients))
        all_of_them = played(at, list(at), rounds, lambda target: target.play(main, seconds))
        rows += at_main(all_of_them, disk)
        if not disk:
            some = [ONE, TWO, RAW_INSERT, RAW_BARE, DECODING, DECODING_BARE]
            for count in clients:
                play = partial(Target.play, clients=count, seconds=seconds)
                done = all_of_them if count == main else played(at, some, rounds, play)
                rows += beside_clients({name: done[name] for name in some}, count, "commands")
            for count in clients:
                look = partial(Target.play, clients=count, seconds=seconds, reading=True)
                reading = {**at, SELECTING: at[RAW_BARE]}
                done = played(reading, [ONE, TWO, SELECTING, DECODING, DECODING_BARE], rounds, look)
                rows += beside_clients(done, count, "reads")
        rows += [
            row(f"refused for want of the database, {name}{disk}", "requests", [result.refused])
            for name, result in at.items()
            if result.refused
        ]
    with psycopg.connect(dsn, autocommit=True) as conn:
        conn.execute(RAW)
    rows.append(writer(dsn, seconds, rounds, disk))
    return rows


def main() -> int:
    """Measure, print, and write."""
    parser = arguments(__doc__)
    parser.add_argument("--seconds", type=float, default=2.0, help="each server in each round")
    parser.add_argument("--no-slow", action="store_true", help="leave the slow disk out")
    parser.add_argument("--clients", type=int, nargs="+", default=CLIENTS, help="how many at once")
    given = parser.parse_args()
    clients, seconds, rounds = given.clients, given.seconds, given.rounds
    if given.quick:
        clients, seconds, rounds = (1, 4), 0.2, 1
    notes = [
        f"{seconds:g} s each server and round. Goals: {MAIN} clients on {MAIN} games.",
        f"Raw INSERTs: {CONNECTIONS} connections, the log's table without its triggers. {UNLIKE}",
        "Reads of the baselines answer with the same 2,011 bytes, one after an indexed SELECT.",
    ]
    with throw_away() as dsn:
        rows = measured(dsn, clients, seconds, rounds, "")
    if not is_possible():
        notes.append("There is no C compiler here, so no slow disk was measured.")
    elif not (given.no_slow or given.quick):
        with throw_away(slowed()) as dsn:
            rows += measured(dsn, clients, seconds, rounds, ", fdatasync + 1 ms")
    for line in rows:
        print(show(line))
    print("\n".join(notes))
    libraries = ("granian", "litestar", "msgspec", "psycopg", "eventsourcing")
    versions = {name: version(name) for name in libraries}
    write(Results("commands", rows, versions, notes), given.json)
    return 0


if __name__ == "__main__":
    sys.exit(main())
