"""The PostgreSQL store of the read models, as a follower writes it.

View rows and the tracked log position are written in one transaction, so each event counts exactly
once however often its batch is tried. There are two sets of tables: `CURRENT` is read, and
`REBUILT` is filled beside it by a rebuild, until `swap` exchanges them.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import cache
from typing import Any, NamedTuple, TypeAlias
from uuid import UUID

import psycopg
from msgspec.structs import astuple, replace
from psycopg.sql import SQL, Identifier

from phaseledger.projections.archive import ArchivedGame, summary_of
from phaseledger.projections.games import Chapter
from phaseledger.projections.ratings import Rating, RatingPool, history, pool_of
from phaseledger.projections.rows import (
    Columns,
    MacKeys,
    game_rows,
    history_rows,
    leaderboard_rows,
    rated_games,
    rated_rows,
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
    leaves, summaries = {}, {}
    for archived, text, head, is_counted in await cursor.fetchall():
        summary = summary_of(text)
        leaves[archived] = head
        summaries[archived] = replace(summary, tallies=()) if is_counted else summary
    return Changes(leaves=leaves, archived=summaries)


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
            await _write_rows(conn, sql[name], rows)
        await _rate(conn, sql, [*anew, *changes.set_aside], [*scored.values()])
        for game, flaw in changes.set_aside.items():
            parameters = (game, flaw.version, flaw.position, flaw.reason)
            await conn.execute(sql["set_aside"], parameters)


async def _write_rows(conn: ViewConnection, statement: bytes, rows: Sequence[Columns]) -> None:
    if rows:
        columns = [list(column) for column in zip(*rows, strict=True)]
        await conn.execute(statement, columns, prepare=True)


async def _rate(
    conn: ViewConnection,
    sql: Mapping[str, bytes],
    doubtful: Collection[UUID],
    written: Iterable[Chapter | ArchivedGame],
) -> None:
    """Rate the games that have ended. Ones that were rated and are ``doubtful`` are rated no more,
    or as they are written now. Each pool is folded from the first game that has changed.
    """
    ended = [game.rated for game in written if game.rated]
    firsts: dict[RatingPool, tuple[int, str]] = {}
    players: dict[RatingPool, set[str]] = defaultdict(set)
    changed: list[tuple[RatingPool, tuple[int, str], str]] = []
    if doubtful:
        cursor = await conn.execute(sql["unrate"], (list(doubtful),))
        rows = await cursor.fetchall()
        changed = [(RatingPool(*row[:3]), (row[3], row[4]), row[5]) for row in rows]
    changed += [
        (pool_of(game), game.order, entrant.name) for game in ended for entrant in game.entrants
    ]
    for pool, order, name in changed:
        firsts[pool] = min(firsts.get(pool, order), order)
        players[pool].add(name)
    await _write_rows(conn, sql["write_rated"], rated_rows(ended))
    for pool, first in sorted(firsts.items()):
        await _fold_pool(conn, sql, pool, first, players[pool])


async def _fold_pool(
    conn: ViewConnection,
    sql: Mapping[str, bytes],
    pool: RatingPool,
    first: tuple[int, str],
    players: set[str],
) -> None:
    """Rate the pool's games anew from the ``first`` place on; ``players`` may be in none of them
    any more.
    """
    cursor = await conn.execute(sql["pool_from"], (*pool, *first), prepare=True)
    games = [*rated_games(await cursor.fetchall())]
    names = sorted(({entrant.name for game in games for entrant in game.entrants} | players) - {""})
    cursor = await conn.execute(sql["pool_before"], (names, *pool, *first), prepare=True)
    ratings = {name: Rating(*rest) for name, *rest in await cursor.fetchall()}
    after = [*history(games, ratings)]
    await _write_rows(conn, sql["rate"], history_rows(after))
    for _, changed in after:
        ratings |= changed
    if gone := [name for name in names if name not in ratings]:
        await conn.execute(sql["forget_ratings"], (*pool, gone))
    lines = [(name, *pool, *astuple(rating)) for name, rating in sorted(ratings.items())]
    await _write_rows(conn, sql["write_ratings"], lines)


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
