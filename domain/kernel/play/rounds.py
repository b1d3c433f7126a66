"""What follows of itself: the deal, the next turn, the end of a round and of a game.

As `play.rounds` does it.
"""

from phaseledger.domain.kernel.layout import (
    ACTION,
    ACTIVE,
    AFTER_SERVED,
    ASK,
    ASK_DRAW,
    ASK_KEEP,
    ASK_MOVE,
    ASK_NOTHING,
    ASK_PLAY,
    ASKED,
    DEALER,
    DEALER_FIXED,
    DIE,
    ENDER_DEALS,
    FINAL_TIE,
    FINISH,
    FIRST_DRAWN,
    FIRST_PLAYER,
    FRONT,
    GROUPS,
    HAND,
    INITIAL_SKIP,
    KEEP_FOR_NEXT,
    KEPT,
    LAID,
    MADE,
    MOST_TAKEN,
    NO_CARD_ENDS,
    NUMBER,
    OPEN_REPLAY,
    ORDER,
    OTHER_DIE,
    OUT,
    PASSES,
    PHASE,
    PHASES,
    PILE,
    PILE_AT,
    PLAYERS,
    POINTS,
    REPLAY,
    ROLLS,
    ROUND,
    ROUND_TURN,
    ROUNDS,
    SEAT,
    SEAT_AT,
    SEATS,
    SERVED,
    SHUFFLES,
    SKIP,
    SKIPS,
    STOCK,
    STOCK_EXHAUSTED,
    TAKEN_AT,
    TIE_EVERYBODY,
    TRACK,
    TURN,
    TURN_LIMIT,
    WINNERS,
    Ints,
)
from phaseledger.domain.kernel.play.chance import pick
from phaseledger.domain.kernel.play.deals import (
    clear_seat,
    deal_hands,
    gather_deck,
    reshuffle,
    rotate_order,
    turn_up,
)
from phaseledger.domain.kernel.play.piles import (
    bit_count,
    can_draw_pile,
    can_draw_stock,
    hand_points,
    insert_below,
    left_of,
    next_seat,
    put_on_pile,
    seat_at,
)
from phaseledger.domain.kernel.play.winners import (
    BY_HAND,
    BY_POINTS,
    best_total,
    ender_of,
    leaders,
    next_phase,
    on_laurel,
)

# --- the deal -----------------------------------------------------------------------------------


def open_game(rules: Ints, game: Ints, chance: Ints, seats: int, dealer: int) -> None:
    """Begin a game and deal its first round."""
    for i in range(SEAT_AT + seats * SEAT):
        game[i] = 0
    game[SEATS] = seats
    game[OUT] = -1
    for seat in range(seats):
        game[seat_at(seat) + PHASE] = 1
    deal_round(rules, game, chance, (1 << seats) - 1, dealer, 0)


def deal_round(rules: Ints, game: Ints, chance: Ints, among: int, dealer: int, replay: int) -> None:
    """Shuffle, deal one card at a time from the dealer's left to the seats whose bits are set in
    ``among``, turn up the first discard, and begin (`play.rounds.deal_round`).
    """
    gather_deck(rules, game, chance)
    seats = game[SEATS]
    for seat in range(seats):
        at = seat_at(seat)
        clear_seat(rules, game, at)
        if replay and among >> seat & 1:
            game[at + PHASE] = rules[PHASES]
    players = deal_hands(rules, game, among, dealer)
    game[PLAYERS] = players
    game[ROUND] += 1
    game[REPLAY] = replay
    game[DEALER] = dealer
    game[ROUND_TURN] = game[TURN]
    game[SHUFFLES] = 0
    game[PASSES] = 0
    game[GROUPS] = 0
    turn_up(rules, game)
    if rules[FIRST_DRAWN] and game[ROUND] == 1:
        rotate_order(game, pick(chance, players))
    elif rules[FIRST_PLAYER]:
        start = players - 1 if rules[FIRST_PLAYER] == 1 else pick(chance, players)
        rotate_order(game, start)
    first = seat_at(game[ORDER])
    if game[PILE_AT + game[PILE] - 1] == SKIP and rules[INITIAL_SKIP] == 0:
        game[first + SKIPS] = max(1, game[first + SKIPS])
    next_turn(rules, game, chance, game[ORDER])


# --- turns --------------------------------------------------------------------------------------


def next_turn(rules: Ints, game: Ints, chance: Ints, seat: int) -> None:
    """Begin the turn of ``seat``, or of the first one after it that has no turn to lose."""
    while True:
        if rules[TURN_LIMIT] and game[TURN] - game[ROUND_TURN] >= rules[TURN_LIMIT]:
            end_round(rules, game, chance, -1)
            return
        at = seat_at(seat)
        if game[at + SKIPS] == 0:
            break
        game[at + SKIPS] -= 1
        game[at + SERVED] = 1
        if game[at + FRONT]:
            game[at + FRONT] -= 1
            if rules[AFTER_SERVED] == 1:
                put_on_pile(game, SKIP)
            elif rules[AFTER_SERVED] == 2:
                insert_below(game, PILE_AT, game[PILE], SKIP)
                game[PILE] += 1
        game[ACTIVE] = seat
        game[TURN] += 1
        seat = next_seat(game, seat)
    can_draw = can_draw_pile(rules, game) or can_draw_stock(rules, game)
    if not can_draw and rules[NO_CARD_ENDS] and not rules[TRACK]:
        end_round(rules, game, chance, -1)
        return
    game[at + SERVED] = 0
    game[ACTIVE] = seat
    game[TURN] += 1
    if rules[TRACK]:
        roll_dice(game, chance, 0)
        return
    _forget_all_taken(game)
    ask(game, ASK_DRAW if can_draw else ASK_PLAY, seat, 0)


def ask(game: Ints, kind: int, seat: int, number: int) -> None:
    """Ask a seat for an answer."""
    game[ASK] = kind
    game[ASKED] = seat
    game[NUMBER] = number


def _forget_all_taken(game: Ints) -> None:
    for i in range(MOST_TAKEN):
        game[TAKEN_AT + i] = 0


def roll_dice(game: Ints, chance: Ints, roll: int) -> None:
    """Throw the dice for the ``roll``-th time in this turn, and ask for a move (B-27, B-28)."""
    game[DIE] = 1 + pick(chance, 6)
    game[OTHER_DIE] = 1 + pick(chance, 6)
    game[ROLLS] = roll + 1
    game[ACTION] = 0
    _forget_all_taken(game)
    ask(game, ASK_MOVE, game[ACTIVE], 0)


def ready_stock(rules: Ints, game: Ints, chance: Ints) -> bool:
    """Shuffle the discard pile into an empty stock; whether the stock then has a card.

    Under the option that an empty stock ends the round, end the round (O-01).
    """
    if game[STOCK] == 0:
        if rules[STOCK_EXHAUSTED] == 2:
            end_round(rules, game, chance, -1)
            return False
        if game[PILE] <= 1 - rules[STOCK_EXHAUSTED]:
            return False
        reshuffle(rules, game, chance)
    return True


# --- the end of a round and of the game ---------------------------------------------------------


def end_round(rules: Ints, game: Ints, chance: Ints, out: int) -> None:
    """Score the hands, advance the phases, and end the game or deal (`play.rounds.end_round`).

    ``out`` is the seat that went out; -1 where none did.
    """
    for seat in range(game[SEATS]):
        at = seat_at(seat)
        if seat != out and not game[REPLAY]:
            game[at + POINTS] += hand_points(rules, game, seat)
        game[at + PHASE] = next_phase(rules, game, seat, out)
    game[OUT] = out
    if rules[FINISH] == 2:
        winner = on_laurel(rules, game)
        if winner >= 0:
            _win(game, 1 << winner)
            return
    elif rules[FINISH] == 1:
        if game[ROUND] >= rules[ROUNDS]:
            _win(game, best_total(rules, game))
            return
    elif _settle(rules, game, chance, out):
        return
    go_on(rules, game, chance)


def go_on(rules: Ints, game: Ints, chance: Ints) -> None:
    """Ask the next seat which cards it keeps, or deal where none is left to ask (B-72)."""
    ender = ender_of(game)
    for ahead in range(1, game[SEATS] + 1 if rules[KEEP_FOR_NEXT] else 1):
        seat = (ender + ahead) % game[SEATS]
        at = seat_at(seat)
        if game[at + LAID] == 0 and game[at + HAND] and game[at + KEPT] == 0:
            ask(game, ASK_KEEP, seat, rules[KEEP_FOR_NEXT])
            return
    _deal_next(rules, game, chance, (1 << game[SEATS]) - 1, 0)


def _win(game: Ints, winners: int) -> None:
    game[WINNERS] = winners
    game[ACTIVE] = -1
    ask(game, ASK_NOTHING, -1, 0)


def _deal_next(rules: Ints, game: Ints, chance: Ints, among: int, replay: int) -> None:
    deal_round(rules, game, chance, among, next_dealer(rules, game, among), replay)


def next_dealer(rules: Ints, game: Ints, among: int) -> int:
    """The dealer of the next round, to which the seats of ``among`` are dealt."""
    dealer = ender_of(game) if rules[ENDER_DEALS] else game[DEALER]
    if not rules[DEALER_FIXED] or not among >> dealer & 1:
        dealer = left_of(dealer, among, game[SEATS])
    return dealer


def _settle(rules: Ints, game: Ints, chance: Ints, out: int) -> bool:
    """Whether a seat has completed the last phase; the game is won then, or a replay is dealt
    (`policies._last_phase`).
    """
    finished = 0
    for seat in range(game[SEATS]):
        if game[seat_at(seat) + MADE] == (1 << rules[PHASES]) - 1:
            finished |= 1 << seat
    if finished == 0:
        return False
    tied = leaders(rules, game, finished, BY_POINTS)
    went_out = tied & 1 << out if out >= 0 else 0
    winners = tied if went_out == 0 else went_out
    if game[REPLAY]:
        if went_out or out < 0:
            _win(game, winners)
            return True
        if rules[OPEN_REPLAY]:
            _win(game, leaders(rules, game, tied, BY_HAND))
            return True
    elif bit_count(tied) == 1 or rules[FINAL_TIE] == 1:
        _win(game, tied)
        return True
    elif rules[FINAL_TIE] == 2:
        _win(game, winners)
        return True
    among = (1 << game[SEATS]) - 1 if rules[TIE_EVERYBODY] else tied
    _deal_next(rules, game, chance, among, 1)
    return True
