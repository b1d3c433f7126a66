"""What the actions of the ring are worth to a hand, by its prospects."""

from typing import Final

from phaseledger.domain.kernel.layout import (
    CODES,
    HAND,
    HAND_AT,
    LAID,
    MOST_SWAPPED,
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
    PAWN,
    PILE,
    PILE_AT,
    SEATS,
    TOP,
    TRACK,
    TRACK_AT,
    TURNED,
    Floats,
    Ints,
)
from phaseledger.domain.kernel.play.piles import bit_count, seat_at
from phaseledger.domain.kernel.play.ring import is_occupied
from phaseledger.domain.kernel.policies.collect import HELD
from phaseledger.domain.kernel.policies.prospects import (
    BURDEN,
    CARDS_HIDDEN,
    GAIN,
    HIDDEN_AT,
    JOKERS,
    SPARE,
    drawn,
    is_wanted,
)

WORTH_AT: Final = 2
"""In ``weights``: the worth of each action, by its number."""
GIFT: Final = 0.3
"""The worth of a card from the stock to another seat that has still to lay its phase."""
GIFT_TO_HIT: Final = -0.5
"""The same, once it has laid."""


def weigh_actions(rules: Ints, game: Ints, seat: int, work: Ints, weights: Floats) -> None:
    """Write the worth of each action; CHOOSE is worth the best one on a free space ahead."""
    chance: float = _hidden_share(work)
    top: float = 0.0
    if game[PILE] and is_wanted(work, game[PILE_AT + game[PILE] - 1]):
        top = 1.0
    card: float = drawn(work, weights, 1, chance)
    take: float = max(card, drawn(work, weights, 1, top))
    weights[WORTH_AT + ON_JOKER] = weights[GAIN]
    weights[WORTH_AT + ON_TAKE1] = take
    weights[WORTH_AT + ON_TAKE1 + 1] = take + card
    weights[WORTH_AT + ON_TAKE3] = take + drawn(work, weights, 2, chance)
    in_pile: float = 1.0 - pow(1.0 - chance, game[PILE])
    weights[WORTH_AT + ON_SEARCH] = drawn(work, weights, 1, in_pile)
    swaps = _swaps(work)
    # Without a spare card, one that serves the phase has to go.
    swap: float = swaps * weights[BURDEN] if work[SPARE] else -1.0
    weights[WORTH_AT + ON_SWAP] = swap + drawn(work, weights, swaps + 1, chance)
    weights[WORTH_AT + ON_ASK] = _best_ask(rules, game, seat, work, weights)
    weights[WORTH_AT + ON_EVERY] = card - _gifts(game, seat)
    # To play again is to discard once more, and to reach another space.
    weights[WORTH_AT + ON_AGAIN] = take + weights[BURDEN] + _mean_worth(rules, weights)
    _weigh_choices(rules, game, seat, weights)


def _best_ask(rules: Ints, game: Ints, seat: int, work: Ints, weights: Floats) -> float:
    best: float = worth_of_asking(rules, game, seat, 1, 0, work, weights)
    for value in range(1, TOP + 1):
        for direction in range(2):
            best = max(best, worth_of_asking(rules, game, seat, value, direction, work, weights))
    return best


def worth_of_asking(
    rules: Ints, game: Ints, seat: int, value: int, direction: int, work: Ints, weights: Floats
) -> float:
    """The worth of asking for a value: wanted, and probably held by another seat; best where it
    takes away a joker (B-36).
    """
    cards = 0
    wanted = 0
    for colour in range(4):
        card = colour * 16 + value
        cards += work[HIDDEN_AT + card]
        if is_wanted(work, card):
            wanted += work[HIDDEN_AT + card]
    miss: float = 1.0 - cards / max(1, work[CARDS_HIDDEN])
    absent: float = 1.0
    jokers: float = 0.0
    seats = game[SEATS]
    for ahead in range(1, seats):
        at = seat_at((seat + (seats - ahead if direction else ahead)) % seats)
        unknown = 0
        faces = 0
        for i in range(game[at + HAND]):
            card = game[at + HAND_AT + i]
            if card < TURNED:
                unknown += 1
            elif card & 15 == value:
                faces += 1
                if is_wanted(work, card % CODES):
                    wanted += 1
        cards += faces
        lacking: float = pow(miss, unknown)
        if faces:
            jokers += absent * lacking
            absent = 0.0
        else:
            absent *= lacking
    gift: float = drawn(work, weights, 1, _share(wanted, cards))
    stock: float = drawn(work, weights, 1, _hidden_share(work))
    return (1.0 - absent) * gift + absent * stock + jokers / max(1, seats - 1)


def _gifts(game: Ints, seat: int) -> float:
    """The mean worth of a card from the stock to each other seat."""
    total: float = 0.0
    for ahead in range(1, game[SEATS]):
        rival = (seat + ahead) % game[SEATS]
        total += GIFT_TO_HIT if game[seat_at(rival) + LAID] else GIFT
    return total / max(1, game[SEATS] - 1)


def _mean_worth(rules: Ints, weights: Floats) -> float:
    """The mean worth of the spaces, but for those to choose and to play again."""
    total: float = 0.0
    spaces = 0
    for space in range(rules[TRACK]):
        action = rules[TRACK_AT + space]
        if action != ON_AGAIN and action != ON_CHOOSE:
            total += weights[WORTH_AT + action]
            spaces += 1
    return total / max(1, spaces)


def _weigh_choices(rules: Ints, game: Ints, seat: int, weights: Floats) -> None:
    """Write what CHOOSE is worth, and the nearest space to take cards (O-27)."""
    weights[WORTH_AT + ON_TAKE] = 0.0
    nearest = 0
    best: float = 0.0
    choices = 0
    size = rules[TRACK]
    for ahead in range(1, size + 1):
        space = (game[seat_at(seat) + PAWN] + ahead) % size
        action = rules[TRACK_AT + space]
        if action == ON_CHOOSE or is_occupied(game, seat, space):
            continue
        if choices == 0 or weights[WORTH_AT + action] > best:
            best = weights[WORTH_AT + action]
        choices += 1
        if nearest == 0 and ON_TAKE1 <= action <= ON_TAKE3:
            nearest = ahead
            weights[WORTH_AT + ON_TAKE] = weights[WORTH_AT + action]
    weights[WORTH_AT + ON_CHOOSE] = best


def _share(wanted: int, cards: int) -> float:
    """The fraction of the cards that is wanted, 0 to 1."""
    return wanted / max(1, cards)


def _hidden_share(work: Ints) -> float:
    """The fraction of the hidden cards that is wanted."""
    wanted = 0
    for card in range(CODES):
        if work[HIDDEN_AT + card] and is_wanted(work, card):
            wanted += work[HIDDEN_AT + card]
    return _share(wanted, work[CARDS_HIDDEN])


def _swaps(work: Ints) -> int:
    """The number of cards that `_swap` exchanges."""
    return max(min(bit_count(work[SPARE]), MOST_SWAPPED), min(1, work[HELD] + work[JOKERS]))
