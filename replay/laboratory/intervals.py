"""Confidence intervals of a share (Wilson), of a mean of shares of independent groups of games, of
a mean of any numbers (Student), and of any figure of independent games (jackknife).
"""

from collections.abc import Callable, Sequence
from math import sqrt
from statistics import fmean, variance
from typing import TypeVar

T = TypeVar("T")

NORMAL = 1.959964
"""Standard deviations on either side that hold 95 % of a normal distribution."""
_STUDENT = (
    *(12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228),
    *(2.201, 2.179, 2.160, 2.145, 2.131, 2.120, 2.110, 2.101, 2.093, 2.086),
    *(2.080, 2.074, 2.069, 2.064, 2.060, 2.056, 2.052, 2.048, 2.045, 2.042),
)
"""The 97.5 % quantiles of Student's distribution with 1, 2 ... degrees of freedom."""


def wilson(hits: float, trials: float, deviations: float = NORMAL) -> tuple[float, float]:
    """The Wilson score interval of a probability; (0, 1) for no trials."""
    if trials <= 0:
        return 0.0, 1.0
    share, square = hits / trials, deviations * deviations
    middle = (share + square / (2 * trials)) / (1 + square / trials)
    spread = share * (1 - share) / trials + square / (4 * trials * trials)
    half = deviations * sqrt(max(0.0, spread)) / (1 + square / trials)
    # Rounding aside, none of all is 0 and all of them 1.
    low = 0.0 if hits <= 0 else max(0.0, middle - half)
    return low, 1.0 if hits >= trials else min(1.0, middle + half)


def _student(freedom: int) -> float:
    """The quantile of Student's distribution with ``freedom`` degrees of freedom, from 1."""
    return _STUDENT[freedom - 1] if freedom <= len(_STUDENT) else NORMAL + 2.4 / (freedom + 1)


def mean_share(shares: Sequence[float], trials: int) -> tuple[float, float] | None:
    """The 95 % interval of a mean of shares (0 to 1), one for each group of ``trials`` games.

    Games of one group are alike, and groups are independent. It is Wilson's, for as many
    independent games as would vary as the groups do, with Student's quantile for how little few
    groups say of that, and all games at most (Korn and Graubard 1998). Where the groups do not
    differ at all, each counts as one game. None for fewer than two groups.
    """
    count = len(shares)
    if count < 2:
        return None
    mean, spread, games = fmean(shares), variance(shares), float(count)
    if spread:
        shrink = (NORMAL / _student(count - 1)) ** 2
        games = min(count * mean * (1 - mean) / spread * shrink, count * trials)
    return wilson(mean * games, games)


def mean_interval(values: Sequence[float]) -> tuple[float, float] | None:
    """Student's 95 % interval of the mean of independent values; None for fewer than two."""
    count = len(values)
    if count < 2:
        return None
    mean, half_width = fmean(values), _student(count - 1) * sqrt(variance(values) / count)
    return mean - half_width, mean + half_width


def jackknife(
    groups: Sequence[T], join: Callable[[Sequence[T]], T], figure: Callable[[T], float | None]
) -> tuple[float, float] | None:
    """The 95 % interval of a figure by leaving out one group of independent games after the other.

    None where there are fewer than five groups, or some of them have no such figure.
    """
    count = len(groups)
    estimate = figure(join(groups)) if count >= 5 else None
    if estimate is None:
        return None
    leave_one_out = [figure(join([*groups[:i], *groups[i + 1 :]])) for i in range(count)]
    estimates = [value for value in leave_one_out if value is not None]
    if len(estimates) < count:
        return None
    mean = sum(estimates) / count
    error = sqrt((count - 1) / count * sum((value - mean) ** 2 for value in estimates))
    half_width = error * _student(count - 1)
    return estimate - half_width, estimate + half_width
