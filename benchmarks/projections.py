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
from importlib.metadata import version
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from benchmarks.filled import Played, put, whole
from benchmarks.results import Goal, Results, arguments, interleaved, row, show, write
from benchmarks.servers import throw_away
from phaseledger.domain.evidence.codec import decode_event
from phaseledger.domain.evolve import evolve
from phaseledger.domain.state import State
from phaseledger.service.database.setup import prepare
from phaseledger.service.eventlog.postgres import PostgresStore
from phaseledger.service.readmodels.follower import rebuild
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


async def rebuilt(dsn: str) -> float:
    """Events a second, from empty views."""
    async with PostgresStore(dsn, schema=SCHEMA) as store:
        began = time.perf_counter()
        reached = await rebuild(store, dsn, schema=SCHEMA)
        return reached / (time.perf_counter() - began)


def main() -> int:
    """Measure, print, and write."""
    parser = arguments(__doc__)
    parser.add_argument("--games", type=int, default=80)
    given = parser.parse_args()
    rounds, count = (1, 2) if given.quick else (given.rounds, given.games)
    games = [whole(f"game {n}") for n in range(count)]
    collect_seldom()  # as `phaseledger rebuild` and `phaseledger worker` do
    with throw_away() as dsn:
        prepare(Settings(database_url=dsn, schema=SCHEMA))
        events = put(dsn, SCHEMA, games, together=TOGETHER)
        done = interleaved(
            {
                "folded": lambda: folded(games),
                "rebuilt": lambda: asyncio.run(rebuilt(dsn)),
            },
            rounds,
        )
    goal = Goal(30_000, of="figure", obstacle=OBSTACLE)
    rows = [
        row(
            "views rebuilt",
            "events/s",
            done["rebuilt"],
            baseline="decode and fold",
            beside=done["folded"],
            goal=goal,
        )
    ]
    for line in rows:
        print(show(line))
    notes = [f"{len(games)} whole games of four greedy bots, {events:,} events."]
    print(notes[0])
    write(Results("projections", rows, {"psycopg": version("psycopg")}, notes), given.json)
    return 0


if __name__ == "__main__":
    sys.exit(main())
