"""Rated games: which games count for ratings, and their results as the ratings take them."""

from collections.abc import Mapping
from types import MappingProxyType

from msgspec import Struct

from phaseledger.domain.names import is_pseudonym
from phaseledger.domain.policies import places
from phaseledger.domain.ruleset import fingerprint
from phaseledger.domain.state import SeatState, State

ANCHORS: Mapping[str, float] = MappingProxyType(
    {"random": -15.0, "greedy": 25.0, "expert": 31.0, "master": 31.0}
)
"""The fixed rating of each level of a bot; docs/explanation/ratings.md derives it. A released level
keeps its rating, since earlier games would be rated otherwise.
"""


class Entrant(Struct, frozen=True, gc=False):
    """A seat of a rated game: a player, by pseudonym, or a bot, whose ``name`` is empty."""

    name: str
    bot: str
    place: int
    """In the order of finish: 1 for a winner, equal for a tie."""


class RatedGame(Struct, frozen=True, gc=False):
    """The result of a game that counts, its entrants in seat order."""

    game: str
    at: int
    """When it ended, in milliseconds since 1970, by its last event."""
    ruleset: str
    digest: str
    """SHA-256 (hex) of the rule set, house rules included."""
    entrants: tuple[Entrant, ...]

    @property
    def order(self) -> tuple[int, str]:
        """The place of the game in the order in which games are rated: by the time of their end,
        then by id. Both are in the game's own record, so any copy of the games has this order.
        """
        return self.at, self.game


def counts(state: State) -> bool:
    """Whether a game has ended between two players at least, none of whom sits there twice, and
    every other seat is a bot's.
    """
    seats = [seat for seat in state.seats if seat]
    names = [seat.name for seat in seats if not seat.bot]
    return (
        state.stage == "ended"
        and len(names) == len({*names}) > 1
        and all(map(is_pseudonym, names))
        and all(seat.bot in ANCHORS for seat in seats if seat.bot)
    )


def rated_game(state: State, at: int) -> RatedGame | None:
    """The result of a game that ended at the time; None where it does not count.

    The caller knows of tables in no list and of seats that a bot took over.
    """
    if not counts(state):
        return None
    seats = [seat for seat in state.seats if seat]
    return RatedGame(
        game=state.game,
        at=at,
        ruleset=state.ruleset.id,
        digest=fingerprint(state.ruleset),
        entrants=tuple(
            Entrant(_player(seat), seat.bot, place)
            for seat, place in zip(seats, places(state), strict=True)
        ),
    )


def _player(seat: SeatState) -> str:
    return "" if seat.bot else seat.name
