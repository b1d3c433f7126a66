"""The PostgreSQL store of the read models: writes and reads.

View rows and the tracked log position are written in one transaction, so each event counts exactly
once however often its batch is tried. There are two sets of tables: `CURRENT` is read, and
`REBUILT` is filled beside it by a rebuild, until `swap` exchanges them.
"""

import asyncio
import logging
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import cache
from time import monotonic
from typing import Any, Generic, NamedTuple, Self, TypeAlias, TypeVar
from uuid import UUID

import msgspec
import psycopg
from psycopg.sql import SQL, Identifier
from psycopg_pool import AsyncConnectionPool, PoolClosed, PoolTimeout

from phaseledger.domain.view import TableView
from phaseledger.projections import pages
from phaseledger.projections.archive import MISSING, ArchivedGame, summary_of
from phaseledger.projections.games import Chapter
from phaseledger.projections.pages import (
    ALL,
    Filter,
    FinishedGame,
    GamePage,
    Leaderboard,
    NotReached,
    SetAsideGame,
    Standing,
    ViewsUnavailable,
    ViewsWentBack,
)
from phaseledger.projections.rows import (
    MacKeys,
    ViewRow,
    archived_game_rows,
    archived_views,
    entry,
    game_rows,
    leaderboard_rows,
    view_rows,
)
from phaseledger.projections.scoreboard import Scoreboard
from phaseledger.projections.sql import GAME_FILTER, NAME, STATEMENTS, TABLES
from phaseledger.projections.table import PublicTable

WAIT = 2.0  # seconds that a read waits for the version asked for
READERS = 4  # connections
PATIENCE = 5.0  # seconds that a read waits for a connection
DEADLINE = 12.0  # seconds without an answer after which a read gives up

V = TypeVar("V")
log = logging.getLogger("phaseledger.views")

ViewConnection: TypeAlias = psycopg.AsyncConnection[tuple[Any, ...]]


class ViewSet(NamedTuple):
    """A set of tables of the views: the prefix of their names, and its row of positions."""

    prefix: str
    name: str


CURRENT = ViewSet("", NAME)
REBUILT = ViewSet("rebuilt_", f"{NAME} rebuilt")


@cache
def _statements(schema: str, views: ViewSet = CURRENT) -> dict[str, bytes]:
    tables = {
        placeholder: Identifier(schema, views.prefix + table)
        for placeholder, table in TABLES.items()
    }
    return {
        name: SQL(text)
        .format(schema=Identifier(schema), wanted=SQL(GAME_FILTER), **tables)
        .as_bytes()
        for name, text in {**STATEMENTS, "missing_archived": MISSING}.items()
    }


# --- writing ------------------------------------------------------------------------------------


class ViewsMoved(Exception):
    """The views are not where this writer left them; nothing was written."""


class Reached(NamedTuple):
    """The progress of a game's projection. Its ``version`` is 0 where it is in no view."""

    version: int = 0
    is_over: bool = False
    is_set_aside: bool = False


class SetAsideReason(NamedTuple):
    """Why a game is set aside: the number of the event at fault, and what is wrong with it."""

    version: int
    reason: str
    position: int | None = None
    """The log position at which the damage showed; None where no event was projected for it."""


class Changes(NamedTuple):
    """The changes of a batch of events to the views."""

    chapters: Mapping[UUID, Chapter] = {}
    leaves: Mapping[UUID, bytes] = {}
    """By game, the leaf of the last event that its views follow."""
    anew: Collection[UUID] = ()
    """The games that were read again from their first event, and so are set aside no more."""
    set_aside: Mapping[UUID, SetAsideReason] = {}
    archived: Mapping[UUID, ArchivedGame] = {}
    """Games whose events have left the log; their summaries replace their rows in the views."""


class Viewed(NamedTuple, Generic[V]):
    """A view that fits the log, and the leaf hash (hex) of the game's last event."""

    content: V
    leaf: str


async def tracked_position(conn: ViewConnection, schema: str, views: ViewSet = CURRENT) -> int:
    """The log position up to which the views are written.

    Raises:
        ViewsMoved: the set is gone: it was swapped.

    """
    cursor = await conn.execute(_statements(schema, views)["tracked"], (views.name,))
    rows = await cursor.fetchall()
    if not rows:
        raise ViewsMoved
    return int(rows[0][0])


async def reached(
    conn: ViewConnection, schema: str, games: Iterable[UUID], views: ViewSet = CURRENT
) -> dict[UUID, Reached]:
    """The progress of the games that the views know."""
    statement = _statements(schema, views)["reached"]
    cursor = await conn.execute(statement, (list(games),), prepare=True)
    return {game: Reached(*row) for game, *row in await cursor.fetchall()}


async def pending(
    conn: ViewConnection, schema: str, views: ViewSet = CURRENT
) -> tuple[int, Sequence[UUID]]:
    """The last place at which a game ended, and the set-aside games to be looked at again."""
    cursor = await conn.execute(_statements(schema, views)["pending"], prepare=True)
    ((place, games),) = await cursor.fetchall()
    return int(place), games


async def missing_archived(
    conn: ViewConnection, schema: str, views: ViewSet = CURRENT, game: UUID | None = None
) -> Changes:
    """The changes for archived games that the views lack, or do not have to their end, and for that
    one, if it is archived; not all of them at once.
    """
    cursor = await conn.execute(_statements(schema, views)["missing_archived"], (game,))
    rows = await cursor.fetchall()
    return Changes(
        leaves={archived: head for archived, _, head in rows},
        archived={archived: summary_of(text) for archived, text, _ in rows},
    )


async def places(conn: ViewConnection, schema: str, game: UUID, *versions: int) -> list[int]:
    """The log positions of the game's events with these versions, in their order."""
    cursor = await conn.execute(_statements(schema)["places"], (game, list(versions)))
    return [position for (position,) in await cursor.fetchall()]


async def write(
    conn: ViewConnection,
    schema: str,
    before: int,
    after: int,
    changes: Changes,
    views: ViewSet = CURRENT,
    keys: MacKeys | None = None,
) -> None:
    """Write the changes by the events from position ``before`` (excluded) to ``after``, and the new
    position, in one transaction.

    Raises:
        ViewsMoved: the views are not at ``before``.

    """
    sql = _statements(schema, views)
    chapters, archived = changes.chapters, changes.archived
    anew = [*changes.anew, *archived]
    scored: dict[UUID, Chapter | ArchivedGame] = {**chapters, **archived}
    tallies = (tally for game in scored.values() for tally in game.tallies)
    tables = (
        ("write_games", game_rows(chapters) + archived_game_rows(archived)),
        ("write_views", view_rows(chapters, archived, changes.leaves, keys)),
        ("write_leaderboard", leaderboard_rows(tallies)),
    )
    async with conn.transaction():
        # First, for its row lock: another writer waits here and then finds the position moved.
        cursor = await conn.execute(sql["track"], (after, views.name, before))
        if cursor.rowcount != 1:
            raise ViewsMoved
        if anew:
            await conn.execute(sql["take_back"], (anew,))
        for name, rows in tables:
            if rows:
                columns = [list(column) for column in zip(*rows, strict=True)]
                await conn.execute(sql[name], columns, prepare=True)
        for game, flaw in changes.set_aside.items():
            parameters = (game, flaw.version, flaw.position, flaw.reason)
            await conn.execute(sql["set_aside"], parameters)


async def begin_rebuild(conn: ViewConnection, schema: str) -> None:
    """Empty the second set of views, and set its position to the log's start."""
    sql = _statements(schema, REBUILT)
    async with conn.transaction():
        await conn.execute(sql["restart"], (REBUILT.name,))
        await conn.execute(sql["empty"])


async def swap(conn: ViewConnection, schema: str) -> bool:
    """Exchange the sets of views by their names, with the position, in one transaction.

    Returns whether it was done: not where the current views are at a later event than the rebuilt
    ones, or readers held on to them.
    """
    try:
        cursor = await conn.execute(_statements(schema)["swap"])
    except psycopg.errors.LockNotAvailable:
        return False
    return await cursor.fetchone() == (True,)


# --- reading ------------------------------------------------------------------------------------


class PostgresViews:
    """The read side of the views, over a pool of connections. Every read may raise
    ViewsUnavailable.

    What is told of one game is believed where its row has a MAC under one of the ``keys``, and
    follows the last event that the log has of the game. Any other row is logged, and a follower
    makes it anew. The views of an archived game are at hand in its tombstone.
    """

    def __init__(
        self,
        dsn: str,
        schema: str,
        connection: type[ViewConnection] = psycopg.AsyncConnection[tuple[Any, ...]],
        keys: MacKeys | None = None,
    ) -> None:
        self._keys = keys
        self._sql = _statements(schema)
        self._pool: AsyncConnectionPool[ViewConnection] = AsyncConnectionPool(
            dsn,
            connection_class=connection,
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

    async def lost(self, game: UUID) -> int:
        """The first event of the game's end that the views have seen and the log lacks; 0: none."""
        rows = await self._fetch("lost", (game,))
        return int(rows[0][0]) if rows else 0

    async def table(
        self, game: UUID, at_least: int = 0, wait: float = WAIT
    ) -> Viewed[PublicTable] | None:
        """The game's public table; None where no row fits the log.

        Waits up to ``wait`` seconds for version ``at_least``, then raises NotReached where the log
        has it not.
        """
        if (row := await self._fitting(game, at_least, wait)) is None:
            return None
        table = msgspec.json.decode(row.table, type=TableView)
        return Viewed(PublicTable(row.version, table), row.leaf.hex())

    async def scoreboard(
        self, game: UUID, at_least: int = 0, wait: float = WAIT
    ) -> Viewed[Scoreboard] | None:
        """The game's rounds so far; None where no row fits the log; waits like `table`."""
        if (row := await self._fitting(game, at_least, wait)) is None:
            return None
        return Viewed(msgspec.json.decode(row.scoreboard, type=Scoreboard), row.leaf.hex())

    async def games(
        self, limit: int = 50, after: str | None = None, wanted: Filter = ALL
    ) -> GamePage:
        """A page of the public list of games, newest first.

        Raises:
            BadCursor: ``after`` is no cursor of this list.

        """
        place = pages.game_place(after)
        if "\0" in (wanted.ruleset or ""):  # no text in the database holds one
            return GamePage((), None)
        parameters = {**wanted.parameters(), "place": place, "limit": limit + 1}
        rows = await self._fetch("games", parameters)
        page = rows[:limit]
        return GamePage(
            tuple(entry(row[1:]) for row in page),
            pages.game_cursor(page[-1][0]) if len(rows) > limit else None,
        )

    async def finished(
        self, limit: int, place: int, until: int, wanted: Filter = ALL
    ) -> tuple[FinishedGame, ...]:
        """Games of the public list that are over, from above ``place`` up to ``until``, in the
        order of their ends.

        Raises:
            ViewsWentBack: the views have not reached ``until``, so games would be missing.

        """
        if "\0" in (wanted.ruleset or ""):
            return ()
        parameters = {**wanted.parameters(), "place": place, "until": until, "limit": limit}
        rows = await self._fetch("finished", parameters)
        if not rows or rows[0][0] < until:
            raise ViewsWentBack(f"The views are not at log position {until} any more.")
        return tuple(FinishedGame(*row) for _, *row in rows if row[0] is not None)

    async def leaderboard(self, limit: int = 50, after: str | None = None) -> Leaderboard:
        """A page of the leaderboard.

        Raises:
            BadCursor: ``after`` is no cursor of this list.

        """
        rows = await self._fetch("leaderboard", (*pages.standing_place(after), limit + 1))
        standings = tuple(Standing(*row) for row in rows[:limit])
        has_more = len(rows) > limit
        return Leaderboard(standings, pages.standing_cursor(standings[-1]) if has_more else None)

    async def set_aside_games(self) -> tuple[SetAsideGame, ...]:
        """All games that are set aside, in the order in which their damage was found."""
        return tuple(SetAsideGame(*row) for row in await self._fetch("set_aside_games", ()))

    async def set_aside(self, game: UUID, flaw: SetAsideReason) -> None:
        """Set a game aside whose damage a read has found; an earlier reason stays."""
        await self._fetch("report", (game, flaw.version, flaw.reason))

    async def void_set_aside(self, game: UUID, actor: str, reason: str) -> bool:
        """Note that an operator has voided the game, if it is set aside; returns whether it is."""
        return bool(await self._fetch("void", (actor, reason, game)))

    async def _fitting(self, game: UUID, at_least: int, wait: float) -> ViewRow | None:
        """The game's row, if it fits the log, as soon as it has the version."""
        deadline, pause = monotonic() + wait, 0.005
        while True:
            rows = await self._fetch("views", (game, game))
            if not rows or rows[0][3] >= at_least:
                break
            if monotonic() >= deadline:
                if (reached := rows[0][0]) < at_least:
                    raise NotReached(game, at_least, reached)
                break
            await asyncio.sleep(pause)
            pause = min(2 * pause, 0.05)
        if not rows:
            return None
        version, leaf, is_behind, *stored, mac = rows[0]
        row = ViewRow(*stored)
        if self._keys and self._keys.current:
            if not (fault := row.fault(game, mac, self._keys, version, leaf)):
                return row
            if not is_behind:
                await self._renew(game, fault)
        for text, head in await self._fetch("archived", (game,)):
            return archived_views(summary_of(text), head)
        return None

    async def _renew(self, game: UUID, fault: str) -> None:
        """Have a follower make the game's views anew."""
        log.error("The stored views of game %s are made anew, since %s.", game, fault)
        await self._fetch("renew", (str(game),))

    async def _fetch(self, name: str, parameters: Any) -> list[tuple[Any, ...]]:  # noqa: ANN401
        deadline = monotonic() + DEADLINE
        for last in (False, True):
            try:
                patience = max(0.0, min(PATIENCE, deadline - monotonic()))
                async with self._pool.connection(patience) as conn:
                    cursor = await conn.execute(self._sql[name], parameters, prepare=True)
                    return await cursor.fetchall()
            except psycopg.DataError:
                raise  # the parameters are at fault, and would be again
            except (PoolClosed, PoolTimeout, psycopg.Error) as error:
                if last or not isinstance(error, psycopg.OperationalError):
                    raise ViewsUnavailable(f"The views cannot be read: {error}") from error
                await self._pool.drain()  # a server restarted meanwhile has dropped them all
        raise AssertionError("the second attempt returns or raises")
