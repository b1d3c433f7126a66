"""A search for the order of hits that leaves the fewest cards in hand.

It plays hits on a copy of the laid groups and of the counted hand (`lays.COUNTS`), and takes them
back.
"""

from typing import Final

from phaseledger.domain.kernel.layout import (
    ALIKE,
    COLOUR,
    COPIES,
    END_HIGH,
    END_LOW,
    END_NONE,
    FORM,
    FORM_AT,
    FULL_SET,
    GROUP,
    GROUP_AT,
    GROUPS,
    HALF,
    HIGH,
    KEEP,
    KIND,
    LOW,
    MOST_GROUPS,
    MOST_NEEDS,
    NATURAL_ON_FULL_SET,
    PAIR_HIT,
    POINTS_AT,
    SIZE,
    TOP,
    WILD,
    WILD_ON_FULL_RUN,
    WRAP,
    Ints,
)
from phaseledger.domain.kernel.moves.hopeless import COUNTS, RANKS
from phaseledger.domain.kernel.moves.levels import CARDS_HELD, JOKERS_HELD, LAYS_WORK, count_hand
from phaseledger.domain.kernel.play.groups import (
    ahead_of,
    extend,
    extends,
    is_full,
    next_rank,
    rank_at,
    trait,
)
from phaseledger.domain.kernel.play.piles import hand_points

LAID_GROUPS: Final = LAYS_WORK
"""The number of groups at LAID_AT."""
POINTS_HELD: Final = LAYS_WORK + 1
"""The penalty points of the cards of COUNTS."""
LEFT_POINTS: Final = LAYS_WORK + 2
"""The penalty points of the cards that the best hits leave."""
FIRST_HIT: Final = LAYS_WORK + 3
"""The first of the best hits; 0 where there is none."""
EFFORT: Final = LAYS_WORK + 4
"""Hits that may still be tried in this decision."""
STACKED: Final = LAYS_WORK + 5
"""The number of hits at STACK_AT."""
LAID_AT: Final = LAYS_WORK + 8
"""The groups on the table, none of them with half a row, and those of a lay."""
STACK_AT: Final = LAID_AT + (MOST_GROUPS + MOST_NEEDS) * GROUP
"""The hits to compare, those of a later hand behind those of an earlier one."""
MOST_HITS: Final = 2_000
"""Hits tried in one decision; a hand of a card game takes a few hundred."""
HITS_WORK: Final = STACK_AT + MOST_HITS
"""Ints of ``work`` that the search takes.

A hit is one number: ``bridge + 2 * end + 8 * other + 512 * card + 32,768 * group``; the bridge is 1
where a card in hand fits behind it.
"""


def set_table(rules: Ints, game: Ints, seat: int, work: Ints) -> None:
    """Copy the groups, count the hand of the seat, and grant the effort of a decision."""
    count_hand(game, seat, work)
    work[POINTS_HELD] = hand_points(rules, game, seat)
    work[EFFORT] = MOST_HITS
    work[STACKED] = 0
    work[LAID_GROUPS] = game[GROUPS]
    for i in range(game[GROUPS] * GROUP):
        work[LAID_AT + i] = game[GROUP_AT + i]
    for number in range(game[GROUPS]):
        work[LAID_AT + number * GROUP + HALF] = 0


def take_up(rules: Ints, work: Ints, card: int, number: int) -> None:
    """Add copies of a card to the counted hand, or remove them."""
    work[COUNTS + card] += number
    work[RANKS + (card & 15)] += number
    work[CARDS_HELD] += number
    work[POINTS_HELD] += number * rules[POINTS_AT + (card & 15)]


def fits(rules: Ints, table: Ints, at: int, groups: int, card: int) -> bool:
    """Whether the card, no skip, can be hit alone on one of the groups at ``at``."""
    for number in range(groups):
        group = at + number * GROUP
        form = FORM_AT + table[group + KIND] * FORM
        if rules[form + COPIES] > 1:
            continue
        if extends(rules, table, group, card, 0, END_HIGH):
            return True
        if not rules[form + ALIKE] and extends(rules, table, group, card, 0, END_LOW):
            return True
    return False


def first_hit(rules: Ints, work: Ints) -> int:
    """The first of the best hits from the counted hand; 0 where there is none."""
    if work[CARDS_HELD] <= rules[KEEP]:
        return 0
    _list_hits(rules, work, False)
    if work[STACKED]:
        return _likeliest(work, 0)
    _best_wild_hits(rules, work)
    return work[FIRST_HIT]


def best_hits(rules: Ints, work: Ints) -> int:
    """The number of cards that the best hits leave of the counted hand.

    Naturals go first, each where another card of the hand can follow; then wilds, which bridge the
    gap to a natural or go anywhere.
    """
    work[FIRST_HIT] = 0
    work[LEFT_POINTS] = work[POINTS_HELD]
    if work[CARDS_HELD] <= rules[KEEP]:
        return work[CARDS_HELD]
    base = work[STACKED]
    _list_hits(rules, work, False)
    if work[STACKED] == base:
        return _best_wild_hits(rules, work)
    hit = _likeliest(work, base)
    work[STACKED] = base
    left = _after(rules, work, hit)
    work[FIRST_HIT] = hit
    return left


def _likeliest(work: Ints, base: int) -> int:
    """The first stacked hit with a bridge, else on an alike group, else of all.

    A card that fits a set and a run goes on the set: the run's end stays open.
    """
    best = 0
    most = -1
    for i in range(base, work[STACKED]):
        hit = work[STACK_AT + i]
        rating = 2 if hit & 1 else 1 if hit >> 1 & 3 == END_NONE else 0
        if rating > most:
            best = hit
            most = rating
    return best


def _best_wild_hits(rules: Ints, work: Ints) -> int:
    """As `best_hits`, where no natural can be hit: with each bridge, and with the first other."""
    base = work[STACKED]
    fewest = work[CARDS_HELD]
    points = work[POINTS_HELD]
    first = 0
    if work[COUNTS + WILD]:
        _list_hits(rules, work, True)
    top = work[STACKED]
    for bridge in range(1, -1, -1):
        for i in range(base, top):
            hit = work[STACK_AT + i]
            if hit & 1 != bridge or fewest == rules[KEEP]:
                continue
            left = _after(rules, work, hit)
            if left < fewest:
                fewest = left
                points = work[LEFT_POINTS]
                first = hit
            if not bridge:
                break
    work[STACKED] = base
    work[FIRST_HIT] = first
    work[LEFT_POINTS] = points
    return fewest


def _after(rules: Ints, work: Ints, hit: int) -> int:
    """As `best_hits`, from the hand and the table after the hit."""
    at = LAID_AT + (hit >> 15) * GROUP
    card = hit >> 9 & 63
    other = hit >> 3 & 63
    low = work[at + LOW]
    high = work[at + HIGH]
    size = work[at + SIZE]
    colour = work[at + COLOUR]
    take_up(rules, work, card, -1)
    if other:
        take_up(rules, work, other, -1)
    extend(rules, work, at, card, other, hit >> 1 & 3)
    left = best_hits(rules, work)
    work[at + LOW] = low
    work[at + HIGH] = high
    work[at + SIZE] = size
    work[at + COLOUR] = colour
    take_up(rules, work, card, 1)
    if other:
        take_up(rules, work, other, 1)
    return left


def _list_hits(rules: Ints, work: Ints, wild: bool) -> None:
    """Stack the hits of one row, with a wild in it or without, while effort lasts."""
    for number in range(work[LAID_GROUPS]):
        form = FORM_AT + work[LAID_AT + number * GROUP + KIND] * FORM
        if rules[form + COPIES] > 1:
            if wild:
                _list_wild_rows(rules, work, number)
            else:
                _list_natural_rows(rules, work, number)
        elif wild:
            if rules[form + ALIKE]:
                _try(rules, work, number, WILD, 0, END_NONE)
            else:
                _try(rules, work, number, WILD, 0, END_HIGH)
                _try(rules, work, number, WILD, 0, END_LOW)
        elif rules[form + ALIKE]:
            _list_alike(rules, work, number, rules[form + ALIKE])
        else:
            _list_next(rules, work, number)
        if work[EFFORT] == 0:
            return


def _try(rules: Ints, work: Ints, number: int, card: int, other: int, end: int) -> None:
    """Stack a hit, sorted, if it is lawful and leaves cards enough."""
    if work[EFFORT] == 0:
        return
    work[EFFORT] -= 1
    at = LAID_AT + number * GROUP
    if other == 0:
        if not extends(rules, work, at, card, 0, end):
            return
    elif work[CARDS_HELD] - 2 < rules[KEEP] or not _takes_row(rules, work, at, card, other, end):
        return
    bridge = 0
    wilds = (1 if card == WILD else 0) + (1 if other == WILD else 0)
    if end != END_NONE and _has_rank(work, _rank_after(rules, work, at, end), wilds):
        bridge = 1
    work[STACK_AT + work[STACKED]] = (((number * 64 + card) * 64 + other) * 4 + end) * 2 + bridge
    work[STACKED] += 1


def _takes_row(rules: Ints, work: Ints, at: int, card: int, other: int, end: int) -> bool:
    """Whether a run of pairs takes a row, whose naturals have the next rank, at once or one card
    after the other.
    """
    if rules[PAIR_HIT] == 0:
        return False
    if is_full(rules, work, at):
        return rules[WILD_ON_FULL_RUN] != 0 and card == WILD and other == WILD
    if rules[WRAP]:
        return True
    return work[at + HIGH] < TOP if end == END_HIGH else work[at + LOW] > 1


def _has_rank(work: Ints, rank: int, wilds: int) -> bool:
    """Whether the counted hand less some wilds has a natural of the rank or, as first released, a
    joker whose name has this number: recorded choices rest on it.
    """
    jokers = work[JOKERS_HELD]
    for number in range(jokers - work[COUNTS + WILD] + wilds + 1 if jokers else 1, jokers + 1):
        if number & 15 == rank:
            return True
    return work[RANKS + rank] > 0


def _rank_after(rules: Ints, work: Ints, at: int, end: int) -> int:
    """The rank that comes at the ladder's end after one more row."""
    return rank_at(ahead_of(rules, work, at, end, 1 if is_full(rules, work, at) else 2))


def _list_alike(rules: Ints, work: Ints, number: int, alike: int) -> None:
    """Stack the hits of naturals on an alike group."""
    at = LAID_AT + number * GROUP
    value = work[at + LOW]
    is_open = alike != 1 or work[at + SIZE] < rules[FULL_SET] or rules[NATURAL_ON_FULL_SET] != 0
    lowest = 1 if alike == 2 else value
    ahead = 1
    if alike != 2:
        ahead = TOP if alike == 1 else 2
    for colour in range(4):
        if alike == 2 and trait(rules, alike, colour * 16 + 1) != value:
            continue
        rank = lowest
        while rank <= TOP:
            card = colour * 16 + rank
            if work[COUNTS + card] and work[EFFORT]:
                work[EFFORT] -= 1
                if is_open:
                    work[STACK_AT + work[STACKED]] = (number * 64 + card) * 512
                    work[STACKED] += 1
            rank += ahead


def _list_next(rules: Ints, work: Ints, number: int) -> None:
    """Stack the hits of naturals on a ladder of single cards, at the high end first."""
    above = next_rank(rules, work, LAID_AT + number * GROUP, END_HIGH)
    below = next_rank(rules, work, LAID_AT + number * GROUP, END_LOW)
    if work[RANKS + above] == 0 and work[RANKS + below] == 0:
        return
    for colour in range(4):
        card = colour * 16 + min(above, below)
        if work[COUNTS + card]:
            if above <= below:
                _try(rules, work, number, card, 0, END_HIGH)
            if below <= above:
                _try(rules, work, number, card, 0, END_LOW)
        card = colour * 16 + max(above, below)
        if above != below and work[COUNTS + card]:
            _try(rules, work, number, card, 0, END_HIGH if above > below else END_LOW)


def _list_natural_rows(rules: Ints, work: Ints, number: int) -> None:
    """Stack the hits of two naturals on a run of pairs."""
    above = next_rank(rules, work, LAID_AT + number * GROUP, END_HIGH)
    below = next_rank(rules, work, LAID_AT + number * GROUP, END_LOW)
    for colour in range(4):
        _list_pairs_from(rules, work, number, colour, min(above, below), above, below)
        if above != below:
            _list_pairs_from(rules, work, number, colour, max(above, below), above, below)


def _list_pairs_from(
    rules: Ints, work: Ints, number: int, colour: int, rank: int, above: int, below: int
) -> None:
    """Stack the pairs of one rank whose first card has the colour."""
    card = colour * 16 + rank
    if work[COUNTS + card] == 0:
        return
    for later in range(colour, 4):
        other = later * 16 + rank
        if work[COUNTS + other] > (1 if other == card else 0):
            _try_ends(rules, work, number, card, other, rank == above, rank == below)


def _list_wild_rows(rules: Ints, work: Ints, number: int) -> None:
    """Stack the hits of one wild or two on a run of pairs. A wild's code is above those of the
    first colour, a joker's name above all, and two jokers are not alike.
    """
    above = next_rank(rules, work, LAID_AT + number * GROUP, END_HIGH)
    below = next_rank(rules, work, LAID_AT + number * GROUP, END_LOW)
    has_jokers = work[JOKERS_HELD] > 0
    for colour in range(5):
        if colour == (4 if has_jokers else 1) and work[COUNTS + WILD] > 1:
            _try_ends(rules, work, number, WILD, WILD, True, True)
        if colour == 4:
            return
        for place in range(2):
            rank = max(above, below) if place else min(above, below)
            card = colour * 16 + rank
            if work[COUNTS + card] == 0 or (place and above == below):
                continue
            first = WILD if colour and not has_jokers else card
            second = card if first == WILD else WILD
            for _ in range(min(work[COUNTS + WILD], 2) if has_jokers else 1):
                _try_ends(rules, work, number, first, second, rank == above, rank == below)


def _try_ends(
    rules: Ints, work: Ints, number: int, card: int, other: int, above: bool, below: bool
) -> None:
    if above:
        _try(rules, work, number, card, other, END_HIGH)
    if below:
        _try(rules, work, number, card, other, END_LOW)
