"""Policies: named strategies that rule sets choose from. A game is a choice of these, never a
branch.
"""

from collections.abc import Callable
from functools import cache
from typing import Literal

from msgspec import Struct

from phaseledger.domain.cards import SKIP, WILD
from phaseledger.domain.ruleset import Points, RuleSet
from phaseledger.domain.state import SeatState, State


def _in_order(state: State, seat: SeatState) -> tuple[int, ...]:
    """Each seat makes its phases in order, independently of the others (C-21)."""
    return (seat.phase,) if seat.phase <= len(state.ruleset.phases) else ()


def _any_unmade(state: State, seat: SeatState) -> tuple[int, ...]:
    """Any phase that was not made before (D-62)."""
    if state.replay:
        return _in_order(state, seat)
    numbers = range(1, len(state.ruleset.phases) + 1)
    return tuple(number for number in numbers if not seat.made >> number - 1 & 1)


OPEN_PHASES: dict[str, Callable[[State, SeatState], tuple[int, ...]]] = {
    "in_order": _in_order,
    "by_round": _in_order,
    "free": _any_unmade,
    "marker": _in_order,
}
"""``RuleSet.progress`` to the phases that a seat may lay now."""


def _next_in_order(state: State, number: int, out: int | None) -> int:
    return state.seat(number).made.bit_count() + 1


def _next_by_round(state: State, number: int, out: int | None) -> int:
    """Every seat goes on to the next phase, made or not (C-73)."""
    return state.round + 1


def _first_unmade(state: State, number: int, out: int | None) -> int:
    """The lowest phase still open, which a free style shows as the one to make (D-62)."""
    made = state.seat(number).made
    return (made + 1 & ~made).bit_length()


def _next_space(state: State, number: int, out: int | None) -> int:
    """The marker goes two spaces for the round's ender, one for each seat that laid (B-70..B-72).

    The laurel comes after the last phase; further steps are ignored (B-76).
    """
    seat = state.seat(number)
    ahead = 2 if number == out else 1 if seat.laid else 0
    return min(seat.phase + ahead, len(state.ruleset.phases) + 1)


NEXT_PHASE: dict[str, Callable[[State, int, int | None], int]] = {
    "in_order": _next_in_order,
    "by_round": _next_by_round,
    "free": _first_unmade,
    "marker": _next_space,
}
"""``RuleSet.progress`` to the phase that a seat attempts after the round that ``out`` ended."""


def _hand_points(ruleset: RuleSet, hand: bytes) -> int:
    """Penalty points of the cards in hand (C-64)."""
    values = card_points(ruleset.points)
    return sum([values[card & 15] for card in hand])


@cache
def card_points(points: Points) -> dict[int, int]:
    """The penalty points of a card of each rank."""
    return dict(enumerate(points.ranks, 1)) | {WILD: points.wild, SKIP: points.skip}


def _no_points(ruleset: RuleSet, hand: bytes) -> int:
    """Cards in hand cost nothing (B-73)."""
    return 0


SCORING: dict[str, Callable[[RuleSet, bytes], int]] = {
    "points": _hand_points,
    "none": _no_points,
}
"""``RuleSet.scoring`` to the points that a hand costs."""


class RoundOutcome(Struct, frozen=True, gc=False):
    """The outcome of a round: the game is won, seats replay for it, or a round follows."""

    follows: Literal["win", "replay", "round"]
    seats: tuple[int, ...] = ()


def _fewest_points(state: State, seats: list[int]) -> list[int]:
    fewest = min(state.seat(number).points for number in seats)
    return [number for number in seats if state.seat(number).points == fewest]


def has_open_replay(ruleset: RuleSet) -> bool:
    """Whether a seat that is not tied may end a replay, which the hands then decide (O-24)."""
    return bool(ruleset.revision) and ruleset.options.final_tie_replay == "everybody"


def _cheapest_hands(state: State, seats: list[int]) -> tuple[int, ...]:
    """The seats with the fewest points in hand, where an untied one ended the replay (O-24)."""
    points = [_hand_points(state.ruleset, state.seat(number).hand) for number in seats]
    return tuple(n for n, held in zip(seats, points, strict=True) if held == min(points))


def _last_phase(state: State) -> RoundOutcome:
    """The game ends with the round in which a seat completed the last phase (C-69..C-72)."""
    options, everybody = state.ruleset.options, range(len(state.seats))
    all_made = (1 << len(state.ruleset.phases)) - 1
    finished = [number for number in everybody if state.seat(number).made == all_made]
    if not finished:
        return RoundOutcome("round")
    tied = _fewest_points(state, finished)
    went_out = tuple(number for number in tied if number == state.out)
    if state.replay:
        # A replay that a limit ended decides nothing, nor would the next one.
        if went_out or state.out is None:
            return RoundOutcome("win", went_out or tuple(tied))
        if has_open_replay(state.ruleset):
            return RoundOutcome("win", _cheapest_hands(state, tied))
    elif len(tied) == 1 or options.final_tie == "shared":
        return RoundOutcome("win", tuple(tied))
    elif options.final_tie == "went_out":
        return RoundOutcome("win", went_out or tuple(tied))
    return RoundOutcome(
        "replay", tuple(tied if options.final_tie_replay == "tied_only" else everybody)
    )


def _fixed_rounds(state: State) -> RoundOutcome:
    """The game ends after a fixed number of rounds; the lowest total wins (C-73)."""
    if state.round < state.ruleset.rounds:
        return RoundOutcome("round")
    tied = _fewest_points(state, list(range(len(state.seats))))
    if state.ruleset.options.final_tie_10rounds == "more_phases_then_shared":
        most = max(state.seat(number).made.bit_count() for number in tied)
        tied = [number for number in tied if state.seat(number).made.bit_count() == most]
    return RoundOutcome("win", tuple(tied))


def ender(state: State) -> int:
    """The seat that ended the round or, where a limit did, the seat that began it."""
    return state.players[0] if state.out is None else state.out


def _laurel(state: State) -> RoundOutcome:
    """The first seat on the space after the last phase, from the round's ender on, wins (B-74)."""
    seats = len(state.seats)
    for number in ((ender(state) + ahead) % seats for ahead in range(seats)):
        if state.seat(number).phase > len(state.ruleset.phases):
            return RoundOutcome("win", (number,))
    return RoundOutcome("round")


FINISH: dict[str, Callable[[State], RoundOutcome]] = {
    "last_phase": _last_phase,
    "rounds": _fixed_rounds,
    "laurel": _laurel,
}
"""``RuleSet.finish`` to the outcome of a round that has just ended."""


def _by_phases(state: State, seat: SeatState) -> tuple[int, ...]:
    return (-seat.made.bit_count(), seat.points)


def _by_points(state: State, seat: SeatState) -> tuple[int, ...]:
    if state.ruleset.options.final_tie_10rounds == "more_phases_then_shared":
        return (seat.points, -seat.made.bit_count())
    return (seat.points,)


def _by_marker(state: State, seat: SeatState) -> tuple[int, ...]:
    return (-seat.phase,)


ORDER: dict[str, Callable[[State, SeatState], tuple[int, ...]]] = {
    "last_phase": _by_phases,
    "rounds": _by_points,
    "laurel": _by_marker,
}
"""``RuleSet.finish`` to the sort key of a seat that has not won, the best first."""


def places(state: State) -> tuple[int, ...]:
    """The place of each seat of a game that has ended: 1 for each winner, and equal places where
    the rules find no difference, after which as many are left out (1, 1, 3).

    The rule books name the winner alone. The seats behind are in the order in which they would have
    won: by what the rule set's ``finish`` compares.
    """
    order = ORDER[state.ruleset.finish]
    keys = [
        (number not in state.winners, *(order(state, seat) if number not in state.winners else ()))
        for number, seat in enumerate(state.seats)
        if seat
    ]
    return tuple(1 + sum(other < key for other in keys) for key in keys)
