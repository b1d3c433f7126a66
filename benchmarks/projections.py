"""The views: how fast they are rebuilt and caught up, and how far they are behind under load.

    python benchmarks/projections.py [--games N] [--load N] [--rounds N] [--quick] [--json FILE]

Whole games of four greedy bots, 40 of them at a time, event by event in turn. The baseline decodes
and folds the same events in memory. Then a writer appends so many commands a second, three events
each, beside the follower, and the lag is the time from an event's commit until the views have it.
Uses a throw-away PostgreSQL.
"""

import asyncio
import sys
import time
from functools import partial
from importlib.metadata import version
from pathlib import Path
from typing import Any
from uuid import UUID

import psycopg
from psycopg.sql import SQL, Identifier

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from benchmarks.filled import Played, long, put, whole
from benchmarks.results import Goal, Results, arguments, interleaved, row, show, write
from benchmarks.servers import throw_away
from phaseledger.domain.evidence.codec import decode_event
from phaseledger.domain.evolve import evolve
from phaseledger.domain.state import State
from phaseledger.projections.sql import NAME, TABLES
from phaseledger.projections.store import tracked_position
from phaseledger.service.database.setup import prepare
from phaseledger.service.eventlog.postgres import PostgresStore
from phaseledger.service.readmodels.follower import follow, rebuild
from phaseledger.service.runtime.process import collect_seldom
from phaseledger.service.settings import Settings

SCHEMA = "views"
TOGETHER = 40  # games that are played at a time
OBSTACLE = "the follower and PostgreSQL share the machine's cores with whatever else runs there"


def folded(games: list[Played]) -> float:
    """Events a second, decoded and folded in memory."""
    began, count = time.perf_counter(), 0
    for game in games:
        state: State | None = None
        for stored in game.rows:
            state = evolve(state, decode_event(stored.topic, stored.state))
        count += len(game.rows)
    return count / (time.perf_counter() - began)


async def rebuilt(dsn: str, costs: list[float]) -> float:
    """Events a second, from empty views; and this process's time for each, in microseconds."""
    async with PostgresStore(dsn, schema=SCHEMA) as store:
        began, cpu = time.perf_counter(), time.process_time()
        reached = await rebuild(store, dsn, schema=SCHEMA)
        costs.append(1e6 * (time.process_time() - cpu) / reached)
        return reached / (time.perf_counter() - began)


async def emptied(conn: psycopg.AsyncConnection[Any]) -> None:
    """Take the views back to the log's start."""
    tables = SQL(", ").join(Identifier(SCHEMA, name) for name in TABLES.values())
    tracking = Identifier(SCHEMA, "notification_tracking")
    back = SQL("UPDATE {} SET notification_id = 0 WHERE application_name = %s")
    async with conn.transaction():
        await conn.execute(SQL("TRUNCATE {}").format(tables))
        await conn.execute(back.format(tracking), (NAME,))


async def caught_up(dsn: str) -> float:
    """Events a second by a follower that starts when the views have half of the log."""
    async with PostgresStore(dsn, schema=SCHEMA) as store:
        last = await store.position()
        async with await psycopg.AsyncConnection.connect(dsn, autocommit=True) as conn:
            await emptied(conn)
            await follow(store, dsn, asyncio.Event(), schema=SCHEMA, until=last // 2)
            half = await tracked_position(conn, SCHEMA)
        began = time.perf_counter()
        await follow(store, dsn, asyncio.Event(), schema=SCHEMA, until=last)
        return (last - half) / (time.perf_counter() - began)


async def lags(dsn: str, commands: int, seconds: float, name: str) -> list[float]:
    """Milliseconds from commits until the views have them, beside so many commands a second."""
    stop, latencies, sent = asyncio.Event(), [], {}
    games = [long(f"{name} {n}", 40 + int(3 * commands * seconds) // 8) for n in range(8)]
    async with (
        PostgresStore(dsn, schema=SCHEMA) as store,
        await psycopg.AsyncConnection.connect(dsn, autocommit=True) as conn,
    ):
        following = asyncio.create_task(follow(store, dsn, stop, schema=SCHEMA))
        began = time.perf_counter()

        async def play(game: UUID, rows: list[object], n: int) -> None:
            for step, at in enumerate(range(0, len(rows), 3)):
                due = began + (step * 8 + n) / commands
                await asyncio.sleep(max(0, due - time.perf_counter()))
                if due > began + seconds:
                    return
                position = await store.append(game, rows[at : at + 3])  # type: ignore[arg-type]
                sent[position] = time.perf_counter()

        async def watch() -> None:
            while sent or not playing.done():
                reached, now = await tracked_position(conn, SCHEMA), time.perf_counter()
                positions = [position for position in sent if position <= reached]
                latencies.extend(1000 * (now - sent.pop(position)) for position in positions)
                await asyncio.sleep(0.002)

        every = (play(game.game, list(game.rows), n) for n, game in enumerate(games))
        playing = asyncio.gather(*every)
        await watch()
        stop.set()
        await following
    return sorted(latencies)


def main() -> int:
    """Measure, print, and write."""
    parser = arguments(__doc__)
    parser.add_argument("--games", type=int, default=80)
    parser.add_argument("--load", type=int, default=300, help="commands a second")
    given = parser.parse_args()
    rounds, count, seconds = given.rounds, given.games, 5.0
    if given.quick:
        rounds, count, seconds = 1, 2, 0.5
    games = [whole(f"game {n}") for n in range(count)]
    collect_seldom()  # as `phaseledger rebuild` and `phaseledger worker` do
    costs: list[float] = []
    with throw_away() as dsn:
        prepare(Settings(database_url=dsn, schema=SCHEMA))
        events = put(dsn, SCHEMA, games, together=TOGETHER)
        done = interleaved(
            {
                "folded": lambda: folded(games),
                "rebuilt": lambda: asyncio.run(rebuilt(dsn, costs)),
                "caught up": lambda: asyncio.run(caught_up(dsn)),
            },
            rounds,
        )
        late = [
            asyncio.run(lags(dsn, given.load, seconds, f"lag {number}")) for number in range(rounds)
        ]
    beside = partial(row, baseline="decode and fold", beside=done["folded"])
    goal = Goal(30_000, of="figure", obstacle=OBSTACLE)
    rows = [
        beside("views rebuilt", "events/s", done["rebuilt"], goal=goal),
        row("processor time an event, rebuilt", "us", costs[1:]),
        beside("views caught up", "events/s", done["caught up"]),
        row(f"lag at {given.load} commands/s: p50", "ms", [cut[len(cut) // 2] for cut in late]),
        row(
            f"lag at {given.load} commands/s: p99",
            "ms",
            [cut[-1 - len(cut) // 100] for cut in late],
        ),
    ]
    for line in rows:
        print(show(line))
    notes = [f"{len(games)} whole games of four greedy bots, {events:,} events."]
    print(notes[0])
    write(Results("projections", rows, {"psycopg": version("psycopg")}, notes), given.json)
    return 0


if __name__ == "__main__":
    sys.exit(main())
