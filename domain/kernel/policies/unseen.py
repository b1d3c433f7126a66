"""Cards by class, and the cards that a seat has not seen."""

from phaseledger.domain.kernel.layout import (
    ASK,
    ASK_SEARCH,
    COVERED,
    DECK_AT,
    HAND,
    HAND_AT,
    PILE,
    PILE_AT,
    SUITS,
    TABLE,
    TOP,
    TURNED,
    Ints,
)
from phaseledger.domain.kernel.play.piles import seat_at
from phaseledger.domain.kernel.policies.scratch import (
    CARD_CLASS,
    CARDS_UNSEEN,
    CLASSES,
    LIVE_AT,
    UNSEEN_AT,
)


def colour_class(rules: Ints, card: int) -> int:
    """The class of the natural's colour."""
    return TOP + 1 + (card >> 4 if rules[SUITS] else card >> 4 & 1)


def parity_class(card: int) -> int:
    """The class of the natural's parity."""
    return TOP + 6 - (card & 1)


def count_classes(rules: Ints, work: Ints, at: int, card: int, number: int) -> None:
    """Add ``number`` copies of a card to the counts of classes at ``at``."""
    if card & 15 <= TOP:
        work[at + (card & 15)] += number
        work[at + colour_class(rules, card)] += number
        work[at + parity_class(card)] += number
        work[at + CARD_CLASS + card] += number


def first_known(rules: Ints, game: Ints) -> int:
    """The number, from the pile's bottom, of the first card that the asked seat knows: a covered
    pile is seen by a seat that searches it.
    """
    return max(game[PILE] - 1, 0) if rules[COVERED] and game[ASK] != ASK_SEARCH else 0


def count_unseen(rules: Ints, game: Ints, seat: int, work: Ints) -> None:
    """Count the cards that the seat has not seen."""
    for card in range(64):
        work[UNSEEN_AT + card] = rules[DECK_AT + card] - game[TABLE + card]
    at = seat_at(seat) + HAND_AT
    for i in range(at, at + game[seat_at(seat) + HAND]):
        if game[i] < TURNED:
            work[UNSEEN_AT + game[i]] -= 1
    for i in range(PILE_AT + first_known(rules, game), PILE_AT + game[PILE]):
        work[UNSEEN_AT + game[i]] -= 1
    for card_class in range(CLASSES):
        work[LIVE_AT + card_class] = 0
    cards = 0
    for card in range(64):
        number = work[UNSEEN_AT + card]
        if number > 0:
            cards += number
            count_classes(rules, work, LIVE_AT, card, number)
    work[CARDS_UNSEEN] = max(cards, 1)
