"""The legal moves of the seat that is asked, in the order of `legal.legal`."""

from typing import Final

from phaseledger.domain.kernel.layout import (
    ACTIVE,
    ALIKE,
    ASK,
    ASK_DRAW,
    ASK_PLAY,
    COPIES,
    DRAW_PILE,
    DRAW_STOCK,
    END_HIGH,
    END_LOW,
    END_NONE,
    FORM,
    FORM_AT,
    GROUP,
    GROUP_AT,
    GROUPS,
    HALF,
    HAND,
    HIT,
    KEEP,
    KIND,
    LAID,
    LISTED,
    MADE,
    PAIR_HIT,
    PASS,
    PHASE,
    PHASES,
    PROGRESS,
    REPLAY,
    SKIP,
    TWO_WHEN_FULL,
    WILD,
    Ints,
)
from phaseledger.domain.kernel.moves.answers import append_move, list_answers
from phaseledger.domain.kernel.moves.endings import copies_held, list_discards, list_pairs
from phaseledger.domain.kernel.moves.lays import list_lays
from phaseledger.domain.kernel.moves.levels import (
    BUDGET,
    MOST,
    MOST_NODES,
    NODES,
    STOPPED,
    count_hand,
)
from phaseledger.domain.kernel.play.groups import ahead_of, extends, follows, rank_at
from phaseledger.domain.kernel.play.piles import (
    as_wild,
    can_draw_pile,
    can_draw_stock,
    is_repeated,
    name_at,
    seat_at,
)

NO_CARD: Final = 256


def list_moves(rules: Ints, game: Ints, moves: Ints, work: Ints, most: int) -> None:
    """List the legal moves. After ``most`` lays or hits the list ends there, below LISTED."""
    moves[0] = 0
    if game[ASK] == ASK_DRAW:
        if can_draw_stock(rules, game):
            append_move(moves, DRAW_STOCK, 0, 0, 0, 0)
        if can_draw_pile(rules, game):
            append_move(moves, DRAW_PILE, 0, 0, 0, 0)
        return
    if game[ASK] != ASK_PLAY:
        list_answers(rules, game, moves, work)
        return
    if game[seat_at(game[ACTIVE]) + LAID]:
        work[NODES] = 0
        _list_hits(rules, game, moves, work, most)
    else:
        _list_lays(rules, game, moves, work, most)
    if moves[0] >= most and most < LISTED:
        return
    before = moves[0]
    list_discards(rules, game, moves)
    if rules[TWO_WHEN_FULL]:
        list_pairs(rules, game, moves)
    if moves[0] == before:
        append_move(moves, PASS, 0, 0, 0, 0)


def _list_lays(rules: Ints, game: Ints, moves: Ints, work: Ints, most: int) -> None:
    """The lays of all phases that are open; each phase has an equal share of the budget, and the
    earlier rest.
    """
    at = seat_at(game[ACTIVE])
    count_hand(game, game[ACTIVE], work)
    work[NODES] = 0
    work[MOST] = most
    if rules[PROGRESS] != 2 or game[REPLAY]:
        work[BUDGET] = MOST_NODES
        if game[at + PHASE] <= rules[PHASES]:
            list_lays(rules, game[at + PHASE], moves, work)
        return
    phases = 0
    for phase in range(1, rules[PHASES] + 1):
        phases += 1 - (game[at + MADE] >> (phase - 1) & 1)
    number = 0
    for phase in range(1, rules[PHASES] + 1):
        if game[at + MADE] >> (phase - 1) & 1:
            continue
        number += 1
        work[BUDGET] = MOST_NODES * number // phases
        list_lays(rules, phase, moves, work)
        if moves[0] >= most:
            return
    work[STOPPED] = 0


def _list_hits(rules: Ints, game: Ints, moves: Ints, work: Ints, most: int) -> None:
    """The hits of one card, or of one row of a run of pairs."""
    held = game[seat_at(game[ACTIVE]) + HAND]
    if held - 1 < rules[KEEP]:
        return
    for number in range(game[GROUPS]):
        if rules[FORM_AT + game[GROUP_AT + number * GROUP + KIND] * FORM + COPIES] == 1:
            _list_card_hits(rules, game, moves, work, number, most)
        elif rules[PAIR_HIT] == 1:
            _list_single_hits(rules, game, moves, work, number, most)
        elif rules[PAIR_HIT] == 2 and held - 2 >= rules[KEEP]:
            _list_pair_hits(rules, game, moves, work, number, most)


def _list_card_hits(
    rules: Ints, game: Ints, moves: Ints, work: Ints, number: int, most: int
) -> None:
    at = seat_at(game[ACTIVE])
    group = GROUP_AT + number * GROUP
    alike = rules[FORM_AT + game[group + KIND] * FORM + ALIKE]
    for i in range(game[at + HAND]):
        card = name_at(game, at, i)
        if card == SKIP or is_repeated(game, at, i):
            continue
        if alike:
            if follows(rules, game, group, as_wild(card), END_NONE):
                _list_hit(rules, game, moves, work, number, END_NONE, card, 0, most)
            continue
        if follows(rules, game, group, as_wild(card), END_HIGH):
            _list_hit(rules, game, moves, work, number, END_HIGH, card, 0, most)
        if follows(rules, game, group, as_wild(card), END_LOW):
            _list_hit(rules, game, moves, work, number, END_LOW, card, 0, most)


def _list_hit(
    rules: Ints,
    game: Ints,
    moves: Ints,
    work: Ints,
    number: int,
    end: int,
    card: int,
    other: int,
    most: int,
) -> None:
    """Append the hit if it is lawful, and the effort lasts (`groups.lays.Effort`)."""
    if moves[0] >= most or work[NODES] == MOST_NODES:
        return
    work[NODES] += 1
    group = GROUP_AT + number * GROUP
    if extends(rules, game, group, as_wild(card), as_wild(other), end):
        append_move(moves, HIT, number, end, card, other)


def _is_near(rules: Ints, game: Ints, group: int, card: int) -> bool:
    """Whether a card is wild or goes on with a run of pairs at either end (`melds.next_ranks`)."""
    if as_wild(card) == WILD:
        return True
    for end in range(END_LOW, END_HIGH + 1):
        for rows in range(0 if game[group + HALF] else 1, 2):
            if card & 15 == rank_at(ahead_of(rules, game, group, end, rows)):
                return True
    return False


def _list_single_hits(
    rules: Ints, game: Ints, moves: Ints, work: Ints, number: int, most: int
) -> None:
    at = seat_at(game[ACTIVE])
    group = GROUP_AT + number * GROUP
    for i in range(game[at + HAND]):
        card = name_at(game, at, i)
        if _is_near(rules, game, group, card) and not is_repeated(game, at, i):
            _list_hit(rules, game, moves, work, number, END_HIGH, card, 0, most)
            _list_hit(rules, game, moves, work, number, END_LOW, card, 0, most)


def _next_near(rules: Ints, game: Ints, group: int, after: int) -> int:
    """The lowest card of the active hand above ``after`` that `_is_near`; NO_CARD where none is."""
    at = seat_at(game[ACTIVE])
    lowest = NO_CARD
    for i in range(game[at + HAND]):
        card = name_at(game, at, i)
        if after < card < lowest and _is_near(rules, game, group, card):
            lowest = card
    return lowest


def _list_pair_hits(
    rules: Ints, game: Ints, moves: Ints, work: Ints, number: int, most: int
) -> None:
    """The rows of two cards, sorted."""
    group = GROUP_AT + number * GROUP
    card = _next_near(rules, game, group, 0)
    while card < NO_CARD:
        other = card if copies_held(game, card) > 1 else _next_near(rules, game, group, card)
        while other < NO_CARD:
            _list_hit(rules, game, moves, work, number, END_HIGH, card, other, most)
            _list_hit(rules, game, moves, work, number, END_LOW, card, other, most)
            other = _next_near(rules, game, group, other)
        card = _next_near(rules, game, group, card)
