"""Laid groups: whether cards extend one, and what it is afterwards (`groups.melds.extend`)."""

from typing import Final

from phaseledger.domain.kernel.layout import (
    ALIKE,
    COLOUR,
    COPIES,
    END_HIGH,
    FORM,
    FORM_AT,
    FULL_SET,
    HALF,
    HIGH,
    KIND,
    LOW,
    NATURAL_ON_FULL_SET,
    NEED_KIND,
    NEED_SIZE,
    ONE_COLOUR,
    PAIR_HIT,
    SIZE,
    STEP,
    SUITS,
    TOP,
    WILD,
    WILD_ON_FULL_RUN,
    WILD_ON_FULL_SET,
    WILDS_PLACED,
    WRAP,
    Ints,
)
from phaseledger.domain.kernel.play.piles import as_wild

FULL: Final = 99
"""No position: the ladder has all ranks."""


def rank_at(position: int) -> int:
    """The rank at a ladder's position from -11 on; positions above 12 or below 1 wrap round."""
    return (position + 11) % TOP + 1


def trait(rules: Ints, alike: int, card: int) -> int:
    """The value of a natural in an alike group: its rank, 1 + its colour, 1 odd or 2 even."""
    if alike == 1:
        return card & 15
    if alike == 3:
        return 2 - (card & 1)
    if rules[SUITS]:
        return 1 + (card >> 4)
    return 1 + (card >> 4 & 1)


def values(rules: Ints, alike: int) -> int:
    """The number of values that an alike group may share, counted from 1."""
    if alike == 1:
        return TOP
    if alike == 3:
        return 2
    return 4 if rules[SUITS] else 2


def extends(rules: Ints, game: Ints, at: int, card: int, other: int, end: int) -> bool:
    """Whether a card, and an ``other`` where it is not 0, can be hit on the group at ``at``.

    At ``end`` for a ladder. Neither is a skip.
    """
    form = FORM_AT + game[at + KIND] * FORM
    if rules[form + ALIKE]:
        return _extends_alike(rules, game, at, card)
    if rules[form + COPIES] > 1 and rules[PAIR_HIT] != (2 if other else 1):
        return False
    position = _next_position(rules, game, at, end)
    if position == FULL:
        return rules[WILD_ON_FULL_RUN] != 0 and card == WILD and (other == 0 or other == WILD)
    if not rules[WRAP] and (position < 1 or position > TOP):
        return False
    rank = rank_at(position)
    colour = game[at + COLOUR]
    if not _fits(rank, colour, card):
        return False
    if rules[form + ONE_COLOUR] and card != WILD:
        colour = card >> 4
    return other == 0 or _fits(rank, colour, other)


def _extends_alike(rules: Ints, game: Ints, at: int, card: int) -> bool:
    alike = rules[FORM_AT + game[at + KIND] * FORM + ALIKE]
    if card != WILD and trait(rules, alike, card) != game[at + LOW]:
        return False
    if alike == 1 and game[at + SIZE] >= rules[FULL_SET]:
        return rules[WILD_ON_FULL_SET if card == WILD else NATURAL_ON_FULL_SET] != 0
    return True


def _next_position(rules: Ints, game: Ints, at: int, end: int) -> int:
    """The position that a hit at the end fills: the half row there, or the next one; else FULL."""
    if game[at + HALF] & (2 if end == END_HIGH else 1):
        return game[at + HIGH] if end == END_HIGH else game[at + LOW]
    return FULL if is_full(rules, game, at) else ahead_of(rules, game, at, end, 1)


def is_full(rules: Ints, game: Ints, at: int) -> bool:
    """Whether the ladder has all ranks."""
    step = rules[FORM_AT + game[at + KIND] * FORM + STEP]
    return (game[at + HIGH] - game[at + LOW]) // step + 1 >= TOP // step


def ahead_of(rules: Ints, game: Ints, at: int, end: int, rows: int) -> int:
    """The position that is this number of rows beyond the ladder's end."""
    step = rules[FORM_AT + game[at + KIND] * FORM + STEP] * rows
    return game[at + HIGH] + step if end == END_HIGH else game[at + LOW] - step


def next_rank(rules: Ints, game: Ints, at: int, end: int) -> int:
    """The rank that comes next at the ladder's end, were it open."""
    return rank_at(ahead_of(rules, game, at, end, 1))


def _fits(rank: int, colour: int, card: int) -> bool:
    """Whether a card is wild, or of the rank and the colour, where that is not -1."""
    return card == WILD or (card & 15 == rank and (colour < 0 or card >> 4 == colour))


def extend(rules: Ints, game: Ints, at: int, card: int, other: int, end: int) -> None:
    """Add to the group at ``at`` what `extends` it."""
    form = FORM_AT + game[at + KIND] * FORM
    game[at + SIZE] += 2 if other else 1
    if rules[form + ALIKE]:
        return
    step = rules[form + STEP]
    bit = 2 if end == END_HIGH else 1
    low = game[at + LOW]
    high = game[at + HIGH]
    if game[at + HALF] & bit:
        game[at + HALF] ^= bit
    elif not is_full(rules, game, at):
        if other == 0 and rules[form + COPIES] > 1:
            game[at + HALF] |= bit
        if end == END_HIGH:
            high += step
        else:
            low -= step
    if rules[WRAP]:
        while low < 1:
            low += TOP
            high += TOP
        while low > TOP:
            low -= TOP
            high -= TOP
    game[at + LOW] = low
    game[at + HIGH] = high
    if rules[form + ONE_COLOUR] and game[at + COLOUR] < 0 and card != WILD:
        game[at + COLOUR] = card >> 4


def follows(rules: Ints, game: Ints, at: int, card: int, end: int) -> bool:
    """Whether a card is wild, or has the value or the rank that the group goes on with at the end:
    the filter `melds.followers`, before `extends`.
    """
    if card == WILD:
        return True
    form = FORM_AT + game[at + KIND] * FORM
    if rules[form + ALIKE]:
        return trait(rules, rules[form + ALIKE], card) == game[at + LOW]
    return card & 15 == next_rank(rules, game, at, end)


def lay_group(
    rules: Ints, table: Ints, at: int, need: int, low: int, cards: Ints, place: int, size: int
) -> None:
    """Put a group at ``at`` that meets the phase's ``need`` with ``size`` cards at ``place``."""
    kind = rules[need + NEED_KIND]
    form = FORM_AT + kind * FORM
    table[at + KIND] = kind
    table[at + HALF] = 0
    table[at + SIZE] = size
    table[at + COLOUR] = -1
    rows = 0
    if rules[form + ALIKE] == 0:
        rows = rules[need + NEED_SIZE] - 1
        if rules[WILDS_PLACED]:
            low = placed_low(rules, kind, low, cards, place, size)
        if rules[form + ONE_COLOUR]:
            table[at + COLOUR] = _shared_colour(cards, place, size)
    table[at + LOW] = low
    table[at + HIGH] = low + rows * rules[form + STEP]


def _shared_colour(cards: Ints, at: int, count: int) -> int:
    """The colour of the naturals of one colour; -1 where all are wild."""
    for i in range(at, at + count):
        if as_wild(cards[i]) != WILD:
            return cards[i] >> 4
    return -1


def _of_rank(cards: Ints, at: int, count: int, rank: int) -> int:
    """The number of naturals of the rank."""
    number = 0
    for i in range(at, at + count):
        if as_wild(cards[i]) & 15 == rank:
            number += 1
    return number


def placed_low(rules: Ints, kind: int, low: int, cards: Ints, at: int, count: int) -> int:
    """The low end of the ladder of ``count`` cards at ``at`` with its wilds in gaps, then at the
    high end, then at the low one (O-07); ``low`` where it has no naturals.
    """
    copies = rules[FORM_AT + kind * FORM + COPIES]
    step = rules[FORM_AT + kind * FORM + STEP]
    wilds = _of_rank(cards, at, count, WILD)
    for first in range(1, TOP + 1):
        if _of_rank(cards, at, count, first) == 0:
            continue
        spare = wilds
        previous = first - step
        for ahead in range(TOP):
            rank = (first - 1 + ahead) % TOP + 1
            held = _of_rank(cards, at, count, rank)
            if held == 0:
                continue
            gap = ((rank - previous + TOP) % TOP // step - 1) * copies
            spare -= gap + copies - held
            if gap < 0 or spare < 0:
                spare = -1
                break
            previous = rank
        if spare >= 0:
            if rules[WRAP]:
                return first
            room = (TOP - previous) // step * copies
            below = min(max(spare - room, 0), (first - 1) // step * copies)
            return first - below // copies * step
        if not rules[WRAP]:
            return low
    return low
