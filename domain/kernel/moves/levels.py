"""Levels of the search for lays: the counted hand, and the group that stands on each level.

A card that a level takes is missing in COUNTS until it is given back.
"""

from typing import Final

from phaseledger.domain.kernel.layout import (
    COPIES,
    HAND,
    HAND_AT,
    NEED_NUMBER,
    NEED_SIZE,
    NEEDS,
    ONE_COLOUR,
    OWN,
    STEP,
    TOP,
    TURNED,
    WILD,
    Ints,
)
from phaseledger.domain.kernel.moves.hopeless import (
    COUNTS,
    GROUP_CARDS,
    RANKS,
    ROW,
    earlier_level,
    is_hopeless,
    level_at,
    need_at,
)
from phaseledger.domain.kernel.play.groups import rank_at, trait
from phaseledger.domain.kernel.play.piles import as_wild, seat_at

NODES: Final = 80
"""Groups tried by now, of all phases (`groups.lays.Effort`)."""
BUDGET: Final = 81
"""Groups that may be tried."""
MOST: Final = 82
"""Lays that are listed."""
STOPPED: Final = 83
"""Set when the search has to end."""
PHASE_LAID: Final = 85
CARDS_HELD: Final = 86
CARDS_LEFT: Final = 87
"""The cards in hand that no earlier level has taken."""
JOKERS_HELD: Final = 88
"""The jokers in hand, which are counted as wilds."""

GROUP_SIZE: Final = 0
GROUP_LOW: Final = 1
POOL: Final = 34
POOL_CARDS: Final = 35
"""The naturals of one value, sorted; 48."""
FEWEST: Final = 84
"""For a ladder, by colour (0 for any) and row: the least wilds from the row on; 5 times 14."""
FILLING: Final = 154
"""The wilds that the ladder takes."""
LAYS_WORK: Final = 896
"""Ints of ``work`` that the search takes."""

MOST_NODES: Final = 6_000
"""As `groups.lays.MOST_NODES`."""
ORDINARY: Final = 12
"""From more cards, each beginning of a group is tried before its end is chosen."""


def count_hand(game: Ints, seat: int, work: Ints) -> None:
    """Count the cards of a hand into COUNTS and RANKS."""
    for i in range(RANKS + 16):
        work[COUNTS + i] = 0
    work[JOKERS_HELD] = 0
    at = seat_at(seat)
    for i in range(game[at + HAND]):
        card = game[at + HAND_AT + i]
        if card >= TURNED:
            work[COUNTS + WILD] += 1
            work[JOKERS_HELD] += 1
            continue
        work[COUNTS + card] += 1
        if card & 15 <= TOP:
            work[RANKS + (card & 15)] += 1
    work[CARDS_HELD] = game[at + HAND]


def take(work: Ints, level: int, count: int, times: int) -> None:
    """Take the first cards of the level's group out of the hand (1), or give them back (-1)."""
    at = level_at(level)
    for i in range(count):
        card = as_wild(work[at + GROUP_CARDS + i])
        work[COUNTS + card] -= times
        work[RANKS + (card & 15)] -= times
    work[CARDS_LEFT] -= count * times


def wild_name(work: Ints, number: int) -> int:
    """The name of the hand's next wild (1), or of one after it."""
    if work[JOKERS_HELD] == 0:
        return WILD
    return OWN + work[JOKERS_HELD] - work[COUNTS + WILD] + number


def is_viable(rules: Ints, work: Ints, level: int, count: int) -> bool:
    """Whether the first ``count`` cards of the level's group can still lead to a lay; from an
    ordinary hand each group is tried whole.
    """
    if work[CARDS_LEFT] <= ORDINARY:
        return True
    if work[NODES] >= work[BUDGET]:
        work[STOPPED] = 1
        return False
    work[NODES] += 1
    before = earlier_level(rules, work, level, rules[need_at(work, level) + NEED_NUMBER])
    if before >= 0 and _compare(work, level, before, count) < 0:
        return False
    if level + 1 == rules[work[ROW] + NEEDS]:
        return True
    take(work, level, count, 1)
    is_open = not is_hopeless(rules, work, level + 1)
    take(work, level, count, -1)
    return is_open


def _compare(work: Ints, level: int, before: int, count: int) -> int:
    """The first difference of the cards of two levels' groups, among ``count``; 0 where none is."""
    at = level_at(level)
    floor = level_at(before)
    for i in range(count):
        ahead = work[at + GROUP_CARDS + i] - work[floor + GROUP_CARDS + i]
        if ahead:
            return ahead
    return 0


def is_repeated_group(rules: Ints, work: Ints, level: int) -> bool:
    """Whether the group comes before the last one of an equal need, in the order of cards and low
    ends: the same groups are listed in the other order.
    """
    before = earlier_level(rules, work, level, rules[need_at(work, level) + NEED_NUMBER])
    if before < 0:
        return False
    at = level_at(level)
    ahead = _compare(work, level, before, work[at + GROUP_SIZE])
    if ahead == 0:
        ahead = work[at + GROUP_LOW] - work[level_at(before) + GROUP_LOW]
    return ahead < 0


def fill_pool(rules: Ints, work: Ints, at: int, alike: int, value: int) -> None:
    """Put the naturals of the value into the level's pool, sorted."""
    held = 0
    for colour in range(4):
        for rank in range(value if alike == 1 else 1, (value if alike == 1 else TOP) + 1):
            card = colour * 16 + rank
            if trait(rules, alike, card) != value:
                continue
            for _ in range(work[COUNTS + card]):
                work[at + POOL_CARDS + held] = card
                held += 1
    work[at + POOL] = held


def count_fewest(rules: Ints, work: Ints, need: int, form: int, low: int, at: int) -> None:
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
