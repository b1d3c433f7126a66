"""The bot `greedy`: lay, hit, collect for the phase, discard high cards, skip the leader."""

from typing import Final

from phaseledger.domain.kernel.layout import (
    ACTIVE,
    ALIKE,
    COLOUR,
    COPIES,
    DISCARD,
    DRAW_PILE,
    FORM,
    FORM_AT,
    GROUP,
    GROUP_AT,
    GROUPS,
    HIGH,
    HIT,
    KIND,
    LAID,
    LAY,
    LOW,
    MOVE,
    NO_POINTS,
    ONE_COLOUR,
    PILE,
    PILE_AT,
    POINTS,
    POINTS_AT,
    SKIP,
    STEP,
    WILD,
    Floats,
    Ints,
)
from phaseledger.domain.kernel.play.chance import pick
from phaseledger.domain.kernel.play.groups import trait
from phaseledger.domain.kernel.play.piles import phase_at, seat_at
from phaseledger.domain.kernel.play.winners import attempted
from phaseledger.domain.kernel.policies.answers import choose_answer
from phaseledger.domain.kernel.policies.collect import (
    HELD,
    HELD_AT,
    collect,
    collected,
    hold,
    naturals,
)

STRAY: Final = 16
"""One discard in 16 is random: hoarders that feed each other nothing would never end."""


def greedy_choice(
    rules: Ints, game: Ints, moves: Ints, chance: Ints, work: Ints, weights: Floats
) -> int:
    """The place of the chosen move. Lays come with the fewest wilds first; any hit brings the end
    of the round nearer.
    """
    kind = moves[1]
    if LAY <= kind <= HIT:
        return 0
    if kind <= DRAW_PILE:
        return 1 if moves[0] > 1 and _wants_top(rules, game, work) else 0
    if pick(chance, STRAY) == 0:
        return pick(chance, moves[0])
    if moves[0] == 1:
        return 0
    if rules[NO_POINTS]:
        return choose_answer(rules, game, moves, chance, work, weights)
    return _best_ending(rules, game, moves, work)


def _wants_top(rules: Ints, game: Ints, work: Ints) -> bool:
    """Whether the top of the discard pile brings the phase nearer, or can be hit at once."""
    card = game[PILE_AT + game[PILE] - 1]
    if card == SKIP:
        return False
    if card == WILD:
        return True
    seat = game[ACTIVE]
    if game[seat_at(seat) + LAID]:
        return _continues_any(rules, game, card)
    row = phase_at(attempted(rules, game, seat))
    hold(game, seat, work)
    before = collected(rules, row, work)
    work[HELD_AT + work[HELD]] = card
    work[HELD] += 1
    return collected(rules, row, work) > before


def _continues_any(rules: Ints, game: Ints, card: int) -> bool:
    """Whether a natural can be hit on a group, as far as a glance tells."""
    for number in range(game[GROUPS]):
        at = GROUP_AT + number * GROUP
        form = FORM_AT + game[at + KIND] * FORM
        if rules[form + ALIKE]:
            if trait(rules, rules[form + ALIKE], card) == game[at + LOW]:
                return True
            continue
        if rules[form + ONE_COLOUR] and game[at + COLOUR] >= 0 and game[at + COLOUR] != card >> 4:
            continue
        below = game[at + LOW] - rules[form + STEP]
        above = game[at + HIGH] + rules[form + STEP]
        if rules[form + COPIES] == 1 and (card & 15 == below or card & 15 == above):
            return True
    return False


def _best_ending(rules: Ints, game: Ints, moves: Ints, work: Ints) -> int:
    """The place of the best way to end the turn: skips at the leader first, then cards of no use,
    those with many points before those with few.
    """
    seat = game[ACTIVE]
    hold(game, seat, work)
    phase_cards = 0
    if not game[seat_at(seat) + LAID]:
        row = phase_at(attempted(rules, game, seat))
        phase_cards = collect(rules, row, 0, naturals(work), work)
    best = 0
    most = _rating(rules, game, moves, 1, phase_cards, work)
    for number in range(1, moves[0]):
        rating = _rating(rules, game, moves, 1 + number * MOVE, phase_cards, work)
        if rating > most:
            best = number
            most = rating
    return best


def _rating(rules: Ints, game: Ints, moves: Ints, move: int, phase_cards: int, work: Ints) -> int:
    """The sort key of a way to end the turn."""
    if moves[move] != DISCARD:
        return 0
    card = moves[move + 1]
    target = moves[move + 3]
    points = rules[POINTS_AT + (card & 15)]
    if target >= 0:
        at = seat_at(target)
        ahead = attempted(rules, game, target) + (1 if game[at + LAID] else 0)
        return _key(3, ahead, -game[at + POINTS])
    if card == WILD:
        return _key(0, -points, 0)
    for i in range(work[HELD]):
        if phase_cards >> i & 1 and work[HELD_AT + i] == card:
            return _key(1, points, 0)
    return _key(2, points, 0)


def _key(first: int, second: int, third: int) -> int:
    """Three numbers as one that compares as they do in turn."""
    return (first * 1_000 + second) * 1_000_000 + third
