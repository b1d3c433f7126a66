"""Worlds: games as they may be, by what one seat can know (`rollouts.worlds`)."""

from phaseledger.domain.kernel.chance import shuffle
from phaseledger.domain.kernel.layout import (
    HAND,
    HAND_AT,
    OPEN,
    OPEN_AT,
    SEATS,
    STOCK,
    STOCK_AT,
    Ints,
)
from phaseledger.domain.kernel.rules import seat_at


def draw_world(game: Ints, chance: Ints, viewer: int, work: Ints) -> None:
    """Deal the cards that the seat ``viewer`` does not know anew among the places where they lie:
    the stock, and the hands of the others but for what they openly took, which comes first there.
    """
    unknown = 0
    for seat in range(game[SEATS]):
        if seat != viewer:
            unknown = _gather_hand(game, seat_at(seat), work, unknown)
    for i in range(game[STOCK]):
        work[unknown + i] = game[STOCK_AT + i]
    unknown += game[STOCK]
    shuffle(chance, work, 0, unknown)
    for seat in range(game[SEATS]):
        if seat != viewer:
            unknown = _fill_hand(game, seat_at(seat), work, unknown)
    for i in range(game[STOCK]):
        game[STOCK_AT + i] = work[i]


def _gather_hand(game: Ints, at: int, work: Ints, unknown: int) -> int:
    """Append the hand of the seat at ``at``, less what it openly took; the new number of cards."""
    for i in range(game[at + HAND]):
        card = game[at + HAND_AT + i]
        held = 0
        for j in range(i + 1):
            if game[at + HAND_AT + j] == card:
                held += 1
        for j in range(game[at + OPEN]):
            if game[at + OPEN_AT + j] == card:
                held -= 1
        if held > 0:
            work[unknown] = card
            unknown += 1
    return unknown


def _fill_hand(game: Ints, at: int, work: Ints, unknown: int) -> int:
    """Fill the hand of the seat at ``at`` from the end of the unknown cards; how many are left."""
    for i in range(game[at + HAND]):
        if i < game[at + OPEN]:
            game[at + HAND_AT + i] = game[at + OPEN_AT + i]
        else:
            unknown -= 1
            game[at + HAND_AT + i] = work[unknown]
    return unknown
