"""Groups: seven kinds as rows over two algorithms, alike and ladder.

An alike group shares a rank, a colour or a parity. A ladder climbs in rows of ``copies`` cards,
``step`` ranks apart. `arrange` checks a group to lay, `extend` a hit; `lays.layings` finds groups.
"""

from functools import cache
from typing import Literal

from phaseledger.domain.cards import TURNED, WILD, is_skip, is_wild
from phaseledger.domain.commands import RejectCode as Code
from phaseledger.domain.groups.forms import FORMS, ArrangedGroup, Form
from phaseledger.domain.options import Options
from phaseledger.domain.ruleset import Need, RuleSet
from phaseledger.domain.state import Group

GroupEnd = Literal["", "low", "high"]
ENDS: tuple[GroupEnd, GroupEnd] = ("high", "low")
_DEFAULTS = Options()
TOP = 12


class Misfit(Exception):
    """Cards that make no such group, or do not extend it; ``card`` is the one in the way, or 0."""

    def __init__(self, code: Code, card: int = 0) -> None:
        super().__init__(code, card)
        self.code = code
        self.card = card


def rank_at(position: int) -> int:
    """The rank at a ladder's position; positions above 12 or below 1 wrap round."""
    return (position - 1) % TOP + 1


def trait(alike: str, card: int, options: Options = _DEFAULTS) -> int:
    """The value of a card in an alike group: the rank, 1 + the colour, or 1 (odd) and 2 (even).

    Without `color_is_suit` hearts and diamonds are colour 1, spades and clubs colour 2 (O-17).
    """
    rank = card & 15
    if alike == "rank":
        return rank
    if alike == "parity":
        return 2 - rank % 2
    return 1 + (card >> 4 & (3 if options.color_is_suit else 1))


@cache
def traits(alike: str, suits: bool = True) -> bytes:
    """`trait` of every card as a table for `bytes.translate`."""
    options = Options(color_is_suit=suits)
    return bytes(trait(alike, card, options) for card in range(256))


def value_count(alike: str, suits: bool) -> int:
    """The number of values that an alike group may share, counted from 1."""
    return {"rank": TOP, "colour": 4 if suits else 2, "parity": 2}[alike]


NO_NATURALS = bytes(card for card in range(256) if is_wild(card) or is_skip(card))
"""The cards that are no naturals, to delete from a hand."""
_WILDS = bytes(card for card in range(256) if is_wild(card))
PARITIES = ("", "odd", "even")
_MISMATCHES = {
    "rank": Code.NOT_ONE_RANK,
    "colour": Code.NOT_ONE_COLOUR,
    "parity": Code.NOT_ONE_PARITY,
}


def arrange(need: Need, cards: bytes, value: int | None, ruleset: RuleSet) -> ArrangedGroup:
    """The group that the cards make, or `Misfit`.

    ``value`` is the one that no natural shows (`commands.GroupToLay`). The least number of naturals
    depends on the whole phase (`wild_min_scope`) and is not checked here.
    """
    form, options = FORMS[need.kind], ruleset.options
    for card in cards:
        if is_skip(card):
            raise Misfit(Code.SKIP_IN_GROUP, card)
    if len(cards) < need.size * form.copies:
        raise Misfit(Code.INCOMPLETE_PHASE)
    if form.alike:
        arranged = _alike(form, need, cards, value, ruleset)
    else:
        arranged = _arrange_ladder(form, need, cards, value, ruleset)
    # More is laid only where it could be hit.
    closed = form.copies > 1 and options.pairrun_hit == "none"
    if len(cards) > need.size * form.copies and (closed or not options.lay_oversize):
        raise Misfit(Code.OVERSIZE)
    return arranged


def _arrange_ladder(
    form: Form, need: Need, cards: bytes, value: int | None, ruleset: RuleSet
) -> ArrangedGroup:
    """The ladder in the order given, or with its wilds placed: always, or in games opened before
    revision 1 only where the given order makes no ladder (O-07).
    """
    options = ruleset.options
    if ruleset.revision and options.wild_placement == "high_then_low":
        naturals = bytes(sorted(card for card in cards if not is_wild(card)))
        wilds = bytes(card for card in cards if is_wild(card))  # their order would tell faces
        return _ladder(form, need, _placed(form, naturals + wilds, options), value, options)
    try:
        return _ladder(form, need, cards, value, options)
    except Misfit:
        if options.wild_placement == "explicit":
            raise
    return _ladder(form, need, _placed(form, cards, options), value, options)


def _alike(
    form: Form, need: Need, cards: bytes, value: int | None, ruleset: RuleSet
) -> ArrangedGroup:
    shared = PARITIES.index(need.parity) or value
    values = range(1, value_count(form.alike, ruleset.options.color_is_suit) + 1)
    if value is not None and (value not in values or value != shared):
        raise Misfit(Code.VALUE_MISMATCH)
    for card in cards:
        if is_wild(card):
            continue
        card_value = trait(form.alike, card, ruleset.options)
        if shared is None:
            shared = card_value
        if card_value != shared:
            raise Misfit(Code.VALUE_MISMATCH if value else _MISMATCHES[form.alike], card)
    if shared is None:
        raise Misfit(Code.VALUE_NEEDED)
    if form.alike == "rank":
        for card in cards[full_set(ruleset) :]:
            _require_room(card, ruleset)
    return ArrangedGroup(cards, shared, shared)


def _require_room(card: int, ruleset: RuleSet) -> None:
    """Refuse a card on a full set, if the full set does not take this kind of card (O-05, O-31)."""
    options = ruleset.options
    if not (options.wild_on_full_set if is_wild(card) else options.natural_on_full_set):
        raise Misfit(Code.FULL_SET, card)


def is_full(group: Group, ruleset: RuleSet) -> bool:
    """Whether the group is full: all cards of a value or colour, all ranks of a run (B-61, B-64).

    A parity group never is.
    """
    form = FORMS[group.need.kind]
    if not form.alike:
        return (group.high - group.low) // form.step + 1 >= TOP // form.step and not group.half
    full_size = {"rank": full_set(ruleset), "colour": TOP * ruleset.deck.copies}.get(form.alike)
    return full_size is not None and len(group.cards) >= full_size


def full_set(ruleset: RuleSet) -> int:
    """The number of cards of one rank in the deck: with as many a set is full (B-61)."""
    return 4 * ruleset.deck.copies


def _ladder(
    form: Form, need: Need, cards: bytes, value: int | None, options: Options
) -> ArrangedGroup:
    rows, surplus = divmod(len(cards), form.copies)
    if surplus:
        raise Misfit(Code.WHOLE_ROWS_ONLY)
    full = TOP // form.step
    spare_rows = rows - full
    if spare_rows > 0:
        return _overfull(form, need, cards, spare_rows, options)
    naturals = [(i, card) for i, card in enumerate(cards) if not is_wild(card)]
    low = _first_rank(form, naturals, value)
    if options.run_wrap:
        low = rank_at(low)
    for i, card in naturals:
        position = low + i // form.copies * form.step
        if card & 15 != rank_at(position):
            raise Misfit(Code.NOT_CONSECUTIVE, card)
        if card & 15 != position and not options.run_wrap:
            raise Misfit(Code.RUN_WRAPS, card)
        if form.one_colour and card >> 4 != naturals[0][1] >> 4:
            raise Misfit(Code.NOT_ONE_COLOUR, card)
    high = low + (rows - 1) * form.step
    if not options.run_wrap and (low < 1 or high > TOP):
        raise Misfit(Code.OFF_THE_END)
    # In steps of two all positions have the parity of the first.
    if need.parity and trait("parity", rank_at(low)) != PARITIES.index(need.parity):
        raise Misfit(Code.NOT_ONE_PARITY)
    return ArrangedGroup(cards, low, high)


def _first_rank(form: Form, naturals: list[tuple[int, int]], value: int | None) -> int:
    """The rank at the low end, by the first natural or, without one, by ``value``."""
    if not naturals:
        if value is None:
            raise Misfit(Code.VALUE_NEEDED)
        if not 1 <= value <= TOP:
            raise Misfit(Code.VALUE_MISMATCH)
        return value
    place, card = naturals[0]
    low = (card & 15) - place // form.copies * form.step
    if value is not None and rank_at(value) != rank_at(low):
        raise Misfit(Code.VALUE_MISMATCH, card)
    return low


def _overfull(
    form: Form, need: Need, cards: bytes, spare_rows: int, options: Options
) -> ArrangedGroup:
    """A full run with surplus wilds at its ends, which `wild_on_full_run` allows (B-60)."""
    if not options.wild_on_full_run:
        raise Misfit(Code.FULL_RUN)
    size = len(cards) - spare_rows * form.copies
    for start in range(0, spare_rows * form.copies + 1, form.copies):
        if all(is_wild(card) for card in cards[:start] + cards[start + size :]):
            try:
                inner = _ladder(form, need, cards[start : start + size], None, options)
            except Misfit:
                continue
            return ArrangedGroup(cards, inner.low, inner.high)
    raise Misfit(Code.FULL_RUN)


def _placed(form: Form, cards: bytes, options: Options) -> bytes:
    """Cards in run order with the wilds put in gaps, then at the high end, then at the low one."""
    wilds = bytes(card for card in cards if is_wild(card))
    by_rank: dict[int, bytes] = {}
    for card in sorted((card for card in cards if not is_wild(card)), key=lambda card: card & 15):
        by_rank[card & 15] = by_rank.get(card & 15, b"") + bytes((card,))
    rows, copies = list(by_rank.items()), form.copies
    if not rows or max(map(len, by_rank.values())) > copies:
        return cards
    for rotation in range(len(rows) if options.run_wrap else 1):
        order = rows[rotation:] + rows[:rotation]
        line, spare, previous = b"", wilds, order[0][0] - form.step
        for rank, row in order:
            gap = ((rank - previous) % TOP // form.step - 1) * copies
            wilds_needed = gap + copies - len(row)
            if gap < 0 or wilds_needed > len(spare):
                break
            line, spare = line + spare[:gap] + row + spare[gap:wilds_needed], spare[wilds_needed:]
            previous = rank
        else:
            room = len(spare) if options.run_wrap else (TOP - previous) // form.step * copies
            surplus = spare[room:]
            low = len(surplus) if options.run_wrap else (order[0][0] - 1) // form.step * copies
            # Wilds without a place at either end are surplus, at the high end of a full run.
            return surplus[:low] + line + spare[:room] + surplus[low:]
    return cards


def extend(
    group: Group, cards: bytes, end: GroupEnd, ruleset: RuleSet
) -> tuple[ArrangedGroup, GroupEnd]:
    """The group after the cards were added from first to last, and the end that took them.

    ``end`` may be empty where only one end is possible. `Misfit` where a card does not fit.
    """
    for card in cards:
        if is_skip(card):
            raise Misfit(Code.SKIP_IN_GROUP, card)
    form = FORMS[group.need.kind]
    if form.alike:
        return _extend_alike(group, cards, ruleset), ""
    if form.copies > 1 and ruleset.options.pairrun_hit == "none":
        raise Misfit(Code.NO_PAIR_HITS, cards[0])
    if end:
        return _climb(group, cards, end, ruleset), end
    fits: list[tuple[ArrangedGroup, GroupEnd]] = []
    refusal = Misfit(Code.DOES_NOT_FIT)
    for side in ("high", "low"):
        try:
            fits.append((_climb(group, cards, side, ruleset), side))
        except Misfit as misfit:
            refusal = misfit
    if not fits:
        raise refusal
    if len(fits) > 1 and ruleset.options.wild_placement == "explicit":
        raise Misfit(Code.END_NEEDED, cards[0])
    return fits[0]


def _extend_alike(group: Group, cards: bytes, ruleset: RuleSet) -> ArrangedGroup:
    form, size = FORMS[group.need.kind], len(group.cards)
    for i, card in enumerate(cards):
        if not is_wild(card) and trait(form.alike, card, ruleset.options) != group.low:
            raise Misfit(Code.DOES_NOT_FIT, card)
        if form.alike == "rank" and size + i >= full_set(ruleset):
            _require_room(card, ruleset)
    return ArrangedGroup(group.cards + cards, group.low, group.high)


def followers(group: Group, cards: bytes, options: Options) -> list[tuple[int, GroupEnd]]:
    """Each of the cards that is wild or that continues the group, with the end it goes to.

    A filter before `extend`, faster for cards that do not fit. Not for ladders of pairs.
    """
    form = FORMS[group.need.kind]
    if form.alike:
        shared, values = group.low, cards.translate(traits(form.alike, options.color_is_suit))
        pairs = zip(cards, values, strict=True)
        return [(card, "") for card, value in pairs if value == shared or is_wild(card)]
    ranks = (rank_at(group.high + form.step), WILD), (rank_at(group.low - form.step), WILD)
    ends = tuple(zip(ENDS, ranks, strict=True))
    return [
        (card, end)
        for card in cards
        for end, next_ranks in ends
        if card & 15 in next_ranks or card >= TURNED
    ]


def next_ranks(group: Group) -> frozenset[int]:
    """The ranks that a ladder goes on with at either end, or that a row begun there still lacks."""
    step = FORMS[group.need.kind].step
    ends = (group.low, group.high) if group.half else ()
    return frozenset(map(rank_at, (*ends, group.low - step, group.high + step)))


def width(form: Form, options: Options) -> int:
    """The number of cards of one step of a hit on the ladder (O-21)."""
    return 1 if options.pairrun_hit == "single_cards" else form.copies


def _climb(group: Group, cards: bytes, end: GroupEnd, ruleset: RuleSet) -> ArrangedGroup:
    """The ladder after the cards were added at one end, `width` of them a step.

    ``half`` is the bit set of `state.Group`: with bit 1 set, the row at the low end of a pair run
    still lacks its second card; with bit 2, the row at the high end.
    """
    form, options = FORMS[group.need.kind], ruleset.options
    step = width(form, options)
    if len(cards) % step:
        raise Misfit(Code.WHOLE_ROWS_ONLY, cards[-1])
    low, high, line, half = group.low, group.high, group.cards, group.half
    end_bit = 2 if end == "high" else 1
    colour = next((card >> 4 for card in line if form.one_colour and not is_wild(card)), None)
    for i in range(0, len(cards), step):
        row = cards[i : i + step]
        edge = high if end == "high" else low
        if half & end_bit:  # the card completes the row at this end, which does not move
            position, half = edge, half ^ end_bit
        elif (high - low) // form.step + 1 >= TOP // form.step:
            if not options.wild_on_full_run or not all(map(is_wild, row)):
                raise Misfit(Code.FULL_RUN, row[0])
            position = edge
        else:
            position = edge + (form.step if end == "high" else -form.step)
            if not options.run_wrap and not 1 <= position <= TOP:
                raise _beyond(row, position)
            half |= end_bit if step < form.copies else 0  # a single card begins a row of pairs
            low, high = min(low, position), max(high, position)
        for card in row:
            if not is_wild(card):
                if card & 15 != rank_at(position) or colour not in (None, card >> 4):
                    raise Misfit(Code.DOES_NOT_FIT, card)
                colour = card >> 4 if form.one_colour else None
        line = line + row if end == "high" else row[::-1] + line
    # Steps down may have led below 1, to 0, -1 and so on; both ends are shifted by whole turns of
    # twelve, so that the low one is a rank from 1 to 12 and the high one lies above it.
    excess = (low - 1) // TOP * TOP if options.run_wrap else 0
    return ArrangedGroup(line, low - excess, high - excess, half)


def _beyond(row: bytes, position: int) -> Misfit:
    """The refusal of cards past the end of a run: 12 and 1 are no neighbours (O-06)."""
    card = next((card for card in row if not is_wild(card)), 0)
    if not card:
        return Misfit(Code.OFF_THE_END, row[0])
    return Misfit(Code.RUN_WRAPS if card & 15 == rank_at(position) else Code.DOES_NOT_FIT, card)


def enough_naturals(groups: list[bytes], scope: str) -> bool:
    """Whether a phase holds the naturals that `wild_min_scope` asks for (O-03)."""
    if scope == "none":
        return True
    has_natural = [cards.translate(None, _WILDS) != b"" for cards in groups]
    return all(has_natural) if scope == "group" else any(has_natural)
