"""The kernel plays the card games move by move as `legal` and `step` do."""

from array import array
from itertools import islice

import pytest

from phaseledger.domain.kernel import entries as kernel
from phaseledger.domain.kernel import layout as at
from phaseledger.domain.kernel.pack import Workspace, pack
from phaseledger.domain.kernel.policies.games import RANDOM
from phaseledger.domain.kernel.table import NotCovered, compile_rules
from phaseledger.domain.rulesets import preset
from tests.support.cases import looped
from tests.support.kernel_scenes import CARD_GAMES, DIRECTED, scenes
from tests.support.lockstep import Scene, follow, held, opened, recorded


@looped("ruleset", CARD_GAMES)
def test_random_games_under_house_rules(ruleset: str) -> None:
    assert sum(held(scene, 150) for scene in islice(scenes(ruleset), 15)) > 1_500


@looped("ruleset", CARD_GAMES)
def test_bots_choose_as_those_of_the_domain(ruleset: str) -> None:
    bots = ("random", "greedy", "expert")
    assert sum(held(scene, 60, bots) for scene in islice(scenes(ruleset, 7), 6)) > 250


@looped("ruleset", CARD_GAMES)
def test_whole_random_games(ruleset: str) -> None:
    """By the usual rules, until somebody wins."""
    seats = preset(ruleset).seats_max
    held(Scene(ruleset, seats, {"max_turns_per_round": 60}, "whole"), 20_000)


def test_positions_laid_out_by_hand() -> None:
    for name, state in DIRECTED.items():
        for seed in "ab":
            try:
                follow(islice(recorded(Scene("", 0, {}, seed), (), state), 60))
            except AssertionError as error:
                error.add_note(f"{name}, {seed}")
                raise


@looped("ruleset", CARD_GAMES)
def test_no_card_is_lost_or_made(ruleset: str) -> None:
    """In games that the kernel plays alone (N-03)."""
    for scene in islice(scenes(ruleset), 5):
        state, space = opened(scene), Workspace()
        rules, game = compile_rules(state.ruleset), pack(state)
        policies = array("q", [RANDOM] * scene.seats)
        kernel.seed_chance(space.chance, 1, 0)
        for _ in range(1_000):
            assert cards_of(game) == list(state.ruleset.deck.cards())
            given = (space.chance, space.moves, space.work, space.tuning, space.weights)
            if not kernel.play_on(rules, game, *given, policies, 1, 1):
                break


def cards_of(game: "array[int]") -> list[int]:
    """All cards of a game, sorted."""
    table = game[at.TABLE : at.TABLE + 64]
    cards = [card for card, count in enumerate(table) for _ in range(count)]
    cards += game[at.STOCK_AT : at.STOCK_AT + game[at.STOCK]]
    cards += game[at.PILE_AT : at.PILE_AT + game[at.PILE]]
    for seat in range(at.SEAT_AT, at.SEAT_AT + game[at.SEATS] * at.SEAT, at.SEAT):
        cards += game[seat + at.HAND_AT : seat + at.HAND_AT + game[seat + at.HAND]]
        cards += [at.SKIP] * game[seat + at.FRONT]
    return sorted(cards)


def test_the_board_is_refused() -> None:
    with pytest.raises(NotCovered, match="does not cover the ring"):
        compile_rules(preset("board"))
