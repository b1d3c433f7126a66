"""Worlds: games as they may be, by what one seat can know."""

from typing import Final

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
from phaseledger.domain.kernel.play.chance import shuffle
from phaseledger.domain.kernel.play.piles import seat_at

UNKNOWN_AT: Final = 64
"""In ``work``, behind the number of unknown cards of each code: these cards; 128."""


def draw_world(game: Ints, chance: Ints, viewer: int, work: Ints) -> None:
    """Deal the cards that the seat ``viewer`` does not know anew among the places where they lie:
    the stock, and the hands of the others but for what they openly took, which comes first there.

    The same chance gives the same world, wherever the unknown cards lie now. For games of cards
    alone: it knows no jokers, kept cards or covered piles.
    """
    for card in range(64):
        work[card] = 0
    for i in range(game[STOCK]):
        work[game[STOCK_AT + i]] += 1
    for seat in range(game[SEATS]):
        if seat != viewer:
            _count_hand(game, seat_at(seat), work)
    unknown = UNKNOWN_AT
    for card in range(64):
        for _ in range(work[card]):
            work[unknown] = card
            unknown += 1
    shuffle(chance, work, UNKNOWN_AT, unknown - UNKNOWN_AT)
    for seat in range(game[SEATS]):
        if seat != viewer:
            unknown = _fill_hand(game, seat_at(seat), work, unknown)
    for i in range(game[STOCK]):
        game[STOCK_AT + i] = work[UNKNOWN_AT + i]


def _count_hand(game: Ints, at: int, work: Ints) -> None:
    """Count the cards in hand of the seat at ``at``, less what it openly took."""
    for i in range(game[at + HAND]):
        work[game[at + HAND_AT + i]] += 1
    for i in range(game[at + OPEN]):
        work[game[at + OPEN_AT + i]] -= 1


def _fill_hand(game: Ints, at: int, work: Ints, unknown: int) -> int:
    """Fill the hand of the seat at ``at`` from the end of the unknown cards, which is returned."""
    for i in range(game[at + HAND]):
        if i < game[at + OPEN]:
            game[at + HAND_AT + i] = game[at + OPEN_AT + i]
        else:
            unknown -= 1
            game[at + HAND_AT + i] = work[unknown]
    return unknown
