"""Exact odds of the phases, checked with random hands that the rules' own finder lays."""

import hashlib
from collections.abc import Iterable, Iterator, Sequence

from msgspec import Struct
from msgspec.structs import replace

from phaseledger.domain import deal
from phaseledger.domain.explain.wording import needs_words
from phaseledger.domain.groups.lays import lays
from phaseledger.domain.resolve import phase_text
from phaseledger.domain.ruleset import Need, Phase, RuleSet
from phaseledger.replay.laboratory.analysis.odds import TooMany, odds
from phaseledger.replay.laboratory.intervals import wilson


class Sample(Struct, frozen=True):
    """A sample: ``made`` of ``hands`` held the phase; the chance's 95 % interval (Wilson's)."""

    hands: int
    made: int
    share: float
    low: float
    high: float


class PhaseOdds(Struct, frozen=True, omit_defaults=True):
    """A phase's chance in a dealt hand. Whole numbers are text: they are larger than JSON's."""

    number: int
    rule: str
    text: str
    words: str
    makes: str = ""
    """The number of the ``hands`` different hands that hold the phase."""
    hands: str = ""
    chance: float | None = None
    uncounted: str = ""
    """The reason why the hands were not counted; empty if they were."""
    checked: Sample | None = None


def sampled_hand(ruleset: RuleSet, seed: str, index: int) -> bytes:
    """The hand of that index of a run: the same for the same seed."""
    key = hashlib.sha256(f"p10-odds/v1\n{seed}".encode()).digest()
    return deal.shuffled(key, index, 0, ruleset.deck.cards())[: ruleset.hand]


def holds(hand: bytes, needs: tuple[Need, ...], ruleset: RuleSet) -> bool:
    """Whether the phase can be laid from the hand, as the game itself finds it."""
    return next(lays(hand, needs, ruleset), None) is not None


def sample(made: int, hands: int) -> Sample:
    """The sample with its share and interval."""
    low, high = wilson(made, hands)
    return Sample(hands=hands, made=made, share=made / hands if hands else 0.0, low=low, high=high)


def drawn_phases(
    ruleset: RuleSet, phases: Sequence[tuple[Need, ...]], seed: str, count: int
) -> Iterator[list[bool]]:
    """For each of ``count`` random hands, the phases that it holds."""
    for index in range(1, count + 1):
        hand = sampled_hand(ruleset, seed, index)
        yield [holds(hand, needs, ruleset) for needs in phases]


def exact_odds(ruleset: RuleSet, numbered: Iterable[tuple[int, Phase]]) -> list[PhaseOdds]:
    """The exact chance of each phase."""
    rows = []
    for number, phase in numbered:
        row = PhaseOdds(
            number=number,
            rule=phase.rule,
            text=phase_text(phase),
            words=needs_words(phase.needs, ruleset),
        )
        try:
            exact = odds(ruleset, phase.needs)
        except TooMany as error:
            rows.append(replace(row, uncounted=str(error)))
        else:
            makes, hands = str(exact.makes), str(exact.hands)
            rows.append(replace(row, makes=makes, hands=hands, chance=exact.chance))
    return rows
