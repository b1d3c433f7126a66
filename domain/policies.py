"""Named strategies that rule sets choose from. A game is a choice of these, never a branch."""

from collections.abc import Callable
from typing import Literal

from msgspec import Struct

from domain.cards import SKIP, WILD
from domain.rules import RuleSet
from domain.state import Seat, State


def _in_order(state: State, seat: Seat) -> tuple[int, ...]:
    """Each seat makes its phases in order, independently of the others (C-21)."""
    return (seat.phase,)


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
    special = {WILD: points.wild, SKIP: points.skip}
    return sum(special.get(card & 15) or points.ranks[(card & 15) - 1] for card in hand)


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
    if state.replay:
        return (
            Verdict("replay", state.players) if state.out is None else Verdict("win", (state.out,))
        )
    last, options = len(state.ruleset.phases), state.ruleset.options
    everybody = range(len(state.seats))
    finished = [n for n in everybody if state.seat(n).made >> (last - 1) & 1]
    if not finished:
        return Verdict("round")
    tied = _fewest_points(state, finished)
    if len(tied) == 1 or options.final_tie == "shared":
        return Verdict("win", tuple(tied))
    if options.final_tie == "went_out":
        return Verdict("win", (state.out,) if state.out in tied else tuple(tied))
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
