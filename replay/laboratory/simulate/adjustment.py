"""Shares of wins less luck: a control variate whose weight is fitted to other deals.

Luck is 0 in the mean, so a share less any part of it is right in the mean, as long as the part does
not depend on the same deal.
"""

from collections.abc import Sequence
from statistics import fmean, variance

from msgspec import Struct

from phaseledger.replay.laboratory.intervals import mean_interval

GROUPS = 10
"""Groups of deals; the part for one is fitted to the others."""
USUAL, USUAL_DEALS = 0.7, 10
"""The part of luck that is taken without knowing better, and for how many deals that counts."""


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
    """Each deal's share, less the part of its luck that fits the deals of other groups best."""
    deals = list(zip(shares, luck, strict=True))
    parts = [
        _part([deal for number, deal in enumerate(deals) if number % GROUPS != group])
        for group in range(min(GROUPS, len(deals)))
    ]
    return [share - parts[number % GROUPS] * luck for number, (share, luck) in enumerate(deals)]


def _part(deals: Sequence[tuple[float, float]]) -> float:
    """The part of luck that leaves the least variance of these deals' shares, drawn to the usual
    one where deals are few.
    """
    squares = sum(luck * luck for _, luck in deals)
    if not squares:
        return USUAL
    mean = fmean(share for share, _ in deals)
    best = sum((share - mean) * luck for share, luck in deals) / squares
    return (len(deals) * best + USUAL_DEALS * USUAL) / (len(deals) + USUAL_DEALS)
