"""What a move does (`play.turn`, `evolve`), for moves that `moves.list_moves` lists."""

from phaseledger.domain.kernel.layout import (
    ACTION,
    ACTIVE,
    ASK_PLAY,
    CODES,
    DISCARD,
    DRAW_PILE,
    DRAW_STOCK,
    FRONT,
    GROUP,
    GROUP_AT,
    GROUPS,
    HAND,
    HIT,
    IN_FRONT,
    LAID,
    LAY,
    LAY_CARDS,
    LAY_GROUPS,
    MADE,
    NEED,
    NEED_AT,
    NUMBER,
    ON_AGAIN,
    OPEN,
    OPEN_AT,
    OWNER,
    PASS,
    PASSES,
    PILE,
    PILE_AT,
    PLAYERS,
    REPLAY,
    ROLLS,
    SKIPS,
    STOCK,
    STOCK_EXHAUSTED,
    TABLE,
    TURN_LIMIT,
    Ints,
)
from phaseledger.domain.kernel.play.groups import extend, lay_group
from phaseledger.domain.kernel.play.piles import (
    as_wild,
    can_draw_pile,
    can_draw_stock,
    card_named,
    forget_taken,
    next_seat,
    note_taken,
    phase_at,
    put_on_pile,
    seat_at,
    spend_cards,
    spurn_card,
    take_card,
)
from phaseledger.domain.kernel.play.ring import answer, draw_card
from phaseledger.domain.kernel.play.rounds import ask, end_round, next_turn, roll_dice


def play(rules: Ints, game: Ints, chance: Ints, moves: Ints, move: int) -> None:
    """Play the listed move that stands at the place ``move`` of ``moves``."""
    kind = moves[move]
    if kind == DRAW_STOCK:
        _draw_stock(rules, game, chance)
    elif kind == DRAW_PILE:
        _draw_pile(rules, game)
    elif kind == DISCARD:
        _discard(rules, game, chance, moves, move)
    elif kind == HIT:
        _hit(rules, game, chance, moves, move)
    elif kind == LAY:
        _lay(rules, game, chance, moves, move)
    elif kind == PASS:
        _pass(rules, game, chance)
    else:
        answer(rules, game, chance, moves, move)


def _draw_stock(rules: Ints, game: Ints, chance: Ints) -> None:
    if game[STOCK] == 0 and rules[STOCK_EXHAUSTED] == 2:
        end_round(rules, game, chance, -1)
        return
    draw_card(rules, game, chance, game[ACTIVE])
    _go_on_drawing(rules, game)


def _draw_pile(rules: Ints, game: Ints) -> None:
    at = seat_at(game[ACTIVE])
    game[PILE] -= 1
    card = game[PILE_AT + game[PILE]]
    note_taken(game, card)
    game[at + OPEN_AT + game[at + OPEN]] = card
    game[at + OPEN] += 1
    take_card(game, at, card)
    game[PASSES] = 0
    _go_on_drawing(rules, game)


def _go_on_drawing(rules: Ints, game: Ints) -> None:
    """Ask for the next card of an action, where there is one, or for the play (B-21, B-22)."""
    can_draw = can_draw_pile(rules, game) or can_draw_stock(rules, game)
    if game[NUMBER] > 1 and can_draw:
        game[NUMBER] -= 1
    else:
        ask(game, ASK_PLAY, game[ACTIVE], 0)


def _put_down(game: Ints, at: int, names: Ints, first: int, count: int) -> None:
    """Move the cards named from ``first`` on from the hand of the seat at ``at`` to the table."""
    for i in range(first, first + count):
        card = card_named(game, at, names[i])
        game[TABLE + card] += 1
        forget_taken(game, card)
    spend_cards(game, at, names, first, count)


def _lay(rules: Ints, game: Ints, chance: Ints, moves: Ints, move: int) -> None:
    seat = game[ACTIVE]
    at = seat_at(seat)
    phase = moves[move + 1]
    place = move + LAY_CARDS
    for number in range(moves[move + 2]):
        need = phase_at(phase) + NEED_AT + number * NEED
        low = moves[move + LAY_GROUPS + 2 * number]
        count = moves[move + LAY_GROUPS + 2 * number + 1]
        group = GROUP_AT + game[GROUPS] * GROUP
        game[GROUPS] += 1
        game[group + OWNER] = seat
        lay_group(rules, game, group, need, low, moves, place, count)
        place += count
    _put_down(game, at, moves, move + LAY_CARDS, place - move - LAY_CARDS)
    game[at + LAID] = phase
    if not game[REPLAY]:
        game[at + MADE] |= 1 << (phase - 1)
    game[PASSES] = 0
    if game[at + HAND] == 0:
        end_round(rules, game, chance, seat)


def _hit(rules: Ints, game: Ints, chance: Ints, moves: Ints, move: int) -> None:
    seat = game[ACTIVE]
    at = seat_at(seat)
    card = as_wild(moves[move + 3])
    other = as_wild(moves[move + 4])
    extend(rules, game, GROUP_AT + moves[move + 1] * GROUP, card, other, moves[move + 2])
    _put_down(game, at, moves, move + 3, 2 if other else 1)
    game[PASSES] = 0
    if game[at + HAND] == 0:
        end_round(rules, game, chance, seat)


def _discard(rules: Ints, game: Ints, chance: Ints, moves: Ints, move: int) -> None:
    seat = game[ACTIVE]
    at = seat_at(seat)
    count = 2 if moves[move + 2] else 1
    target = moves[move + 3]
    if target >= 0:
        game[seat_at(target) + SKIPS] += 1
    if target >= 0 and rules[IN_FRONT]:
        game[seat_at(target) + FRONT] += 1
    else:
        for i in range(move + 1, move + 1 + count):
            card = card_named(game, at, moves[i])
            spurn_card(game, at, card)
            put_on_pile(game, card % CODES)
    spend_cards(game, at, moves, move + 1, count)
    game[PASSES] = 0
    if game[at + HAND] == 0:
        end_round(rules, game, chance, seat)
    else:
        _end_turn(rules, game, chance)


def _end_turn(rules: Ints, game: Ints, chance: Ints) -> None:
    """Begin the next turn, or the same seat's next throw (B-27, B-66)."""
    if game[ACTION] != ON_AGAIN:
        next_turn(rules, game, chance, next_seat(game, game[ACTIVE]))
    elif rules[TURN_LIMIT] and game[ROLLS] >= rules[TURN_LIMIT]:
        end_round(rules, game, chance, -1)
    else:
        roll_dice(game, chance, game[ROLLS])


def _pass(rules: Ints, game: Ints, chance: Ints) -> None:
    game[PASSES] += 1
    if game[PASSES] < game[PLAYERS]:
        _end_turn(rules, game, chance)
    else:
        end_round(rules, game, chance, -1)
