"""A bot's share of wins less luck (`control_variate`), over the deals of a tournament."""

from collections.abc import Sequence
from statistics import fmean, variance

from msgspec import Struct

from phaseledger.replay.laboratory.control_variate import weight
from phaseledger.replay.laboratory.intervals import mean_interval

GROUPS = 10
"""Groups of deals; the weight for one is fitted to the others."""


class LuckAdjusted(Struct, frozen=True):
    """A share of wins less luck: right in the mean as the share is, and mostly nearer."""

    win_rate: float
    low: float | None
    high: float | None
    """Ends of the 95 % interval; null with fewer than two whole deals."""
    times: float | None
    """How many times as many games give the same interval without; null where none can be told."""


def adjusted(shares: Sequence[float], luck: Sequence[float], seats: int) -> LuckAdjusted:
    """The adjusted share of one of the bot's seats, by the share and luck of all in each deal."""
    values = _without_luck(shares, luck)
    win_rate, interval = fmean(values) / seats, mean_interval(values)
    if interval is None:
        return LuckAdjusted(win_rate=win_rate, low=None, high=None, times=None)
    low, high = (end / seats for end in interval)
    left = variance(values)
    times = variance(shares) / left if left else None
    return LuckAdjusted(win_rate=win_rate, low=low, high=high, times=times or None)


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
