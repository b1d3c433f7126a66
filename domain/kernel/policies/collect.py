"""Collecting for a phase: the naturals of a hand that serve it best.

Cards stand here for their places in the hand, as bits: of cards that serve alike the first count.
"""

from typing import Final

from phaseledger.domain.kernel.layout import (
    ALIKE,
    COPIES,
    FORM,
    FORM_AT,
    HAND,
    HAND_AT,
    MOST_NEEDS,
    NEED,
    NEED_AT,
    NEED_KIND,
    NEED_PARITY,
    NEED_SIZE,
    NEEDS,
    ONE_COLOUR,
    STEP,
    TOP,
    TURNED,
    Ints,
)
from phaseledger.domain.kernel.moves.levels import LAYS_WORK
from phaseledger.domain.kernel.play.groups import trait
from phaseledger.domain.kernel.play.piles import bit_count, seat_at

HELD: Final = LAYS_WORK
"""The number of cards to collect from."""
HELD_AT: Final = LAYS_WORK + 1
"""These cards; 63."""
MOST_HELD: Final = 61
"""The cards that are taken of a hand, the first ones: few hands of the ring are larger."""
TALLY_AT: Final = LAYS_WORK + 64
"""How many cards there are of each value, or of each rank as far as a ladder takes them; 16."""
SUM_AT: Final = LAYS_WORK + 80
"""The ranks' sums in steps of the ladder, from rank -1 on; 16."""
SHOWN: Final = LAYS_WORK + 96
"""The number of the values that follow, in the order in which the cards show them; 16."""
BEGINNINGS_AT: Final = LAYS_WORK + 112
"""The beginnings of a group for each need, and for one more; each at BREADTH places."""
BREADTH: Final = 4
"""Beginnings compared for each need; more find little and cost time."""
BEGINNING: Final = 3
"""Ints of a beginning: BEGUN, BEGUN_LOW, BEGUN_COLOUR."""
BEGUN: Final = 0
"""The number of its cards."""
BEGUN_LOW: Final = 1
"""The value that an alike group shares, or the low end of a ladder."""
BEGUN_COLOUR: Final = 2
"""The colour of a ladder of one colour; else -1."""
COLLECTED_AT: Final = BEGINNINGS_AT + (MOST_NEEDS + 1) * BREADTH * BEGINNING
"""The cards collected for each need; and, in rows behind, for the needs from a later one on."""


def hold(game: Ints, seat: int, work: Ints) -> None:
    """Take the hand of a seat as the cards to collect from, but for jokers."""
    at = seat_at(seat)
    work[HELD] = 0
    for i in range(game[at + HAND]):
        card = game[at + HAND_AT + i]
        if card < TURNED and work[HELD] < MOST_HELD:
            work[HELD_AT + work[HELD]] = card
            work[HELD] += 1


def naturals(work: Ints) -> int:
    """The naturals among the cards, as bits."""
    cards = 0
    for i in range(work[HELD]):
        if work[HELD_AT + i] & 15 <= TOP:
            cards |= 1 << i
    return cards


def collect(rules: Ints, row: int, number: int, cards: int, work: Ints) -> int:
    """The cards that serve the needs from ``number`` on best, of the phase at ``row``: the most,
    each need in its turn.
    """
    need = row + NEED_AT + number * NEED
    at = _beginnings_at(number)
    if number + 1 == rules[row + NEEDS]:
        _begin(rules, need, cards, work, at, 1)
        last = _part(rules, need, cards, work, at)
        work[COLLECTED_AT + number * MOST_NEEDS + number] = last
        return last
    later = 0
    for other in range(number + 1, rules[row + NEEDS]):
        later += longest_beginning(rules, row + NEED_AT + other * NEED, cards, work)
    best = 0
    most = 0
    row_of_parts = COLLECTED_AT + number * MOST_NEEDS
    for other in range(number, rules[row + NEEDS]):
        work[row_of_parts + other] = 0
    for i in range(_begin(rules, need, cards, work, at, BREADTH)):
        if most >= work[at + i * BEGINNING + BEGUN] + later:
            break
        part = _part(rules, need, cards, work, at + i * BEGINNING)
        combined = part | collect(rules, row, number + 1, cards - part, work)
        if bit_count(combined) > most:
            best = combined
            most = bit_count(combined)
            work[row_of_parts + number] = part
            for other in range(number + 1, rules[row + NEEDS]):
                work[row_of_parts + other] = work[row_of_parts + MOST_NEEDS + other]
    return best


def collected(rules: Ints, row: int, work: Ints) -> int:
    """The number of cards that `collect` finds for the phase at ``row``."""
    if rules[row + NEEDS] == 1:
        return longest_beginning(rules, row + NEED_AT, naturals(work), work)
    return bit_count(collect(rules, row, 0, naturals(work), work))


def _beginnings_at(number: int) -> int:
    return BEGINNINGS_AT + number * BREADTH * BEGINNING


def longest_beginning(rules: Ints, need: int, cards: int, work: Ints) -> int:
    """The number of cards of the longest beginning of the needed group."""
    at = _beginnings_at(MOST_NEEDS)
    _begin(rules, need, cards, work, at, 1)
    return work[at + BEGUN]


def _begin(rules: Ints, need: int, cards: int, work: Ints, at: int, breadth: int) -> int:
    """Write the longest beginnings of the needed group, and return their number, 1 at least."""
    form = FORM_AT + rules[need + NEED_KIND] * FORM
    if rules[form + ALIKE]:
        return _begin_alike(rules, need, cards, work, at, breadth)
    count = 0
    if rules[form + ONE_COLOUR]:
        for colour in range(4):
            count = _begin_ladders(rules, need, cards, work, at, breadth, count, colour)
        return count
    return _begin_ladders(rules, need, cards, work, at, breadth, count, -1)


def _insert(work: Ints, at: int, breadth: int, count: int, size: int, low: int, colour: int) -> int:
    """Insert a beginning behind equally long ones, and return the number of beginnings."""
    if count == breadth:
        if size <= work[at + (count - 1) * BEGINNING + BEGUN]:
            return count
        count -= 1
    place = count
    while place > 0 and work[at + (place - 1) * BEGINNING + BEGUN] < size:
        place -= 1
    for i in range(at + count * BEGINNING - 1, at + place * BEGINNING - 1, -1):
        work[i + BEGINNING] = work[i]
    here = at + place * BEGINNING
    work[here + BEGUN] = size
    work[here + BEGUN_LOW] = low
    work[here + BEGUN_COLOUR] = colour
    return count + 1


def _begin_alike(rules: Ints, need: int, cards: int, work: Ints, at: int, breadth: int) -> int:
    """As `_begin`, by the values in the order in which the cards show them."""
    alike = rules[FORM_AT + rules[need + NEED_KIND] * FORM + ALIKE]
    size = rules[need + NEED_SIZE]
    parity = rules[need + NEED_PARITY]
    for value in range(TOP + 1):
        work[TALLY_AT + value] = 0
    shown = 0
    for i in range(work[HELD]):
        if cards >> i & 1:
            value = trait(rules, alike, work[HELD_AT + i])
            if work[TALLY_AT + value] == 0:
                work[SHOWN + shown] = value
                shown += 1
            work[TALLY_AT + value] += 1
    if parity:
        return _insert(work, at, breadth, 0, min(work[TALLY_AT + parity], size), parity, -1)
    if shown == 0:
        return _insert(work, at, breadth, 0, 0, 0, -1)
    count = 0
    for i in range(shown):
        value = work[SHOWN + i]
        count = _insert(work, at, breadth, count, min(work[TALLY_AT + value], size), value, -1)
    return count


def _begin_ladders(
    rules: Ints, need: int, cards: int, work: Ints, at: int, breadth: int, count: int, colour: int
) -> int:
    """Add the ladders of one colour, or of any (-1), to ``count`` beginnings, by low ends."""
    form = FORM_AT + rules[need + NEED_KIND] * FORM
    step = rules[form + STEP]
    copies = rules[form + COPIES]
    for rank in range(TOP + 1):
        work[TALLY_AT + rank] = 0
    for i in range(work[HELD]):
        card = work[HELD_AT + i]
        if cards >> i & 1 and (colour < 0 or card >> 4 == colour):
            work[TALLY_AT + (card & 15)] = min(work[TALLY_AT + (card & 15)] + 1, copies)
    work[SUM_AT] = 0
    work[SUM_AT + 1] = 0
    for rank in range(1, TOP + 1):
        work[SUM_AT + rank + 1] = work[SUM_AT + rank + 1 - step] + work[TALLY_AT + rank]
    span = (rules[need + NEED_SIZE] - 1) * step
    parity = rules[need + NEED_PARITY]
    low = 2 if parity == 2 else 1
    while low + span <= TOP:
        size = work[SUM_AT + low + span + 1] - work[SUM_AT + low + 1 - step]
        count = _insert(work, at, breadth, count, size, low, colour)
        low += 2 if parity else 1
    return count


def _part(rules: Ints, need: int, cards: int, work: Ints, beginning: int) -> int:
    """The cards of a beginning: the first that there are of each kind."""
    form = FORM_AT + rules[need + NEED_KIND] * FORM
    alike = rules[form + ALIKE]
    low = work[beginning + BEGUN_LOW]
    colour = work[beginning + BEGUN_COLOUR]
    left = work[beginning + BEGUN]
    step = rules[form + STEP]
    span = (rules[need + NEED_SIZE] - 1) * step
    if not alike:
        for rank in range(TOP + 1):
            work[TALLY_AT + rank] = 0
    part = 0
    for i in range(work[HELD]):
        if left == 0:
            break
        if not cards >> i & 1:
            continue
        card = work[HELD_AT + i]
        if alike:
            if trait(rules, alike, card) != low:
                continue
        else:
            ahead = (card & 15) - low
            if ahead < 0 or ahead > span or ahead % step or (colour >= 0 and card >> 4 != colour):
                continue
            if work[TALLY_AT + (card & 15)] == rules[form + COPIES]:
                continue
            work[TALLY_AT + (card & 15)] += 1
        part |= 1 << i
        left -= 1
    return part
