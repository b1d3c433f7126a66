"""Collecting for a phase: the natural cards of a hand that serve it best, for bots to plan with."""

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
    best, later_size = b"", sum([need.size * FORMS[need.kind].copies for need in needs[1:]])
    for part in sorted(parts, key=len, reverse=True)[:_BREADTH]:
        if len(best) >= len(part) + later_size:
            break  # later parts are no longer
        remaining = remove(naturals, part)
        assert remaining is not None
        combined = part + _collect(remaining, needs[1:], suits)
        if len(combined) > len(best):
            best = combined
    return best


def _parts(naturals: bytes, need: Need, suits: bool) -> list[bytes]:
    """Beginnings of such a group, at least one."""
    form = FORMS[need.kind]
    if not form.alike:
        return _rungs(naturals, need)
    values = naturals.translate(traits(form.alike, suits))
    candidate_values = (PARITIES.index(need.parity),) if need.parity else dict.fromkeys(values)
    cards_by_value: dict[int, list[int]] = {value: [] for value in candidate_values}
    for card, value in zip(naturals, values, strict=True):
        if value in cards_by_value:
            cards_by_value[value].append(card)
    return [bytes(cards[: need.size]) for cards in cards_by_value.values()] or [b""]


def _rungs(naturals: bytes, need: Need) -> list[bytes]:
    form = FORMS[need.kind]
    span = (need.size - 1) * form.step
    first = 2 if need.parity == "even" else 1
    lows = range(first, 13 - span, 2 if need.parity else 1)
    pools = [naturals]
    if form.one_colour:
        pools = [bytes(card for card in naturals if card >> 4 == suit) for suit in range(4)]
    parts: list[bytes] = []
    for cards in pools:
        rows = [b""] * 16
        for card in cards:
            if len(rows[card & 15]) < form.copies:
                rows[card & 15] += bytes((card,))
        parts += [b"".join(rows[low : low + span + 1 : form.step]) for low in lows]
    return parts
