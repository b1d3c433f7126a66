"""The luck of a draw: 0 in the mean over the stock, and the same compiled or not."""

from array import array
from statistics import fmean, stdev
from typing import Any

import pytest

from phaseledger.domain.kernel import entries
from phaseledger.domain.kernel import layout as at
from phaseledger.domain.kernel.pack import Workspace, game_size, ints
from phaseledger.domain.kernel.policies.games import EXPERT, GREEDY
from phaseledger.domain.kernel.rollouts import luck
from phaseledger.domain.kernel.table import compile_rules
from phaseledger.domain.rulesets import preset
from phaseledger.replay.laboratory.account.models import model
from tests.support.cases import looped

SEATS = 3
RULES = compile_rules(preset("express"))
MODEL = model(preset("express"), SEATS)
POLICIES = array("q", [EXPERT, GREEDY, EXPERT])


def drawing(decisions: int) -> "array[int]":
    """A game after so many decisions or some more, whose active seat may draw from the stock."""
    space = Workspace(SEATS)
    entries.seed_chance(space.chance, 7, 1)
    entries.open_game(RULES, space.game, space.chance, SEATS, 0)
    while decisions > 0 or space.game[at.ASK] != at.ASK_DRAW:
        asked = (RULES, space.game, space.chance, space.moves, space.work, space.tuning)
        decisions -= entries.play_on(*asked, space.weights, POLICIES, 9, 1)
    return space.game


def luck_of(source: Any, game: "array[int]", number: int, others: int) -> "array[float]":
    space, sums = Workspace(SEATS), array("d", bytes(8 * SEATS))
    source.add_draw_luck(
        *(RULES, game, ints(game_size(SEATS)), space.chance, space.moves, space.work),
        *(space.tuning, space.weights, MODEL, POLICIES, 3, number, others, sums),
    )
    return sums


@looped("decisions", [12, 60])
def test_luck_is_0_in_the_mean_over_the_stock(decisions: int) -> None:
    game = drawing(decisions)
    stock = range(at.STOCK_AT, at.STOCK_AT + game[at.STOCK])
    rows = []
    for number, place in enumerate(4 * [*stock]):
        other = game[:]
        other[stock[-1]], other[place] = other[place], other[stock[-1]]
        rows.append(luck_of(entries, other, number, 6))
        assert sum(rows[-1]) == pytest.approx(0, abs=1e-9)
    for column in zip(*rows, strict=True):
        assert stdev(column) > 0.001
        assert abs(fmean(column)) < 4 * stdev(column) / len(column) ** 0.5


def test_compiled_and_not_it_is_the_same() -> None:
    game = drawing(40)
    assert luck_of(entries, game, 1, 2) == luck_of(luck, game, 1, 2)
