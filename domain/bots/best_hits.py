"""A search for the order of hits that leaves the fewest cards in hand."""

from collections.abc import Iterator

from phaseledger.domain.cards import SINGLES, is_skip, is_wild, remove
from phaseledger.domain.groups.forms import FORMS
from phaseledger.domain.groups.lays import Effort, choose
from phaseledger.domain.groups.melds import (
    ENDS,
    NO_NATURALS,
    GroupEnd,
    Misfit,
    continues,
    extend,
    followers,
    next_ranks,
)
from phaseledger.domain.options import Options
from phaseledger.domain.ruleset import RuleSet
from phaseledger.domain.state import Group


class BestHit:
    """One hit, and the hand and groups after it; ``bridge``: a card in hand now fits behind it."""

    __slots__ = ("bridge", "cards", "end", "group", "groups", "hand")

    def __init__(
        self,
        *,
        group: int,
        cards: bytes,
        end: GroupEnd,
        hand: bytes,
        groups: tuple[Group, ...],
        bridge: bool,
    ) -> None:
        self.group = group
        self.cards = cards
        self.end = end
        self.hand = hand
        self.groups = groups
        self.bridge = bridge


def hittable(cards: bytes, groups: tuple[Group, ...], ruleset: RuleSet) -> frozenset[int]:
    """The cards that can be hit somewhere, each alone."""
    fitting: set[int] = set()
    candidates = bytes(card for card in dict.fromkeys(cards) if not is_skip(card))
    for group in groups:
        if FORMS[group.need.kind].copies > 1:
            continue  # a row of a pair run takes two
        for card, end in followers(group, candidates, ruleset.options):
            try:
                extend(group, SINGLES[card], end, ruleset)
            except Misfit:
                continue
            fitting.add(card)
    return frozenset(fitting)


def best_hits(
    hand: bytes, groups: tuple[Group, ...], keep: int, ruleset: RuleSet, effort: Effort
) -> tuple[bytes, BestHit | None]:
    """The hand after the best hits, of ``keep`` cards at least, and the first of these hits.

    Naturals go first, each where another card of the hand can follow; then wilds, which bridge the
    gap to a natural or go anywhere. Many wilds and runs give thousands of orders: the ``effort``
    bounds how many are compared.
    """
    if len(hand) <= keep:
        return hand, None
    hits = [
        hit for hit in _hits(hand, groups, ruleset, effort, wild=False) if len(hit.hand) >= keep
    ]
    if hits:
        # A card that fits a set and a run goes on the set: the run's end stays open.
        candidates = [max(hits, key=lambda hit: (hit.bridge, not hit.end))]
    else:
        hits = [
            hit for hit in _hits(hand, groups, ruleset, effort, wild=True) if len(hit.hand) >= keep
        ]
        candidates = [hit for hit in hits if hit.bridge]
        candidates += [hit for hit in hits if not hit.bridge][:1]
    remaining: bytes = hand
    first: BestHit | None = None
    for hit in candidates:
        hand_after, _ = best_hits(hit.hand, hit.groups, keep, ruleset, effort)
        if len(hand_after) < len(remaining):
            remaining, first = hand_after, hit
            if len(remaining) == keep:
                break
    return remaining, first


def _hits(
    hand: bytes, groups: tuple[Group, ...], ruleset: RuleSet, effort: Effort, *, wild: bool
) -> Iterator[BestHit]:
    """The hits of one row, with a wild in it or without."""
    options = ruleset.options
    for number, group in enumerate(groups):
        for row, end in _rows(hand, group, options, wild=wild):
            if not effort.spend():
                return
            try:
                arranged, _ = extend(group, row, end, ruleset)
            except Misfit:
                continue
            group_after = Group(
                group.owner, group.need, arranged.cards, arranged.low, arranged.high
            )
            remaining = remove(hand, row)
            assert remaining is not None
            bridge = end != "" and any(continues(group_after, card, end) for card in remaining)
            table = (*groups[:number], group_after, *groups[number + 1 :])
            yield BestHit(
                group=number, cards=row, end=end, hand=remaining, groups=table, bridge=bridge
            )


def _rows(
    hand: bytes, group: Group, options: Options, *, wild: bool
) -> Iterator[tuple[bytes, GroupEnd]]:
    """The rows whose naturals the group asks for, each with its end."""
    copies = FORMS[group.need.kind].copies
    wilds = bytes(sorted(card for card in hand if is_wild(card)))[:copies] if wild else b""
    if copies == 1:
        cards = wilds if wild else bytes(sorted(set(hand.translate(None, NO_NATURALS))))
        for card, end in followers(group, cards, options):
            yield SINGLES[card], end
        return
    ranks = next_ranks(group)
    naturals = bytes(card for card in hand.translate(None, NO_NATURALS) if card & 15 in ranks)
    for row in choose(bytes(sorted(naturals + wilds)), copies):
        if any(map(is_wild, row)) is wild:
            for end in ENDS:
                if all(is_wild(card) or continues(group, card, end) for card in row):
                    yield row, end
