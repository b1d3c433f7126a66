"""The legal moves of the active seat, in the order of `legal.legal`."""

from phaseledger.domain.kernel.layout import (
    ACTIVE,
    ALIKE,
    ASK,
    ASK_DRAW,
    COPIES,
    DISCARD,
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
    HAND_AT,
    HIT,
    KEEP,
    KIND,
    LAID,
    LISTED,
    MADE,
    MOVE,
    ORDER,
    PAIR_HIT,
    PASS,
    PHASE,
    PHASES,
    PLAIN_DISCARD,
    PLAYERS,
    PROGRESS,
    REPLAY,
    SERVED,
    SKIP,
    SKIP_AS_LAST,
    SKIPS,
    TAKEN,
    TAKEN_DISCARDABLE,
    UNTIL_NORMAL,
    WILD,
    Ints,
)
from phaseledger.domain.kernel.moves.lays import (
    BUDGET,
    MOST,
    MOST_NODES,
    NODES,
    STOPPED,
    count_hand,
    list_lays,
)
from phaseledger.domain.kernel.play.groups import ahead_of, extends, follows, rank_at
from phaseledger.domain.kernel.play.piles import can_draw_pile, can_draw_stock, seat_at


def list_moves(rules: Ints, game: Ints, moves: Ints, work: Ints, most: int) -> None:
    """List the legal moves. After ``most`` lays or hits the list ends there, below LISTED."""
    moves[0] = 0
    if game[ASK] == ASK_DRAW:
        if can_draw_stock(rules, game):
            _append(moves, DRAW_STOCK, 0, 0, 0, 0)
        if can_draw_pile(rules, game):
            _append(moves, DRAW_PILE, 0, 0, 0, 0)
        return
    if game[seat_at(game[ACTIVE]) + LAID]:
        _list_hits(rules, game, moves, most)
    else:
        _list_lays(rules, game, moves, work, most)
    if moves[0] >= most and most < LISTED:
        return
    before = moves[0]
    _list_discards(rules, game, moves)
    if moves[0] == before:
        _append(moves, PASS, 0, 0, 0, 0)


def _append(moves: Ints, kind: int, first: int, second: int, third: int, fourth: int) -> None:
    move = 1 + moves[0] * MOVE
    moves[0] += 1
    moves[move] = kind
    moves[move + 1] = first
    moves[move + 2] = second
    moves[move + 3] = third
    moves[move + 4] = fourth


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


def _is_repeated(game: Ints, at: int, place: int) -> bool:
    """Whether the hand at ``at`` has the card of that place before it."""
    earlier = 0
    while game[at + HAND_AT + earlier] != game[at + HAND_AT + place]:
        earlier += 1
    return earlier < place


def _list_hits(rules: Ints, game: Ints, moves: Ints, most: int) -> None:
    """The hits of one card, or of one row of a run of pairs."""
    held = game[seat_at(game[ACTIVE]) + HAND]
    if held - 1 < rules[KEEP]:
        return
    for number in range(game[GROUPS]):
        if rules[FORM_AT + game[GROUP_AT + number * GROUP + KIND] * FORM + COPIES] == 1:
            _list_card_hits(rules, game, moves, number, most)
        elif rules[PAIR_HIT] == 1:
            _list_single_hits(rules, game, moves, number, most)
        elif rules[PAIR_HIT] == 2 and held - 2 >= rules[KEEP]:
            _list_pair_hits(rules, game, moves, number, most)


def _list_card_hits(rules: Ints, game: Ints, moves: Ints, number: int, most: int) -> None:
    at = seat_at(game[ACTIVE])
    group = GROUP_AT + number * GROUP
    alike = rules[FORM_AT + game[group + KIND] * FORM + ALIKE]
    for i in range(game[at + HAND]):
        card = game[at + HAND_AT + i]
        if card == SKIP or _is_repeated(game, at, i):
            continue
        if alike:
            _list_hit(rules, game, moves, number, END_NONE, card, 0, most)
            continue
        if follows(rules, game, group, card, END_HIGH):
            _list_hit(rules, game, moves, number, END_HIGH, card, 0, most)
        if follows(rules, game, group, card, END_LOW):
            _list_hit(rules, game, moves, number, END_LOW, card, 0, most)


def _list_hit(
    rules: Ints, game: Ints, moves: Ints, number: int, end: int, card: int, other: int, most: int
) -> None:
    """Append the hit if it is lawful."""
    if moves[0] < most and extends(rules, game, GROUP_AT + number * GROUP, card, other, end):
        _append(moves, HIT, number, end, card, other)


def _is_near(rules: Ints, game: Ints, group: int, card: int) -> bool:
    """Whether a card is wild or goes on with a run of pairs at either end (`melds.next_ranks`)."""
    if card == WILD:
        return True
    for end in range(END_LOW, END_HIGH + 1):
        for rows in range(0 if game[group + HALF] else 1, 2):
            if card & 15 == rank_at(ahead_of(rules, game, group, end, rows)):
                return True
    return False


def _list_single_hits(rules: Ints, game: Ints, moves: Ints, number: int, most: int) -> None:
    at = seat_at(game[ACTIVE])
    group = GROUP_AT + number * GROUP
    for i in range(game[at + HAND]):
        card = game[at + HAND_AT + i]
        if _is_near(rules, game, group, card) and not _is_repeated(game, at, i):
            _list_hit(rules, game, moves, number, END_HIGH, card, 0, most)
            _list_hit(rules, game, moves, number, END_LOW, card, 0, most)


def _next_near(rules: Ints, game: Ints, group: int, after: int) -> int:
    """The lowest card of the active hand above ``after`` that `_is_near`; 64 where none is."""
    at = seat_at(game[ACTIVE])
    lowest = 64
    for i in range(game[at + HAND]):
        card = game[at + HAND_AT + i]
        if after < card < lowest and _is_near(rules, game, group, card):
            lowest = card
    return lowest


def _copies_held(game: Ints, card: int) -> int:
    at = seat_at(game[ACTIVE])
    copies = 0
    for i in range(game[at + HAND]):
        if game[at + HAND_AT + i] == card:
            copies += 1
    return copies


def _list_pair_hits(rules: Ints, game: Ints, moves: Ints, number: int, most: int) -> None:
    """The rows of two cards, sorted."""
    group = GROUP_AT + number * GROUP
    card = _next_near(rules, game, group, 0)
    while card < 64:
        other = card if _copies_held(game, card) > 1 else _next_near(rules, game, group, card)
        while other < 64:
            _list_hit(rules, game, moves, number, END_HIGH, card, other, most)
            _list_hit(rules, game, moves, number, END_LOW, card, other, most)
            other = _next_near(rules, game, group, other)
        card = _next_near(rules, game, group, card)


def _list_discards(rules: Ints, game: Ints, moves: Ints) -> None:
    """The cards that may end the turn, in order of arrival; a skip with each target."""
    at = seat_at(game[ACTIVE])
    for i in range(game[at + HAND]):
        card = game[at + HAND_AT + i]
        if _is_repeated(game, at, i):
            continue
        is_taken = card == game[TAKEN] and _copies_held(game, card) == 1
        if is_taken and not rules[TAKEN_DISCARDABLE]:
            continue
        if card != SKIP:
            _append(moves, DISCARD, card, -1, 0, 0)
        elif game[at + HAND] > 1 or rules[SKIP_AS_LAST]:
            _list_skips(rules, game, moves)


def _list_skips(rules: Ints, game: Ints, moves: Ints) -> None:
    """A skip without a target, where that is allowed, then with each."""
    targets = 0
    for i in range(game[PLAYERS]):
        if _is_target(rules, game, game[ORDER + i]):
            targets += 1
    if rules[PLAIN_DISCARD] == 1 or (rules[PLAIN_DISCARD] == 2 and targets == 0):
        _append(moves, DISCARD, SKIP, -1, 0, 0)
    for i in range(game[PLAYERS]):
        if _is_target(rules, game, game[ORDER + i]):
            _append(moves, DISCARD, SKIP, game[ORDER + i], 0, 0)


def _is_target(rules: Ints, game: Ints, seat: int) -> bool:
    """Whether the active seat may skip the seat, which plays."""
    at = seat_at(seat)
    if seat == game[ACTIVE] or game[at + SKIPS]:
        return False
    return not (game[at + SERVED] and rules[UNTIL_NORMAL])
