"""Needs that a hand cannot meet: a test before any search (`groups.least_wilds`)."""

from typing import Final

from phaseledger.domain.kernel.layout import (
    ALIKE,
    COPIES,
    FORM,
    FORM_AT,
    NEED,
    NEED_AT,
    NEED_KIND,
    NEED_NUMBER,
    NEED_PARITY,
    NEED_SIZE,
    NEEDS,
    STEP,
    TOP,
    WILD,
    WRAP,
    Ints,
)
from phaseledger.domain.kernel.play.groups import rank_at, trait, values

COUNTS: Final = 0
"""How many of each card, by its code, the hand still has; 64."""
RANKS: Final = 64
"""How many naturals of each rank it still has; 16."""
ROW: Final = 84
"""The place of the phase in the rules."""
LEVEL_AT: Final = 96
LEVEL: Final = 160
"""Ints of a level."""
GROUP_CARDS: Final = 2
"""The cards of the group as it is laid; 32."""


def need_at(work: Ints, level: int) -> int:
    """The place in the rules of the need that is met on the level."""
    return work[ROW] + NEED_AT + level * NEED


def level_at(level: int) -> int:
    """The place in ``work`` of a level."""
    return LEVEL_AT + level * LEVEL


def earlier_level(rules: Ints, work: Ints, level: int, number: int) -> int:
    """The last level before this one that meets the need of that number; -1 where none does."""
    for before in range(level - 1, -1, -1):
        if rules[need_at(work, before) + NEED_NUMBER] == number:
            return before
    return -1


def is_hopeless(rules: Ints, work: Ints, level: int) -> bool:
    """Whether wilds are missing for the needs from the level on, even if each kind of them had all
    the naturals to itself.
    """
    wilds = work[COUNTS + WILD]
    last = rules[work[ROW] + NEEDS]
    for here in range(level, last):
        need = need_at(work, here)
        number = rules[need + NEED_NUMBER]
        if earlier_level(rules, work, here, number) >= level:
            continue
        like = 1
        for later in range(here + 1, last):
            if rules[need_at(work, later) + NEED_NUMBER] == number:
                like += 1
        form = FORM_AT + rules[need + NEED_KIND] * FORM
        if rules[form + ALIKE]:
            first = 0
            before = earlier_level(rules, work, level, number)
            if before >= 0:
                first = work[level_at(before) + GROUP_CARDS]
            wilds -= _lacking(rules, work, need, rules[form + ALIKE], like, first)
        else:
            wilds -= like * _least_gaps(rules, work, need, form)
        if wilds < 0:
            return True
    return False


def _lacking(rules: Ints, work: Ints, need: int, alike: int, like: int, first: int) -> int:
    """The least wilds of ``like`` equal groups; their naturals are ``first`` or higher."""
    size = rules[need + NEED_SIZE]
    parity = rules[need + NEED_PARITY]
    whole = 0
    most = 0
    second = 0
    for value in range(1, values(rules, alike) + 1):
        if parity and value != parity:
            continue
        shown = shown_naturals(rules, work, alike, value, first)
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
            shown = shown_naturals(rules, work, alike, value, first)
            parts = shown // size if part == size else 0
            if part < size and shown % size == part:
                parts = 1
            parts = min(parts, left)
            left -= parts
            lacking -= parts * part
    return lacking


def shown_naturals(rules: Ints, work: Ints, alike: int, value: int, first: int) -> int:
    """The naturals of the value from the card ``first`` on."""
    if alike == 1 and first <= 1:
        return work[RANKS + value]
    shown = 0
    for colour in range(4):
        for rank in range(value if alike == 1 else 1, (value if alike == 1 else TOP) + 1):
            card = colour * 16 + rank
            if card >= first and trait(rules, alike, card) == value:
                shown += work[COUNTS + card]
    return shown


def first_low(rules: Ints, need: int) -> int:
    """The lowest low end of the needed ladder."""
    return 2 if rules[need + NEED_PARITY] == 2 else 1


def last_low(rules: Ints, need: int, form: int) -> int:
    """The highest low end of the needed ladder."""
    if rules[WRAP]:
        return TOP
    return TOP - (rules[need + NEED_SIZE] - 1) * rules[form + STEP]


def lows_apart(rules: Ints, need: int) -> int:
    """The distance between the low ends that the needed ladder may have."""
    return 2 if rules[need + NEED_PARITY] else 1


def missing_ranks(rules: Ints, work: Ints, need: int, form: int, low: int) -> int:
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
    low = first_low(rules, need)
    while low <= last_low(rules, need, form):
        least = min(least, missing_ranks(rules, work, need, form, low))
        low += lows_apart(rules, need)
    return least * rules[form + COPIES]
