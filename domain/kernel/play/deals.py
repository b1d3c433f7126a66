"""The deal: the deck is gathered and shuffled, hands are dealt, the first discards turned up."""

from phaseledger.domain.kernel.layout import (
    CODES,
    DECK_AT,
    FRONT,
    HAND,
    HAND_SIZE,
    INITIAL_DISCARDS,
    INITIAL_SKIP,
    INITIAL_WILD_RETURNS,
    JOKERS_STAY,
    KEPT,
    KEPT_AT,
    LAID,
    OPEN,
    ORDER,
    PILE,
    PILE_AT,
    PLAYERS,
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
    WILD,
    Ints,
)
from phaseledger.domain.kernel.play.chance import shuffle
from phaseledger.domain.kernel.play.piles import (
    bit_count,
    insert_below,
    left_of,
    pop_stock,
    put_on_pile,
    seat_at,
    take_card,
)


def gather_deck(rules: Ints, game: Ints, chance: Ints) -> None:
    """Make the deck less the kept cards the stock, shuffled, and clear the table."""
    for card in range(2 * CODES):
        game[TABLE + card] = 0
    for seat in range(game[SEATS]):
        at = seat_at(seat)
        for i in range(game[at + KEPT] - 1):
            game[TABLE + game[at + KEPT_AT + i] % CODES] += 1
    count = 0
    for card in range(CODES):
        for _ in range(rules[DECK_AT + card] - game[TABLE + card]):
            game[STOCK_AT + count] = card
            count += 1
        game[TABLE + card] = 0
    game[STOCK] = count
    game[PILE] = 0
    shuffle(chance, game, STOCK_AT, count)


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


def clear_seat(rules: Ints, game: Ints, at: int) -> None:
    """Make the kept cards of the seat at ``at`` its hand, jokers as jokers or not (B-82), and
    forget what belongs to a round.
    """
    game[at + HAND] = 0
    for i in range(game[at + KEPT] - 1):
        card = game[at + KEPT_AT + i]
        take_card(game, at, card if rules[JOKERS_STAY] else card % CODES)
    game[at + KEPT] = 0
    game[at + LAID] = 0
    game[at + SERVED] = 0
    game[at + FRONT] = 0
    game[at + OPEN] = 0
    game[at + SPURNED] = 0
    if not rules[SKIP_SURVIVES]:
        game[at + SKIPS] = 0


def deal_hands(rules: Ints, game: Ints, among: int, dealer: int) -> int:
    """Deal one card at a time from the dealer's left, full hands passed over (C-05, B-78).

    Writes the order of the seats, and returns their number.
    """
    players = bit_count(among)
    seat = dealer
    for i in range(players):
        seat = left_of(seat, among, game[SEATS])
        game[ORDER + i] = seat
    for _ in range(rules[HAND_SIZE]):
        for i in range(players):
            at = seat_at(game[ORDER + i])
            if game[at + HAND] < rules[HAND_SIZE]:
                card = pop_stock(game)
                take_card(game, at, card)
    return players


def rotate_order(game: Ints, start: int) -> None:
    """Let the seat at ``start`` of the order begin."""
    players = game[PLAYERS]
    for _ in range(start):
        first = game[ORDER]
        for i in range(players - 1):
            game[ORDER + i] = game[ORDER + i + 1]
        game[ORDER + players - 1] = first


def turn_up(rules: Ints, game: Ints) -> None:
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
