"""Rollouts against exact answers in small endings of all four games."""

from collections.abc import Callable
from math import sqrt
from statistics import fmean

import pytest
from msgspec.structs import replace

from phaseledger.domain.cards import is_wild
from phaseledger.domain.policies import SCORING
from phaseledger.domain.rollouts.rollout import Rollout, RolloutPlan, rollout
from phaseledger.domain.rollouts.worlds import knowledge, world
from phaseledger.domain.rulesets import preset
from phaseledger.domain.state import State
from tests.support.cases import looped
from tests.support.table import table

GREEDY = ("greedy", "greedy")
ENDINGS = {
    "classic": (["R5", "B1 B2"], (1, "set", "R7 B7 G7"), "R12", 1),
    "standard-deck": (["5H", "2S 3S"], (1, "set", "7H 7S 7D"), "KH", 1),
    "express": (["R5", "B1 B2"], (1, "pairrun", "R6 B6 G7 Y7"), "R12", 3),
    "board": (["B5", "B1 B2"], (1, "color", "R1 R2 R3 R4 R5"), "G12", 1),
}
"""Hands (seat 0 has laid), a group, the top of the pile, which nobody wants, and the phase."""


FITS: dict[str, Callable[[int], bool]] = {
    "classic": lambda card: card & 15 == 7,
    "standard-deck": lambda card: card & 15 == 6,  # a seven, of two to king
    "express": lambda card: card & 15 == 5,
    "board": lambda card: card >> 4 == 0,
}
"""Whether seat 0 can hit a natural that it draws."""


def ending(ruleset: str, turns: int = 1) -> State:
    """A table where seat 0 is about to draw, and the round ends after so many turns."""
    hands, group, top, phase = ENDINGS[ruleset]
    return table(
        hands,
        ruleset=preset(ruleset),
        question="draw",
        phases=[phase, phase],
        laid={0: phase, 1: phase},
        groups=[group],
        discard=top,
        max_turns_per_round=turns,
    )


def played(state: State, count: int, bots: tuple[str, ...] = GREEDY) -> list[Rollout]:
    plan = RolloutPlan(state, 0, bots, "exact")
    return [rollout(plan, number) for number in range(count)]


def is_near(values: list[float], exact: float) -> bool:
    """Whether their mean is within four standard errors of the exact one."""
    variance = fmean((value - exact) ** 2 for value in values)
    return abs(fmean(values) - exact) <= 4 * sqrt(variance / len(values))


@pytest.mark.untraced
@looped("ruleset", ENDINGS)
def test_going_out_with_the_next_card(ruleset: str) -> None:
    """Seat 0 goes out if, and only if, its draw can be hit: in exactly that share of worlds.

    In Express the five and the draw make a pair below the run (X-P). On the board the covered pile
    is as unknown as the stock.
    """
    state = ending(ruleset)
    knowing = knowledge(state, 0)
    pool = [*state.stock, *state.seat(1).hand]
    fitting = sum(is_wild(card) or FITS[ruleset](card) for card in pool)
    results = played(state, 250)
    score = SCORING[state.ruleset.scoring]

    assert knowing.discard == state.discard
    assert all(result.ended for result in results)
    assert is_near([result.out == 0 for result in results], fitting / len(pool))
    expected = 2 * fmean(score(state.ruleset, bytes((card,))) for card in pool)
    assert is_near([result.results[1].points for result in results], expected)


def test_equal_knowledge_gives_equal_rollouts() -> None:
    """They depend on the seed, the number, and on nothing that the seat cannot know."""
    state = ending("classic", turns=40)
    other = world(state, 0, b"o" * 32, 5)
    results = played(state, 8)

    assert knowledge(other, 0) == knowledge(state, 0)
    assert other != state
    assert played(other, 8) == results
    assert [result.number for result in results] == list(range(8))
    assert len({result.decisions for result in results}) > 1
    plan = RolloutPlan(state, 0, GREEDY, "another")
    assert [rollout(plan, number) for number in range(8)] != results


@looped("ruleset", ENDINGS)
def test_a_game_is_played_to_its_end(ruleset: str) -> None:
    state = ending(ruleset, turns=12)
    result = rollout(RolloutPlan(state, 1, ("expert", "greedy"), "game", until="game"), 0)

    assert result.ended
    assert result.winners
    assert len(result.results) == 2


def test_a_rollout_is_broken_off() -> None:
    result = rollout(RolloutPlan(ending("classic", turns=9), 0, GREEDY, "x", most=3), 0)

    assert (result.ended, result.decisions) == (False, 3)
    assert (result.results, result.out, result.winners) == ((), None, ())


def test_a_seat_that_signs_is_played_on_unsigned() -> None:
    state = ending("classic")
    keyed = replace(state, seats=(replace(state.seat(0), key="ab" * 32), state.seat(1)))

    assert rollout(RolloutPlan(keyed, 0, GREEDY, "x"), 0).ended
