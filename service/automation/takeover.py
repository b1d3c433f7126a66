"""Games that another process has left: their bots move and their clocks run on here.

A process looks at all games that are not over when it starts. What others have written since then
is theirs, until one of them is gone, perhaps the very one that this one replaces. So each game of
theirs that has stood still for a while is looked at, which wakes whatever watches games; where it
waits for a person without a clock, nothing more comes of it.
"""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any
from uuid import UUID

import psycopg
import structlog
from psycopg.sql import SQL, Identifier

from phaseledger.service.automation.bots import Autoplay
from phaseledger.service.eventlog.migrations import SCHEMA
from phaseledger.service.eventlog.protocols import GameStore
from phaseledger.service.games.game import Game
from phaseledger.service.games.service import GameService

EVERY = 10.0  # seconds between looks; a game is taken up after one to two of them
RETRY = 0.5  # seconds until a lost database is tried again

Adopt = Callable[[GameService, Autoplay], Awaitable[None]]
"""Looks at all games that are not over, and then at those that others leave, until cancelled."""
Connection = psycopg.AsyncConnection[tuple[Any, ...]]

log = structlog.get_logger("phaseledger.orphans")


class GameSightings:
    """How far this process has seen games in this span of time and in the one before."""

    def __init__(self) -> None:
        self._new: dict[UUID, int] = {}
        self._old: dict[UUID, int] = {}

    def note(self, game: Game) -> None:
        """Take notice of a game that was written or read; returns at once."""
        self._new[game.id] = game.version

    def has(self, game: UUID, version: int) -> bool:
        """Whether the game was seen at that version."""
        return max(self._new.get(game, 0), self._old.get(game, 0)) >= version

    def turn(self) -> None:
        """Begin the next span."""
        self._new, self._old = {}, self._new


async def adopt(
    dsn: str,
    store: GameStore,
    games: GameService,
    autoplay: Autoplay,
    *,
    schema: str = SCHEMA,
    every: float | None = None,
) -> None:
    """Look at all games of the store that are not over, and then at those that others leave.

    It does so until it is cancelled. A database that goes away is waited for.
    """
    seen, table = GameSightings(), Identifier(schema, "stored_events")
    newest = SQL("SELECT coalesce(max(notification_id), 0) FROM {}").format(table)
    still = SQL(
        "SELECT originator_id, max(originator_version) FROM {} WHERE notification_id > %s "
        "GROUP BY originator_id HAVING max(notification_id) <= %s"
    ).format(table)
    games.watchers.append(seen.note)
    before = until = -1
    while True:
        try:
            async with await psycopg.AsyncConnection.connect(dsn, autocommit=True) as conn:
                if before < 0:
                    before = until = await _position(conn, newest)
                    await autoplay.resume(store)
                while True:
                    await asyncio.sleep(EVERY if every is None else every)
                    head = await _position(conn, newest)
                    cursor = await conn.execute(still, (before, until))
                    for game, version in await cursor.fetchall():
                        # What is only known, as after a repeated command, has woken nobody.
                        if not seen.has(game, version):
                            await autoplay.look(game)
                    before, until = until, head
                    seen.turn()
        except psycopg.Error as lost:
            log.warning("games of others wait for the database", reason=type(lost).__name__)
            await asyncio.sleep(RETRY)


async def _position(conn: Connection, newest: Any) -> int:  # noqa: ANN401 - a statement
    cursor = await conn.execute(newest)
    ((position,),) = await cursor.fetchall()
    return int(position)
