"""The statements on the views, as the simulated server carries them out.

There are two sets of tables, and a statement on either has the same text but for their names.
"""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any
from uuid import UUID

from phaseledger.projections.sql import TABLES
from phaseledger.projections.store import CURRENT, REBUILT, ViewSet
from phaseledger.service.eventlog.connection import LOCK
from tests.simulation.postgres import Result, Rows, Session
from tests.simulation.tables import Tables, Views

SWAP_LOCK = 2.0  # seconds that a swap waits for whoever writes
VERSION, FINISHED_AT, ENDED = 7, 10, 12
"""Columns of ``games``."""


def _views(session: Session, views: ViewSet) -> Views:
    return session.server.tables.sets[views.name]


# --- positions ------------------------------------------------------------------------------------


def tracked(session: Session, name: str) -> Rows:
    position = session.server.tables.tracked.get(name)
    return [] if position is None else [(position,)]


async def track(session: Session, after: int, name: str, before: int) -> Result:
    server = session.server
    await server.lock_rows(session, name, patience=LOCK)
    if server.tables.tracked.get(name) != before:
        return Result(None, 0)
    session.change(Tables.track, name, after)
    return Result(None, 1)


async def restart(session: Session, name: str) -> Result:
    await session.server.lock_rows(session, name, patience=LOCK)
    session.change(Tables.track, name, 0)
    return Result(None, 1)


async def swap(session: Session) -> Rows:
    """`swap_projections`: whoever is writing either set is waited for."""
    tables = session.server.tables
    await session.server.lock_rows(session, CURRENT.name, REBUILT.name, patience=SWAP_LOCK)
    reached, rebuilt = tables.tracked[CURRENT.name], tables.tracked.get(REBUILT.name)
    if rebuilt is None or any(row.position <= reached for row in tables.after(rebuilt, 1)):
        return [(False,)]
    session.change(Tables.swap, CURRENT.name, REBUILT.name)
    return [(True,)]


# --- the tables of one set ------------------------------------------------------------------------


def _empty(views: ViewSet, session: Session) -> None:
    session.change(Tables.empty_views, views.name)


def _reached(views: ViewSet, session: Session, games: Sequence[UUID]) -> Rows:
    games_view, aside = _views(session, views)["games"], _views(session, views)["aside"]
    states = Rows()
    for game in games:
        row, is_aside = games_view.get((game,)), (game,) in aside
        if row:
            states.append((game, row[VERSION], row[FINISHED_AT] is not None, is_aside))
        elif is_aside:
            states.append((game, 0, False, True))
    return states


def _pending(views: ViewSet, session: Session) -> Rows:
    """No operator is here who asks for a game to be looked at again."""
    ends = [row[ENDED] or 0 for row in _views(session, views)["games"].values()]
    return [(max(ends, default=0), [])]


def _write(table: str, views: ViewSet, session: Session, *columns: Sequence[Any]) -> Result:
    stored = _views(session, views)[table]
    rows = {row[:1]: _kept(table, stored.get(row[:1]), row) for row in zip(*columns, strict=True)}
    session.change(Tables.put_views, views.name, table, rows)
    return Result(None, len(columns[0]))


def _kept(table: str, stored: tuple[Any, ...] | None, row: tuple[Any, ...]) -> tuple[Any, ...]:
    """A game's number and the time of its opening stay those of its first chapter."""
    if table != "games" or stored is None:
        return row
    return (row[0], stored[1], *row[2:8], stored[8], *row[9:])


def _write_leaderboard(views: ViewSet, session: Session, *columns: Sequence[Any]) -> None:
    session.change(Tables.add_standings, views.name, list(zip(*columns, strict=True)))


def _forget(views: ViewSet, session: Session, games: Sequence[UUID]) -> None:
    session.change(Tables.forget_views, views.name, "aside", frozenset(games))


def _set_aside(
    views: ViewSet, session: Session, game: UUID, version: int, _position: int | None, reason: str
) -> None:
    stored = _views(session, views)["aside"].get((game,))
    at = stored[3] if stored else session.server.now()
    row = (game, version, reason, at, "", "")
    session.change(Tables.put_views, views.name, "aside", {(game,): row})


# --- the quarantine -------------------------------------------------------------------------------


def _report(session: Session, game: UUID, version: int, reason: str) -> Rows:
    if (game,) in _views(session, CURRENT)["aside"]:
        return []
    _set_aside(CURRENT, session, game, version, None, reason)
    return [(game,)]


def _set_aside_games(session: Session) -> Rows:
    rows = _views(session, CURRENT)["aside"].values()
    return sorted(rows, key=lambda row: (row[3], row[0]))


def _statements_on(views: ViewSet) -> tuple[tuple[str, Callable[..., Any]], ...]:
    name = {table: views.prefix + text for table, text in TABLES.items()}
    statements: tuple[tuple[str, Callable[..., Any]], ...] = (
        (rf"^TRUNCATE {name['games']}, ", _empty),
        (rf"^SELECT asked\.game, .* LEFT JOIN {name['games']} AS games", _reached),
        (rf"^SELECT coalesce\(\(SELECT max\(ended\) FROM {name['games']}\)", _pending),
        (rf"^INSERT INTO {name['aside']} \(game, version, position", _set_aside),
        (rf"^DELETE FROM {name['aside']} WHERE game = ANY", _forget),
        (rf"^INSERT INTO {name['leaderboard']} ", _write_leaderboard),
        *(
            (rf"^INSERT INTO {name[table]} ", partial(_write, table))
            for table in ("games", "views")
        ),
    )
    return tuple((pattern, partial(function, views)) for pattern, function in statements)


def _lost(session: Session, game: UUID) -> Rows:
    tables = session.server.tables
    view, rows = tables.views["games"].get((game,)), tables.games.get(game, [])
    version, position = (rows[-1].version, rows[-1].position) if rows else (0, 0)
    is_late = position > tables.views_position
    return [(version + 1,)] if view and view[VERSION] > version and not is_late else []


VIEWS: tuple[tuple[str, Callable[..., Any]], ...] = (
    (r"^SELECT notification_id FROM notification_tracking", tracked),
    (r"^SELECT coalesce\(last\.originator_version, 0\) \+ 1 FROM games AS seen", _lost),
    (r"^UPDATE notification_tracking SET notification_id = %s WHERE .* AND", track),
    (r"^INSERT INTO notification_tracking VALUES \(%s, 0\) ON CONFLICT", restart),
    (r"^SELECT swap_projections\(\)$", swap),
    (r"^INSERT INTO set_aside_games \(game, version, reason\)", _report),
    (r"^SELECT game, version, reason, extract\(epoch FROM at\)", _set_aside_games),
    *_statements_on(CURRENT),
    *_statements_on(REBUILT),
)
"""What carries a statement out, by a pattern of its text."""
