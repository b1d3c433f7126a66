"""What a move does: the turn, the end of a round, the next deal, the end of the game.

As `evolve`, `play.turn` and `play.rounds` do it, for moves that `moves.list_moves` lists.
"""

from phaseledger.domain.kernel.chance import pick, shuffle
from phaseledger.domain.kernel.groups import extend
from phaseledger.domain.kernel.layout import (
    ACTIVE,
    AFTER_SERVED,
    ALIKE,
    ASK,
    ASK_DRAW,
    ASK_NOTHING,
    ASK_PLAY,
    COLOUR,
    COPIES,
    DEALER,
    DEALER_FIXED,
    DECK_AT,
    DISCARD,
    DRAW_PILE,
    DRAW_STOCK,
    FINAL_TIE,
    FINISH,
    FIRST_PLAYER,
    FORM,
    FORM_AT,
    FRONT,
    GROUP,
    GROUP_AT,
    GROUPS,
    HALF,
    HAND,
    HAND_AT,
    HAND_SIZE,
    HIGH,
    HIT,
    IN_FRONT,
    INITIAL_DISCARDS,
    INITIAL_SKIP,
    INITIAL_WILD_RETURNS,
    KIND,
    LAID,
    LAY,
    LAY_CARDS,
    LAY_GROUPS,
    LOW,
    MADE,
    MORE_PHASES,
    MOST_SPURNED,
    NEED,
    NEED_AT,
    NEED_KIND,
    NEED_SIZE,
    NO_CARD_ENDS,
    ONE_COLOUR,
    OPEN,
    OPEN_AT,
    OPEN_REPLAY,
    ORDER,
    OUT,
    OWNER,
    PASSES,
    PHASE,
    PHASE_AT,
    PHASE_ROW,
    PHASES,
    PILE,
    PILE_AT,
    PLAYERS,
    POINTS,
    POINTS_AT,
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
    SIZE,
    SKIP,
    SKIP_DRAWABLE,
    SKIP_SURVIVES,
    SKIPS,
    SPURNED,
    SPURNED_AT,
    STEP,
    STOCK,
    STOCK_AT,
    STOCK_EXHAUSTED,
    TABLE,
    TAKEN,
    TIE_EVERYBODY,
    TOP,
    TURN,
    TURN_LIMIT,
    WILD,
    WILDS_PLACED,
    WINNERS,
    WRAP,
    Ints,
)


def seat_at(seat: int) -> int:
    """The place of a seat's block."""
    return SEAT_AT + seat * SEAT


def phase_at(phase: int) -> int:
    """The place in the rules of a phase, from 1."""
    return PHASE_AT + (phase - 1) * PHASE_ROW


def bit_count(mask: int) -> int:
    """The number of bits that are set."""
    count = 0
    while mask:
        mask &= mask - 1
        count += 1
    return count


def left_of(seat: int, among: int, seats: int) -> int:
    """The first seat after ``seat`` of those whose bits are set in ``among``."""
    for ahead in range(1, seats + 1):
        number = (seat + ahead) % seats
        if among >> number & 1:
            return number
    return seat


def hand_points(rules: Ints, game: Ints, seat: int) -> int:
    """Penalty points of the cards in hand (C-64)."""
    at = seat_at(seat)
    points = 0
    for i in range(game[at + HAND]):
        points += rules[POINTS_AT + (game[at + HAND_AT + i] & 15)]
    return points


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
            card = _pop_stock(game)
            _take(game, seat_at(game[ORDER + i]), card)
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
        _discard_on(game, _pop_stock(game))
    for _ in range(game[STOCK]):
        top = game[PILE_AT + game[PILE] - 1]
        if (top == SKIP and rules[INITIAL_SKIP] == 2) or (
            top == WILD and rules[INITIAL_WILD_RETURNS]
        ):
            game[PILE] -= 1
            _discard_on(game, _pop_stock(game))
            _insert(game, STOCK_AT, game[STOCK], top)
            game[STOCK] += 1
        elif top == SKIP and rules[INITIAL_SKIP] == 1:
            _discard_on(game, _pop_stock(game))
        else:
            return


def _insert(game: Ints, at: int, count: int, card: int) -> None:
    """Put a card below the ``count`` cards at ``at``."""
    for i in range(count, 0, -1):
        game[at + i] = game[at + i - 1]
    game[at] = card


def _pop_stock(game: Ints) -> int:
    game[STOCK] -= 1
    return game[STOCK_AT + game[STOCK]]


def _discard_on(game: Ints, card: int) -> None:
    game[PILE_AT + game[PILE]] = card
    game[PILE] += 1


def _take(game: Ints, at: int, card: int) -> None:
    """Add a card to the hand of the seat at ``at``."""
    game[at + HAND_AT + game[at + HAND]] = card
    game[at + HAND] += 1


# --- turns --------------------------------------------------------------------------------------


def can_draw_pile(rules: Ints, game: Ints) -> bool:
    """Whether the top of the discard pile may be drawn (C-15, C-16)."""
    if game[PILE] == 0:
        return False
    return rules[SKIP_DRAWABLE] != 0 or game[PILE_AT + game[PILE] - 1] != SKIP


def can_draw_stock(rules: Ints, game: Ints) -> bool:
    """Whether a draw from the stock gives a card, or ends the round (O-01)."""
    if game[STOCK] > 0 or rules[STOCK_EXHAUSTED] == 2:
        return True
    return game[PILE] > 1 - rules[STOCK_EXHAUSTED]


def next_seat(game: Ints, seat: int) -> int:
    """The seat whose turn follows the turn of ``seat``."""
    players = game[PLAYERS]
    for i in range(players):
        if game[ORDER + i] == seat:
            return game[ORDER + (i + 1) % players]
    return seat


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
                _discard_on(game, SKIP)
            elif rules[AFTER_SERVED] == 2:
                _insert(game, PILE_AT, game[PILE], SKIP)
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
        _reshuffle(rules, game, chance)
    at = seat_at(game[ACTIVE])
    if game[PILE]:
        _spurn(game, at, game[PILE_AT + game[PILE] - 1])
    _take(game, at, _pop_stock(game))
    game[PASSES] = 0
    game[ASK] = ASK_PLAY


def _reshuffle(rules: Ints, game: Ints, chance: Ints) -> None:
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


def _spurn(game: Ints, at: int, card: int) -> None:
    """Remember the card as the last that the seat at ``at`` did not want."""
    if game[at + SPURNED] == MOST_SPURNED:
        for i in range(MOST_SPURNED - 1):
            game[at + SPURNED_AT + i] = game[at + SPURNED_AT + i + 1]
        game[at + SPURNED] -= 1
    game[at + SPURNED_AT + game[at + SPURNED]] = card
    game[at + SPURNED] += 1


def _draw_pile(game: Ints) -> None:
    at = seat_at(game[ACTIVE])
    game[PILE] -= 1
    card = game[PILE_AT + game[PILE]]
    game[TAKEN] = card
    game[at + OPEN_AT + game[at + OPEN]] = card
    game[at + OPEN] += 1
    _take(game, at, card)
    game[PASSES] = 0
    game[ASK] = ASK_PLAY


def _remove(game: Ints, count_at: int, cards_at: int, card: int) -> None:
    """Remove the first such card, where there is one."""
    count = game[count_at]
    place = 0
    while place < count and game[cards_at + place] != card:
        place += 1
    if place == count:
        return
    for i in range(place, count - 1):
        game[cards_at + i] = game[cards_at + i + 1]
    game[count_at] = count - 1


def _spend(game: Ints, at: int, card: int) -> None:
    """Remove a card from the hand of the seat at ``at``, and from what it openly took."""
    _remove(game, at + HAND, at + HAND_AT, card)
    if game[at + OPEN]:
        _remove(game, at + OPEN, at + OPEN_AT, card)


def _put_down(game: Ints, at: int, card: int) -> None:
    """Move a card from the hand of the seat at ``at`` to the table."""
    _spend(game, at, card)
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
        kind = rules[need + NEED_KIND]
        low = moves[move + LAY_GROUPS + 2 * number]
        count = moves[move + LAY_GROUPS + 2 * number + 1]
        form = FORM_AT + kind * FORM
        if rules[WILDS_PLACED] and not rules[form + ALIKE]:
            low = placed_low(rules, kind, low, moves, place, count)
        group = GROUP_AT + game[GROUPS] * GROUP
        game[GROUPS] += 1
        game[group + KIND] = kind
        game[group + OWNER] = seat
        game[group + LOW] = low
        game[group + HIGH] = low
        if not rules[form + ALIKE]:
            game[group + HIGH] = low + (rules[need + NEED_SIZE] - 1) * rules[form + STEP]
        game[group + HALF] = 0
        game[group + SIZE] = count
        game[group + COLOUR] = -1
        for i in range(place, place + count):
            card = moves[i]
            _put_down(game, at, card)
            if rules[form + ONE_COLOUR] and card != WILD:
                game[group + COLOUR] = card >> 4
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
    _spend(game, at, card)
    if target >= 0:
        game[seat_at(target) + SKIPS] += 1
    if target >= 0 and rules[IN_FRONT]:
        game[seat_at(target) + FRONT] += 1
    else:
        _spurn(game, at, card)
        _discard_on(game, card)
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


# --- a laid run whose wilds are placed by the rules ----------------------------------------------


def _of_rank(cards: Ints, at: int, count: int, rank: int) -> int:
    """The number of naturals of the rank."""
    found = 0
    for i in range(at, at + count):
        if cards[i] & 15 == rank:
            found += 1
    return found


def placed_low(rules: Ints, kind: int, low: int, cards: Ints, at: int, count: int) -> int:
    """The low end of the ladder of ``count`` cards at ``at`` with its wilds in gaps, then at the
    high end, then at the low one (O-07); ``low`` where it has no naturals.
    """
    copies = rules[FORM_AT + kind * FORM + COPIES]
    step = rules[FORM_AT + kind * FORM + STEP]
    wilds = _of_rank(cards, at, count, WILD)
    for first in range(1, TOP + 1):
        if _of_rank(cards, at, count, first) == 0:
            continue
        spare = wilds
        previous = first - step
        for ahead in range(TOP):
            rank = (first - 1 + ahead) % TOP + 1
            held = _of_rank(cards, at, count, rank)
            if held == 0:
                continue
            gap = ((rank - previous + TOP) % TOP // step - 1) * copies
            spare -= gap + copies - held
            if gap < 0 or spare < 0:
                spare = -1
                break
            previous = rank
        if spare >= 0:
            if rules[WRAP]:
                return first
            room = (TOP - previous) // step * copies
            below = min(max(spare - room, 0), (first - 1) // step * copies)
            return first - below // copies * step
        if not rules[WRAP]:
            return low
    return low


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
            _win(game, _best_total(rules, game))
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


def _fewest_points(game: Ints, among: int) -> int:
    """The seats of ``among`` that have the fewest points, as bits."""
    tied = 0
    fewest = 0
    for seat in range(game[SEATS]):
        if among >> seat & 1:
            points = game[seat_at(seat) + POINTS]
            if tied == 0 or points < fewest:
                tied = 1 << seat
                fewest = points
            elif points == fewest:
                tied |= 1 << seat
    return tied


def _best_total(rules: Ints, game: Ints) -> int:
    """The winners after a fixed number of rounds, as bits (C-73)."""
    tied = _fewest_points(game, (1 << game[SEATS]) - 1)
    if not rules[MORE_PHASES]:
        return tied
    most = 0
    best = 0
    for seat in range(game[SEATS]):
        if tied >> seat & 1:
            made = bit_count(game[seat_at(seat) + MADE])
            if best == 0 or made > most:
                best = 1 << seat
                most = made
            elif made == most:
                best |= 1 << seat
    return best


def _cheapest_hands(rules: Ints, game: Ints, among: int) -> int:
    """The seats of ``among`` with the fewest points in hand, as bits (O-24)."""
    tied = 0
    fewest = 0
    for seat in range(game[SEATS]):
        if among >> seat & 1:
            points = hand_points(rules, game, seat)
            if tied == 0 or points < fewest:
                tied = 1 << seat
                fewest = points
            elif points == fewest:
                tied |= 1 << seat
    return tied


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
    tied = _fewest_points(game, finished)
    went_out = tied & 1 << out if out >= 0 else 0
    winners = tied if went_out == 0 else went_out
    if game[REPLAY]:
        if went_out or out < 0:
            _win(game, winners)
            return True
        if rules[OPEN_REPLAY]:
            _win(game, _cheapest_hands(rules, game, tied))
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
