"""The fit of a value model: chances to win and points to come, from self-play of `expert`.

Chances: Newton's method on the log likelihood of a conditional logit with a ridge; a few steps
converge. Points: least squares with the same ridge, which is one such step.
"""

from array import array
from collections.abc import Callable, Iterator
from typing import NamedTuple

from msgspec import Struct

from phaseledger.domain.kernel import entries as kernel
from phaseledger.domain.kernel.pack import Workspace
from phaseledger.domain.kernel.policies.games import EXPERT
from phaseledger.domain.kernel.rollouts.samples import CURVE_AT, SAMPLE, SHARE, SUMS
from phaseledger.domain.kernel.rollouts.values import FEATURES, MODEL
from phaseledger.domain.kernel.table import compile_rules
from phaseledger.domain.ruleset import RuleSet

GAMES = 4_000
MOST_DECISIONS = 20_000
EVERY = 40
"""Decisions of which one is a sample: neighbours tell little more."""
MOST_SAMPLES = 1_024
"""The most samples of one game that there is room for."""
_RIDGE = 1.0
_STEPS = 12
_CLOSE = 1e-9
_DIGITS = 6


Watch = Callable[[float], None]
"""Called now and then with the share of the decisions that is judged; it may raise."""


def unwatched(_: float) -> None:
    """Do nothing."""


class Samples(Struct):
    """Samples of many games, one row after the other."""

    seats: int
    values: "array[float]"
    count: int = 0


def samples(
    ruleset: RuleSet,
    seats: int,
    seed: int,
    games: range,
    watch: Watch = unwatched,
    *,
    within: bool,
) -> Samples:
    """Samples of games of `expert` against itself: of moments within rounds, or between them."""
    rules, space = compile_rules(ruleset), Workspace(seats)
    gathered = Samples(seats, array("d"))
    width = seats * SAMPLE
    room = array("d", bytes(8 * width * MOST_SAMPLES))
    policies = array("q", [EXPERT] * seats)
    for number in games:
        kernel.seed_chance(space.chance, seed, number)
        kernel.open_game(rules, space.game, space.chance, seats, number % seats)
        count = kernel.play_samples(
            rules,
            space.game,
            space.chance,
            space.moves,
            space.work,
            space.tuning,
            space.weights,
            policies,
            int(within),
            EVERY,
            MOST_DECISIONS,
            room,
            MOST_SAMPLES,
        )
        gathered.values.extend(room[: count * width])
        gathered.count += count
        watch(0.0)
    return gathered


def fit(
    ruleset: RuleSet, seats: int, seed: int = 1, games: int = GAMES, watch: Watch = unwatched
) -> list[float]:
    """The model of a rule set and a number of seats; the same seed gives the same model."""
    weights: list[float] = []
    for within in (True, False):
        gathered = samples(ruleset, seats, seed, range(games), watch, within=within)
        weights += _fit_chances(gathered) + _fit_points(gathered)
    return [round(weight, _DIGITS) + 0.0 for weight in weights]


def _fit_chances(gathered: Samples) -> list[float]:
    """The weights under which the samples are likeliest, less the ridge."""
    model, before = array("d", bytes(8 * MODEL)), float("-inf")
    for _ in range(_STEPS):
        sums = array("d", bytes(8 * SUMS))
        kernel.add_slopes(gathered.values, gathered.count, gathered.seats, model, 0, sums)
        slopes = [sums[1 + i] - _RIDGE * model[i] for i in range(FEATURES)]
        for i, change in enumerate(_changes(sums, slopes)):
            model[i] += change
        if abs(sum(slopes)) + abs(sums[0] - before) < _CLOSE * gathered.count:
            break
        before = sums[0]
    return list(model[:FEATURES])


def _fit_points(gathered: Samples) -> list[float]:
    """The weights that come nearest to the points to come, in squares, less the ridge."""
    sums = array("d", bytes(8 * SUMS))
    kernel.add_squares(gathered.values, gathered.count, gathered.seats, sums)
    return _changes(sums, list(sums[1 : 1 + FEATURES]))


def _changes(sums: "array[float]", slopes: list[float]) -> list[float]:
    """The changes of the weights that one step of Newton's method makes."""
    curves = [
        [sums[CURVE_AT + i * FEATURES + j] + (_RIDGE if i == j else 0.0) for j in range(FEATURES)]
        for i in range(FEATURES)
    ]
    return solved(curves, slopes)


def solved(matrix: list[list[float]], right: list[float]) -> list[float]:
    """The solution of a positive definite system, by Gauss and Jordan."""
    rows = [[*row, value] for row, value in zip(matrix, right, strict=True)]
    for i, row in enumerate(rows):
        row[:] = [value / row[i] for value in row]
        for j, other in enumerate(rows):
            if j != i and other[i]:
                other[:] = [value - other[i] * part for value, part in zip(other, row, strict=True)]
    return [row[-1] for row in rows]


class SeatSample(NamedTuple):
    """What one seat's game was like at a time, and what came of it."""

    features: "array[float]"
    share: float
    to_come: float
    """The points that it still took."""


def rows(gathered: Samples) -> Iterator[list[SeatSample]]:
    """The samples, each with those of the seats."""
    width = gathered.seats * SAMPLE
    for start in range(0, gathered.count * width, width):
        yield [
            SeatSample(
                gathered.values[at : at + FEATURES], *gathered.values[at + SHARE : at + SAMPLE]
            )
            for at in range(start, start + width, SAMPLE)
        ]
