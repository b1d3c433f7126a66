"""The fit of a value model: chances to win, from games of `expert` against itself.

Newton's method on the log likelihood of a conditional logit with a ridge; a few steps converge.
"""

from array import array
from collections.abc import Callable, Iterator

from msgspec import Struct

from phaseledger.domain.kernel import entries as kernel
from phaseledger.domain.kernel.pack import Workspace
from phaseledger.domain.kernel.policies.games import EXPERT
from phaseledger.domain.kernel.rollouts.values import CURVE_AT, FEATURES, MODEL, SUMS
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
    width = seats * (FEATURES + 1)
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
    numbers = range(games)
    inside = _fit_row(samples(ruleset, seats, seed, numbers, watch, within=True))
    between = _fit_row(samples(ruleset, seats, seed, numbers, watch, within=False))
    return [round(weight, _DIGITS) for weight in inside + between]


def _fit_row(gathered: Samples) -> list[float]:
    """The weights under which the samples are likeliest, less the ridge."""
    model, before = array("d", bytes(8 * MODEL)), float("-inf")
    for _ in range(_STEPS):
        sums = array("d", bytes(8 * SUMS))
        kernel.add_slopes(gathered.values, gathered.count, gathered.seats, model, 0, sums)
        slopes = [sums[1 + i] - _RIDGE * model[i] for i in range(FEATURES)]
        curves = [
            [
                sums[CURVE_AT + i * FEATURES + j] + (_RIDGE if i == j else 0.0)
                for j in range(FEATURES)
            ]
            for i in range(FEATURES)
        ]
        for i, change in enumerate(solved(curves, slopes)):
            model[i] += change
        if abs(sum(slopes)) + abs(sums[0] - before) < _CLOSE * gathered.count:
            break
        before = sums[0]
    return list(model[:FEATURES])


def solved(matrix: list[list[float]], right: list[float]) -> list[float]:
    """The solution of a positive definite system, by Gauss and Jordan."""
    rows = [[*row, value] for row, value in zip(matrix, right, strict=True)]
    for i, row in enumerate(rows):
        row[:] = [value / row[i] for value in row]
        for j, other in enumerate(rows):
            if j != i and other[i]:
                other[:] = [value - other[i] * part for value, part in zip(other, row, strict=True)]
    return [row[-1] for row in rows]


def rows(gathered: Samples) -> Iterator[list[tuple[list[float], float]]]:
    """The samples, each as the features and the share of each seat."""
    width = FEATURES + 1
    for start in range(0, gathered.count * gathered.seats * width, gathered.seats * width):
        yield [
            (
                list(gathered.values[at : at + FEATURES]),
                gathered.values[at + FEATURES],
            )
            for at in range(start, start + gathered.seats * width, width)
        ]
