"""Hands, stock and pile: where they are, and single cards that go in and out."""

from phaseledger.domain.kernel.layout import (
    HAND,
    HAND_AT,
    MOST_CARDS,
    MOST_SPURNED,
    MOST_TAKEN,
    OPEN,
    OPEN_AT,
    ORDER,
    OWN,
    PHASE_AT,
    PHASE_ROW,
    PILE,
    PILE_AT,
    PLAYERS,
    POINTS_AT,
    SEAT,
    SEAT_AT,
    SKIP,
    SKIP_DRAWABLE,
    SPURNED,
    SPURNED_AT,
    STOCK,
    STOCK_AT,
    STOCK_EXHAUSTED,
    TAKEN_AT,
    TURNED,
    WILD,
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


def insert_below(game: Ints, at: int, count: int, card: int) -> None:
    """Put a card below the ``count`` cards at ``at``."""
    for i in range(count, 0, -1):
        game[at + i] = game[at + i - 1]
    game[at] = card


def pop_stock(game: Ints) -> int:
    """Take the top card of the stock."""
    game[STOCK] -= 1
    return game[STOCK_AT + game[STOCK]]


def put_on_pile(game: Ints, card: int) -> None:
    """Put a card on the discard pile."""
    game[PILE_AT + game[PILE]] = card
    game[PILE] += 1


def take_card(game: Ints, at: int, card: int) -> None:
    """Add a card to the hand of the seat at ``at``."""
    game[at + HAND_AT + game[at + HAND]] = card
    game[at + HAND] += 1


def _remove_at(game: Ints, count_at: int, cards_at: int, place: int) -> None:
    """Remove the card at a place; those after it move up."""
    count = game[count_at]
    for i in range(place, count - 1):
        game[cards_at + i] = game[cards_at + i + 1]
    game[count_at] = count - 1


def _remove_card(game: Ints, count_at: int, cards_at: int, card: int) -> None:
    """Remove the first such card, where there is one."""
    count = game[count_at]
    place = 0
    while place < count and game[cards_at + place] != card:
        place += 1
    if place < count:
        _remove_at(game, count_at, cards_at, place)


def name_at(game: Ints, at: int, place: int) -> int:
    """The card at a place of the hand of the seat at ``at``, as its owner names it."""
    card = game[at + HAND_AT + place]
    if card < TURNED:
        return card
    number = 1
    for i in range(place):
        if game[at + HAND_AT + i] >= TURNED:
            number += 1
    return OWN + number


def jokers_held(game: Ints, at: int) -> int:
    """The number of jokers in the hand of the seat at ``at``."""
    count = 0
    for i in range(game[at + HAND]):
        if game[at + HAND_AT + i] >= TURNED:
            count += 1
    return count


def is_repeated(game: Ints, at: int, place: int) -> bool:
    """Whether the hand at ``at`` has the card of that place before it; no joker is as another."""
    card = game[at + HAND_AT + place]
    if card >= TURNED:
        return False
    earlier = 0
    while game[at + HAND_AT + earlier] != card:
        earlier += 1
    return earlier < place


def _joker_place(game: Ints, at: int, name: int) -> int:
    """The place in hand of the joker that its owner names so."""
    left = name - OWN
    place = -1
    while left:
        place += 1
        if game[at + HAND_AT + place] >= TURNED:
            left -= 1
    return place


def card_named(game: Ints, at: int, name: int) -> int:
    """The card in hand of the seat at ``at`` that its owner names so: a joker with its face."""
    return game[at + HAND_AT + _joker_place(game, at, name)] if name > OWN else name


def spend_card(game: Ints, at: int, name: int) -> None:
    """Remove the card named so from the hand of the seat at ``at``, and from what it took."""
    if name > OWN:
        _remove_at(game, at + HAND, at + HAND_AT, _joker_place(game, at, name))
        return
    _remove_card(game, at + HAND, at + HAND_AT, name)
    if game[at + OPEN]:
        _remove_card(game, at + OPEN, at + OPEN_AT, name)


def spend_cards(game: Ints, at: int, names: Ints, first: int, count: int) -> None:
    """As `spend_card`, for the cards from ``first`` on, all named as in the hand before."""
    for i in range(first, first + count):
        name = names[i]
        if name > OWN:
            for earlier in range(first, i):
                if OWN < names[earlier] < names[i]:
                    name -= 1
        spend_card(game, at, name)


def note_taken(game: Ints, card: int) -> None:
    """Remember a card as taken from the pile in this turn."""
    place = TAKEN_AT
    while game[place]:
        place += 1
    game[place] = card


def forget_taken(game: Ints, card: int) -> None:
    """Forget that one such card was taken in this turn."""
    place = TAKEN_AT
    while place < TAKEN_AT + MOST_TAKEN and game[place] != card:
        place += 1
    if place < TAKEN_AT + MOST_TAKEN:
        game[place] = 0


def spurn_card(game: Ints, at: int, card: int) -> None:
    """Remember the card as the last that the seat at ``at`` did not want."""
    if game[at + SPURNED] == MOST_SPURNED:
        for i in range(MOST_SPURNED - 1):
            game[at + SPURNED_AT + i] = game[at + SPURNED_AT + i + 1]
        game[at + SPURNED] -= 1
    game[at + SPURNED_AT + game[at + SPURNED]] = card
    game[at + SPURNED] += 1


def next_seat(game: Ints, seat: int) -> int:
    """The seat whose turn follows the turn of ``seat``."""
    players = game[PLAYERS]
    for i in range(players):
        if game[ORDER + i] == seat:
            return game[ORDER + (i + 1) % players]
    return seat


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


def available(rules: Ints, game: Ints) -> int:
    """The number of cards that the stock can give, with the cards to shuffle into it (O-01).

    Where asking for more ends the round, which no shortage prevents, MOST_CARDS.
    """
    if rules[STOCK_EXHAUSTED] == 2:
        return MOST_CARDS
    return game[STOCK] + max(game[PILE] - 1 + rules[STOCK_EXHAUSTED], 0)


def as_wild(name: int) -> int:
    """A card as it counts in a group: jokers are wild."""
    return WILD if name >= TURNED else name
