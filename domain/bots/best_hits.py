"""A search for the order of hits that leaves the fewest cards in hand."""

from collections.abc import Iterator
from itertools import combinations

from msgspec import Struct

from phaseledger.domain.cards import is_skip, is_wild, remove
from phaseledger.domain.melds import ENDS, FORMS, GroupEnd, Misfit, continues, extend
from phaseledger.domain.ruleset import RuleSet
from phaseledger.domain.state import Group


class BestHit(Struct, frozen=True, gc=False):
    """One hit, and the hand and groups after it; ``bridge``: a card in hand now fits behind it."""

    group: int
    cards: bytes
    end: GroupEnd
    hand: bytes
    groups: tuple[Group, ...]
    bridge: bool


def fits(card: int, groups: tuple[Group, ...], ruleset: RuleSet) -> bool:
    """Whether the card can be hit somewhere."""
    return any(True for _ in _hits(bytes((card,)), groups, ruleset, wild=is_wild(card)))


def best_hits(
    hand: bytes, groups: tuple[Group, ...], keep: int, ruleset: RuleSet
) -> tuple[bytes, BestHit | None]:
    """The hand after the best hits, of ``keep`` cards at least, and the first of these hits.

    Naturals go first, each where another card of the hand can follow; then wilds, which bridge
    the gap to a natural or go anywhere.
    """
    naturals = [hit for hit in _hits(hand, groups, ruleset, wild=False) if len(hit.hand) >= keep]
    if naturals:
        # A card that fits a set and a run goes on the set: the run's end stays open.
        candidates = [max(naturals, key=lambda hit: (hit.bridge, not hit.end))]
    else:
        wild = [hit for hit in _hits(hand, groups, ruleset, wild=True) if len(hit.hand) >= keep]
        candidates = [hit for hit in wild if hit.bridge]
        candidates += [hit for hit in wild if not hit.bridge][:1]
    remaining: bytes = hand
    first: BestHit | None = None
    for hit in candidates:
        hand_after, _ = best_hits(hit.hand, hit.groups, keep, ruleset)
        if len(hand_after) < len(remaining):
            remaining, first = hand_after, hit
    return remaining, first


def _hits(
    hand: bytes, groups: tuple[Group, ...], ruleset: RuleSet, *, wild: bool
) -> Iterator[BestHit]:
    """The hits of one row, with a wild in it or without."""
    options = ruleset.options
    for number, group in enumerate(groups):
        form = FORMS[group.need.kind]
        ends: tuple[GroupEnd, ...] = ("",) if form.alike else ENDS
        for row in _rows(hand, form.copies, wild=wild):
            for end in ends:
                naturals = (card for card in row if not is_wild(card))
                if not all(continues(group, card, end, options) for card in naturals):
                    continue
                try:
                    arranged, _ = extend(group, row, end, ruleset)
                except Misfit:
                    continue
                group_after = Group(
                    group.owner, group.need, arranged.cards, arranged.low, arranged.high
                )
                remaining = remove(hand, row)
                assert remaining is not None
                bridge = end != "" and any(
                    continues(group_after, card, end, options) for card in remaining
                )
                table = (*groups[:number], group_after, *groups[number + 1 :])
                yield BestHit(number, row, end, remaining, table, bridge)


def _rows(hand: bytes, copies: int, *, wild: bool) -> list[bytes]:
    cards = sorted(card for card in hand if not is_skip(card))
    rows = dict.fromkeys(combinations(cards, copies))
    return [bytes(row) for row in rows if any(map(is_wild, row)) is wild]
