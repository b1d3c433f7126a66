"""The compiled kernel plays the games that its sources play, to the last bit."""

from array import array
from importlib.util import find_spec
from typing import Any

import pytest

from phaseledger.domain.kernel import entries, is_compiled
from phaseledger.domain.kernel.pack import Workspace
from phaseledger.domain.kernel.play import chance
from phaseledger.domain.kernel.play import rounds as rules
from phaseledger.domain.kernel.policies import games
from phaseledger.domain.kernel.policies.games import EXPERT, GREEDY, MASTER, RANDOM
from phaseledger.domain.kernel.table import compile_rules
from phaseledger.domain.rulesets import preset
from tests.support.cases import looped
from tests.support.kernel_scenes import GAMES

pytestmark = [
    pytest.mark.skipif(
        find_spec("phaseledger.domain.kernel.compiled") is None,
        reason="nothing is compiled: python hatch_build.py",
    ),
    pytest.mark.untraced,
]
SEATS = 4


def played(source: Any, ruleset: str, policies: tuple[int, ...], seed: int) -> tuple[Any, ...]:
    """A game of four: its decisions, its last position, and what chance and floats came to."""
    table = compile_rules(preset(ruleset))
    space = Workspace(SEATS)
    game, words, weights = space.game, space.chance, space.weights
    source.seed_chance(words, seed, 0)
    source.open_game(table, game, words, SEATS, 0)
    policies_of = array("q", policies)
    asked = (table, game, words, space.moves, space.work, space.tuning, weights, policies_of)
    return source.play_on(*asked, 100, 1_000), game, words, weights


class Plain:
    """The entry points that a game takes, uncompiled."""

    seed_chance = staticmethod(chance.seed_chance)
    open_game = staticmethod(rules.open_game)
    play_on = staticmethod(games.play_on)


@looped("ruleset", GAMES)
@looped("policies", [(RANDOM,) * SEATS, (GREEDY,) * SEATS, (RANDOM, GREEDY, EXPERT, MASTER)])
def test_the_same_seed_gives_the_same_game(ruleset: str, policies: tuple[int, ...]) -> None:
    assert is_compiled()
    game = played(entries, ruleset, policies, 1)
    assert game[0] > 100
    assert game == played(Plain, ruleset, policies, 1)
