"""The distance of a hand from a phase in cards, and the cards that would bring it nearer."""

from msgspec import Struct

from phaseledger.domain.cards import is_wild
from phaseledger.domain.explain.shortfall import aims_of
from phaseledger.domain.ruleset import Phase, RuleSet

MOST_PLANS = 5_000
"""Ways to fill a phase that are compared; the released games have 1,365 at most."""

_Plan = tuple[tuple[int, int], ...]


class PhaseFillings(Struct, frozen=True):
    """Every way to fill a phase: the number of cards it takes of each slot.

    A slot is a set of cards that can replace one another there: a rank, a colour, one card.
    """

    takers: tuple[tuple[int, ...], ...]
    """For every card the slots that take it."""
    slots: int
    plans: tuple[_Plan, ...]

    def look(self, hand: bytes) -> tuple[int, set[int]]:
        """The fewest cards that the hand lacks (wilds fill any slot), and the slots of which one
        more card would lessen the number.
        """
        counts, wilds = [0] * self.slots, 0
        for card in hand:
            if is_wild(card):
                wilds += 1
            else:
                for slot in self.takers[card]:
                    counts[slot] += 1
        fewest, helpful_slots = 1_000, set[int]()
        for plan in self.plans:
            lacking = 0
            for slot, count in plan:
                if counts[slot] < count:
                    lacking += count - counts[slot]
                    if lacking > fewest:
                        break
            if lacking < fewest:
                fewest, helpful_slots = lacking, set()
            if lacking == fewest:
                helpful_slots.update([slot for slot, count in plan if counts[slot] < count])
        return (fewest - wilds, helpful_slots) if fewest > wilds else (0, set())

    def helps(self, card: int, slots: set[int]) -> bool:
        """Whether the card brings a hand nearer for which these slots are helpful."""
        return bool(slots) and (is_wild(card) or not slots.isdisjoint(self.takers[card]))


def phase_fillings(ruleset: RuleSet, phase: Phase) -> PhaseFillings | None:
    """The ways to fill the phase; None where there are too many."""
    numbers: dict[int, int] = {}
    plans: dict[_Plan, None] = {(): None}
    for need in phase.needs:
        extended: dict[_Plan, None] = {}
        for aim in aims_of(need, ruleset):
            for plan in plans:
                counts = dict(plan)
                for slot in aim:
                    number = numbers.setdefault(slot, len(numbers))
                    counts[number] = counts.get(number, 0) + 1
                extended[tuple(sorted(counts.items()))] = None
        plans = extended
        if len(plans) > MOST_PLANS:
            return None
    takers = tuple(
        tuple(number for slot, number in numbers.items() if slot >> card & 1) for card in range(256)
    )
    return PhaseFillings(takers, len(numbers), tuple(plans))
