"""The PostgreSQL store of the read models, as a follower writes it.

View rows and the tracked log position are written in one transaction, so each event counts exactly
once however often its batch is tried. There are two sets of tables: `CURRENT` is read, and
`REBUILT` is filled beside it by a rebuild, until `swap` exchanges them.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import cache
from typing import Any, NamedTuple, TypeAlias
from uuid import UUID

import psycopg
from psycopg.sql import SQL, Identifier

from phaseledger.projections.archive import ArchivedGame, summary_of
from phaseledger.projections.games import Chapter
from phaseledger.projections.rows import (
    MacKeys,
    game_rows,
    leaderboard_rows,
    view_rows,
)
from phaseledger.projections.sql import GAME_FILTER, NAME, STATEMENTS, TABLES, WON

ViewConnection: TypeAlias = psycopg.AsyncConnection[tuple[Any, ...]]


class ViewSet(NamedTuple):
    """A set of tables of the views: the prefix of their names, and its row of positions."""

    prefix: str
    name: str


CURRENT = ViewSet("", NAME)
REBUILT = ViewSet("rebuilt_", f"{NAME} rebuilt")


@cache
def statements(schema: str, views: ViewSet = CURRENT) -> dict[str, bytes]:
    """The statements by their names, on a set of views."""
    tables = {
        placeholder: Identifier(schema, views.prefix + table)
        for placeholder, table in TABLES.items()
    }
    return {
        name: SQL(text)
        .format(schema=Identifier(schema), wanted=SQL(GAME_FILTER), won=SQL(WON), **tables)
        .as_bytes()
        for name, text in STATEMENTS.items()
    }


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


async def tracked_position(conn: ViewConnection, schema: str, views: ViewSet = CURRENT) -> int:
    """The log position up to which the views are written.

    Raises:
        ViewsMoved: the set is gone: it was swapped.

    """
    cursor = await conn.execute(statements(schema, views)["tracked"], (views.name,))
    rows = await cursor.fetchall()
    if not rows:
        raise ViewsMoved
    return int(rows[0][0])


async def reached(
    conn: ViewConnection, schema: str, games: Iterable[UUID], views: ViewSet = CURRENT
) -> dict[UUID, Reached]:
    """The progress of the games that the views know."""
    statement = statements(schema, views)["reached"]
    cursor = await conn.execute(statement, (list(games),), prepare=True)
    return {game: Reached(*row) for game, *row in await cursor.fetchall()}


async def pending(
    conn: ViewConnection, schema: str, views: ViewSet = CURRENT
) -> tuple[int, Sequence[UUID]]:
    """The last place at which a game ended, and the set-aside games to be looked at again."""
    cursor = await conn.execute(statements(schema, views)["pending"], prepare=True)
    ((place, games),) = await cursor.fetchall()
    return int(place), games


async def missing_archived(
    conn: ViewConnection, schema: str, views: ViewSet = CURRENT, game: UUID | None = None
) -> Changes:
    """The changes for archived games that the views lack, or do not have to their end, and for that
    one, if it is archived; not all of them at once.
    """
    cursor = await conn.execute(statements(schema, views)["missing_archived"], (game,))
    rows = await cursor.fetchall()
    return Changes(
        leaves={archived: head for archived, _, head in rows},
        archived={archived: summary_of(text) for archived, text, _ in rows},
    )


async def places(conn: ViewConnection, schema: str, game: UUID, *versions: int) -> list[int]:
    """The log positions of the game's events with these versions, in their order."""
    cursor = await conn.execute(statements(schema)["places"], (game, list(versions)))
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
    sql = statements(schema, views)
    chapters, archived = changes.chapters, changes.archived
    anew = [*changes.anew, *archived]
    scored: dict[UUID, Chapter | ArchivedGame] = {**chapters, **archived}
    tallies = (tally for game in scored.values() for tally in game.tallies)
    tables = (
        ("write_games", game_rows(chapters, archived)),
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
    sql = statements(schema, REBUILT)
    async with conn.transaction():
        await conn.execute(sql["restart"], (REBUILT.name,))
        await conn.execute(sql["empty"])


async def swap(conn: ViewConnection, schema: str) -> bool:
    """Exchange the sets of views by their names, with the position, in one transaction.

    Returns whether it was done: not where the current views are at a later event than the rebuilt
    ones, or readers held on to them.
    """
    try:
        cursor = await conn.execute(statements(schema)["swap"])
    except psycopg.errors.LockNotAvailable:
        return False
    return await cursor.fetchone() == (True,)
