"""The views in PostgreSQL, written and read.

View rows and the tracked log position are written in one transaction, so each event counts
exactly once however often its batch is tried.
"""

import asyncio
from collections.abc import Mapping
from functools import cache
from time import monotonic
from typing import Any, Self, TypeAlias
from uuid import UUID

import msgspec
import psycopg
from psycopg.sql import SQL, Identifier
from psycopg_pool import AsyncConnectionPool, PoolClosed, PoolTimeout

from phaseledger.domain.view import TableView
from phaseledger.projections import pages
from phaseledger.projections.games import Chapter, GameEntry
from phaseledger.projections.pages import (
    ALL,
    Filter,
    FinishedGame,
    Games,
    Leaderboard,
    NotReached,
    Standing,
    ViewsUnavailable,
)
from phaseledger.projections.rows import (
    entry,
    game_rows,
    leaderboard_rows,
    round_rows,
    scores,
    table_rows,
)
from phaseledger.projections.scoreboard import Scoreboard
from phaseledger.projections.sql import GAME_FILTER, NAME, STATEMENTS
from phaseledger.projections.table import Table

WAIT = 2.0  # seconds that a read waits for the version asked for
READERS = 4  # connections
PATIENCE = 5.0  # seconds that a read waits for a connection

Connection: TypeAlias = psycopg.AsyncConnection[tuple[Any, ...]]


@cache
def _statements(schema: str) -> dict[str, bytes]:
    where = Identifier(schema)
    return {
        name: SQL(text).format(schema=where, wanted=SQL(GAME_FILTER)).as_bytes()
        for name, text in STATEMENTS.items()
    }


# --- writing ------------------------------------------------------------------------------------


async def tracked_position(conn: Connection, schema: str) -> int:
    """The log position up to which the views are written."""
    cursor = await conn.execute(_statements(schema)["tracked"], (NAME,))
    ((position,),) = await cursor.fetchall()
    return int(position)


class Moved(Exception):
    """The views are not where this writer left them; nothing was written."""


async def write(
    conn: Connection, schema: str, before: int, after: int, chapters: Mapping[UUID, Chapter]
) -> None:
    """Write what the events from position ``before`` (excluded) to ``after`` did to their games,
    and the new position, in one transaction.

    Raises:
        Moved: the views are not at ``before``.

    """
    sql = _statements(schema)
    async with conn.transaction():
        # First, for its row lock: another writer waits here and then finds the position moved.
        cursor = await conn.execute(sql["track"], (after, NAME, before))
        if cursor.rowcount != 1:
            raise Moved
        for name, rows in (
            ("write_games", game_rows(chapters)),
            ("write_tables", table_rows(chapters)),
            ("write_rounds", round_rows(chapters)),
            ("write_leaderboard", leaderboard_rows(chapters.values())),
        ):
            if rows:
                columns = [list(column) for column in zip(*rows, strict=True)]
                await conn.execute(sql[name], columns, prepare=True)


async def reset(conn: Connection, schema: str) -> None:
    """Empty the views and set their position to the log's start, from where a follower refills
    them.
    """
    sql = _statements(schema)
    async with conn.transaction():
        await conn.execute(sql["restart"], (NAME,))
        await conn.execute(sql["empty"])
        await conn.execute(sql["wake"])


# --- reading ------------------------------------------------------------------------------------


class PostgresViews:
    """The views as the service reads them. Every read may raise ViewsUnavailable."""

    def __init__(self, dsn: str, schema: str) -> None:
        self._sql = _statements(schema)
        self._pool: AsyncConnectionPool[Connection] = AsyncConnectionPool(
            dsn,
            kwargs={"autocommit": True},
            min_size=1,
            max_size=READERS,
            timeout=PATIENCE,
            reconnect_timeout=PATIENCE,
            open=False,
        )

    async def __aenter__(self) -> Self:
        await self._pool.open()
        return self

    async def __aexit__(self, *exc: object) -> None:
        await self._pool.close()

    async def position(self) -> int:
        """The log position that the views have reached."""
        ((position,),) = await self._fetch("tracked", (NAME,))
        return int(position)

    async def table(self, game: UUID, at_least: int = 0, wait: float = WAIT) -> Table | None:
        """The game's public table, None for an unknown game.

        Waits up to ``wait`` seconds for version ``at_least``, then raises NotYet.
        """
        rows = await self._at_least("table", game, at_least, wait)
        for version, view in rows:
            return Table(version, msgspec.json.decode(view, type=TableView))
        return None

    async def scoreboard(
        self, game: UUID, at_least: int = 0, wait: float = WAIT
    ) -> Scoreboard | None:
        """The game's rounds so far, None for an unknown game; waits like `table`."""
        rows = await self._at_least("scoreboard", game, at_least, wait)
        return scores(game, rows) if rows else None

    async def games(self, limit: int = 50, after: str | None = None, wanted: Filter = ALL) -> Games:
        """A page of the games that strangers may find, newest first.

        Raises:
            BadCursor: ``after`` is no cursor of this list.

        """
        found = await self.listed(limit + 1, pages.game_place(after), wanted)
        more = len(found) > limit
        entries = tuple(each for _, each in found[:limit])
        return Games(entries, pages.game_cursor(found[limit - 1][0]) if more else None)

    async def listed(
        self, limit: int, place: int, wanted: Filter = ALL
    ) -> list[tuple[int, GameEntry]]:
        """Games that strangers may find, opened before ``place``, each with its own; newest first.

        Places are log positions.
        """
        if "\0" in (wanted.ruleset or ""):  # no text in the database holds one
            return []
        told = {**wanted.parameters(), "place": place, "limit": limit}
        return [(row[0], entry(row[1:])) for row in await self._fetch("games", told)]

    async def finished(
        self, limit: int, place: int, until: int, wanted: Filter = ALL
    ) -> tuple[FinishedGame, ...]:
        """Games that are over and that strangers may find, from above ``place`` up to ``until``,
        in the order of their ends.
        """
        if "\0" in (wanted.ruleset or ""):
            return ()
        told = {**wanted.parameters(), "place": place, "until": until, "limit": limit}
        return tuple(FinishedGame(*row) for row in await self._fetch("finished", told))

    async def leaderboard(self, limit: int = 50, after: str | None = None) -> Leaderboard:
        """A page of the leaderboard.

        Raises:
            BadCursor: ``after`` is no cursor of this list.

        """
        rows = await self._fetch("leaderboard", (*pages.standing_place(after), limit + 1))
        standings = tuple(Standing(*row) for row in rows[:limit])
        more = len(rows) > limit
        return Leaderboard(standings, pages.standing_cursor(standings[-1]) if more else None)

    async def _at_least(
        self, name: str, game: UUID, at_least: int, wait: float
    ) -> list[tuple[Any, ...]]:
        """Rows whose first column is the game's version, as soon as that is high enough."""
        deadline, pause = monotonic() + wait, 0.005
        while True:
            rows = await self._fetch(name, (game,))
            reached = rows[0][0] if rows else 0
            if reached >= at_least:
                return rows
            if monotonic() >= deadline:
                raise NotReached(game, at_least, reached)
            await asyncio.sleep(pause)
            pause = min(2 * pause, 0.05)

    async def _fetch(self, name: str, parameters: Any) -> list[tuple[Any, ...]]:  # noqa: ANN401
        for last in (False, True):
            try:
                async with self._pool.connection() as conn:
                    cursor = await conn.execute(self._sql[name], parameters, prepare=True)
                    return await cursor.fetchall()
            except psycopg.DataError:
                raise  # the parameters are at fault, and would be again
            except (PoolClosed, PoolTimeout, psycopg.Error) as error:
                if last or not isinstance(error, psycopg.OperationalError):
                    raise ViewsUnavailable(f"The views cannot be read: {error}") from error
                await self._pool.check()  # a server restarted meanwhile has dropped them all
        raise AssertionError("the second attempt returns or raises")
