"""The answers to the questions of the ring, and the cards that may be kept, as `legal` has them."""

from typing import Final

from phaseledger.domain.kernel.layout import (
    ASK,
    ASK_CHOOSE,
    ASK_FOR,
    ASK_GIVE,
    ASK_MOVE,
    ASK_SEARCH,
    ASK_SWAP,
    ASK_VALUE,
    ASKED,
    CHOOSE,
    CHOSEN_AT,
    GIVE,
    HAND,
    HAND_AT,
    KEEP_CARDS,
    LISTED,
    MOST_SWAPPED,
    MOVE,
    MOVE_PAWN,
    NUMBER,
    ON_CHOOSE,
    PILE,
    PILE_AT,
    SEARCH,
    SWAP,
    TOP,
    TURNED,
    Ints,
)
from phaseledger.domain.kernel.play.piles import is_repeated, name_at, seat_at
from phaseledger.domain.kernel.play.ring import space_of, steps, swappable

SORTED_AT: Final = 0
"""In ``work``: the names of a hand, sorted; MOST_HAND."""
CHOICE_AT: Final = 100
"""The cards of a choice."""


def append_move(moves: Ints, kind: int, first: int, second: int, third: int, fourth: int) -> None:
    """Append a move of at most four numbers."""
    move = 1 + moves[0] * MOVE
    moves[0] += 1
    moves[move] = kind
    moves[move + 1] = first
    moves[move + 2] = second
    moves[move + 3] = third
    moves[move + 4] = fourth


def list_answers(rules: Ints, game: Ints, moves: Ints, work: Ints) -> None:
    """List the answers of the seat that is asked."""
    question = game[ASK]
    if question == ASK_MOVE:
        append_move(moves, MOVE_PAWN, steps(game, 0), 0, 0, 0)
        append_move(moves, MOVE_PAWN, steps(game, 1), 0, 0, 0)
    elif question == ASK_CHOOSE:
        for action in range(ON_CHOOSE):
            if space_of(rules, game, game[ASKED], action) >= 0:
                append_move(moves, CHOOSE, action, 0, 0, 0)
    elif question == ASK_SEARCH:
        _list_pile(game, moves)
    elif question == ASK_VALUE:
        for value in range(1, TOP + 1):
            append_move(moves, ASK_FOR, value, 0, 0, 0)
            append_move(moves, ASK_FOR, value, 1, 0, 0)
    elif question == ASK_GIVE:
        _list_gifts(game, moves)
    else:
        _list_chosen(rules, game, moves, work)


def _list_pile(game: Ints, moves: Ints) -> None:
    """Each card of the pile once, from its top down."""
    for i in range(game[PILE]):
        top = PILE_AT + game[PILE] - 1
        earlier = 0
        while game[top - earlier] != game[top - i]:
            earlier += 1
        if earlier == i:
            append_move(moves, SEARCH, game[top - i], 0, 0, 0)


def _list_gifts(game: Ints, moves: Ints) -> None:
    """The cards of the value that was asked for, in order of arrival; no joker."""
    at = seat_at(game[ASKED])
    for i in range(game[at + HAND]):
        card = game[at + HAND_AT + i]
        if card < TURNED and card & 15 == game[NUMBER] and not is_repeated(game, at, i):
            append_move(moves, GIVE, card, 0, 0, 0)


def _list_chosen(rules: Ints, game: Ints, moves: Ints, work: Ints) -> None:
    """The choices of cards to swap, from one card on, or of the most cards to keep, and of none."""
    seat = game[ASKED]
    held = game[seat_at(seat) + HAND]
    _sort_names(game, seat_at(seat), work)
    if game[ASK] == ASK_SWAP:
        held = swappable(rules, game, seat)  # jokers, the last of the names, where they may go
        for count in range(1, min(MOST_SWAPPED, held) + 1):
            _list_choices(moves, work, SWAP, held, count, 0, 0)
        return
    _list_choices(moves, work, KEEP_CARDS, held, min(game[NUMBER], held), 0, 0)
    append_move(moves, KEEP_CARDS, 0, 0, 0, 0)


def _sort_names(game: Ints, at: int, work: Ints) -> None:
    """Write the cards of the hand at ``at`` by their owner's names, sorted."""
    for i in range(game[at + HAND]):
        name = name_at(game, at, i)
        place = SORTED_AT + i
        while place > SORTED_AT and work[place - 1] > name:
            work[place] = work[place - 1]
            place -= 1
        work[place] = name


def _list_choices(
    moves: Ints, work: Ints, kind: int, held: int, count: int, chosen: int, start: int
) -> None:
    """Append every choice of ``count`` of the first ``held`` sorted names, LISTED moves at most.

    ``chosen`` of them are chosen, the next one from the place ``start`` on.
    """
    if chosen == count:
        move = 1 + moves[0] * MOVE
        append_move(moves, kind, count, 0, 0, 0)
        for i in range(count):
            moves[move + CHOSEN_AT + i] = work[CHOICE_AT + i]
        return
    previous = 0
    for place in range(start, held - (count - chosen) + 1):
        name = work[SORTED_AT + place]
        if moves[0] == LISTED or name == previous:
            continue
        previous = name
        work[CHOICE_AT + chosen] = name
        _list_choices(moves, work, kind, held, count, chosen + 1, place + 1)
