"""What a move does (`play.turn`, `evolve`), for moves that `moves.list_moves` lists."""

from phaseledger.domain.kernel.layout import (
    ACTIVE,
    ASK,
    ASK_PLAY,
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
    OPEN,
    OPEN_AT,
    OWNER,
    PASSES,
    PILE,
    PILE_AT,
    PLAYERS,
    REPLAY,
    SKIPS,
    STOCK,
    STOCK_EXHAUSTED,
    TABLE,
    TAKEN,
    Ints,
)
from phaseledger.domain.kernel.play.groups import (
    extend,
    lay_group,
)
from phaseledger.domain.kernel.play.piles import (
    next_seat,
    phase_at,
    pop_stock,
    put_on_pile,
    seat_at,
    spend_card,
    spurn_card,
    take_card,
)
from phaseledger.domain.kernel.play.rounds import (
    end_round,
    next_turn,
    reshuffle,
)


def play(rules: Ints, game: Ints, chance: Ints, moves: Ints, move: int) -> None:
    """Play the listed move that stands at the place ``move`` of ``moves``."""
    kind = moves[move]
    if kind == DRAW_STOCK:
        _draw_stock(rules, game, chance)
    elif kind == DRAW_PILE:
        _draw_pile(game)
    elif kind == DISCARD:
        _discard(rules, game, chance, moves[move + 1], moves[move + 2])
    elif kind == HIT:
        _hit(rules, game, chance, moves, move)
    elif kind == LAY:
        _lay(rules, game, chance, moves, move)
    else:
        _pass(rules, game, chance)


def _draw_stock(rules: Ints, game: Ints, chance: Ints) -> None:
    if game[STOCK] == 0:
        if rules[STOCK_EXHAUSTED] == 2:
            end_round(rules, game, chance, -1)
            return
        reshuffle(rules, game, chance)
    at = seat_at(game[ACTIVE])
    if game[PILE]:
        spurn_card(game, at, game[PILE_AT + game[PILE] - 1])
    take_card(game, at, pop_stock(game))
    game[PASSES] = 0
    game[ASK] = ASK_PLAY


def _draw_pile(game: Ints) -> None:
    at = seat_at(game[ACTIVE])
    game[PILE] -= 1
    card = game[PILE_AT + game[PILE]]
    game[TAKEN] = card
    game[at + OPEN_AT + game[at + OPEN]] = card
    game[at + OPEN] += 1
    take_card(game, at, card)
    game[PASSES] = 0
    game[ASK] = ASK_PLAY


def _put_down(game: Ints, at: int, card: int) -> None:
    """Move a card from the hand of the seat at ``at`` to the table."""
    spend_card(game, at, card)
    game[TABLE + card] += 1
    if card == game[TAKEN]:
        game[TAKEN] = 0


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
        for i in range(place, place + count):
            _put_down(game, at, moves[i])
        place += count
    game[at + LAID] = phase
    if not game[REPLAY]:
        game[at + MADE] |= 1 << (phase - 1)
    game[PASSES] = 0
    if game[at + HAND] == 0:
        end_round(rules, game, chance, seat)


def _hit(rules: Ints, game: Ints, chance: Ints, moves: Ints, move: int) -> None:
    seat = game[ACTIVE]
    at = seat_at(seat)
    card = moves[move + 3]
    other = moves[move + 4]
    extend(rules, game, GROUP_AT + moves[move + 1] * GROUP, card, other, moves[move + 2])
    _put_down(game, at, card)
    if other:
        _put_down(game, at, other)
    game[PASSES] = 0
    if game[at + HAND] == 0:
        end_round(rules, game, chance, seat)


def _discard(rules: Ints, game: Ints, chance: Ints, card: int, target: int) -> None:
    seat = game[ACTIVE]
    at = seat_at(seat)
    spend_card(game, at, card)
    if target >= 0:
        game[seat_at(target) + SKIPS] += 1
    if target >= 0 and rules[IN_FRONT]:
        game[seat_at(target) + FRONT] += 1
    else:
        spurn_card(game, at, card)
        put_on_pile(game, card)
    game[PASSES] = 0
    if game[at + HAND] == 0:
        end_round(rules, game, chance, seat)
    else:
        next_turn(rules, game, chance, next_seat(game, seat))


def _pass(rules: Ints, game: Ints, chance: Ints) -> None:
    game[PASSES] += 1
    if game[PASSES] < game[PLAYERS]:
        next_turn(rules, game, chance, next_seat(game, game[ACTIVE]))
    else:
        end_round(rules, game, chance, -1)
