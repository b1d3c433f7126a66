"""Whether a command costs more in a larger store, or in a longer game.

    python benchmarks/growth.py [--seconds S] [--rounds N] [--quick] [--json FILE]

One service for each size of the store: 1,000, 100,000 and 1,000,000 events of finished games, each
in a schema of its own, its public log signed. They are started in turn, and take turns in every
round: 16 clients play games of their own. Then 8 games of 100, 1,000 and 5,000 events each are
played on one service, which has them in memory. Then 64 games on a service that keeps 16 of them,
beside one that keeps all: the others stay packed in memory. Then starts with 100,000 unfinished
games that wait for somebody. Views are left to a worker. Uses a throw-away PostgreSQL.
"""

import asyncio
import sys
import time
from contextlib import ExitStack
from pathlib import Path
from uuid import UUID

import httpx2
import psycopg

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from benchmarks.filled import copies, long, put, whole
from benchmarks.results import Goal, Results, Row, arguments, row, show, write
from benchmarks.servers import (
    Round,
    Server,
    Target,
    load,
    server,
    service,
    service_environment,
    tables,
    throw_away,
)
from phaseledger.service.credentials.store import Credentials
from phaseledger.service.database.setup import prepare
from phaseledger.service.settings import Settings

STORES = (1_000, 100_000, 1_000_000)
LENGTHS = (100, 1_000, 5_000)
CLIENTS, GAMES = 16, 8
CROWD, KEPT = 64, "16 kept"
WAITING, LOBBY, SETTLED = 100_000, 8, 5.0
"""Games that wait for somebody, the events of each, and seconds in which a start is over."""
HOUR = 3600  # seconds
SERVE = ("-m", "phaseledger.service.cli.main", "serve")
NOISE = "rounds of the same size differ as much on this machine"
SAME = Goal(0.8, obstacle=NOISE)
NO_DEARER = Goal(1.25, at_most=True, obstacle=NOISE)


def signed(dsn: str, schema: str) -> int:
    """How many events the newest checkpoint covers."""
    with psycopg.connect(dsn) as conn:
        ((size,),) = conn.execute(f"SELECT coalesce(max(size), 0) FROM {schema}.checkpoints")  # type: ignore[arg-type]
    return int(size)


def started(stack: ExitStack, environment: dict[str, str]) -> Server:
    """A service that is ready."""
    return stack.enter_context(server(SERVE, environment, "/health/live"))


def stores(dsn: str, sizes: tuple[int, ...], seconds: float, rounds: int) -> list[Row]:
    """Figures of each size of the store, beside the smallest."""
    templates = [whole(f"template {n}") for n in range(3)]
    plays: dict[int, list[Round]] = {size: [] for size in sizes}
    with ExitStack() as stack:
        environments = {}
        for size in sizes:
            schema = f"events{size}"
            prepare(Settings(database_url=dsn, schema=schema))
            events = put(dsn, schema, copies(templates, size))
            environment = service_environment(stack, dsn, schema, projections="false")
            environments[size] = environment
            with ExitStack() as first:  # until the log is signed
                started(first, environment)
                while signed(dsn, schema) < events:
                    time.sleep(0.2)
        at = {size: started(stack, environment) for size, environment in environments.items()}
        targets = {}
        for size, server in at.items():
            games = [[server.port, *game] for game in tables(server.port, CLIENTS)]
            targets[size] = Target([server], stack.enter_context(load(games)), "")
        for number in range(rounds + 1):
            for size, target in targets.items():
                done = target.play(CLIENTS, seconds)
                if number:
                    plays[size].append(done)
    return grown(plays, "{:,} events")


def grown(plays: dict[int, list[Round]], title: str) -> list[Row]:
    """Rows of each size beside the least."""
    least, *others = plays
    rows = []
    for size in others:
        for what, field, unit, goal in (
            ("commands", "rate", "commands/s", SAME),
            ("cost", "cost", "us a command", NO_DEARER),
        ):
            mine, base = ([getattr(done, field) for done in plays[n]] for n in (size, least))
            beside = f"{least:,} events"
            name = f"{title.format(size)}: {what}"
            rows.append(row(name, unit, mine, baseline=beside, beside=base, goal=goal))
    return rows


async def _tokens(dsn: str, schema: str, games: list[UUID]) -> list[list[str]]:
    credentials = Credentials(dsn, schema=schema)
    await credentials.open()
    try:
        return [[await credentials.issue(game, seat) for seat in range(2)] for game in games]
    finally:
        await credentials.close()


def lengths(dsn: str, sizes: tuple[int, ...], seconds: float, rounds: int) -> list[Row]:
    """Figures of games of each length, beside the shortest."""
    schema = "lengths"
    plays: dict[int, list[Round]] = {size: [] for size in sizes}
    with ExitStack() as stack:
        environment = service_environment(stack, dsn, schema, projections="false")
        games = {size: [long(f"long {size} {n}", size) for n in range(GAMES)] for size in sizes}
        at = started(stack, environment)  # first, or it would have looked at them by itself
        put(dsn, schema, [game for of_size in games.values() for game in of_size])
        targets = {}
        for size, of_size in games.items():
            tokens = asyncio.run(_tokens(dsn, schema, [game.game for game in of_size]))
            playing = []
            for game, (first, second) in zip(of_size, tokens, strict=True):
                seats = [first, second] if game.turn else [second, first]
                playing.append([at.port, str(game.game), seats])
                httpx2.get(f"http://127.0.0.1:{at.port}/v1/games/{game.game}").raise_for_status()
            targets[size] = Target([at], stack.enter_context(load(playing)), "")
        for number in range(rounds + 1):
            for size, target in targets.items():
                done = target.play(GAMES, seconds)
                if number:
                    plays[size].append(done)
    return grown(plays, "games from {:,} events")


def crowds(dsn: str, seconds: float, rounds: int) -> list[Row]:
    """Figures of a service that keeps a quarter of its games in memory, beside one with all."""
    plays: dict[str, list[Round]] = {"all kept": [], KEPT: []}
    with ExitStack() as stack:
        targets = {}
        for number, name in enumerate(plays):
            settings = {"cached_games": "16"} if name == KEPT else {}
            targets[name] = service(
                stack, dsn, f"crowd{number}", CROWD, projections="false", **settings
            )
        for number in range(rounds + 1):
            for name, target in targets.items():
                done = target.play(CROWD, seconds)
                if number:
                    plays[name].append(done)
    mine, base = ([sample.cost for sample in plays[name]] for name in (KEPT, "all kept"))
    goal, title = Goal(1.5, at_most=True), f"{CROWD} games, {KEPT}: cost"
    return [row(title, "us a command", mine, baseline="all kept", beside=base, goal=goal)]


def starts(dsn: str, games: int, rounds: int) -> list[Row]:
    """Figures of starts with so many unfinished games."""
    ready, worked = list[float](), list[float]()
    with ExitStack() as stack:
        schema = "starts"
        environment = service_environment(stack, dsn, schema, projections="false")
        # A while ago: tables at which nothing has happened for days would all be closed.
        lobby = long("waiting", LOBBY, 1000 * int(time.time() - HOUR))
        events = put(dsn, schema, copies([lobby], games * len(lobby.rows)))
        note_all(dsn, schema)
        with ExitStack() as signing:  # what is new to the public log is no part of a start
            started(signing, environment)
            while signed(dsn, schema) < events:
                time.sleep(0.2)
        for _ in range(rounds):
            with ExitStack() as once:
                began = time.perf_counter()
                at = started(once, environment)
                ready.append(time.perf_counter() - began)
                time.sleep(SETTLED)
                times = [process.cpu_times() for process in at.processes()]
                worked.append(sum(spent.user + spent.system for spent in times))
    name = f"start with {games:,} unfinished games"
    work = f"{name}: processor in the first {SETTLED:g} s"
    return [
        row(f"{name}: ready", "s", ready, goal=Goal(3, of="figure", at_most=True)),
        row(work, "s", worked, goal=Goal(2, of="figure", at_most=True)),
    ]


def note_all(dsn: str, schema: str) -> None:
    """Note that no game is due before somebody moves, as services do that have seen them all."""
    with psycopg.connect(dsn) as conn:
        conn.execute(
            f"INSERT INTO {schema}.due_games (game, version, leaf, due_at) "  # type: ignore[arg-type]
            "SELECT DISTINCT ON (originator_id) originator_id, originator_version, leaf, NULL "
            f"FROM {schema}.stored_events ORDER BY originator_id, originator_version DESC"
        )
    with psycopg.connect(dsn, autocommit=True) as conn:
        conn.execute(f"VACUUM ANALYZE {schema}.due_games")  # type: ignore[arg-type]


def main() -> int:
    """Measure, print, and write."""
    parser = arguments(__doc__)
    parser.add_argument("--seconds", type=float, default=1.0, help="each service in each round")
    given = parser.parse_args()
    sizes, long_ones, seconds, rounds = STORES, LENGTHS, given.seconds, given.rounds
    unfinished = WAITING
    if given.quick:
        sizes, long_ones, seconds, rounds = (1_000, 5_000), (100, 500), 0.2, 1
        unfinished = 1_000
    with throw_away() as dsn:
        rows = stores(dsn, sizes, seconds, rounds) + lengths(dsn, long_ones, seconds, rounds)
        rows += crowds(dsn, seconds, rounds) + starts(dsn, unfinished, rounds)
    for line in rows:
        print(show(line))
    clients = f"{CLIENTS} clients at stores, {GAMES} at long games; what is in memory is warm."
    write(Results("growth", rows, {}, [clients]), given.json)
    return 0


if __name__ == "__main__":
    sys.exit(main())
