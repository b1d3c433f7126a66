"""The search for lays: the ways to lay a phase from a hand, listed lazily within a budget.

A hand of a card game holds a dozen cards and is searched in microseconds. On the ring a hand grows
to sixty cards, from which a phase can be laid in millions of ways: so lays are made one by one on
demand, equal choices of cards are met once, beginnings that lead nowhere are not followed, and
`Effort` counts every try.
"""

from collections.abc import Callable, Iterator, Sequence
from itertools import combinations

from phaseledger.domain.cards import SINGLES, remove
from phaseledger.domain.groups.forms import FORMS, ArrangedGroup, Form
from phaseledger.domain.groups.least_wilds import NO_WILDS, is_hopeless, windows
from phaseledger.domain.groups.melds import (
    NO_NATURALS,
    PARITIES,
    enough_naturals,
    traits,
    value_count,
)
from phaseledger.domain.options import Options
from phaseledger.domain.ruleset import Need, RuleSet

MOST_NODES = 6_000
"""Nodes of one search: some 30 ms. Games under the usual house rules take a thousand at most."""

_ORDINARY_HAND = 12
"""Cards from which all choices for one group (924 at most) may be made before they are tested,
which is faster. From more cards, each beginning of a group is tested first.
"""


class Effort:
    """The budget of one search, in nodes: groups, or beginnings of one, that are tried."""

    __slots__ = ("cut", "limit", "nodes")

    def __init__(self, limit: int = MOST_NODES) -> None:
        self.limit = limit
        self.nodes = 0
        self.cut = False
        """Whether lays were left out, for want of nodes or because enough were listed."""

    def spend(self) -> bool:
        """Count one node; False where none is left."""
        if self.nodes >= self.limit:
            self.cut = True
            return False
        self.nodes += 1
        return True


Viable = Callable[[bytes], bool]
"""Whether the first cards of a group can still lead to a lay."""


def lays(
    hand: bytes, needs: tuple[Need, ...], ruleset: RuleSet, effort: Effort | None = None
) -> Iterator[tuple[ArrangedGroup, ...]]:
    """The ways to lay the needs from the hand at their least size, while ``effort`` lasts.

    More cards than the least are laid by hits in the same turn, which gives the same table (K-13).
    Where two needs are alike, the same groups in another order are not repeated. Without an
    ``effort`` the search has no bound.
    """
    if is_hopeless(hand, needs, ruleset.options):
        return
    scope = ruleset.options.wild_min_scope
    for groups in _lays(hand, needs, ruleset, (), effort):
        if enough_naturals([group.cards for group in groups], scope):
            yield groups


def layings(
    hand: bytes, need: Need, ruleset: RuleSet, viable: Viable | None = None
) -> Iterator[ArrangedGroup]:
    """Every group of exactly the least size that the hand can lay, fewest wilds first.

    ``viable`` is asked once about each beginning; only the beginnings that it accepts are followed.
    """
    wilds = bytes(sorted(hand.translate(None, NO_WILDS)))
    naturals = bytes(sorted(hand.translate(None, NO_NATURALS)))
    find = _alike_groups if FORMS[need.kind].alike else _ladders
    return find(need, naturals, wilds, ruleset.options, viable)


def _lays(
    hand: bytes,
    needs: tuple[Need, ...],
    ruleset: RuleSet,
    laid: tuple[tuple[Need, ArrangedGroup], ...],
    effort: Effort | None,
) -> Iterator[tuple[ArrangedGroup, ...]]:
    need, later_needs, options = needs[0], needs[1:], ruleset.options
    # Of like groups the later one comes later in this order, so that each set of groups comes once.
    floor = next((group for other, group in reversed(laid) if other == need), None)
    lowest = floor.cards if floor else b""
    firsts = {other: group.cards[0] for other, group in laid if other in later_needs}

    def left_after(cards: bytes) -> bytes | None:
        """The hand without the cards; None where the later needs are hopeless then."""
        remaining = remove(hand, cards)
        assert remaining is not None
        firsts[need] = cards[0]
        return None if is_hopeless(remaining, later_needs, options, firsts) else remaining

    def viable(cards: bytes) -> bool:
        if (effort and not effort.spend()) or cards < lowest[: len(cards)]:
            return False
        return not later_needs or left_after(cards) is not None

    for group in layings(hand, need, ruleset, viable if len(hand) > _ORDINARY_HAND else None):
        if effort and not effort.spend():
            return
        if floor and _order(group) < _order(floor):
            continue
        if not later_needs:
            yield (group,)
            continue
        remaining = left_after(group.cards)
        if remaining is not None:
            for groups in _lays(remaining, later_needs, ruleset, (*laid, (need, group)), effort):
                yield (group, *groups)


def _order(group: ArrangedGroup) -> tuple[bytes, int]:
    return group.cards, group.low


# --- groups of one kind -------------------------------------------------------------------------


def choose(pool: bytes, count: int, viable: Viable | None = None) -> Iterator[bytes]:
    """The distinct ways to take ``count`` cards of a sorted pool with repeats, in their order."""
    if viable is None and len(pool) <= _ORDINARY_HAND:
        return map(bytes, dict.fromkeys(combinations(pool, count)))
    return _choose(pool, count, viable or _always, 0, b"")


def _always(_: bytes) -> bool:
    return True


def _choose(pool: bytes, count: int, viable: Viable, start: int, chosen: bytes) -> Iterator[bytes]:
    if not count:
        yield chosen
        return
    previous = -1
    for place in range(start, len(pool) - count + 1):
        card = pool[place]
        if card == previous:
            continue
        previous = card
        begun = chosen + SINGLES[card]
        if viable(begun):
            yield from _choose(pool, count - 1, viable, place + 1, begun)


def _least_naturals(options: Options) -> int:
    return 1 if options.wild_min_scope == "group" else 0


def _alike_groups(
    need: Need, naturals: bytes, wilds: bytes, options: Options, viable: Viable | None
) -> Iterator[ArrangedGroup]:
    alike = FORMS[need.kind].alike
    pools: dict[int, bytes] = {}
    shared = naturals.translate(traits(alike, options.color_is_suit))
    for card, value in zip(naturals, shared, strict=True):
        pools[value] = pools.get(value, b"") + SINGLES[card]
    fewest = max(_least_naturals(options), need.size - len(wilds))
    values = sorted(pools)
    if not fewest:  # wilds alone make a group of any value
        values = list(range(1, value_count(alike, options.color_is_suit) + 1))
    if need.parity:
        values = [value for value in values if value == PARITIES.index(need.parity)]
    for count in range(need.size, fewest - 1, -1):
        filling = wilds[: need.size - count]
        for value in values:
            pool = pools.get(value, b"")
            if len(pool) >= count:
                for selection in choose(pool, count, viable):
                    yield ArrangedGroup(selection + filling, value, value)


def _ladders(
    need: Need, naturals: bytes, wilds: bytes, options: Options, viable: Viable | None
) -> Iterator[ArrangedGroup]:
    form = FORMS[need.kind]
    copies, span = form.copies, (need.size - 1) * form.step
    by_rank: dict[int, bytes] = {}
    shown_ranks = 0
    for card in naturals:
        rank = card & 15
        shown_ranks |= 1 << rank
        by_rank[rank] = by_rank.get(rank, b"") + SINGLES[card]
    rows_of: dict[int, list[bytes]] = {}
    places: list[tuple[int, list[list[bytes]], dict[int, list[int]]]] = []
    for low, ranks, window in windows(need, options.run_wrap):
        if (window & ~shown_ranks).bit_count() * copies > len(wilds):
            continue
        for rank in ranks:
            if rank not in rows_of:
                cards = by_rank.get(rank, b"")
                counts = range(min(copies, len(cards)) + 1)
                rows_of[rank] = [row for count in counts for row in choose(cards, count)]
        choices = [rows_of[rank] for rank in ranks]
        places.append((low, choices, _fewest_wilds(form, choices)))
    most_wilds = need.size * copies - _least_naturals(options)
    for count in range(min(len(wilds), most_wilds) + 1):
        for low, choices, fewest in places:
            for line in _fillings(form, choices, fewest, wilds[:count], viable):
                yield ArrangedGroup(line, low, low + span)


_ANY_COLOUR = -1


def _fewest_wilds(form: Form, choices: Sequence[Sequence[bytes]]) -> dict[int, list[int]]:
    """For each possible colour of the ladder, the least number of wilds from each row on.

    The longest row of a list stands last in it.
    """
    if not form.one_colour:
        gaps = {_ANY_COLOUR: [form.copies - len(rows[-1]) for rows in choices]}
    else:
        colours = [{card >> 4 for row in rows for card in row} for rows in choices]
        gaps = {colour: [colour not in shown for shown in colours] for colour in range(4)}
    fewest = {colour: [sum(row[at:]) for at in range(len(row) + 1)] for colour, row in gaps.items()}
    if form.one_colour:
        fewest[_ANY_COLOUR] = [min(counts) for counts in zip(*fewest.values(), strict=True)]
    return fewest


def _fillings(
    form: Form,
    choices: Sequence[Sequence[bytes]],
    fewest: dict[int, list[int]],
    wilds: bytes,
    viable: Viable | None,
) -> Iterator[bytes]:
    """Every line of one row from each list that takes exactly these wilds to fill its gaps."""
    copies, size = form.copies, len(choices)

    def fill(at: int, line: bytes, wilds_left: bytes, colour: int) -> Iterator[bytes]:
        if at == size:
            yield line
            return
        for row in choices[at]:
            row_colour = colour
            if form.one_colour and row:
                row_colour = row[0] >> 4
                if colour not in (_ANY_COLOUR, row_colour):
                    continue
            gap = copies - len(row)
            left = len(wilds_left) - gap
            if fewest[row_colour][at + 1] <= left <= copies * (size - at - 1):
                begun = line + row + wilds_left[:gap]
                if viable is None or viable(begun):
                    yield from fill(at + 1, begun, wilds_left[gap:], row_colour)

    if fewest[_ANY_COLOUR][0] <= len(wilds) <= copies * size:
        yield from fill(0, b"", wilds, _ANY_COLOUR)
