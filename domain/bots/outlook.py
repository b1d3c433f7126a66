"""An estimate of the turns between a hand and its phase, by which the expert draws and discards."""

from bisect import insort
from collections.abc import Iterable
from functools import reduce
from math import sqrt
from operator import add

from phaseledger.domain.cards import is_wild
from phaseledger.domain.groups.plans import CLASS_COUNT, CLASSES, Plan, class_counts, plans
from phaseledger.domain.ruleset import Need


class UnseenCards:
    """Counts of the cards that may still come: of each class, of wilds, and of all."""

    __slots__ = ("cards", "live", "wilds")

    def __init__(self, live: list[int], wilds: int, cards: int) -> None:
        self.live = live
        self.wilds = wilds
        self.cards = cards


_OFFERED = 0.7
"""The natural cards that the discard pile brings for each one that the stock brings."""
_NEVER = 20.0
"""The turns to wait for a card that has hardly any copies left."""


Shortage = tuple[tuple[tuple[int, int], ...], int]
"""The cards that a plan lacks: for each class in short, sorted, the cards that may still come and
the number missing; then the number of cards to draw. Equal shortages are equally far away.
"""


def shortage(plan: Plan, have: list[int], wilds: int, live: list[int]) -> Shortage:
    """The shortage of the plan; the wilds in hand fill the rarest classes."""
    short = []
    missing = bare = 0
    for card_class, wanted in plan.wanted:
        in_hand = have[card_class]
        if in_hand < wanted:
            short.append((live[card_class], wanted - in_hand))
            missing += wanted - in_hand
            if not in_hand and wanted > 1:
                bare += 1
    short.sort()
    # Every set needs a natural of its own, however many wilds there are.
    return tuple(short), max(missing - wilds, bare)


def turns(lacking: Shortage, unseen: UnseenCards) -> float:
    """An estimate of the turns until a shortage is filled.

    Estimate: the likeliest card always comes next.
    """
    short, draws = list(lacking[0]), lacking[1]
    outs, wilds, cards = sum([live for live, _ in short]), unseen.wilds, unseen.cards
    waited = 0.0
    for _ in range(draws):
        chance = ((1 + _OFFERED) * outs + wilds) / cards
        waited += 1 / chance if chance > 1 / _NEVER else _NEVER
        live, number = short.pop()  # the likeliest: they stay sorted
        if number == 1:
            outs -= live
        elif live:
            outs -= 1
            insort(short, (live - 1, number - 1))
        else:
            insort(short, (0, number - 1))
    return waited


# Likelihoods of others' plans: powers of two, so that every machine rounds alike.
_TAKEN = 8.0
"""The factor of a plan's likelihood for each of its cards that the seat took."""
_SPURNED = 0.25
"""The factor for each card that the seat spurned of a class of which the plan takes several."""
_AGAIN = 0.125
"""The factor of the wish for one more card of a class, for each that the seat spurned."""
_LACKED = 0.5
"""The probability that a seat lacks a card of which its plan takes only one."""


def wishes(
    needs: tuple[Need, ...],
    taken: bytes,
    spurned: bytes,
    live: list[int],
    *,
    wrap: bool,
    suits: bool,
) -> list[float]:
    """The likelihood, for each class, that a seat on this phase takes a card of the class, by the
    cards that the seat took and spurned before.
    """
    taken_counts, spurned_counts = class_counts(taken, suits), class_counts(spurned, suits)
    single_weights = [_TAKEN**number for number in taken_counts]
    # A seat that has a card of a run spurns its copies too, which tells nothing of the plan.
    several_weights = [
        single_weights[i] * _SPURNED ** spurned_counts[i] * (1 + live[i])
        for i in range(CLASS_COUNT)
    ]
    shares, total = [0.0] * CLASS_COUNT, 0.0
    for plan in plans(needs, wrap=wrap, suits=suits):
        weight = 1.0
        for card_class, number in plan.wanted:
            weight *= several_weights[card_class] if number > 1 else single_weights[card_class]
        total += weight
        for card_class, number in plan.wanted:
            if taken_counts[card_class] < number:
                shares[card_class] += weight if number > 1 else weight * _LACKED
    return [
        share / total * _AGAIN ** spurned_counts[card_class]
        for card_class, share in enumerate(shares)
    ]


_SLACK = 1
"""Cards that a plan may miss beyond the best plan and still be compared."""
_EDGE = 4.0
"""Turns added to every plan's, so that a plan nearly filled does not outweigh all others."""


def _weight(waited: float) -> float:
    """The weight of a plan, 1 at most: the nearest plan has nearly all of it.

    Only operations that every machine rounds alike, so that a game is the same everywhere.
    """
    weight = _EDGE / (_EDGE + waited)
    for _ in range(4):
        weight *= weight
    return weight


def _together(weights: float) -> float:
    """Turns until one of the plans is filled, by the sum of their weights."""
    for _ in range(4):
        weights = sqrt(weights)
    return _EDGE / weights - _EDGE


class Outlook:
    """The plans worth following from a hand, each with its weight by the turns that it takes."""

    __slots__ = (
        *("_have", "_plans", "_rated", "_suits", "_total", "_unseen", "_wanting", "_weighed"),
        *("_weights", "_wilds", "best"),
    )

    def __init__(
        self,
        have: list[int],
        wilds: int,
        unseen: UnseenCards,
        candidates: list[Plan],
        *,
        suits: bool,
    ) -> None:
        self._have = have
        self._wilds = wilds
        self._unseen = unseen
        self._plans = candidates
        self._suits = suits
        waits: dict[Shortage, float] = {}
        waited = []
        wanting: dict[int, list[tuple[int, int]]] = {}
        for place, plan in enumerate(candidates):
            lacking = shortage(plan, have, wilds, unseen.live)
            if lacking not in waits:
                waits[lacking] = turns(lacking, unseen)
            waited.append(waits[lacking])
            for card_class, wanted in plan.wanted:
                wanting.setdefault(card_class, []).append((place, wanted))
        self._weights = [_weight(turn_count) for turn_count in waited]
        self._total = _sum(self._weights)
        self.best = candidates[waited.index(min(waited))]
        """The plan that is nearest."""
        self._wanting = wanting
        """For each class that some plan wants: the places of these plans, how many cards."""
        self._weighed = {lacking: _weight(turn_count) for lacking, turn_count in waits.items()}
        """The weights computed by now: equal shortages weigh the same."""
        self._rated: dict[tuple[tuple[int, ...], int], float] = {}
        """The worths computed by now: cards of the same touched classes are worth the same."""

    def nearer(self, card: int) -> float:
        """Turns that the card would save in hand."""
        return -self._further(card, 1)

    def further(self, card: int) -> float:
        """Turns that the card would save if it were in hand."""
        return self._further(card, -1)

    def _further(self, card: int, change: int) -> float:
        """The change in turns of all plans together with one card more or less."""
        classes = tuple([n for n in CLASSES[self._suits][card] if n in self._wanting])
        if (classes, change) not in self._rated:
            self._rated[classes, change] = self._rate(classes, change)
        return self._rated[classes, change]

    def _rate(self, classes: tuple[int, ...], change: int) -> float:
        have, weights = self._have.copy(), self._weights.copy()
        for card_class in classes:
            have[card_class] += change
        for card_class in classes:
            fewer = min(self._have[card_class], have[card_class])
            for place, wanted in self._wanting[card_class]:
                if fewer < wanted:
                    weights[place] = self._weigh(self._plans[place], have)
        return _together(_sum(weights)) - _together(self._total)

    def _weigh(self, plan: Plan, have: list[int]) -> float:
        lacking = shortage(plan, have, self._wilds, self._unseen.live)
        weight = self._weighed.get(lacking)
        if weight is None:
            weight = self._weighed[lacking] = _weight(turns(lacking, self._unseen))
        return weight


def _sum(weights: list[float]) -> float:
    """The sum, added from first to last: `sum` rounds otherwise from Python 3.12 on."""
    return reduce(add, weights, 0.0)


def outlook(hand: bytes, aims: Iterable[Plan], unseen: UnseenCards, *, suits: bool) -> Outlook:
    """The plans nearest to the hand, out of ``aims``."""
    have, wilds = class_counts(hand, suits), sum(map(is_wild, hand))
    candidates = []
    for plan in aims:
        missing = 0
        for card_class, wanted in plan.wanted:
            if have[card_class] < wanted:
                missing += wanted - have[card_class]
        candidates.append((missing, plan))
    limit = min([missing for missing, _ in candidates]) + _SLACK
    nearest = [plan for missing, plan in candidates if missing <= limit]
    return Outlook(have, wilds, unseen, nearest, suits=suits)
