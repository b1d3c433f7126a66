"""The statements on the views, as the simulated server carries them out."""

import json
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any
from uuid import UUID

from phaseledger.service.eventlog.connection import LOCK
from tests.simulation.postgres import Result, Rows, Session
from tests.simulation.tables import Tables

NUMBER, VERSION, FINISHED_AT, ENDED, LISTED, NAMES, TEST = 1, 7, 10, 12, 13, 14, 15
"""Columns of ``games``."""


async def _track(session: Session, after: int, _name: str, before: int) -> Result:
    await session.server.lock_views(session, patience=LOCK)
    if session.server.tables.views_position != before:
        return Result(None, 0)
    session.change(Tables.track, after)
    return Result(None, 1)


def _reached(session: Session, games: Sequence[UUID]) -> Rows:
    games_view, aside = session.server.tables.views["games"], session.server.tables.views["aside"]
    states = Rows()
    for game in games:
        row, is_aside = games_view.get((game,)), (game,) in aside
        if row:
            states.append((game, row[VERSION], row[FINISHED_AT] is not None, is_aside))
        elif is_aside:
            states.append((game, 0, False, True))
    return states


def _pending(session: Session) -> Rows:
    """No operator is here who asks for a game to be looked at again."""
    ends = [row[ENDED] or 0 for row in session.server.tables.views["games"].values()]
    return [(max(ends, default=0), [])]


def _write(table: str, session: Session, *columns: Sequence[Any]) -> Result:
    stored = session.server.tables.views[table]
    rows = {row[:1]: _kept(table, stored.get(row[:1]), row) for row in zip(*columns, strict=True)}
    session.change(Tables.put_views, table, rows)
    return Result(None, len(columns[0]))


def _kept(table: str, stored: tuple[Any, ...] | None, row: tuple[Any, ...]) -> tuple[Any, ...]:
    """A game's number and the time of its opening stay those of its first chapter."""
    if table != "games" or stored is None:
        return row
    return (row[0], stored[1], *row[2:8], stored[8], *row[9:])


def _write_leaderboard(session: Session, *columns: Sequence[Any]) -> None:
    session.change(Tables.add_standings, list(zip(*columns, strict=True)))


def _forget(session: Session, games: Sequence[UUID]) -> None:
    session.change(Tables.forget_views, "aside", frozenset(games))


def _set_aside(
    session: Session, game: UUID, version: int, _position: int | None, reason: str
) -> None:
    stored = session.server.tables.views["aside"].get((game,))
    at = stored[3] if stored else session.server.now()
    row = (game, version, reason, at, "", "")
    session.change(Tables.put_views, "aside", {(game,): row})


def _report(session: Session, game: UUID, version: int, reason: str) -> Rows:
    if (game,) in session.server.tables.views["aside"]:
        return []
    _set_aside(session, game, version, None, reason)
    return [(game,)]


def _set_aside_games(session: Session) -> Rows:
    rows = session.server.tables.views["aside"].values()
    return sorted(rows, key=lambda row: (row[3], row[0]))


def _lost(session: Session, game: UUID) -> Rows:
    tables = session.server.tables
    view, rows = tables.views["games"].get((game,)), tables.games.get(game, [])
    if game in tables.archived:
        return []
    version, position = (rows[-1].version, rows[-1].position) if rows else (0, 0)
    is_late = position > tables.views_position
    return [(version + 1,)] if view and view[VERSION] > version and not is_late else []


def _list(
    session: Session, *, place: int, limit: int, unlisted: bool, won: bool | None, **wanted: Any
) -> Rows:
    """A page of the games list, newest first."""
    views = session.server.tables.views
    rows = sorted(views["games"].values(), key=lambda row: row[NUMBER], reverse=True)
    return [
        (row[NUMBER], str(row[0]), row[2], row[3], row[4], *row[5:12], row[TEST])
        for row in rows
        if row[NUMBER] < place
        and (row[LISTED] or unlisted)
        and (row[0],) not in views["aside"]
        and _is_wanted(row, **wanted)
        and (won is None or (row[3] == "ended" and won == _has_won(row, wanted["player"])))
    ][:limit]


def _is_wanted(
    row: tuple[Any, ...], *, preset: Any, ruleset: Any, stage: Any, player: Any, **times: Any
) -> bool:
    opened, finished = row[8], row[FINISHED_AT]
    return (
        preset in (None, row[2].partition("@")[0])
        and ruleset in (None, row[2])
        and stage in (None, row[3])
        and (player is None or player in json.loads(row[NAMES]))
        and (times["opened_after"] is None or opened >= times["opened_after"])
        and (times["opened_before"] is None or opened < times["opened_before"])
        and (times["ended_after"] is None or (finished or 0) >= times["ended_after"])
        and (times["ended_before"] is None or 0 < (finished or 0) < times["ended_before"])
    )


def _has_won(row: tuple[Any, ...], player: str) -> bool:
    players = json.loads(row[5])
    return any((players[n]["name"], players[n]["bot"]) == (player, "") for n in json.loads(row[11]))


VIEWS: tuple[tuple[str, Callable[..., Any]], ...] = (
    (
        r"^SELECT notification_id FROM notification_tracking",
        lambda session, _: [(session.server.tables.views_position,)],
    ),
    (r"^SELECT coalesce\(last\.originator_version, 0\) \+ 1 FROM games AS seen", _lost),
    (r"^UPDATE notification_tracking SET notification_id = %s WHERE .* AND", _track),
    (r"^INSERT INTO set_aside_games \(game, version, reason\)", _report),
    (r"^SELECT game, version, reason, extract\(epoch FROM at\)", _set_aside_games),
    (r"^SELECT asked\.game, .* LEFT JOIN games AS games", _reached),
    (r"^SELECT coalesce\(\(SELECT max\(ended\) FROM games\)", _pending),
    (r"^INSERT INTO set_aside_games \(game, version, position", _set_aside),
    (r"^DELETE FROM set_aside_games WHERE game = ANY", _forget),
    (r"^DELETE FROM rated_seats WHERE game = ANY", lambda *_: Rows()),  # no seat is a player's
    (r"^SELECT number, game::text, ruleset, stage, seats, players::text", _list),
    (r"^INSERT INTO games ", partial(_write, "games")),
    (r"^INSERT INTO table_views ", partial(_write, "views")),
    (r"^INSERT INTO leaderboard ", _write_leaderboard),
)
"""What carries a statement out, by a pattern of its text."""
