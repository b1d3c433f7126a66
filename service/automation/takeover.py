"""Takeover of games whose process is gone: their bots move and their clocks run on here.

A process looks at the games that are due when it starts, and when the server has another history,
as after a failover to a standby that lagged, and later at the ones that are due later. Games that
other processes write belong to them until one is gone, perhaps the one that this process replaces.
So each of these games that has stood still for a while is looked at, which wakes its watchers;
where it waits for a person without a clock, nothing more comes of it.
"""

import asyncio
from collections.abc import Awaitable, Callable
from uuid import UUID

import psycopg
import structlog
from psycopg.sql import SQL, Identifier

from phaseledger.service.automation.bots import Autoplay
from phaseledger.service.eventlog.connection import connect, last_position
from phaseledger.service.eventlog.continuity import Lineage, lineage_of
from phaseledger.service.eventlog.migrations import SCHEMA
from phaseledger.service.games.game import Game
from phaseledger.service.games.writer import GameService

EVERY = 10.0  # seconds between looks; a game is taken up after one to two of them
RETRY = 0.5  # seconds until a lost database is tried again

Adopt = Callable[[GameService, Autoplay], Awaitable[None]]
"""Takes over all games that are due, then games that other processes leave, until cancelled."""

log = structlog.get_logger("phaseledger.orphans")


class GameSightings:
    """The versions of games that this process has seen in this interval and the one before."""

    def __init__(self) -> None:
        self._current: dict[UUID, int] = {}
        self._previous: dict[UUID, int] = {}

    def note(self, game: Game) -> None:
        """Record the version of a game that was written or read; returns at once."""
        self._current[game.id] = game.version

    def has(self, game: UUID, version: int) -> bool:
        """Whether the game was seen at that version."""
        return max(self._current.get(game, 0), self._previous.get(game, 0)) >= version

    def turn(self) -> None:
        """Begin the next interval."""
        self._current, self._previous = {}, self._current


async def adopt(
    dsn: str,
    games: GameService,
    autoplay: Autoplay,
    *,
    schema: str = SCHEMA,
    every: float | None = None,
) -> None:
    """Take over all games that are due, then games that other processes leave.

    It runs until it is cancelled. A database that goes away is waited for.
    """
    sightings, table = GameSightings(), Identifier(schema, "stored_events")
    select_idle = SQL(
        "SELECT originator_id, max(originator_version) FROM {} WHERE notification_id > %s "
        "GROUP BY originator_id HAVING max(notification_id) <= %s"
    ).format(table)
    games.watchers.append(sightings.note)
    before = until = -1
    lineage: Lineage | None = None
    while True:
        try:
            async with await connect(dsn) as conn:
                if lineage != (current := await lineage_of(conn, schema)):
                    # Where the log went back, games wait again for what has been done already.
                    before = until = await last_position(conn, schema)
                    await autoplay.resume()
                    lineage = current
                while True:
                    await asyncio.sleep(EVERY if every is None else every)
                    head = await last_position(conn, schema)
                    cursor = await conn.execute(select_idle, (before, until))
                    for game, version in await cursor.fetchall():
                        # What is only known, as after a repeated command, has woken no watcher.
                        if not sightings.has(game, version):
                            await autoplay.look(game)
                    before, until = until, head
                    sightings.turn()
        except psycopg.Error as lost:
            log.warning("games of others wait for the database", reason=type(lost).__name__)
            await asyncio.sleep(RETRY)
