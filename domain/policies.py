"""Named strategies that rule sets choose from. A game is a choice of these, never a branch."""

from collections.abc import Callable
from typing import Literal

from msgspec import Struct

from domain.cards import SKIP, WILD
from domain.rules import RuleSet
from domain.state import Seat, State


def _in_order(state: State, seat: Seat) -> tuple[int, ...]:
    """Each seat makes its phases in order, independently of the others (C-21)."""
    return (seat.phase,) if seat.phase <= len(state.ruleset.phases) else ()


OPEN_PHASES: dict[str, Callable[[State, Seat], tuple[int, ...]]] = {
    "in_order": _in_order,
    "by_round": _in_order,
}
"""``RuleSet.progress`` to the phases that a seat may lay now."""


def _next_in_order(state: State, seat: Seat) -> int:
    return seat.made.bit_count() + 1


def _next_by_round(state: State, seat: Seat) -> int:
    """Everybody goes on to the next phase, made or not (C-73)."""
    return state.round + 1


NEXT_PHASE: dict[str, Callable[[State, Seat], int]] = {
    "in_order": _next_in_order,
    "by_round": _next_by_round,
}
"""``RuleSet.progress`` to the phase that a seat attempts in the next round."""


def _hand_points(ruleset: RuleSet, hand: bytes) -> int:
    """Penalty points of the cards in hand (C-64)."""
    points = ruleset.points
    values = dict(enumerate(points.ranks, 1)) | {WILD: points.wild, SKIP: points.skip}
    return sum(values[card & 15] for card in hand)


SCORING: dict[str, Callable[[RuleSet, bytes], int]] = {"points": _hand_points}
"""``RuleSet.scoring`` to the points that a hand costs."""


class Verdict(Struct, frozen=True, gc=False):
    """What follows a round: somebody won, some replay for the win, or the next round."""

    follows: Literal["win", "replay", "round"]
    seats: tuple[int, ...] = ()


def _fewest_points(state: State, seats: list[int]) -> list[int]:
    best = min(state.seat(number).points for number in seats)
    return [number for number in seats if state.seat(number).points == best]


def _last_phase(state: State) -> Verdict:
    """The game ends with the round in which somebody completed the last phase (C-69..C-72)."""
    options, everybody = state.ruleset.options, range(len(state.seats))
    all_made = (1 << len(state.ruleset.phases)) - 1
    finished = [number for number in everybody if state.seat(number).made == all_made]
    if not finished:
        return Verdict("round")
    tied = _fewest_points(state, finished)
    first = tuple(number for number in tied if number == state.out)
    if state.replay:
        # A replay that a limit ended decides nothing, nor would the next one.
        if first or state.out is None:
            return Verdict("win", first or tuple(tied))
    elif len(tied) == 1 or options.final_tie == "shared":
        return Verdict("win", tuple(tied))
    elif options.final_tie == "went_out":
        return Verdict("win", first or tuple(tied))
    return Verdict("replay", tuple(tied if options.final_tie_replay == "tied_only" else everybody))


def _fixed_rounds(state: State) -> Verdict:
    """The game ends after a fixed number of rounds; the lowest total wins (C-73)."""
    if state.round < state.ruleset.rounds:
        return Verdict("round")
    tied = _fewest_points(state, list(range(len(state.seats))))
    if state.ruleset.options.final_tie_10rounds == "more_phases_then_shared":
        most = max(state.seat(number).made.bit_count() for number in tied)
        tied = [number for number in tied if state.seat(number).made.bit_count() == most]
    return Verdict("win", tuple(tied))


FINISH: dict[str, Callable[[State], Verdict]] = {
    "last_phase": _last_phase,
    "rounds": _fixed_rounds,
}
"""``RuleSet.finish`` to what follows a round that has just ended."""
