"""The pawn's move and the actions of the ring (`play.board_actions`), and the cards kept."""

from phaseledger.domain.kernel.layout import (
    ACTION,
    ACTIVE,
    ALL_OR_NONE,
    ASK_CHOOSE,
    ASK_DRAW,
    ASK_FOR,
    ASK_GIVE,
    ASK_PLAY,
    ASK_SEARCH,
    ASK_SWAP,
    ASK_VALUE,
    ASKED,
    CHOOSE,
    CHOSEN_AT,
    CODES,
    DIE,
    GIVE,
    GIVER_CHOOSES,
    HAND,
    HAND_AT,
    JOKER_DISCARD,
    KEPT,
    KEPT_AT,
    MOVE_PAWN,
    ON_AGAIN,
    ON_ASK,
    ON_CHOOSE,
    ON_EVERY,
    ON_JOKER,
    ON_SEARCH,
    ON_SWAP,
    ON_TAKE,
    ON_TAKE1,
    ON_TAKE3,
    OTHER_DIE,
    OWN,
    PASSES,
    PAWN,
    PILE,
    PILE_AT,
    PLAYERS,
    SEARCH,
    SEATS,
    STOCK,
    SWAP,
    TAKE_BY_TYPE,
    TRACK,
    TRACK_AT,
    TURNED,
    Ints,
)
from phaseledger.domain.kernel.play.piles import (
    available,
    card_named,
    name_at,
    note_taken,
    pop_stock,
    put_on_pile,
    seat_at,
    spend_card,
    spend_cards,
    spurn_card,
    take_card,
)
from phaseledger.domain.kernel.play.rounds import ask, go_on, ready_stock

# --- the pawn -----------------------------------------------------------------------------------


def steps(game: Ints, choice: int) -> int:
    """The steps of the first choice (0) or the second (1): the lower die and the higher one or,
    after a double, its value and twice that (B-15, B-16).
    """
    return steps_of(game[DIE], game[OTHER_DIE], choice)


def steps_of(die: int, other: int, choice: int) -> int:
    """As `steps`, of a throw."""
    low = min(die, other)
    high = max(die, other)
    if choice == 0:
        return low
    return high if high > low else 2 * low


def is_occupied(game: Ints, seat: int, space: int) -> bool:
    """Whether a pawn of another seat stands on the space."""
    for other in range(game[SEATS]):
        if other != seat and game[seat_at(other) + PAWN] == space:
            return True
    return False


def space_ahead(rules: Ints, game: Ints, seat: int, count: int) -> int:
    """The free space to which this number of steps leads the seat's pawn (B-17)."""
    space = game[seat_at(seat) + PAWN]
    while count:
        space = (space + 1) % rules[TRACK]
        if not is_occupied(game, seat, space):
            count -= 1
    return space


def space_of(rules: Ints, game: Ints, seat: int, action: int) -> int:
    """The first free space ahead whose action CHOOSE calls so (B-39..B-42); -1 where none is."""
    size = rules[TRACK]
    for ahead in range(1, size + 1):
        space = (game[seat_at(seat) + PAWN] + ahead) % size
        named = rules[TRACK_AT + space]
        if rules[TAKE_BY_TYPE] and ON_TAKE1 <= named <= ON_TAKE3:
            named = ON_TAKE
        if named == action and not is_occupied(game, seat, space):
            return space
    return -1


def _has_choice(rules: Ints, game: Ints, seat: int) -> bool:
    """Whether CHOOSE finds an action."""
    for action in range(ON_CHOOSE):
        if space_of(rules, game, seat, action) >= 0:
            return True
    return False


def _is_supplied(rules: Ints, game: Ints, seat: int, action: int) -> bool:
    """Whether the action finds the cards that it needs: all or, by option, any (O-34)."""
    if action == ON_CHOOSE:
        return _has_choice(rules, game, seat)
    supply = available(rules, game)
    needed = 1
    if action == ON_SWAP:
        if swappable(rules, game, seat) == 0:
            return False
        # A swap adds to the pile before it draws one card more, so its size makes no difference.
        game[PILE] += 1
        supply = available(rules, game)
        game[PILE] -= 1
        needed = 2
    elif action == ON_EVERY:
        needed = game[PLAYERS]
    elif action == ON_SEARCH:
        supply = game[PILE]
    elif action == ON_AGAIN or ON_TAKE1 <= action <= ON_TAKE3:
        supply = max(supply, game[PILE] + game[STOCK])
        needed = _draws(action)
    if rules[ALL_OR_NONE]:
        return supply >= needed
    return supply > 0 or ON_ASK <= action <= ON_SWAP


def _draws(action: int) -> int:
    """The number of cards that the action takes."""
    return 1 if action == ON_AGAIN else action - ON_TAKE1 + 1


def _land(rules: Ints, game: Ints, chance: Ints, seat: int, space: int) -> None:
    """Move the pawn, and carry out or begin the action of its new space (B-17..B-19)."""
    action = rules[TRACK_AT + space]
    is_supplied = _is_supplied(rules, game, seat, action)
    game[seat_at(seat) + PAWN] = space
    game[ACTION] = action
    ask(game, ASK_PLAY, seat, 0)
    if not is_supplied:
        return
    if action == ON_JOKER:
        _draw_joker(rules, game, chance, seat)
    elif action == ON_EVERY:
        _draw_all(rules, game, chance, seat)
    elif action == ON_SEARCH:
        ask(game, ASK_SEARCH, seat, 0)
    elif action == ON_SWAP:
        ask(game, ASK_SWAP, seat, 0)
    elif action == ON_ASK:
        ask(game, ASK_VALUE, seat, 0)
    elif action == ON_CHOOSE:
        ask(game, ASK_CHOOSE, seat, 0)
    else:
        ask(game, ASK_DRAW, seat, _draws(action))


# --- cards from the stock -----------------------------------------------------------------------


def draw_card(rules: Ints, game: Ints, chance: Ints, seat: int) -> bool:
    """Draw the stock's top card for the seat; whether there is one."""
    if not ready_stock(rules, game, chance):
        return False
    at = seat_at(seat)
    if game[PILE]:
        spurn_card(game, at, game[PILE_AT + game[PILE] - 1])
    card = pop_stock(game)
    take_card(game, at, card)
    game[PASSES] = 0
    return True


def _draw_joker(rules: Ints, game: Ints, chance: Ints, seat: int) -> None:
    """Draw the stock's top card as a joker (B-29)."""
    if ready_stock(rules, game, chance):
        card = TURNED + pop_stock(game)
        take_card(game, seat_at(seat), card)
        game[PASSES] = 0


def _draw_all(rules: Ints, game: Ints, chance: Ints, seat: int) -> None:
    """Draw a card for each seat, from this one on, as long as there are cards (B-31)."""
    seats = game[SEATS]
    for ahead in range(seats):
        if not draw_card(rules, game, chance, (seat + ahead) % seats):
            return


# --- answers ------------------------------------------------------------------------------------


def answer(rules: Ints, game: Ints, chance: Ints, moves: Ints, move: int) -> None:
    """Play an answer to a question of the ring, or cards kept for the next round."""
    kind = moves[move]
    seat = game[ASKED]
    if kind == MOVE_PAWN:
        _land(rules, game, chance, seat, space_ahead(rules, game, seat, moves[move + 1]))
    elif kind == CHOOSE:
        _land(rules, game, chance, seat, space_of(rules, game, seat, moves[move + 1]))
    elif kind == SEARCH:
        _take_out(game, moves[move + 1])
    elif kind == SWAP:
        _swap(rules, game, chance, moves, move)
    elif kind == ASK_FOR:
        _ask_for(rules, game, chance, moves[move + 1], moves[move + 2])
    elif kind == GIVE:
        _hand_over(rules, game, chance, seat, moves[move + 1])
    else:
        _keep(rules, game, chance, moves, move)


def _take_out(game: Ints, card: int) -> None:
    """SEARCH: take the topmost such card out of the pile (B-23, B-24)."""
    place = PILE_AT + game[PILE] - 1
    while game[place] != card:
        place -= 1
    game[PILE] -= 1
    for i in range(place, PILE_AT + game[PILE]):
        game[i] = game[i + 1]
    note_taken(game, card)
    take_card(game, seat_at(game[ACTIVE]), card)
    game[PASSES] = 0
    ask(game, ASK_PLAY, game[ACTIVE], 0)


def swappable(rules: Ints, game: Ints, seat: int) -> int:
    """The number of cards that the seat may put on the pile."""
    at = seat_at(seat)
    count = 0
    for i in range(game[at + HAND]):
        if rules[JOKER_DISCARD] != 0 or game[at + HAND_AT + i] < TURNED:
            count += 1
    return count


def _swap(rules: Ints, game: Ints, chance: Ints, moves: Ints, move: int) -> None:
    """SWAP: discard cards, then draw one more (B-25, B-26)."""
    seat = game[ACTIVE]
    at = seat_at(seat)
    count = moves[move + 1]
    for i in range(move + CHOSEN_AT, move + CHOSEN_AT + count):
        card = card_named(game, at, moves[i])
        put_on_pile(game, card % CODES)
    spend_cards(game, at, moves, move + CHOSEN_AT, count)
    game[PASSES] = 0
    ask(game, ASK_PLAY, seat, 0)
    for _ in range(count + 1):
        if not draw_card(rules, game, chance, seat):
            return


def _ask_for(rules: Ints, game: Ints, chance: Ints, value: int, direction: int) -> None:
    """ASK: the first seat that holds the value has to give a card (B-32..B-37)."""
    seat = game[ACTIVE]
    seats = game[SEATS]
    ask(game, ASK_PLAY, seat, 0)
    for ahead in range(1, seats):
        giver = (seat + (seats - ahead if direction else ahead)) % seats
        name = _matching(game, giver, value)
        if name and name < OWN and rules[GIVER_CHOOSES]:
            ask(game, ASK_GIVE, giver, value)
            return
        if name:
            _hand_over(rules, game, chance, giver, name)
            return
    draw_card(rules, game, chance, seat)


def _matching(game: Ints, seat: int, value: int) -> int:
    """The first card of the value in hand or else the first such joker, by its owner's name; 0
    where there is none.
    """
    at = seat_at(seat)
    joker = 0
    for i in range(game[at + HAND]):
        card = game[at + HAND_AT + i]
        if card & 15 == value:
            if card < TURNED:
                return card
            if joker == 0:
                joker = name_at(game, at, i)
    return joker


def _hand_over(rules: Ints, game: Ints, chance: Ints, giver: int, name: int) -> None:
    """Give the asker the card, and the giver one from the stock (B-34, B-38)."""
    card = card_named(game, seat_at(giver), name)
    spend_card(game, seat_at(giver), name)
    take_card(game, seat_at(game[ACTIVE]), card % CODES)
    game[PASSES] = 0
    ask(game, ASK_PLAY, game[ACTIVE], 0)
    draw_card(rules, game, chance, giver)


def _keep(rules: Ints, game: Ints, chance: Ints, moves: Ints, move: int) -> None:
    """Keep the cards for the next round, and ask the next seat or deal (B-72, B-83)."""
    at = seat_at(game[ASKED])
    for i in range(moves[move + 1]):
        game[at + KEPT_AT + i] = card_named(game, at, moves[move + CHOSEN_AT + i])
    game[at + KEPT] = 1 + moves[move + 1]
    go_on(rules, game, chance)
