"""Which cards of a hand serve a phase best, as far as it is there: what bots plan with."""

from phaseledger.domain.cards import remove
from phaseledger.domain.melds import FORMS, NO_NATURALS, PARITIES, traits
from phaseledger.domain.options import Options
from phaseledger.domain.ruleset import Need


def collect(hand: bytes, needs: tuple[Need, ...], options: Options) -> bytes:
    """The natural cards of the hand that serve the needs best: the most, each need in its turn."""
    return _collect(hand.translate(None, NO_NATURALS), needs, options.color_is_suit)


_BREADTH = 4
"""Partial groups looked at for each need; more find little and cost time."""


def _collect(naturals: bytes, needs: tuple[Need, ...], suits: bool) -> bytes:
    if not needs:
        return b""
    parts = _parts(naturals, needs[0], suits)
    if len(needs) == 1:
        return max(parts, key=len)
    best, most = b"", sum([need.size * FORMS[need.kind].copies for need in needs[1:]])
    for part in sorted(parts, key=len, reverse=True)[:_BREADTH]:
        if len(best) >= len(part) + most:
            break  # later parts are no longer
        rest = remove(naturals, part)
        assert rest is not None
        whole = part + _collect(rest, needs[1:], suits)
        if len(whole) > len(best):
            best = whole
    return best


def _parts(naturals: bytes, need: Need, suits: bool) -> list[bytes]:
    """Beginnings of such a group, at least one."""
    form = FORMS[need.kind]
    if not form.alike:
        return _rungs(naturals, need)
    values = naturals.translate(traits(form.alike, suits))
    wanted = (PARITIES.index(need.parity),) if need.parity else dict.fromkeys(values)
    shared: dict[int, list[int]] = {value: [] for value in wanted}
    for card, value in zip(naturals, values, strict=True):
        if value in shared:
            shared[value].append(card)
    return [bytes(cards[: need.size]) for cards in shared.values()] or [b""]


def _rungs(naturals: bytes, need: Need) -> list[bytes]:
    form = FORMS[need.kind]
    span = (need.size - 1) * form.step
    first = 2 if need.parity == "even" else 1
    lows = range(first, 13 - span, 2 if need.parity else 1)
    lines = [naturals]
    if form.one_colour:
        lines = [bytes(card for card in naturals if card >> 4 == suit) for suit in range(4)]
    parts: list[bytes] = []
    for cards in lines:
        rows = [b""] * 16
        for card in cards:
            if len(rows[card & 15]) < form.copies:
                rows[card & 15] += bytes((card,))
        parts += [b"".join(rows[low : low + span + 1 : form.step]) for low in lows]
    return parts
