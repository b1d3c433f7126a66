"""The search for lays: the ways to lay a phase at its least size, in the order of `groups.lays`.

The groups of a lay are found one after the other, each on a level of its own in ``work``. A card
that a level takes is missing in COUNTS until it is given back.
"""

from typing import Final

from phaseledger.domain.kernel.groups import rank_at, values
from phaseledger.domain.kernel.layout import (
    ALIKE,
    COPIES,
    FORM,
    FORM_AT,
    HAND,
    HAND_AT,
    KEEP,
    LAY,
    LAY_CARDS,
    LAY_GROUPS,
    MOVE,
    NEED,
    NEED_AT,
    NEED_KIND,
    NEED_NUMBER,
    NEED_PARITY,
    NEED_SIZE,
    NEEDS,
    ONE_COLOUR,
    SCOPE,
    STEP,
    SUITS,
    TOP,
    WILD,
    WRAP,
    Ints,
)
from phaseledger.domain.kernel.rules import phase_at, seat_at

COUNTS: Final = 0
"""How many of each card, by its code, the hand still has; 64."""
RANKS: Final = 64
"""How many naturals of each rank it still has; 16."""
NODES: Final = 80
"""Groups tried by now, of all phases (`groups.lays.Effort`)."""
BUDGET: Final = 81
"""Groups that may be tried."""
MOST: Final = 82
"""Lays that are listed."""
STOPPED: Final = 83
"""Set when the search has to end."""
ROW: Final = 84
"""The place of the phase in the rules."""
PHASE_LAID: Final = 85
CARDS_HELD: Final = 86

LEVEL_AT: Final = 96
LEVEL: Final = 160
"""Ints of a level."""
GROUP_SIZE: Final = 0
GROUP_LOW: Final = 1
GROUP_CARDS: Final = 2
"""The cards of the group as it is laid; 32."""
POOL: Final = 34
POOL_CARDS: Final = 35
"""The naturals of one value, sorted; 32."""
FEWEST: Final = 68
"""For a ladder, by colour (0 for any) and row: the least wilds from the row on; 5 times 14."""
LAYS_WORK: Final = 736
"""Ints of ``work`` that the search takes."""

MOST_NODES: Final = 6_000
"""As `groups.lays.MOST_NODES`."""


def count_hand(game: Ints, seat: int, work: Ints) -> None:
    """Count the cards of a hand into COUNTS and RANKS."""
    for i in range(RANKS + 16):
        work[COUNTS + i] = 0
    at = seat_at(seat)
    for i in range(game[at + HAND]):
        card = game[at + HAND_AT + i]
        work[COUNTS + card] += 1
        if card & 15 <= TOP:
            work[RANKS + (card & 15)] += 1
    work[CARDS_HELD] = game[at + HAND]


def list_lays(rules: Ints, phase: int, moves: Ints, work: Ints) -> None:
    """Append the lays of the phase from the counted hand, within BUDGET, up to MOST moves."""
    work[ROW] = phase_at(phase)
    work[PHASE_LAID] = phase
    work[STOPPED] = 0
    if not _is_hopeless(rules, work, 0):
        _lay_from(rules, moves, work, 0)


def _need_at(work: Ints, level: int) -> int:
    """The place in the rules of the need that is met on the level."""
    return work[ROW] + NEED_AT + level * NEED


def _level_at(level: int) -> int:
    return LEVEL_AT + level * LEVEL


def _lay_from(rules: Ints, moves: Ints, work: Ints, level: int) -> None:
    """Try every group of the level's need, and of the later ones after it."""
    if rules[FORM_AT + rules[_need_at(work, level) + NEED_KIND] * FORM + ALIKE]:
        _list_alike(rules, moves, work, level)
    else:
        _list_ladders(rules, moves, work, level)


def _found(rules: Ints, moves: Ints, work: Ints, level: int) -> None:
    """Go on from a group that stands on the level: list the lay, or meet the next need."""
    if work[NODES] >= work[BUDGET]:
        work[STOPPED] = 1
        return
    work[NODES] += 1
    if _is_repeated(rules, work, level):
        return
    if level + 1 == rules[work[ROW] + NEEDS]:
        _list_lay(rules, moves, work, level + 1)
        return
    at = _level_at(level)
    for i in range(work[at + GROUP_SIZE]):
        card = work[at + GROUP_CARDS + i]
        work[COUNTS + card] -= 1
        work[RANKS + (card & 15)] -= 1
    if not _is_hopeless(rules, work, level + 1):
        _lay_from(rules, moves, work, level + 1)
    for i in range(work[at + GROUP_SIZE]):
        card = work[at + GROUP_CARDS + i]
        work[COUNTS + card] += 1
        work[RANKS + (card & 15)] += 1


def _earlier(rules: Ints, work: Ints, level: int, number: int) -> int:
    """The last level before this one that meets the need of that number; -1 where none does."""
    for before in range(level - 1, -1, -1):
        if rules[_need_at(work, before) + NEED_NUMBER] == number:
            return before
    return -1


def _is_repeated(rules: Ints, work: Ints, level: int) -> bool:
    """Whether the group comes before the last one of an equal need, in the order of cards and low
    ends: the same groups are listed in the other order.
    """
    before = _earlier(rules, work, level, rules[_need_at(work, level) + NEED_NUMBER])
    if before < 0:
        return False
    at = _level_at(level)
    floor = _level_at(before)
    for i in range(work[at + GROUP_SIZE]):
        card = work[at + GROUP_CARDS + i]
        other = work[floor + GROUP_CARDS + i]
        if card != other:
            return card < other
    return work[at + GROUP_LOW] < work[floor + GROUP_LOW]


def _list_lay(rules: Ints, moves: Ints, work: Ints, groups: int) -> None:
    """Append the lay of the groups, where it has the naturals that it needs and leaves enough."""
    cards = 0
    naturals = 0
    bare = 0
    for level in range(groups):
        at = _level_at(level)
        shown = 0
        for i in range(work[at + GROUP_SIZE]):
            if work[at + GROUP_CARDS + i] != WILD:
                shown += 1
        if shown == 0:
            bare += 1
        naturals += shown
        cards += work[at + GROUP_SIZE]
    if rules[SCOPE] and (naturals == 0 or (rules[SCOPE] == 2 and bare)):
        return
    if work[CARDS_HELD] - cards < rules[KEEP]:
        return
    move = 1 + moves[0] * MOVE
    moves[0] += 1
    moves[move] = LAY
    moves[move + 1] = work[PHASE_LAID]
    moves[move + 2] = groups
    place = move + LAY_CARDS
    for level in range(groups):
        at = _level_at(level)
        moves[move + LAY_GROUPS + 2 * level] = work[at + GROUP_LOW]
        moves[move + LAY_GROUPS + 2 * level + 1] = work[at + GROUP_SIZE]
        for i in range(work[at + GROUP_SIZE]):
            moves[place] = work[at + GROUP_CARDS + i]
            place += 1
    if moves[0] >= work[MOST]:
        work[STOPPED] = 1


# --- hopeless needs (`groups.least_wilds`) -------------------------------------------------------


def _is_hopeless(rules: Ints, work: Ints, level: int) -> bool:
    """Whether wilds are missing for the needs from the level on, even if each kind of them had all
    the naturals to itself.
    """
    wilds = work[COUNTS + WILD]
    last = rules[work[ROW] + NEEDS]
    for here in range(level, last):
        need = _need_at(work, here)
        number = rules[need + NEED_NUMBER]
        if _earlier(rules, work, here, number) >= level:
            continue
        like = 1
        for later in range(here + 1, last):
            if rules[_need_at(work, later) + NEED_NUMBER] == number:
                like += 1
        form = FORM_AT + rules[need + NEED_KIND] * FORM
        if rules[form + ALIKE]:
            first = 0
            before = _earlier(rules, work, level, number)
            if before >= 0:
                first = work[_level_at(before) + GROUP_CARDS]
            wilds -= _lacking(rules, work, need, rules[form + ALIKE], like, first)
        else:
            wilds -= like * _least_gaps(rules, work, need, form)
        if wilds < 0:
            return True
    return False


def _lacking(rules: Ints, work: Ints, need: int, alike: int, like: int, first: int) -> int:
    """The wilds that so many like groups take at least; their naturals are ``first`` or higher."""
    size = rules[need + NEED_SIZE]
    parity = rules[need + NEED_PARITY]
    whole = 0
    most = 0
    second = 0
    for value in range(1, values(rules, alike) + 1):
        if parity and value != parity:
            continue
        shown = _shown(rules, work, alike, value, first)
        if like > 2 or shown > size:
            whole += shown // size
            shown %= size
        if shown > most:
            second = most
            most = shown
        elif shown > second:
            second = shown
    if like == 1:
        return 0 if whole else max(0, size - most)
    if like == 2:
        if whole >= 2:
            return 0
        return size - most if whole else 2 * size - most - second
    return _lacking_many(rules, work, need, alike, like, first)


def _lacking_many(rules: Ints, work: Ints, need: int, alike: int, like: int, first: int) -> int:
    """As `_lacking`, for three groups and more."""
    size = rules[need + NEED_SIZE]
    parity = rules[need + NEED_PARITY]
    lacking = like * size
    left = like
    for part in range(size, 0, -1):
        for value in range(1, values(rules, alike) + 1):
            if parity and value != parity:
                continue
            shown = _shown(rules, work, alike, value, first)
            parts = shown // size if part == size else 0
            if part < size and shown % size == part:
                parts = 1
            parts = min(parts, left)
            left -= parts
            lacking -= parts * part
    return lacking


def _shown(rules: Ints, work: Ints, alike: int, value: int, first: int) -> int:
    """The naturals of the value from the card ``first`` on."""
    if alike == 1 and first <= 1:
        return work[RANKS + value]
    shown = 0
    if alike == 1:
        for colour in range(4):
            if colour * 16 + value >= first:
                shown += work[COUNTS + colour * 16 + value]
        return shown
    for colour in range(4):
        if alike == 2 and 1 + (colour if rules[SUITS] else colour & 1) != value:
            continue
        for rank in range(1, TOP + 1):
            if alike == 3 and 2 - (rank & 1) != value:
                continue
            if colour * 16 + rank >= first:
                shown += work[COUNTS + colour * 16 + rank]
    return shown


def _first_low(rules: Ints, need: int) -> int:
    """The lowest low end of the needed ladder."""
    return 2 if rules[need + NEED_PARITY] == 2 else 1


def _last_low(rules: Ints, need: int, form: int) -> int:
    """The highest low end of the needed ladder."""
    if rules[WRAP]:
        return TOP
    return TOP - (rules[need + NEED_SIZE] - 1) * rules[form + STEP]


def _apart(rules: Ints, need: int) -> int:
    """The distance between the low ends that the needed ladder may have."""
    return 2 if rules[need + NEED_PARITY] else 1


def _missing_ranks(rules: Ints, work: Ints, need: int, form: int, low: int) -> int:
    """The ranks of the ladder from ``low`` on of which the hand has no natural."""
    missing = 0
    position = low
    for _ in range(rules[need + NEED_SIZE]):
        if work[RANKS + rank_at(position)] == 0:
            missing += 1
        position += rules[form + STEP]
    return missing


def _least_gaps(rules: Ints, work: Ints, need: int, form: int) -> int:
    """The least wilds of the needed ladder: a row of it for each rank that is missing."""
    least = TOP
    low = _first_low(rules, need)
    while low <= _last_low(rules, need, form):
        least = min(least, _missing_ranks(rules, work, need, form, low))
        low += _apart(rules, need)
    return least * rules[form + COPIES]


# --- alike groups -------------------------------------------------------------------------------


def _list_alike(rules: Ints, moves: Ints, work: Ints, level: int) -> None:
    """Find the groups of one rank, colour or parity: fewest wilds first, then by value."""
    need = _need_at(work, level)
    alike = rules[FORM_AT + rules[need + NEED_KIND] * FORM + ALIKE]
    size = rules[need + NEED_SIZE]
    parity = rules[need + NEED_PARITY]
    fewest = max(1 if rules[SCOPE] == 2 else 0, size - work[COUNTS + WILD])
    at = _level_at(level)
    work[at + GROUP_SIZE] = size
    for count in range(size, fewest - 1, -1):
        for value in range(1, values(rules, alike) + 1):
            if parity and value != parity:
                continue
            if _shown(rules, work, alike, value, 0) < count:
                continue
            _fill_pool(rules, work, at, alike, value)
            work[at + GROUP_LOW] = value
            for i in range(count, size):
                work[at + GROUP_CARDS + i] = WILD
            _choose(rules, moves, work, level, count, 0, 0)
            if work[STOPPED]:
                return


def _fill_pool(rules: Ints, work: Ints, at: int, alike: int, value: int) -> None:
    """Put the naturals of the value into the level's pool, sorted."""
    held = 0
    for colour in range(4):
        if alike == 2 and 1 + (colour if rules[SUITS] else colour & 1) != value:
            continue
        for rank in range(value if alike == 1 else 1, (value if alike == 1 else TOP) + 1):
            if alike == 3 and 2 - (rank & 1) != value:
                continue
            card = colour * 16 + rank
            for _ in range(work[COUNTS + card]):
                work[at + POOL_CARDS + held] = card
                held += 1
    work[at + POOL] = held


def _choose(
    rules: Ints, moves: Ints, work: Ints, level: int, count: int, chosen: int, start: int
) -> None:
    """Take ``count`` cards of the pool in every way, each once; ``chosen`` of them are taken."""
    at = _level_at(level)
    if chosen == count:
        _found(rules, moves, work, level)
        return
    previous = -1
    for place in range(start, work[at + POOL] - (count - chosen) + 1):
        card = work[at + POOL_CARDS + place]
        if card == previous:
            continue
        previous = card
        work[at + GROUP_CARDS + chosen] = card
        _choose(rules, moves, work, level, count, chosen + 1, place + 1)
        if work[STOPPED]:
            return


# --- ladders ------------------------------------------------------------------------------------


def _list_ladders(rules: Ints, moves: Ints, work: Ints, level: int) -> None:
    """Find the ladders: fewest wilds first, then by their low ends."""
    need = _need_at(work, level)
    form = FORM_AT + rules[need + NEED_KIND] * FORM
    size = rules[need + NEED_SIZE]
    copies = rules[form + COPIES]
    wilds = work[COUNTS + WILD]
    most = size * copies - (1 if rules[SCOPE] == 2 else 0)
    at = _level_at(level)
    for filling in range(min(wilds, most) + 1):
        low = _first_low(rules, need)
        while low <= _last_low(rules, need, form):
            if _missing_ranks(rules, work, need, form, low) * copies <= wilds:
                _count_fewest(rules, work, need, form, low, at)
                if work[at + FEWEST] <= filling:
                    work[at + GROUP_LOW] = low
                    work[at + GROUP_SIZE] = 0
                    _fill_row(rules, moves, work, level, 0, filling, -1)
                    if work[STOPPED]:
                        return
            low += _apart(rules, need)


def _count_fewest(rules: Ints, work: Ints, need: int, form: int, low: int, at: int) -> None:
    """Write FEWEST of the ladder from ``low`` on."""
    size = rules[need + NEED_SIZE]
    step = rules[form + STEP]
    copies = rules[form + COPIES]
    for colour in range(5):
        work[at + FEWEST + colour * 14 + size] = 0
    for row in range(size - 1, -1, -1):
        rank = rank_at(low + row * step)
        if not rules[form + ONE_COLOUR]:
            gap = copies - min(copies, work[RANKS + rank])
            work[at + FEWEST + row] = work[at + FEWEST + row + 1] + gap
            continue
        least = size
        for colour in range(4):
            here = at + FEWEST + (colour + 1) * 14 + row
            gap = 1 if work[COUNTS + colour * 16 + rank] == 0 else 0
            work[here] = work[here + 1] + gap
            least = min(least, work[here])
        work[at + FEWEST + row] = least


def _fill_row(
    rules: Ints, moves: Ints, work: Ints, level: int, row: int, wilds: int, colour: int
) -> None:
    """Fill the ladder from a row on with naturals and exactly so many wilds, in every way.

    ``colour`` is that of a ladder of one colour, -1 before it shows one.
    """
    need = _need_at(work, level)
    form = FORM_AT + rules[need + NEED_KIND] * FORM
    if row == rules[need + NEED_SIZE]:
        _found(rules, moves, work, level)
        return
    rank = rank_at(work[_level_at(level) + GROUP_LOW] + row * rules[form + STEP])
    _add_row(rules, moves, work, level, row, wilds, colour, 0, 0)
    for other in range(4):
        card = other * 16 + rank
        if work[COUNTS + card] == 0 or work[STOPPED]:
            continue
        if not rules[form + ONE_COLOUR]:
            _add_row(rules, moves, work, level, row, wilds, colour, card, 0)
        elif colour < 0 or colour == other:
            _add_row(rules, moves, work, level, row, wilds, other, card, 0)
    if rules[form + COPIES] > 1:
        _add_pairs(rules, moves, work, level, row, wilds, rank)


def _add_pairs(
    rules: Ints, moves: Ints, work: Ints, level: int, row: int, wilds: int, rank: int
) -> None:
    """Add a row of two naturals of the rank, in every way."""
    for first in range(4):
        card = first * 16 + rank
        for second in range(first, 4):
            other = second * 16 + rank
            needed = 2 if card == other else 1
            if work[COUNTS + card] >= needed and work[COUNTS + other] and not work[STOPPED]:
                _add_row(rules, moves, work, level, row, wilds, -1, card, other)


def _add_row(
    rules: Ints,
    moves: Ints,
    work: Ints,
    level: int,
    row: int,
    wilds: int,
    colour: int,
    card: int,
    other: int,
) -> None:
    """Add a row of these naturals (0 for none) and wilds, and fill the later rows."""
    need = _need_at(work, level)
    form = FORM_AT + rules[need + NEED_KIND] * FORM
    size = rules[need + NEED_SIZE]
    copies = rules[form + COPIES]
    at = _level_at(level)
    gap = copies - (1 if card else 0) - (1 if other else 0)
    left = wilds - gap
    if left < work[at + FEWEST + (colour + 1) * 14 * rules[form + ONE_COLOUR] + row + 1]:
        return
    if left > copies * (size - row - 1):
        return
    place = at + GROUP_CARDS + row * copies
    if card:
        work[place] = card
        place += 1
    if other:
        work[place] = other
        place += 1
    for i in range(gap):
        work[place + i] = WILD
    work[at + GROUP_SIZE] = (row + 1) * copies
    _fill_row(rules, moves, work, level, row + 1, left, colour)
