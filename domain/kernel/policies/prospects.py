"""What a hand is worth on the ring, by what its seat can know.

Before the phase is laid, a card is worth what it brings the phase nearer; afterwards it is a burden
unless it can be hit. Cards stand for their places among the naturals that are held, as bits.
"""

from typing import Final

from phaseledger.domain.kernel.layout import (
    ALIKE,
    CODES,
    COPIES,
    DECK_AT,
    FORM,
    FORM_AT,
    GROUP,
    GROUP_AT,
    GROUPS,
    HAND,
    HAND_AT,
    HIGH,
    JOKERS_KNOWN,
    KIND,
    LAID,
    LOW,
    MOST_NEEDS,
    NEED,
    NEED_AT,
    NEED_KIND,
    NEED_SIZE,
    NEEDS,
    ONE_COLOUR,
    PILE,
    PILE_AT,
    SEATS,
    STEP,
    TABLE,
    TOP,
    TURNED,
    Floats,
    Ints,
)
from phaseledger.domain.kernel.moves.levels import LAYS_WORK
from phaseledger.domain.kernel.play.groups import trait
from phaseledger.domain.kernel.play.piles import bit_count, jokers_held, phase_at, seat_at
from phaseledger.domain.kernel.play.winners import attempted
from phaseledger.domain.kernel.policies.collect import (
    COLLECTED_AT,
    HELD,
    HELD_AT,
    collect,
    hold,
    longest_beginning,
    naturals,
)
from phaseledger.domain.kernel.policies.unseen import first_known

PARTS: Final = LAYS_WORK + 256
"""The number of groups of the phase; 0 once it is laid."""
MISSING: Final = PARTS + 1
"""The number of cards that the phase lacks; once complete, PLENTY: more than any action gives."""
SPARE: Final = PARTS + 2
"""Cards that serve no group and, once the phase is complete, cannot be hit either."""
WANTING: Final = PARTS + 3
"""The number of rows at HELPFUL_AT."""
JOKERS: Final = PARTS + 4
CARDS_HIDDEN: Final = PARTS + 5
"""The number of the cards of HIDDEN_AT."""
PLANNED: Final = PARTS + 6
"""The number of the cards of PLAN_AT."""
PART_AT: Final = PARTS + 8
"""The cards that serve each group."""
PLAN_AT: Final = PART_AT + MOST_NEEDS
"""All of them, by their places, group by group."""
HELPFUL_AT: Final = PLAN_AT + 64
"""For each group that lacks cards, the cards that help it; if none lacks any, the cards to hit: 1
for the code of each, CODES a row.
"""
HIDDEN_AT: Final = HELPFUL_AT + MOST_NEEDS * CODES
"""How many cards of each code lie where the seat does not know; CODES."""
GAIN: Final = 0
"""In ``weights``: the worth of a wanted card."""
BURDEN: Final = 1
"""The cost of holding a card that is not wanted."""
PLENTY: Final = 99
LOAD: Final = 0.1
"""The burden of a card before the phase is laid: it has to be discarded some day."""


def assess(rules: Ints, game: Ints, seat: int, work: Ints, weights: Floats) -> None:
    """Write the prospects of the seat's hand."""
    at = seat_at(seat)
    row = phase_at(attempted(rules, game, seat))
    hold(game, seat, work)
    _count_hidden(rules, game, seat, work)
    work[JOKERS] = jokers_held(game, at)
    work[PARTS] = 0
    work[PLANNED] = 0
    work[WANTING] = 0
    work[MISSING] = -work[JOKERS]
    if game[at + LAID] == 0:
        _cut_parts(rules, row, work)
    work[SPARE] = naturals(work)
    for i in range(work[PLANNED]):
        work[SPARE] -= 1 << work[PLAN_AT + i]
    if work[MISSING] > 0:
        weights[GAIN] = 1.0
        weights[BURDEN] = LOAD
        for number in range(work[PARTS]):
            _want_help(rules, row + NEED_AT + number * NEED, number, work)
        return
    work[MISSING] = PLENTY
    weights[GAIN] = 0.0
    weights[BURDEN] = 1.0
    _want_hits(rules, game, row, work)
    for i in range(work[HELD]):
        if work[SPARE] >> i & 1 and work[HELPFUL_AT + work[HELD_AT + i]]:
            work[SPARE] -= 1 << i


def _count_hidden(rules: Ints, game: Ints, seat: int, work: Ints) -> None:
    """Count the cards whose place the seat does not know."""
    for card in range(CODES):
        work[HIDDEN_AT + card] = rules[DECK_AT + card] - game[TABLE + card]
    for other in range(game[SEATS]):
        at = seat_at(other)
        for i in range(game[at + HAND]):
            card = game[at + HAND_AT + i]
            is_own = other == seat
            if is_own == (card < TURNED) or (is_own and rules[JOKERS_KNOWN]):
                work[HIDDEN_AT + card % CODES] -= 1
    for i in range(first_known(rules, game), game[PILE]):
        work[HIDDEN_AT + game[PILE_AT + i]] -= 1
    work[CARDS_HIDDEN] = 0
    for card in range(CODES):
        work[HIDDEN_AT + card] = max(work[HIDDEN_AT + card], 0)
        work[CARDS_HIDDEN] += work[HIDDEN_AT + card]


def _cut_parts(rules: Ints, row: int, work: Ints) -> None:
    """Cut the cards collected for the phase into the beginnings of its groups, and count what they
    lack: each group needs a natural, however many jokers there are (B-58).
    """
    needs = rules[row + NEEDS]
    collect(rules, row, 0, naturals(work), work)
    for number in range(needs):
        _plan_part(rules, row + NEED_AT + number * NEED, work[COLLECTED_AT + number], work)
    bare = 0
    first = 0
    for number in range(needs):
        need = row + NEED_AT + number * NEED
        wanted = rules[need + NEED_SIZE] * rules[FORM_AT + rules[need + NEED_KIND] * FORM + COPIES]
        size = min(work[PLANNED] - first, wanted) + 1
        part = 0
        longest = -1
        while longest != size:
            size -= 1
            part = 0
            for i in range(first, first + size):
                part |= 1 << work[PLAN_AT + i]
            longest = longest_beginning(rules, need, part, work)
        work[PART_AT + number] = part
        first += size
        work[MISSING] += wanted
        if part == 0:
            bare += 1
    work[PARTS] = needs
    work[MISSING] = max(work[MISSING] - work[PLANNED], bare)


def _plan_part(rules: Ints, need: int, part: int, work: Ints) -> None:
    """Append the cards of a part to the plan: those of a ladder by rank."""
    is_ladder = rules[FORM_AT + rules[need + NEED_KIND] * FORM + ALIKE] == 0
    for rank in range(1, TOP + 1 if is_ladder else 2):
        for i in range(work[HELD]):
            if part >> i & 1 and (not is_ladder or work[HELD_AT + i] & 15 == rank):
                work[PLAN_AT + work[PLANNED]] = i
                work[PLANNED] += 1


def _next_wanted(work: Ints) -> int:
    """The place of a new row of wanted cards."""
    row = HELPFUL_AT + work[WANTING] * CODES
    work[WANTING] += 1
    for card in range(CODES):
        work[row + card] = 0
    return row


def _want_help(rules: Ints, need: int, number: int, work: Ints) -> None:
    """Want the cards with which the group's cards and the spare ones make a longer beginning."""
    form = FORM_AT + rules[need + NEED_KIND] * FORM
    part = bit_count(work[PART_AT + number])
    if part == rules[need + NEED_SIZE] * rules[form + COPIES]:
        return
    # What a card is to the group: its colour, both, or its rank.
    mask = 0x30 if rules[form + ALIKE] == 2 else 0x3F if rules[form + ONE_COLOUR] else 0x0F
    row = _next_wanted(work)
    pool = work[SPARE] + work[PART_AT + number]
    new = work[HELD]
    work[HELD] = new + 1
    for card in range(CODES):
        if rules[DECK_AT + card] == 0:
            continue
        like = 1
        while like < card and (like & mask != card & mask or rules[DECK_AT + like] == 0):
            like += 1
        if like < card:
            work[row + card] = work[row + like]
            continue
        work[HELD_AT + new] = card
        if longest_beginning(rules, need, pool + (1 << new), work) > part:
            work[row + card] = 1
    work[HELD] = new


def _want_hits(rules: Ints, game: Ints, row: int, work: Ints) -> None:
    """Want the cards that can be hit on the groups of the table, and on those of the phase."""
    wanted = _next_wanted(work)
    for number in range(game[GROUPS]):
        at = GROUP_AT + number * GROUP
        _want_next(rules, game[at + KIND], game[at + LOW], game[at + HIGH], wanted, work)
    for number in range(work[PARTS]):
        kind = rules[row + NEED_AT + number * NEED + NEED_KIND]
        alike = rules[FORM_AT + kind * FORM + ALIKE]
        low = CODES
        high = 0
        for i in range(work[HELD]):
            if work[PART_AT + number] >> i & 1:
                value = trait(rules, alike or 1, work[HELD_AT + i])
                low = min(low, value)
                high = max(high, value)
        _want_next(rules, kind, low, high, wanted, work)


def _want_next(rules: Ints, kind: int, low: int, high: int, wanted: int, work: Ints) -> None:
    """Want the cards that can be hit on such a group, one by one."""
    form = FORM_AT + kind * FORM
    step = rules[form + STEP]
    for card in range(CODES):
        if rules[DECK_AT + card] == 0:
            continue
        rank = card & 15
        if rules[form + ALIKE]:
            if trait(rules, rules[form + ALIKE], card) == low:
                work[wanted + card] = 1
        elif rules[form + COPIES] == 1 and _is_either(rank, low - step, high + step):
            work[wanted + card] = 1


def _is_either(rank: int, first: int, second: int) -> bool:
    return first == rank or second == rank


def is_wanted(work: Ints, card: int) -> bool:
    """Whether some group wants the card."""
    for number in range(work[WANTING]):
        if work[HELPFUL_AT + number * CODES + card]:
            return True
    return False


def drawn(work: Ints, weights: Floats, count: int, chance: float) -> float:
    """The expected worth of ``count`` cards, each wanted with the chance, up to the missing."""
    missing = work[MISSING]
    useful: float = missing * (1.0 - pow(1.0 - chance / missing, count))
    return useful * weights[GAIN] - (count - useful) * weights[BURDEN]


def spare_copies(work: Ints, card: int) -> int:
    """How many such cards are spare."""
    copies = 0
    for i in range(work[HELD]):
        if work[SPARE] >> i & 1 and work[HELD_AT + i] == card:
            copies += 1
    return copies
