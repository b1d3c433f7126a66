"""Pages of the lists, their cursors, and what a read may answer instead of a view."""

import base64
import binascii
from typing import Annotated
from uuid import UUID

import msgspec
from msgspec import Meta, Struct

from projections.games import GameEntry

LAST = 2**62
"""A log position after any other."""


class Games(Struct, frozen=True, gc=False):
    """A page of the games list, newest first; ``next`` is the cursor of the following page."""

    games: tuple[GameEntry, ...]
    next: str | None


class Standing(Struct, frozen=True, gc=False):
    """A player's line over all games that ended. Each level of a bot is a player of its own."""

    name: str
    bot: str
    games: int
    wins: int
    points: int
    phases: int
    """Phases made, over all games."""
    mean_points: float
    """Points a game: the fewer the better."""


class Leaderboard(Struct, frozen=True, gc=False):
    """A page of the leaderboard: most wins first, then the fewest points a game, then by name."""

    standings: tuple[Standing, ...]
    next: str | None


class NotYet(Exception):
    """The views have not reached the version asked for; ``reached`` is 0 for an unknown game."""

    def __init__(self, game: UUID, at_least: int, reached: int) -> None:
        super().__init__(f"The views of game {game} are at version {reached}, not yet {at_least}.")
        self.game = game
        self.at_least = at_least
        self.reached = reached


class ViewsUnavailable(Exception):
    """The views cannot be read now; the message says why."""


class BadCursor(ValueError):
    """A cursor that no page of this list gave out."""


class _Place(Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    wins: Annotated[int, Meta(ge=0, le=LAST)]
    mean_points: float
    name: Annotated[str, Meta(max_length=200)]
    bot: Annotated[str, Meta(max_length=200)]


def game_cursor(position: int) -> str:
    """The cursor of the games opened before the one at this log position."""
    return str(position)


def game_place(cursor: str | None) -> int:
    """The log position before which a page of games starts."""
    if cursor is None:
        return LAST
    if not (cursor.isascii() and cursor.isdigit() and len(cursor) <= len(str(LAST)) - 1):
        raise BadCursor("This is no cursor of the games list.")
    return int(cursor)


def standing_cursor(last: Standing) -> str:
    """The cursor of the players ranked after this one."""
    place = _Place(last.wins, last.mean_points, last.name, last.bot)
    return base64.urlsafe_b64encode(msgspec.json.encode(place)).decode()


def standing_place(cursor: str | None) -> tuple[int, float, str, str]:
    """The sort keys after which a page of the leaderboard starts: fewest lost, points, name, bot.

    The first is the number of wins below zero, so that all keys grow from page to page.
    """
    if cursor is None:
        return (-LAST, 0.0, "", "")
    try:
        place = msgspec.json.decode(base64.urlsafe_b64decode(cursor), type=_Place)
    except (ValueError, binascii.Error) as wrong:
        raise BadCursor("This is no cursor of the leaderboard.") from wrong
    if "\0" in place.name + place.bot:
        raise BadCursor("This is no cursor of the leaderboard.")
    return (-place.wins, place.mean_points, place.name, place.bot)
