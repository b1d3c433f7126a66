"""The search for lays: the ways to lay a phase at its least size, in the order of `groups.lays`.

The groups of a lay are found one after the other, each on a level of its own in ``work``.
"""

from phaseledger.domain.kernel.layout import (
    ALIKE,
    COPIES,
    FORM,
    FORM_AT,
    KEEP,
    LAY,
    LAY_CARDS,
    LAY_GROUPS,
    MOVE,
    NEED_KIND,
    NEED_PARITY,
    NEED_SIZE,
    NEEDS,
    ONE_COLOUR,
    SCOPE,
    STEP,
    WILD,
    Ints,
)
from phaseledger.domain.kernel.moves.hopeless import (
    COUNTS,
    GROUP_CARDS,
    ROW,
    first_low,
    is_hopeless,
    last_low,
    level_at,
    lows_apart,
    missing_ranks,
    need_at,
    shown_naturals,
)
from phaseledger.domain.kernel.moves.levels import (
    BUDGET,
    CARDS_HELD,
    CARDS_LEFT,
    FEWEST,
    FILLING,
    GROUP_LOW,
    GROUP_SIZE,
    MOST,
    NODES,
    PHASE_LAID,
    POOL,
    POOL_CARDS,
    STOPPED,
    count_fewest,
    fill_pool,
    is_repeated_group,
    is_viable,
    take,
    wild_name,
)
from phaseledger.domain.kernel.play.groups import rank_at, values
from phaseledger.domain.kernel.play.piles import as_wild, phase_at


def list_lays(rules: Ints, phase: int, moves: Ints, work: Ints) -> None:
    """Append the lays of the phase from the counted hand, within BUDGET, up to MOST moves."""
    work[ROW] = phase_at(phase)
    work[PHASE_LAID] = phase
    work[STOPPED] = 0
    work[CARDS_LEFT] = work[CARDS_HELD]
    if not is_hopeless(rules, work, 0):
        _lay_from(rules, moves, work, 0)


def _lay_from(rules: Ints, moves: Ints, work: Ints, level: int) -> None:
    """Try every group of the level's need, and of the later ones after it."""
    if rules[FORM_AT + rules[need_at(work, level) + NEED_KIND] * FORM + ALIKE]:
        _list_alike(rules, moves, work, level)
    else:
        _list_ladders(rules, moves, work, level)


def _go_on(rules: Ints, moves: Ints, work: Ints, level: int) -> None:
    """Go on from a group that stands on the level: list the lay, or meet the next need."""
    if work[NODES] >= work[BUDGET]:
        work[STOPPED] = 1
        return
    work[NODES] += 1
    if is_repeated_group(rules, work, level):
        return
    if level + 1 == rules[work[ROW] + NEEDS]:
        _list_lay(rules, moves, work, level + 1)
        return
    size = work[level_at(level) + GROUP_SIZE]
    take(work, level, size, 1)
    if not is_hopeless(rules, work, level + 1):
        _lay_from(rules, moves, work, level + 1)
    take(work, level, size, -1)


def _list_lay(rules: Ints, moves: Ints, work: Ints, groups: int) -> None:
    """Append the lay of the groups, where it has the naturals that it needs and leaves enough."""
    cards = 0
    naturals = 0
    bare = 0
    for level in range(groups):
        at = level_at(level)
        shown = 0
        for i in range(work[at + GROUP_SIZE]):
            if as_wild(work[at + GROUP_CARDS + i]) != WILD:
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
        at = level_at(level)
        moves[move + LAY_GROUPS + 2 * level] = work[at + GROUP_LOW]
        moves[move + LAY_GROUPS + 2 * level + 1] = work[at + GROUP_SIZE]
        for i in range(work[at + GROUP_SIZE]):
            moves[place] = work[at + GROUP_CARDS + i]
            place += 1
    if moves[0] >= work[MOST]:
        work[STOPPED] = 1


# --- alike groups -------------------------------------------------------------------------------


def _list_alike(rules: Ints, moves: Ints, work: Ints, level: int) -> None:
    """Find the groups of one rank, colour or parity: fewest wilds first, then by value."""
    need = need_at(work, level)
    alike = rules[FORM_AT + rules[need + NEED_KIND] * FORM + ALIKE]
    size = rules[need + NEED_SIZE]
    parity = rules[need + NEED_PARITY]
    fewest = max(1 if rules[SCOPE] == 2 else 0, size - work[COUNTS + WILD])
    at = level_at(level)
    work[at + GROUP_SIZE] = size
    for count in range(size, fewest - 1, -1):
        for value in range(1, values(rules, alike) + 1):
            if parity and value != parity:
                continue
            if shown_naturals(rules, work, alike, value, 0) < count:
                continue
            fill_pool(rules, work, at, alike, value)
            work[at + GROUP_LOW] = value
            for i in range(count, size):
                work[at + GROUP_CARDS + i] = wild_name(work, i - count + 1)
            _choose(rules, moves, work, level, count, 0, 0)
            if work[STOPPED]:
                return


def _choose(
    rules: Ints, moves: Ints, work: Ints, level: int, count: int, chosen: int, start: int
) -> None:
    """Take ``count`` cards of the pool in every way, each once; ``chosen`` of them are taken."""
    at = level_at(level)
    if chosen == count:
        _go_on(rules, moves, work, level)
        return
    previous = -1
    for place in range(start, work[at + POOL] - (count - chosen) + 1):
        card = work[at + POOL_CARDS + place]
        if card == previous:
            continue
        previous = card
        work[at + GROUP_CARDS + chosen] = card
        if is_viable(rules, work, level, chosen + 1):
            _choose(rules, moves, work, level, count, chosen + 1, place + 1)
        if work[STOPPED]:
            return


# --- ladders ------------------------------------------------------------------------------------


def _list_ladders(rules: Ints, moves: Ints, work: Ints, level: int) -> None:
    """Find the ladders: fewest wilds first, then by their low ends."""
    need = need_at(work, level)
    form = FORM_AT + rules[need + NEED_KIND] * FORM
    size = rules[need + NEED_SIZE]
    copies = rules[form + COPIES]
    wilds = work[COUNTS + WILD]
    most = size * copies - (1 if rules[SCOPE] == 2 else 0)
    at = level_at(level)
    for filling in range(min(wilds, most) + 1):
        low = first_low(rules, need)
        while low <= last_low(rules, need, form):
            if missing_ranks(rules, work, need, form, low) * copies <= wilds:
                count_fewest(rules, work, need, form, low, at)
                if work[at + FEWEST] <= filling:
                    work[at + GROUP_LOW] = low
                    work[at + GROUP_SIZE] = 0
                    work[at + FILLING] = filling
                    _fill_row(rules, moves, work, level, 0, filling, -1)
                    if work[STOPPED]:
                        return
            low += lows_apart(rules, need)


def _fill_row(
    rules: Ints, moves: Ints, work: Ints, level: int, row: int, wilds: int, colour: int
) -> None:
    """Fill the ladder from a row on with naturals and exactly ``wilds`` wilds, in every way.

    ``colour`` is the colour of a ladder of one colour, -1 before it shows one.
    """
    need = need_at(work, level)
    form = FORM_AT + rules[need + NEED_KIND] * FORM
    if row == rules[need + NEED_SIZE]:
        _go_on(rules, moves, work, level)
        return
    rank = rank_at(work[level_at(level) + GROUP_LOW] + row * rules[form + STEP])
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
    need = need_at(work, level)
    form = FORM_AT + rules[need + NEED_KIND] * FORM
    size = rules[need + NEED_SIZE]
    copies = rules[form + COPIES]
    at = level_at(level)
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
        work[place + i] = wild_name(work, work[at + FILLING] - wilds + i + 1)
    work[at + GROUP_SIZE] = (row + 1) * copies
    if is_viable(rules, work, level, (row + 1) * copies):
        _fill_row(rules, moves, work, level, row + 1, left, colour)
