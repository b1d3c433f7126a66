"""A bot's share of wins less luck (`control_variate`), over the deals of a tournament."""

from collections.abc import Sequence
from statistics import fmean, variance

from msgspec import Struct

from phaseledger.replay.laboratory.control_variate import weight
from phaseledger.replay.laboratory.intervals import independent_games, wilson

GROUPS = 10
"""Groups of deals; the weight for one is fitted to the others."""
FEW = 10
"""Deals that say as much of a variance as not knowing better does."""


class LuckAdjusted(Struct, frozen=True):
    """A share of wins less luck: right in the mean as the share is, and mostly nearer."""

    win_rate: float
    low: float | None
    high: float | None
    """Ends of the 95 % interval; null with fewer than two whole deals."""
    times: float | None
    """How many times as many games the plain share needs for an interval as narrow; null as those
    are.
    """


def adjusted(
    shares: Sequence[float], luck: Sequence[float], seats: int, trials: int
) -> LuckAdjusted:
    """The adjusted share of one of a bot's ``seats``, by their share and luck in each deal of
    ``trials`` games.
    """
    values = _without_luck(shares, luck)
    share = min(max(fmean(values), 0.0), 1.0)
    if len(values) < 2:
        return LuckAdjusted(win_rate=share / seats, low=None, high=None, times=None)
    times = _times(shares, values)
    games = independent_games(shares, trials) * times
    low, high = wilson(share * games, games)
    return LuckAdjusted(win_rate=share / seats, low=low / seats, high=high / seats, times=times)


def _times(shares: Sequence[float], values: Sequence[float]) -> float:
    """How many times as much the shares vary, drawn to 1 where deals are few."""
    count, spread = len(shares), variance(shares)
    left = (count * variance(values) + FEW * spread) / (count + FEW)
    return spread / left if spread else 1.0


def _without_luck(shares: Sequence[float], luck: Sequence[float]) -> list[float]:
    """Each deal's share less its luck, weighed as it fits the deals of other groups."""
    deals = list(zip(shares, luck, strict=True))
    weights = [
        _weight([deal for number, deal in enumerate(deals) if number % GROUPS != group])
        for group in range(min(GROUPS, len(deals)))
    ]
    return [share - weights[number % GROUPS] * luck for number, (share, luck) in enumerate(deals)]


def _weight(deals: Sequence[tuple[float, float]]) -> float:
    """The weight fitted to these deals."""
    mean = fmean(share for share, _ in deals) if deals else 0.0
    products = sum((share - mean) * luck for share, luck in deals)
    return weight(len(deals), products, sum(luck * luck for _, luck in deals))
