"""The compiled kernel plays the games that its sources play, to the last bit."""

from array import array
from importlib.util import find_spec
from typing import Any

import pytest

from phaseledger.domain.kernel import chance, entries, games, is_compiled, rules, tunings
from phaseledger.domain.kernel.games import EXPERT, GREEDY, RANDOM
from phaseledger.domain.kernel.layout import MOVE, MOVES
from phaseledger.domain.kernel.table import compile_rules
from phaseledger.domain.rulesets import preset

pytestmark = [
    pytest.mark.skipif(
        find_spec("phaseledger.domain.kernel.compiled") is None,
        reason="nothing is compiled: python hatch_build.py",
    ),
    pytest.mark.untraced,
]
SEATS = 4


def ints(size: int) -> Any:
    return array("q", bytes(8 * size))


def played(source: Any, ruleset: str, policies: tuple[int, ...], seed: int) -> tuple[Any, ...]:
    """A game of four: its decisions, its last position, and what chance and floats came to."""
    table = compile_rules(preset(ruleset))
    game, words, moves, work = ints(2_000), ints(16), ints(MOVES * MOVE + 1), ints(20_000)
    weights, tuning = array("d", bytes(8 * 20_000)), array("d", tunings.EXPERT)
    source.seed_chance(words, seed, 0)
    source.open_game(table, game, words, SEATS, 0)
    asked = (table, game, words, moves, work, tuning, weights, array("q", policies))
    return source.play_on(*asked, 100, 20_000), game, words, weights


class Plain:
    """The entry points that a game takes, uncompiled."""

    seed_chance = staticmethod(chance.seed_chance)
    open_game = staticmethod(rules.open_game)
    play_on = staticmethod(games.play_on)


@pytest.mark.parametrize("ruleset", ["classic", "standard-deck", "express"])
@pytest.mark.parametrize(
    "policies", [(RANDOM,) * SEATS, (GREEDY,) * SEATS, (RANDOM, GREEDY, EXPERT, EXPERT)]
)
def test_the_same_seed_gives_the_same_game(ruleset: str, policies: tuple[int, ...]) -> None:
    assert is_compiled()
    for seed in range(2):
        game = played(entries, ruleset, policies, seed)
        assert game[0] > 100
        assert game == played(Plain, ruleset, policies, seed)
