"""The kernel plays the card games move by move as `legal` and `step` do."""

from itertools import islice

import pytest

from phaseledger.domain.kernel.pack import pack
from phaseledger.domain.kernel.table import NotCovered, compile_rules
from phaseledger.domain.rulesets import preset
from phaseledger.domain.state import cards_in_play
from tests.support.kernel_scenes import CARD_GAMES, DIRECTED, scenes
from tests.support.lockstep import Moment, Scene, follow, held, recorded


@pytest.mark.parametrize("ruleset", CARD_GAMES)
def test_random_games_under_house_rules(ruleset: str) -> None:
    assert sum(held(scene, 150) for scene in islice(scenes(ruleset), 30)) > 3_000


@pytest.mark.parametrize("ruleset", CARD_GAMES)
def test_bots_choose_as_those_of_the_domain(ruleset: str) -> None:
    bots = ("random", "greedy", "expert")
    assert sum(held(scene, 60, bots) for scene in islice(scenes(ruleset, 7), 12)) > 500


@pytest.mark.parametrize("ruleset", CARD_GAMES)
def test_whole_random_games(ruleset: str) -> None:
    """By the usual rules, until somebody wins."""
    seats = preset(ruleset).seats_max
    held(Scene(ruleset, seats, {"max_turns_per_round": 60}, "whole"), 20_000)


def test_positions_laid_out_by_hand() -> None:
    for name, state in DIRECTED.items():
        for seed in "abc":
            try:
                follow(islice(recorded(Scene("", 0, {}, seed), (), state), 60))
            except AssertionError as error:
                error.add_note(f"{name}, {seed}")
                raise


def test_no_card_is_lost_or_made() -> None:
    """The moments of a game are compared with the domain's, whose cards are the deck's (N-03)."""
    for moment in islice(recorded(next(scenes("standard-deck"))), 0, 200, 20):
        deck = moment.state.ruleset.deck.cards()
        assert cards_in_play(moment.state) == deck
        assert sum(pack(moment.state)[100:356]) > 0


def test_the_board_is_refused() -> None:
    with pytest.raises(NotCovered, match="does not cover the ring"):
        compile_rules(preset("board"))


def test_a_difference_is_told() -> None:
    """A decision left out shows at the next one."""
    moments: list[Moment] = list(islice(recorded(next(scenes("classic"))), 20))
    with pytest.raises(AssertionError):
        follow([*moments[:9], *moments[10:]])
