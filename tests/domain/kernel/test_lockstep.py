"""The kernel plays the games move by move as `legal` and `step` do."""

from array import array
from itertools import islice
from typing import Any

import pytest
from msgspec.structs import replace

from phaseledger.domain.kernel import entries as kernel
from phaseledger.domain.kernel.pack import Workspace, pack
from phaseledger.domain.kernel.policies.games import RANDOM
from phaseledger.domain.kernel.table import NotCovered, compile_rules
from phaseledger.domain.ruleset import Deck, Points
from tests.support.cases import looped
from tests.support.kernel_scenes import CROWDED, DIRECTED, GAMES, RING, scenes
from tests.support.lockstep import Scene, cards_of, follow, held, opened, recorded
from tests.support.table import BOARD


@looped("ruleset", GAMES)
def test_random_games_under_house_rules(ruleset: str) -> None:
    assert sum(held(scene, 150) for scene in islice(scenes(ruleset), 15)) > 1_500


def test_phases_of_many_groups() -> None:
    assert sum(held(scene, 100) for scene in CROWDED) > 900


@looped("ruleset, seats", [("classic", 6), ("standard-deck", 5), ("express", 6), ("board", 2)])
def test_whole_random_games(ruleset: str, seats: int) -> None:
    """By the usual rules, until somebody wins."""
    assert held(Scene(ruleset, seats, {"max_turns_per_round": 60}, "whole"), 20_000) > 100


def test_positions_laid_out_by_hand() -> None:
    for name, state in {**DIRECTED, **RING}.items():
        for seed in "ab":
            try:
                follow(islice(recorded(Scene("", 0, {}, seed), state), 30))
            except AssertionError as error:
                error.add_note(f"{name}, {seed}")
                raise


@looped("ruleset", GAMES)
def test_no_card_is_lost_or_made(ruleset: str) -> None:
    """In games that the kernel plays alone (N-03)."""
    for scene in islice(scenes(ruleset), 5):
        (state, _), space = opened(scene), Workspace()
        rules, game = compile_rules(state.ruleset), pack(state)
        policies = array("q", [RANDOM] * scene.seats)
        kernel.seed_chance(space.chance, 1, 0)
        for _ in range(1_000):
            assert cards_of(game) == list(state.ruleset.deck.cards())
            given = (space.chance, space.moves, space.work, space.tuning, space.weights)
            if not kernel.play_on(rules, game, *given, policies, 1, 1):
                break


@looped(
    "fault, changes",
    [
        ("a ring without actions", {"acquire": "draw"}),
        ("wilds or skips on a ring", {"deck": Deck("coloured", 2, 8, 4)}),
        ("a ring of 16 spaces", {"track": BOARD.track[:16]}),
        ("9 kept cards", {"keep": 9}),
        ("points that do not count", {"points": Points((1,) * 12, 0, 0)}),
        ("3 discards at once", {"discards_when_full": 3}),
    ],
)
def test_other_rules_are_refused(fault: str, changes: dict[str, Any]) -> None:
    with pytest.raises(NotCovered, match=f"does not cover {fault}"):
        compile_rules(replace(BOARD, **changes))
