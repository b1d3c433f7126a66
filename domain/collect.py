"""Which cards of a hand serve a phase best, as far as it is there: what bots plan with."""

from domain.cards import is_skip, is_wild, remove
from domain.melds import FORMS, PARITIES, trait
from domain.rules import Need


def collect(hand: bytes, needs: tuple[Need, ...]) -> bytes:
    """The natural cards of the hand that serve the needs best: the most, each need in its turn."""
    naturals = bytes(card for card in hand if not is_wild(card) and not is_skip(card))
    return _collect(naturals, needs)


_BREADTH = 4
"""Partial groups looked at for each need; more find little and cost time."""


def _collect(naturals: bytes, needs: tuple[Need, ...]) -> bytes:
    if not needs:
        return b""
    best = b""
    for part in _parts(naturals, needs[0])[:_BREADTH]:
        rest = remove(naturals, part)
        assert rest is not None
        whole = part + _collect(rest, needs[1:])
        if len(whole) > len(best):
            best = whole
    return best


def _parts(naturals: bytes, need: Need) -> list[bytes]:
    """Beginnings of such a group, the longest first."""
    form = FORMS[need.kind]
    if form.alike:
        shared: dict[int, bytes] = {}
        for card in naturals:
            value = trait(form.alike, card)
            if not need.parity or value == PARITIES.index(need.parity):
                shared[value] = shared.get(value, b"") + bytes((card,))
        parts = [cards[: need.size] for cards in shared.values()]
    else:
        parts = _rungs(naturals, need)
    return sorted(parts, key=len, reverse=True) or [b""]


def _rungs(naturals: bytes, need: Need) -> list[bytes]:
    form = FORMS[need.kind]
    span = (need.size - 1) * form.step
    colours = [[n for n in naturals if n >> 4 == i] for i in range(4)] if form.one_colour else []
    parts = []
    for cards in colours or [list(naturals)]:
        by_rank: dict[int, bytes] = {}
        for card in cards:
            by_rank[card & 15] = by_rank.get(card & 15, b"") + bytes((card,))
        first = 2 if need.parity == "even" else 1
        for low in range(first, 13 - span, 2 if need.parity else 1):
            ranks = range(low, low + span + 1, form.step)
            parts.append(b"".join(by_rank.get(rank, b"")[: form.copies] for rank in ranks))
    return parts
