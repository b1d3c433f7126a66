"""Pages of the lists, their cursors and filters, and the exceptions of a read."""

import base64
import binascii
import re
from math import inf
from typing import Annotated, NamedTuple, TypeVar
from uuid import UUID

import msgspec
from msgspec import Meta, Struct
from msgspec.structs import asdict, astuple

from phaseledger.domain.state import Stage
from phaseledger.projections.games import GameEntry, folded_name

LAST = 2**62
"""A log position after any other."""
LEAF_DIGITS = 16
_GAME = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")
P = TypeVar("P", bound=Struct)
_LEAF = re.compile(f"[0-9a-f]{{{LEAF_DIGITS}}}")


class Filter(Struct, frozen=True, gc=False):
    """A filter of the games list: a game must meet every condition that is set."""

    ruleset: str | None = None
    """A preset's name, or a full id (``@n``)."""
    stage: Stage | None = None
    player: str | None = None
    """The name in one of the seats, compared without case."""
    opened_after: int | None = None
    """Opened at this time or later; times are in milliseconds since 1970."""
    opened_before: int | None = None
    """Opened before this time."""
    ended_after: int | None = None
    """Ended or voided at this time or later."""
    ended_before: int | None = None

    def parameters(self) -> dict[str, object]:
        """The parameters of `projections.sql.GAME_FILTER`."""
        ruleset = self.ruleset
        return {
            **asdict(self),
            "preset": None if ruleset is None else ruleset.partition("@")[0],
            "ruleset": ruleset if ruleset is not None and "@" in ruleset else None,
            "player": None if self.player is None else folded_name(self.player),
        }


ALL = Filter()


class FinishedGame(Struct, frozen=True, gc=False):
    """A game that is over. ``place`` orders such games by the log position of their last event.

    ``set_aside`` is empty, or says why the game is set aside and its events cannot be relied on.
    """

    place: int
    game: UUID
    ruleset: str
    stage: Stage
    version: int
    opened_at: int
    finished_at: int
    set_aside: str = ""


class SetAsideGame(Struct, frozen=True, gc=False):
    """A game whose record is damaged: views and commands do without it until it is restored."""

    game: UUID
    version: int
    """The number of the event at fault."""
    reason: str
    at: float
    """The time at which the damage was found, in seconds since 1970."""
    voided_by: str = ""
    """The operator who has voided the game, whose log cannot be continued; else empty."""
    void_reason: str = ""


class GamePage(Struct, frozen=True, gc=False):
    """A page of the games list, newest first; ``next`` is the cursor of the following page."""

    games: tuple[GameEntry, ...]
    next: str | None


class PresetRecord(Struct, frozen=True, gc=False):
    """How a player fared in games of one rule set, whatever its house rules."""

    ruleset: str
    unfinished: int
    ended: int
    won: Annotated[int, Meta(description="Of those that ended, by the player and no stand-in.")]
    voided: int


class Standing(Struct, frozen=True, gc=False):
    """A player's line over all games that ended. Each level of a bot is a player of its own, whose
    name is the level.
    """

    name: str
    bot: str
    games: int
    wins: int
    points: int
    phases: Annotated[int, Meta(description="Phases made, over all games.")]
    mean_points: Annotated[float, Meta(description="Points a game: the fewer the better.")]


class Leaderboard(Struct, frozen=True, gc=False):
    """A page of the leaderboard: most wins first, then the fewest points a game, then by name."""

    standings: tuple[Standing, ...]
    next: str | None


class PlayerRating(Struct, frozen=True, gc=False):
    """A player's strength as a normal distribution, from games of one rule set and number of seats.

    ``at_least`` is three standard deviations below the mean, by which players are ranked.
    """

    name: Annotated[str, Meta(description="The player's pseudonym, as it stands in seats.")]
    mu: Annotated[float, Meta(description="The mean; a `greedy` bot has 25.")]
    sigma: Annotated[float, Meta(description="The standard deviation, which games lessen.")]
    games: int
    at_least: float


class RatingPage(Struct, frozen=True, gc=False):
    """A page of the ratings of a rule set with a number of seats, the best player first."""

    digest: Annotated[str, Meta(description="SHA-256 (hex) of the rule set, house rules included.")]
    seats: int
    ratings: tuple[PlayerRating, ...]
    next: str | None


class PoolRating(Struct, frozen=True, gc=False):
    """A player's rating in games of one rule set, by its digest, with one number of seats."""

    ruleset: str
    digest: str
    seats: int
    mu: float
    sigma: float
    games: int


class RatingStep(Struct, frozen=True, gc=False):
    """A player's rating after a game, which ended at the time (milliseconds since 1970)."""

    game: str
    ended_at: int
    place: int
    mu: float
    sigma: float
    games: int


class RatingHistory(Struct, frozen=True, gc=False):
    """A page of a player's rated games of one rule set and number of seats, newest first."""

    steps: tuple[RatingStep, ...]
    next: str | None


class NotReached(Exception):
    """The views have not reached the version asked for; ``reached`` is 0 for an unknown game."""

    def __init__(self, game: UUID, at_least: int, reached: int) -> None:
        super().__init__(f"The views of game {game} are at version {reached}, not yet {at_least}.")
        self.game = game
        self.at_least = at_least
        self.reached = reached


class ViewsUnavailable(Exception):
    """The views cannot be read now; the message says why."""


class ViewsWentBack(ViewsUnavailable):
    """The views are at an earlier position than before: a list of them would lack games."""


class BadCursor(ValueError):
    """The cursor comes from no page of this list."""


class _RatingPlace(Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    at_least: float
    name: Annotated[str, Meta(max_length=200)]


class _Place(Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    wins: Annotated[int, Meta(ge=0, le=LAST)]
    mean_points: float
    name: Annotated[str, Meta(max_length=200)]
    bot: Annotated[str, Meta(max_length=200)]


def game_cursor(position: int) -> str:
    """The cursor for the games opened before the one at this log position."""
    return str(position)


def game_place(cursor: str | None) -> int:
    """The log position before which a page of games starts."""
    return LAST if cursor is None else _position(cursor, "This is no cursor of the games list.")


class FinishedPlace(NamedTuple):
    """A place in the order of finished games: a log position, and the first hex digits of the leaf
    hash of its event; empty if unknown.
    """

    position: int
    leaf: str = ""


def finished_cursor(place: FinishedPlace) -> str:
    """The cursor for the games that were over after the one at the place."""
    return f"{place.position}.{place.leaf}" if place.leaf else str(place.position)


def finished_place(cursor: str | None) -> FinishedPlace:
    """The place after which finished games are wanted.

    Raises:
        BadCursor: it is no cursor of the export.

    """
    refusal = "This is no cursor of the export."
    position, dot, leaf = (cursor or "0").partition(".")
    if dot and not _LEAF.fullmatch(leaf):
        raise BadCursor(refusal)
    return FinishedPlace(_position(position, refusal), leaf)


def _position(cursor: str, refusal: str) -> int:
    if not (cursor.isascii() and cursor.isdigit() and len(cursor) <= len(str(LAST)) - 1):
        raise BadCursor(refusal)
    return int(cursor)


def standing_cursor(last: Standing) -> str:
    """The cursor for the players ranked after this one."""
    return _cursor(_Place(last.wins, last.mean_points, last.name, last.bot))


def rating_cursor(last: PlayerRating) -> str:
    """The cursor for the players rated after this one."""
    return _cursor(_RatingPlace(last.at_least, last.name))


def rating_place(cursor: str | None) -> tuple[float, str]:
    """The sort keys after which a page of ratings starts, which grow from page to page."""
    if cursor is None:
        return (-inf, "")
    place = _cursor_place(cursor, _RatingPlace, "This is no cursor of the ratings.")
    return (-place.at_least, place.name)


def step_cursor(last: RatingStep) -> str:
    """The cursor for the rated games before this one."""
    return f"{last.ended_at}.{last.game}"


def step_place(cursor: str | None) -> tuple[int, str]:
    """The time and the game before which a page of a history starts."""
    refusal = "This is no cursor of a history of ratings."
    at, _, game = (cursor or f"{LAST}.{UUID(int=0)}").partition(".")
    if not _GAME.fullmatch(game):
        raise BadCursor(refusal)
    return _position(at, refusal) if cursor else LAST, game


def _cursor(place: Struct) -> str:
    return base64.urlsafe_b64encode(msgspec.json.encode(place)).decode()


def _cursor_place(cursor: str, kind: type[P], refusal: str) -> P:
    try:
        place = msgspec.json.decode(base64.urlsafe_b64decode(cursor), type=kind)
    except (ValueError, binascii.Error) as error:
        raise BadCursor(refusal) from error
    if any(isinstance(part, str) and "\0" in part for part in astuple(place)):
        raise BadCursor(refusal)
    return place


def standing_place(cursor: str | None) -> tuple[int, float, str, str]:
    """The sort keys after which a page of the leaderboard starts: fewest lost, points, name, bot.

    The first is the number of wins below zero, so that all keys grow from page to page.
    """
    if cursor is None:
        return (-LAST, 0.0, "", "")
    place = _cursor_place(cursor, _Place, "This is no cursor of the leaderboard.")
    return (-place.wins, place.mean_points, place.name, place.bot)
