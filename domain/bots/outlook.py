"""How far a hand is from its phase, in turns: by this the expert takes, keeps and discards.

A plan is one way to fill every group of a phase: how many cards it takes of which class. A class
is what makes cards as good as one another there: a rank, a colour, a parity, or one rank of one
colour. Where groups of one phase share cards by different classes (a colour group beside a set,
which no released game asks for), such a card is counted for both.
"""

from collections.abc import Iterable
from functools import cache
from math import sqrt

from msgspec import Struct

from phaseledger.domain.cards import is_wild
from phaseledger.domain.melds import FORMS, PARITIES, TOP, traits, value_count
from phaseledger.domain.ruleset import Need
from phaseledger.domain.state import Group

_FIRST = {"rank": 0, "colour": TOP, "parity": TOP + 4}
"""The class before the first of an alike group; the class of one card alone is 64 + its code."""
_CLASSES = 128


def _classes(card: int, suits: bool) -> tuple[int, ...]:
    if is_wild(card) or not 1 <= card & 15 <= TOP:
        return ()
    alike = (before + traits(alike, suits)[card] for alike, before in _FIRST.items())
    return (*alike, 64 + card)


CLASSES = {suits: tuple(_classes(card, suits) for card in range(256)) for suits in (True, False)}
"""With and without `color_is_suit` (O-17), for every card its classes; none for a wild, a joker, a
skip or an unseen card."""


def class_counts(cards: Iterable[int], suits: bool) -> list[int]:
    """How many of the cards are in each class."""
    counts, classes = [0] * _CLASSES, CLASSES[suits]
    for card in cards:
        for each in classes[card]:
            counts[each] += 1
    return counts


class Plan(Struct, frozen=True, gc=False):
    """Wanted numbers by class, and the groups that they make (without their cards)."""

    wanted: tuple[tuple[int, int], ...]
    groups: tuple[Group, ...]


def _fillings(need: Need, *, wrap: bool, suits: bool) -> list[Plan]:
    """Every group that meets the need."""
    form = FORMS[need.kind]
    if form.alike:
        most = value_count(form.alike, suits)
        values = [PARITIES.index(need.parity)] if need.parity else range(1, most + 1)
        return [
            Plan(((_FIRST[form.alike] + value, need.size),), (Group(0, need, b"", value, value),))
            for value in values
        ]
    span = (need.size - 1) * form.step
    lows = range(2 if need.parity == "even" else 1, TOP + 1 if wrap else TOP + 1 - span)
    found = []
    for colour in range(4) if form.one_colour else (-1,):
        start = 64 + (colour << 4) if form.one_colour else 0
        # A ladder of one colour shows it by a card, as `extend` reads it.
        shown = bytes((colour << 4 | 1,)) if form.one_colour else b""
        for low in lows[:: 2 if need.parity else 1]:
            ranks = [(low + i * form.step - 1) % TOP + 1 for i in range(need.size)]
            group = Group(0, need, shown, low, low + span)
            found.append(Plan(tuple((start + rank, form.copies) for rank in ranks), (group,)))
    return found


@cache
def plans(needs: tuple[Need, ...], *, wrap: bool, suits: bool) -> tuple[Plan, ...]:
    """Every way to fill the needs; of those that want the same cards only one."""
    found: dict[tuple[tuple[int, int], ...], Plan] = {(): Plan((), ())}
    for need in needs:
        more: dict[tuple[tuple[int, int], ...], Plan] = {}
        for plan in found.values():
            for filling in _fillings(need, wrap=wrap, suits=suits):
                sums = dict(plan.wanted)
                for each, number in filling.wanted:
                    sums[each] = sums.get(each, 0) + number
                wanted = tuple(sorted(sums.items()))
                more[wanted] = Plan(wanted, plan.groups + filling.groups)
        found = more
    return tuple(found.values())


class UnseenCards(Struct, frozen=True, gc=False):
    """The cards that may still come: how many of each class, wild ones, all."""

    live: list[int]
    wilds: int
    cards: int


_OFFERED = 0.7
"""How often a natural comes by the discard pile, to one time that it comes from the stock."""
_NEVER = 20.0
"""Turns to wait for a card that has hardly any copies left."""


def turns(plan: Plan, have: list[int], wilds: int, unseen: UnseenCards) -> float:
    """About how many turns it takes to fill the plan.

    It is as if the likeliest card always came next; the wilds in hand fill what is rarest.
    """
    short = []
    missing = bare = outs = 0
    for each, wanted in plan.wanted:
        held = have[each]
        if held < wanted:
            live = unseen.live[each]
            short.append((live, wanted - held))
            missing += wanted - held
            outs += live
            if not held and wanted > 1:
                bare += 1
    waited = 0.0
    # Every set needs a natural of its own, however many wilds there are.
    for _ in range(max(missing - wilds, bare)):
        chance = ((1 + _OFFERED) * outs + unseen.wilds) / unseen.cards
        waited += min(1 / chance, _NEVER) if chance else _NEVER
        short.sort()
        live, number = short.pop()
        outs -= live
        if number > 1:
            live = max(live - 1, 0)
            outs += live
            short.append((live, number - 1))
    return waited


# How others' plans show. Powers of two, so that every machine rounds alike.
_TAKEN = 8.0
"""How many times likelier a plan is by each card of it that the seat took."""
_SPURNED = 0.25
"""The same by each card that the seat spurned of a class of which the plan takes several."""
_AGAIN = 0.125
"""The same of the wish for one more card of a class, by each that the seat spurned."""
_LACKED = 0.5
"""How often a seat lacks the card that its plan has but one of."""


def wishes(
    needs: tuple[Need, ...],
    taken: bytes,
    spurned: bytes,
    live: list[int],
    *,
    wrap: bool,
    suits: bool,
) -> list[float]:
    """For each class how likely a seat on such a phase is to take a card of it, by what it took
    and what it spurned before.
    """
    took, left = class_counts(taken, suits), class_counts(spurned, suits)
    likely = [_TAKEN**number for number in took]
    # A card of a run is spurned as well by who has it, and so tells nothing of the plan.
    many = [likely[i] * _SPURNED ** left[i] * (1 + live[i]) for i in range(_CLASSES)]
    shares, whole = [0.0] * _CLASSES, 0.0
    for plan in plans(needs, wrap=wrap, suits=suits):
        weight = 1.0
        for each, number in plan.wanted:
            weight *= many[each] if number > 1 else likely[each]
        whole += weight
        for each, number in plan.wanted:
            if took[each] < number:
                shares[each] += weight if number > 1 else weight * _LACKED
    return [share / whole * _AGAIN ** left[each] for each, share in enumerate(shares)]


_SLACK = 1
"""Plans that miss so many cards more than the best are looked at too."""
_EDGE = 4.0
"""Turns added to every plan's, so that a plan nearly filled does not outweigh all others."""


def _weight(waited: float) -> float:
    """How much a plan counts, 1 at most: the nearest counts for nearly all.

    Only operations that every machine rounds alike, so that none changes a game.
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


class Outlook(Struct, frozen=True, gc=False):
    """The plans worth following from a hand, with the turns that each takes."""

    have: list[int]
    wilds: int
    unseen: UnseenCards
    plans: list[tuple[float, Plan]]
    suits: bool

    @property
    def best(self) -> Plan:
        """The plan that is nearest."""
        return min(self.plans, key=lambda each: each[0])[1]

    def nearer(self, card: int) -> float:
        """Turns that the card would save in hand."""
        return -self._further(card, 1)

    def further(self, card: int) -> float:
        """Turns that it costs to part with the card."""
        return self._further(card, -1)

    def _further(self, card: int, change: int) -> float:
        """How many turns further all plans together are with one card more or less."""
        after, classes = self.have.copy(), CLASSES[self.suits][card]
        for each in classes:
            after[each] += change
        touched = frozenset(classes)
        old = new = 0.0
        for waited, plan in self.plans:
            weight = _weight(waited)
            old += weight
            for each, wanted in plan.wanted:
                if each in touched and min(self.have[each], after[each]) < wanted:
                    weight = _weight(turns(plan, after, self.wilds, self.unseen))
                    break
            new += weight
        return _together(new) - _together(old)


def outlook(hand: bytes, aims: Iterable[Plan], unseen: UnseenCards, *, suits: bool) -> Outlook:
    """What the hand may hope for, of the plans aimed at."""
    have, wilds = class_counts(hand, suits), sum(map(is_wild, hand))
    rated = []
    for plan in aims:
        missing = sum([number - have[each] for each, number in plan.wanted if number > have[each]])
        rated.append((missing, plan))
    most = min([missing for missing, _ in rated]) + _SLACK
    near = [(turns(plan, have, wilds, unseen), plan) for missing, plan in rated if missing <= most]
    return Outlook(have, wilds, unseen, near, suits)
