"""Collecting for a phase: the natural cards of a hand that serve it best, for bots to plan with.

Beginnings of groups are weighed by their number of cards, which masks and counts tell; only the
longest are made.
"""

from functools import cache
from operator import itemgetter

from phaseledger.domain.cards import remove
from phaseledger.domain.groups.forms import FORMS
from phaseledger.domain.groups.melds import NO_NATURALS, PARITIES, TOP, traits
from phaseledger.domain.options import Options
from phaseledger.domain.ruleset import Need

_BREADTH = 4
"""Partial groups compared for each need; more find little and cost time."""
_ALL = bytes(range(256))
_ANY_COLOUR = -1

_Beginning = tuple[int, int, int]
"""The number of cards of a beginning; the value that an alike group shares, or the low end of a
ladder; and the colour of a ladder of one colour.
"""
_SIZE = itemgetter(0)


def collect(hand: bytes, needs: tuple[Need, ...], options: Options) -> bytes:
    """The natural cards of the hand that serve the needs best: the most, each need in its turn."""
    return _collect(hand.translate(None, NO_NATURALS), needs, options.color_is_suit)


def collected(hand: bytes, needs: tuple[Need, ...], options: Options) -> int:
    """The number of cards that `collect` finds."""
    if len(needs) != 1:
        return len(collect(hand, needs, options))
    naturals = hand.translate(None, NO_NATURALS)
    return max(_beginnings(naturals, needs[0], options.color_is_suit))[0]


def _collect(naturals: bytes, needs: tuple[Need, ...], suits: bool) -> bytes:
    if not needs:
        return b""
    need, later_needs = needs[0], needs[1:]
    beginnings = _beginnings(naturals, need, suits)
    if not later_needs:
        return _part(naturals, need, suits, max(beginnings, key=_SIZE))
    best, most_later = b"", 0
    for later in later_needs:
        like = beginnings if later == need else _beginnings(naturals, later, suits)
        most_later += max(like)[0]
    beginnings.sort(key=_SIZE, reverse=True)
    for beginning in beginnings[:_BREADTH]:
        if len(best) >= beginning[0] + most_later:
            break  # later beginnings are no longer than this one
        part = _part(naturals, need, suits, beginning)
        remaining = remove(naturals, part)
        assert remaining is not None
        combined = part + _collect(remaining, later_needs, suits)
        if len(combined) > len(best):
            best = combined
    return best


def _beginnings(naturals: bytes, need: Need, suits: bool) -> list[_Beginning]:
    """Beginnings of the needed group, at least one."""
    form, most = FORMS[need.kind], need.size
    if form.alike:
        values = naturals.translate(traits(form.alike, suits))
        shared = (PARITIES.index(need.parity),) if need.parity else dict.fromkeys(values)
        sizes = [(values.count(value), value) for value in shared]
        return [(min(size, most), value, 0) for size, value in sizes] or [(0, 0, 0)]
    windows = _windows(need)
    beginnings: list[_Beginning] = []
    for colour in range(4) if form.one_colour else (_ANY_COLOUR,):
        once, twice = _ranks_shown(_of_colour(naturals, colour))
        shown = [((once & window).bit_count(), low, window) for low, window in windows]
        if form.copies > 1:
            shown = [(size + (twice & row).bit_count(), low, row) for size, low, row in shown]
        beginnings += [(size, low, colour) for size, low, _ in shown]
    return beginnings


def _ranks_shown(cards: bytes) -> tuple[int, int]:
    """Two bit sets of ranks: with one card or more, and with two or more."""
    once = twice = 0
    for card in cards:
        rank = 1 << (card & 15)
        twice |= once & rank
        once |= rank
    return once, twice


@cache
def _windows(need: Need) -> list[tuple[int, int]]:
    """The low ends that the needed ladder may have, each with the bits of its ranks."""
    step = FORMS[need.kind].step
    span = (need.size - 1) * step
    lows = range(2 if need.parity == "even" else 1, TOP + 1 - span, 2 if need.parity else 1)
    return [(low, sum(1 << rank for rank in range(low, low + span + 1, step))) for low in lows]


def _of_colour(cards: bytes, colour: int) -> bytes:
    return cards if colour == _ANY_COLOUR else cards.translate(None, _others("colour", colour + 1))


@cache
def _others(alike: str, value: int, suits: bool = True) -> bytes:
    """The cards that do not share the value, to delete from a hand."""
    shared = traits(alike, suits)
    return bytes(card for card in _ALL if shared[card] != value)


def _part(naturals: bytes, need: Need, suits: bool, beginning: _Beginning) -> bytes:
    """The cards of a beginning: the first that the hand has of each kind."""
    form = FORMS[need.kind]
    _, low, colour = beginning
    if form.alike:
        return naturals.translate(None, _others(form.alike, low, suits))[: need.size]
    cards = _of_colour(naturals, colour)
    ranks = range(low, low + need.size * form.step, form.step)
    if form.copies == 1:
        first = {card & 15: card for card in reversed(cards)}
        return bytes([first[rank] for rank in ranks if rank in first])
    return b"".join([cards.translate(None, _others("rank", n))[: form.copies] for n in ranks])
