"""What follows of itself: the deal, the next turn, the end of a round and of a game.

As `play.rounds` does it.
"""

from phaseledger.domain.kernel.layout import (
    ACTIVE,
    AFTER_SERVED,
    ASK,
    ASK_DRAW,
    ASK_NOTHING,
    ASK_PLAY,
    DEALER,
    DEALER_FIXED,
    DECK_AT,
    FINAL_TIE,
    FINISH,
    FIRST_PLAYER,
    FRONT,
    GROUPS,
    HAND,
    HAND_SIZE,
    INITIAL_DISCARDS,
    INITIAL_SKIP,
    INITIAL_WILD_RETURNS,
    LAID,
    MADE,
    NO_CARD_ENDS,
    OPEN,
    OPEN_REPLAY,
    ORDER,
    OUT,
    PASSES,
    PHASE,
    PHASES,
    PILE,
    PILE_AT,
    PLAYERS,
    POINTS,
    PROGRESS,
    REPLAY,
    ROUND,
    ROUND_TURN,
    ROUNDS,
    SEAT,
    SEAT_AT,
    SEATS,
    SERVED,
    SHUFFLES,
    SKIP,
    SKIP_SURVIVES,
    SKIPS,
    SPURNED,
    STOCK,
    STOCK_AT,
    STOCK_EXHAUSTED,
    TABLE,
    TAKEN,
    TIE_EVERYBODY,
    TURN,
    TURN_LIMIT,
    WILD,
    WINNERS,
    Ints,
)
from phaseledger.domain.kernel.play.chance import (
    pick,
    shuffle,
)
from phaseledger.domain.kernel.play.piles import (
    bit_count,
    can_draw_pile,
    can_draw_stock,
    hand_points,
    insert_below,
    left_of,
    next_seat,
    pop_stock,
    put_on_pile,
    seat_at,
    take_card,
)
from phaseledger.domain.kernel.play.winners import (
    BY_HAND,
    BY_POINTS,
    best_total,
    leaders,
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
    _gather(rules, game, chance)
    seats = game[SEATS]
    for seat in range(seats):
        at = seat_at(seat)
        game[at + HAND] = 0
        game[at + LAID] = 0
        game[at + SERVED] = 0
        game[at + FRONT] = 0
        game[at + OPEN] = 0
        game[at + SPURNED] = 0
        if replay and among >> seat & 1:
            game[at + PHASE] = rules[PHASES]
        if not rules[SKIP_SURVIVES]:
            game[at + SKIPS] = 0
    players = bit_count(among)
    seat = dealer
    for i in range(players):
        seat = left_of(seat, among, seats)
        game[ORDER + i] = seat
    for _ in range(rules[HAND_SIZE]):
        for i in range(players):
            card = pop_stock(game)
            take_card(game, seat_at(game[ORDER + i]), card)
    game[PLAYERS] = players
    game[ROUND] += 1
    game[REPLAY] = replay
    game[DEALER] = dealer
    game[ROUND_TURN] = game[TURN]
    game[SHUFFLES] = 0
    game[PASSES] = 0
    game[GROUPS] = 0
    for card in range(64):
        game[TABLE + card] = 0
    _turn_up(rules, game)
    if rules[FIRST_PLAYER]:
        start = players - 1 if rules[FIRST_PLAYER] == 1 else pick(chance, players)
        _rotate_order(game, start)
    first = seat_at(game[ORDER])
    if game[PILE_AT + game[PILE] - 1] == SKIP and rules[INITIAL_SKIP] == 0:
        game[first + SKIPS] = max(1, game[first + SKIPS])
    next_turn(rules, game, chance, game[ORDER])


def _gather(rules: Ints, game: Ints, chance: Ints) -> None:
    """Make the whole deck the stock, shuffled."""
    count = 0
    for card in range(64):
        for _ in range(rules[DECK_AT + card]):
            game[STOCK_AT + count] = card
            count += 1
    game[STOCK] = count
    game[PILE] = 0
    shuffle(chance, game, STOCK_AT, count)


def _rotate_order(game: Ints, start: int) -> None:
    """Let the seat at ``start`` of the order begin."""
    players = game[PLAYERS]
    for _ in range(start):
        first = game[ORDER]
        for i in range(players - 1):
            game[ORDER + i] = game[ORDER + i + 1]
        game[ORDER + players - 1] = first


def _turn_up(rules: Ints, game: Ints) -> None:
    """Begin the discard pile (O-11, O-12); each card is turned up at most once."""
    for _ in range(rules[INITIAL_DISCARDS]):
        put_on_pile(game, pop_stock(game))
    for _ in range(game[STOCK]):
        top = game[PILE_AT + game[PILE] - 1]
        if (top == SKIP and rules[INITIAL_SKIP] == 2) or (
            top == WILD and rules[INITIAL_WILD_RETURNS]
        ):
            game[PILE] -= 1
            put_on_pile(game, pop_stock(game))
            insert_below(game, STOCK_AT, game[STOCK], top)
            game[STOCK] += 1
        elif top == SKIP and rules[INITIAL_SKIP] == 1:
            put_on_pile(game, pop_stock(game))
        else:
            return


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
    if not can_draw and rules[NO_CARD_ENDS]:
        end_round(rules, game, chance, -1)
        return
    game[at + SERVED] = 0
    game[ACTIVE] = seat
    game[TURN] += 1
    game[TAKEN] = 0
    game[ASK] = ASK_DRAW if can_draw else ASK_PLAY


def reshuffle(rules: Ints, game: Ints, chance: Ints) -> None:
    """Make the discard pile the stock, with or without its top (O-01)."""
    kept = 1 - rules[STOCK_EXHAUSTED]
    count = game[PILE] - kept
    for i in range(count):
        game[STOCK_AT + i] = game[PILE_AT + i]
    if kept:
        game[PILE_AT] = game[PILE_AT + count]
    game[PILE] = kept
    game[STOCK] = count
    game[SHUFFLES] += 1
    shuffle(chance, game, STOCK_AT, count)


# --- the end of a round and of the game ---------------------------------------------------------


def end_round(rules: Ints, game: Ints, chance: Ints, out: int) -> None:
    """Score the hands, advance the phases, and end the game or deal (`play.rounds.end_round`).

    ``out`` is the seat that went out; -1 where none did.
    """
    for seat in range(game[SEATS]):
        at = seat_at(seat)
        if seat != out and not game[REPLAY]:
            game[at + POINTS] += hand_points(rules, game, seat)
        if rules[PROGRESS] == 1:
            game[at + PHASE] = game[ROUND] + 1
        elif rules[PROGRESS] == 2:
            game[at + PHASE] = 1
            while game[at + MADE] >> (game[at + PHASE] - 1) & 1:
                game[at + PHASE] += 1
        else:
            game[at + PHASE] = bit_count(game[at + MADE]) + 1
    game[OUT] = out
    if rules[FINISH]:
        if game[ROUND] >= rules[ROUNDS]:
            _win(game, best_total(rules, game))
            return
    elif _settle(rules, game, chance, out):
        return
    _deal_next(rules, game, chance, (1 << game[SEATS]) - 1, 0)


def _win(game: Ints, winners: int) -> None:
    game[WINNERS] = winners
    game[ASK] = ASK_NOTHING
    game[ACTIVE] = -1


def _deal_next(rules: Ints, game: Ints, chance: Ints, among: int, replay: int) -> None:
    dealer = game[DEALER]
    if not rules[DEALER_FIXED] or not among >> dealer & 1:
        dealer = left_of(dealer, among, game[SEATS])
    deal_round(rules, game, chance, among, dealer, replay)


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
