"""Worlds: games as they may be, by what one seat can know."""

from typing import Final

from phaseledger.domain.kernel.layout import (
    CODES,
    COVERED,
    HAND,
    HAND_AT,
    JOKERS_KNOWN,
    KEPT,
    OPEN,
    OPEN_AT,
    PILE_AT,
    SEATS,
    STOCK,
    STOCK_AT,
    TABLE,
    TURNED,
    Ints,
)
from phaseledger.domain.kernel.play.chance import shuffle
from phaseledger.domain.kernel.play.piles import seat_at
from phaseledger.domain.kernel.policies.unseen import first_known

UNKNOWN: Final = 64
"""In ``work``, behind how many unknown cards there are of each code: how many in all."""
UNKNOWN_AT: Final = 65
"""These cards; 128."""


def draw_world(rules: Ints, game: Ints, chance: Ints, viewer: int, work: Ints) -> None:
    """Deal the cards that the seat ``viewer`` does not know anew among the places where they lie:
    the stock, a covered pile, the hands of the others but for what they openly took, which comes
    first there, and the other sides of jokers that lie on the table or are its own. What others
    keep for the next round they choose again.

    The same chance gives the same world, wherever the unknown cards lie now.
    """
    on_table = _count_unknown(rules, game, viewer, work)
    work[UNKNOWN] = 0
    for card in range(CODES):
        for _ in range(work[card]):
            work[UNKNOWN_AT + work[UNKNOWN]] = card
            work[UNKNOWN] += 1
    shuffle(chance, work, UNKNOWN_AT, work[UNKNOWN])
    for seat in range(game[SEATS]):
        _fill_hand(rules, game, seat, viewer, work)
    for i in range(first_known(rules, game)):
        game[PILE_AT + i] = _next(work)
    for _ in range(on_table):
        game[TABLE + TURNED + _next(work)] += 1
    for i in range(game[STOCK]):
        game[STOCK_AT + i] = work[UNKNOWN_AT + i]


def _count_unknown(rules: Ints, game: Ints, viewer: int, work: Ints) -> int:
    """Count the unknown cards of each code, and take those off the table, whose number is
    returned.
    """
    for card in range(CODES):
        work[card] = 0
    for i in range(game[STOCK]):
        _count(work, game[STOCK_AT + i])
    for i in range(first_known(rules, game)):
        _count(work, game[PILE_AT + i])
    for seat in range(game[SEATS]):
        _count_hand(rules, game, seat, viewer, work)
    on_table = 0
    for card in range(CODES):
        work[card] += game[TABLE + TURNED + card]
        on_table += game[TABLE + TURNED + card]
        game[TABLE + TURNED + card] = 0
    return on_table


def _count(work: Ints, card: int) -> None:
    work[card % CODES] += 1


def _next(work: Ints) -> int:
    """The last of the unknown cards, which is taken away."""
    work[UNKNOWN] -= 1
    return work[UNKNOWN_AT + work[UNKNOWN]]


def _taken_openly(rules: Ints, game: Ints, at: int) -> int:
    """How many cards of the hand at ``at`` are known, since they were openly taken."""
    return 0 if rules[COVERED] else game[at + OPEN]


def _is_hidden(rules: Ints, card: int, is_own: bool) -> bool:
    """Whether a card in hand is unknown: others' cards but for jokers, own jokers but by option."""
    if is_own:
        return card >= TURNED and rules[JOKERS_KNOWN] == 0
    return card < TURNED


def _count_hand(rules: Ints, game: Ints, seat: int, viewer: int, work: Ints) -> None:
    """Count the unknown cards of a hand."""
    at = seat_at(seat)
    for i in range(game[at + HAND]):
        if _is_hidden(rules, game[at + HAND_AT + i], seat == viewer):
            _count(work, game[at + HAND_AT + i])
    if seat != viewer:
        for i in range(_taken_openly(rules, game, at)):
            work[game[at + OPEN_AT + i]] -= 1


def _fill_hand(rules: Ints, game: Ints, seat: int, viewer: int, work: Ints) -> None:
    """Fill a hand with unknown cards, where it has such."""
    at = seat_at(seat)
    openly = 0
    if seat != viewer:
        game[at + KEPT] = 0
        openly = _taken_openly(rules, game, at)
    for i in range(game[at + HAND]):
        card = game[at + HAND_AT + i]
        if i < openly:
            game[at + HAND_AT + i] = game[at + OPEN_AT + i]
        elif _is_hidden(rules, card, seat == viewer):
            turned = TURNED if card >= TURNED else 0
            game[at + HAND_AT + i] = turned + _next(work)
