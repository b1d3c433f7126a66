"""The bot `expert`: it values each card by the turns that the card saves its phase.

What it reads of other seats is public: how many cards they hold, what they openly took and spurned.
"""

from typing import Final

from phaseledger.domain.kernel.layout import (
    ACTIVE,
    DRAW_PILE,
    GROUP,
    GROUPS,
    HIT,
    LAID,
    LAY,
    LAY_CARDS,
    LAY_GROUPS,
    MOVE,
    NEED,
    NEED_AT,
    PILE,
    PILE_AT,
    SKIP,
    WILD,
    Floats,
    Ints,
)
from phaseledger.domain.kernel.play.groups import lay_group
from phaseledger.domain.kernel.play.piles import as_wild, phase_at, seat_at
from phaseledger.domain.kernel.play.winners import attempted
from phaseledger.domain.kernel.policies.discards import choose_discard
from phaseledger.domain.kernel.policies.hits import (
    LAID_AT,
    LAID_GROUPS,
    LEFT_POINTS,
    best_hits,
    first_hit,
    set_table,
    take_up,
)
from phaseledger.domain.kernel.policies.outlook import WORTH_TAKING, further, look_ahead
from phaseledger.domain.kernel.policies.unseen import count_unseen

MOST_CHOICES: Final = 64
"""Moves looked at: a hand full of wilds can be laid in thousands of ways."""


def expert_choice(
    rules: Ints,
    game: Ints,
    moves: Ints,
    chance: Ints,
    work: Ints,
    tuning: Floats,
    weights: Floats,
) -> int:
    """The place of the chosen move: lay at once, hit what fits; draw and discard for the plan that
    is the fewest turns away.
    """
    count = min(moves[0], MOST_CHOICES)
    if count == 1:
        return 0
    kind = moves[1]
    if kind <= DRAW_PILE:
        return 1 if _wants_top(rules, game, work, tuning, weights) else 0
    if LAY <= kind <= HIT and moves[1 + MOVE] != kind:
        return 0
    if kind == LAY:
        return _best_lay(rules, game, moves, work, count)
    if kind == HIT:
        return _best_hit(rules, game, moves, work, count)
    return choose_discard(rules, game, moves, chance, work, tuning, weights, count)


# --- draws ----------------------------------------------------------------------------------------


def _wants_top(rules: Ints, game: Ints, work: Ints, tuning: Floats, weights: Floats) -> bool:
    """Whether to draw the top of the discard pile."""
    card = game[PILE_AT + game[PILE] - 1]
    if card == SKIP:
        return False
    if card == WILD:
        return True
    seat = game[ACTIVE]
    if game[seat_at(seat) + LAID]:
        set_table(rules, game, seat, work)
        left = best_hits(rules, work)
        take_up(rules, work, card, 1)
        return best_hits(rules, work) <= left
    count_unseen(rules, game, seat, work)
    phase = attempted(rules, game, seat)
    look_ahead(rules, game, seat, phase, work, weights, tuning)
    return -further(rules, work, weights, tuning, card, 1) > tuning[WORTH_TAKING]


# --- lays and hits --------------------------------------------------------------------------------


def _best_lay(rules: Ints, game: Ints, moves: Ints, work: Ints, count: int) -> int:
    """The place of the lay after which the fewest cards, then points, stay after all hits and a
    discard.
    """
    best = 0
    fewest = 0
    points = 0
    set_table(rules, game, game[ACTIVE], work)
    for number in range(count):
        move = 1 + number * MOVE
        if moves[move] != LAY:
            break
        _lay(rules, game, moves, work, move)
        left = max(best_hits(rules, work) - 1, 0)
        if number == 0 or left < fewest or (left == fewest and work[LEFT_POINTS] < points):
            best = number
            fewest = left
            points = work[LEFT_POINTS]
        _take_back(rules, game, moves, work, move)
    return best


def _lay(rules: Ints, game: Ints, moves: Ints, work: Ints, move: int) -> None:
    """Put the groups of a lay on the table, out of the counted hand."""
    place = move + LAY_CARDS
    for number in range(moves[move + 2]):
        need = phase_at(moves[move + 1]) + NEED_AT + number * NEED
        low = moves[move + LAY_GROUPS + 2 * number]
        size = moves[move + LAY_GROUPS + 2 * number + 1]
        group = LAID_AT + work[LAID_GROUPS] * GROUP
        work[LAID_GROUPS] += 1
        lay_group(rules, work, group, need, low, moves, place, size)
        for i in range(place, place + size):
            take_up(rules, work, as_wild(moves[i]), -1)
        place += size


def _take_back(rules: Ints, game: Ints, moves: Ints, work: Ints, move: int) -> None:
    work[LAID_GROUPS] = game[GROUPS]
    place = move + LAY_CARDS
    for number in range(moves[move + 2]):
        for _ in range(moves[move + LAY_GROUPS + 2 * number + 1]):
            take_up(rules, work, as_wild(moves[place]), 1)
            place += 1


def _best_hit(rules: Ints, game: Ints, moves: Ints, work: Ints, count: int) -> int:
    """The place of the first of the best hits; where it is not listed, of the first hit."""
    set_table(rules, game, game[ACTIVE], work)
    hit = first_hit(rules, work)
    if hit == 0:
        return 0
    for number in range(count):
        move = 1 + number * MOVE
        if moves[move] != HIT:
            break
        row = (moves[move + 1] * 64 + as_wild(moves[move + 3])) * 64 + as_wild(moves[move + 4])
        if row * 4 + moves[move + 2] == hit >> 1:
            return number
    return 0
