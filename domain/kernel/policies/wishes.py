"""What another seat wishes for, by the cards that it took and spurned."""

from typing import Final

from phaseledger.domain.kernel.layout import (
    COVERED,
    FIRST_PLAN,
    OPEN,
    OPEN_AT,
    PLAN,
    PLANS,
    SPURNED,
    SPURNED_AT,
    TOP,
    Floats,
    Ints,
)
from phaseledger.domain.kernel.play.piles import seat_at
from phaseledger.domain.kernel.policies.scratch import (
    AGAIN_AT,
    CARD_CLASS,
    CLASSES,
    HAVE_AT,
    LIKELIHOOD,
    LIVE_AT,
    SEVERAL_AT,
    SINGLE_AT,
    WISH_AT,
)
from phaseledger.domain.kernel.policies.unseen import colour_class, count_classes, parity_class

TAKEN: Final = 8.0
"""The factor of a plan's likelihood for each of its cards that the seat took."""
SPURNED_ONE: Final = 0.25
"""The factor for each card that the seat spurned of a class of which the plan takes several."""
AGAIN: Final = 0.125
"""The factor of the wish for one more card of a class, for each that the seat spurned."""
LACKED: Final = 0.5
"""The probability that a seat lacks a card of which its plan takes only one."""


def wish(rules: Ints, game: Ints, seat: int, row: int, work: Ints, weights: Floats) -> None:
    """Weigh the plans of a seat on the phase at ``row`` by the cards that it took and spurned
    before, for `wished`; after `count_unseen`.
    """
    at = seat_at(seat)
    for card_class in range(CLASSES):
        weights[SINGLE_AT + card_class] = 1.0
        weights[SEVERAL_AT + card_class] = 1.0 + work[LIVE_AT + card_class]
        weights[AGAIN_AT + card_class] = 1.0
        weights[WISH_AT + card_class] = 0.0
        work[HAVE_AT + card_class] = 0
    is_seen = rules[COVERED] == 0
    for i in range(game[at + OPEN] if is_seen else 0):
        _note_taken(rules, work, weights, game[at + OPEN_AT + i])
    for i in range(game[at + SPURNED] if is_seen else 0):
        _note_spurned(rules, weights, game[at + SPURNED_AT + i])
    plan = rules[row + FIRST_PLAN]
    total: float = 0.0
    for _ in range(rules[row + PLANS]):
        last = plan + 1 + 2 * rules[plan]
        weight: float = 1.0
        for i in range(plan + 1, last, 2):
            weight *= weights[(SEVERAL_AT if rules[i + 1] > 1 else SINGLE_AT) + rules[i]]
        total += weight
        for i in range(plan + 1, last, 2):
            if work[HAVE_AT + rules[i]] < rules[i + 1]:
                weights[WISH_AT + rules[i]] += weight if rules[i + 1] > 1 else weight * LACKED
        plan += rules[PLAN]
    weights[LIKELIHOOD] = total


def wished(rules: Ints, weights: Floats, card: int) -> float:
    """The likelihood that the seat of `wish` takes the card for the phase."""
    if card & 15 > TOP:
        return 0.0
    share: float = max(_share(weights, card & 15), _share(weights, colour_class(rules, card)))
    share = max(share, _share(weights, parity_class(card)))
    return max(share, _share(weights, CARD_CLASS + card))


def _share(weights: Floats, card_class: int) -> float:
    """The likelihood that it takes a card of the class."""
    return weights[WISH_AT + card_class] / weights[LIKELIHOOD] * weights[AGAIN_AT + card_class]


def _note_taken(rules: Ints, work: Ints, weights: Floats, card: int) -> None:
    if card & 15 > TOP:
        return
    count_classes(rules, work, HAVE_AT, card, 1)
    _scale(rules, weights, SINGLE_AT, card, TAKEN)
    _scale(rules, weights, SEVERAL_AT, card, TAKEN)


def _note_spurned(rules: Ints, weights: Floats, card: int) -> None:
    if card & 15 > TOP:
        return
    _scale(rules, weights, SEVERAL_AT, card, SPURNED_ONE)
    _scale(rules, weights, AGAIN_AT, card, AGAIN)


def _scale(rules: Ints, weights: Floats, at: int, card: int, factor: float) -> None:
    """Multiply the numbers of the card's classes by a power of two, which every order of factors
    rounds alike.
    """
    weights[at + (card & 15)] *= factor
    weights[at + colour_class(rules, card)] *= factor
    weights[at + parity_class(card)] *= factor
    weights[at + CARD_CLASS + card] *= factor
