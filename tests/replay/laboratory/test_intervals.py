"""Intervals against known values, and by how often they hold the truth."""

from collections.abc import Sequence
from hashlib import sha256
from math import isclose, sqrt
from statistics import fmean, stdev

import pytest

from phaseledger.replay.laboratory.intervals import jackknife, mean_share, wilson
from tests.support.cases import looped


@looped(
    ("hits", "trials", "low", "high"),
    [
        # Newcombe 1998, table I, score method.
        (81, 263, 0.2553, 0.3662),
        (15, 148, 0.0624, 0.1605),
        (0, 20, 0.0, 0.1611),
        (1, 29, 0.0061, 0.1718),
        (20, 20, 0.8389, 1.0),
        (0, 0, 0.0, 1.0),
    ],
)
def test_wilson(hits: float, trials: float, low: float, high: float) -> None:
    interval = wilson(hits, trials)
    assert interval == pytest.approx((low, high), abs=5e-5)
    assert wilson(trials - hits, trials) == pytest.approx((1 - high, 1 - low), abs=5e-5)


def _joined(groups: Sequence[list[float]]) -> list[float]:
    return [value for group in groups for value in group]


def test_the_jackknife_of_a_mean_is_its_standard_error() -> None:
    values = [3.0, 1.0, 4.0, 1.0, 5.0, 9.0, 2.0, 6.0]
    interval = jackknife([[value] for value in values], _joined, fmean)
    assert interval is not None
    assert isclose(interval[1] - fmean(values), 2.365 * stdev(values) / sqrt(len(values)))
    assert isclose(sum(interval) / 2, fmean(values))


def test_too_few_groups_have_no_interval() -> None:
    assert jackknife([[1.0]] * 4, _joined, fmean) is None
    assert jackknife([[1.0]] * 5, _joined, lambda _: None) is None
    assert (
        jackknife([[float(n)] for n in range(5)], _joined, lambda v: max(v) if 4 in v else None)
        is None
    )


def _uniform(text: str) -> float:
    return int.from_bytes(sha256(text.encode()).digest()[:6]) / 2**48


@looped(("chance", "groups"), [(0.5, 40), (0.04, 8)])
def test_the_interval_of_alike_games_holds_the_truth(chance: float, groups: int) -> None:
    """Groups of four games, of which half are decided by what the group shares."""

    def share(run: int, group: int) -> float:
        shared = _uniform(f"{run} {group}") < chance
        own = [_uniform(f"{run} {group} {game}") < chance for game in range(2)]
        return (2 * shared + sum(own)) / 4

    held = 0
    for run in range(300):
        interval = mean_share([share(run, group) for group in range(groups)], 4)
        assert interval is not None
        held += interval[0] <= chance <= interval[1]

    assert held >= 300 * 0.92


def test_the_interval_of_groups_that_do_not_differ() -> None:
    assert mean_share([1.0], 4) is None
    assert mean_share([1.0, 1.0, 1.0], 4) == wilson(3, 3)
    assert mean_share([0.5, 0.5], 4) == wilson(1, 2)
    # Groups that differ less than chance alone would have it count as all their games at most.
    assert mean_share([0.5] * 99 + [0.51], 4) == pytest.approx(wilson(400 * 0.5001, 400))
