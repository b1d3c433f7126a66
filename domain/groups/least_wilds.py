"""The least number of wilds for a phase: a test of what cannot be laid, before any search.

Most hands of a game fail the test, which takes a tenth of the time of a search.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from functools import cache, lru_cache

from phaseledger.domain.cards import is_wild
from phaseledger.domain.groups.forms import FORMS
from phaseledger.domain.groups.melds import NO_NATURALS, PARITIES, TOP, rank_at, traits
from phaseledger.domain.options import Options
from phaseledger.domain.ruleset import Need

_NO_FIRSTS: Mapping[Need, int] = {}
NO_WILDS = bytes(card for card in range(256) if not is_wild(card))
"""The cards that are no wilds, to delete from a hand."""


def is_hopeless(
    hand: bytes, needs: tuple[Need, ...], options: Options, firsts: Mapping[Need, int] = _NO_FIRSTS
) -> bool:
    """Whether wilds are missing even if each kind of need had all the naturals to itself.

    ``firsts`` has the first card of like groups laid before: a later group of the kind has no lower
    first card and no lower naturals.
    """
    naturals, wilds_left = hand.translate(None, NO_NATURALS), len(hand.translate(None, NO_WILDS))
    for need, number, values, gaps in _bounds(needs, options.run_wrap, options.color_is_suit):
        if gaps is not None:
            shown_ranks = 0
            for card in naturals:
                shown_ranks |= 1 << (card & 15)
            wilds_left -= number * gaps[shown_ranks]
        else:
            cards = naturals
            if need in firsts:
                cards = bytes([card for card in naturals if card >= firsts[need]])
            shared = cards.translate(values)
            shown = (PARITIES.index(need.parity),) if need.parity else set(shared)
            counts = map(shared.count, shown)
            if number == 1:
                wilds_left -= max(0, need.size - max(counts, default=0))
            else:
                wilds_left -= number * need.size - _most_shown(counts, number, need.size)
        if wilds_left < 0:
            return True
    return False


class _Gaps(dict[int, int]):
    """Bit set of the ranks that naturals show (bit r for rank r) to the least wilds of a ladder.

    Computed on demand.
    """

    def __init__(self, need: Need, wrap: bool) -> None:
        super().__init__()
        self.windows = [window for _, _, window in windows(need, wrap)]
        self.copies = FORMS[need.kind].copies

    def __missing__(self, shown_ranks: int) -> int:
        fewest = min([(window & ~shown_ranks).bit_count() for window in self.windows])
        self[shown_ranks] = gaps = fewest * self.copies
        return gaps


_gaps = cache(_Gaps)


@lru_cache(1_024)
def _bounds(
    needs: tuple[Need, ...], wrap: bool, suits: bool
) -> tuple[tuple[Need, int, bytes, _Gaps | None], ...]:
    """Each distinct need with its number and the weights of naturals for it: the values of an alike
    group, the gaps of a ladder.
    """
    bounds = []
    for need, number in Counter(needs).items():
        alike = FORMS[need.kind].alike
        bounds.append(
            (need, number, traits(alike, suits), None)
            if alike
            else (need, number, b"", _gaps(need, wrap))
        )
    return tuple(bounds)


def _most_shown(counts: Iterable[int], number: int, size: int) -> int:
    """The most naturals in ``number`` alike groups of one size, by the cards of each value."""
    parts = sorted(counts, reverse=True)
    if parts and parts[0] > size:  # one value can make more than one group
        split = [min(size, count - taken) for count in parts for taken in range(0, count, size)]
        parts = sorted(split, reverse=True)
    return sum(parts[:number])


@cache
def windows(need: Need, wrap: bool) -> tuple[tuple[int, tuple[int, ...], int], ...]:
    """The places of the needed ladder: its low end, the ranks of its rows, and bit r for rank r."""
    step = FORMS[need.kind].step
    span = (need.size - 1) * step
    first = 1 if need.parity != "even" else 2
    lows = range(first, TOP + 1 if wrap else TOP + 1 - span, 2 if need.parity else 1)
    ranks_of = {low: tuple(rank_at(low + i * step) for i in range(need.size)) for low in lows}
    return tuple(
        (low, ranks, sum(1 << rank for rank in set(ranks))) for low, ranks in ranks_of.items()
    )
