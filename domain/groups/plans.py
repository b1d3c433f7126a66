"""Plans: the ways to fill the groups of a phase, as numbers of cards of each class.

A class holds the cards that can replace one another in a plan: a rank, a colour, a parity, or one
rank of one colour. Where groups of one phase share cards by different classes (a colour group
beside a set, which no released game asks for), a shared card counts for both.
"""

from functools import lru_cache

from phaseledger.domain.groups.forms import FORMS
from phaseledger.domain.groups.melds import PARITIES, TOP, value_count
from phaseledger.domain.groups.work import MOST_WORK
from phaseledger.domain.ruleset import Need
from phaseledger.domain.state import Group

_FIRST = {"rank": 0, "colour": TOP, "parity": TOP + 4}
"""The class before the first of an alike group; the class of one card alone is 64 + its code."""


class Plan:
    """The number of cards wanted of each class, and the groups that they make (without cards)."""

    __slots__ = ("groups", "wanted")

    def __init__(self, wanted: tuple[tuple[int, int], ...], groups: tuple[Group, ...]) -> None:
        self.wanted = wanted
        self.groups = groups


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
    fillings = []
    for colour in range(4) if form.one_colour else (-1,):
        start = 64 + (colour << 4) if form.one_colour else 0
        # A ladder of one colour shows it by a card, as `extend` reads it.
        colour_card = bytes((colour << 4 | 1,)) if form.one_colour else b""
        for low in lows[:: 2 if need.parity else 1]:
            ranks = [(low + i * form.step - 1) % TOP + 1 for i in range(need.size)]
            group = Group(0, need, colour_card, low, low + span)
            fillings.append(Plan(tuple((start + rank, form.copies) for rank in ranks), (group,)))
    return fillings


@lru_cache(64)
def plans(needs: tuple[Need, ...], *, wrap: bool, suits: bool) -> tuple[Plan, ...]:
    """Every way to fill the needs; of plans that want the same cards only one.

    Phases with hundreds of thousands of plans, which no new table can have, get a part of them.
    """
    combined: dict[tuple[tuple[int, int], ...], Plan] = {(): Plan((), ())}
    for need in needs:
        extended: dict[tuple[tuple[int, int], ...], Plan] = {}
        for plan in combined.values():
            for filling in _fillings(need, wrap=wrap, suits=suits):
                sums = dict(plan.wanted)
                for card_class, number in filling.wanted:
                    sums[card_class] = sums.get(card_class, 0) + number
                wanted = tuple(sorted(sums.items()))
                extended[wanted] = Plan(wanted, plan.groups + filling.groups)
            if len(extended) > MOST_WORK:
                break
        combined = extended
    return tuple(combined.values())
