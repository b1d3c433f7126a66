"""The cost of a rule set: the most work that one decision of a seat may take.

A bot that collects for a phase weighs every card against every way to fill the phase. The phases of
the published games have up to 1,365 ways; house rules can ask for a hundred thousand, at each turn.
"""

from collections.abc import Iterable
from functools import cache
from math import comb, prod

from phaseledger.domain.commands import RejectCode, Rejected
from phaseledger.domain.groups.forms import FORMS
from phaseledger.domain.groups.melds import TOP, trait, value_count
from phaseledger.domain.options import Options
from phaseledger.domain.ruleset import Need, Phase, RuleSet, phase_number

MOST_WORK = 15_000
"""The pairs of a card and a way to fill a phase that one decision may have to weigh: some 50 ms."""


def require_affordable(ruleset: RuleSet) -> None:
    """Refuse to open a table whose rules ask for more work than a decision may cost.

    Not for `decide`: a recorded game is decided again whatever its cost.

    Raises:
        Rejected: bad_option, with the sum and what is affordable.

    """
    if fault := excess_work(ruleset):
        raise Rejected(RejectCode.BAD_OPTION, detail=fault)


def excess_work(ruleset: RuleSet) -> str:
    """The rule set's work above the bound, with the sum; empty where all is affordable."""
    if ruleset.progress == "free":
        total = work(ruleset, ruleset.phases)
        aims = "the phases together"
    else:
        works = [work(ruleset, (phase,)) for phase in ruleset.phases]
        total = max(works)
        aims = f"phase {phase_number(ruleset, works.index(total) + 1)}"
    if total <= MOST_WORK:
        return ""
    return (
        f"{aims} can be filled in so many ways that one decision would weigh {total:,} pairs of "
        f"a card and a way; {MOST_WORK:,} are affordable, so ask for fewer or larger groups"
    )


def work(ruleset: RuleSet, phases: Iterable[Phase]) -> int:
    """The most pairs of a card and a way to weigh, where a seat aims at all the phases at once."""
    needs = [phase.needs for phase in phases]
    alikes = frozenset(_trait_of(need) for phase in needs for need in phase)
    most_cards = largest_hand(ruleset)
    return sum(
        ways(phase, ruleset.options) * min(most_cards, _cards_touched(phase, alikes, ruleset))
        for phase in needs
    )


def largest_hand(ruleset: RuleSet) -> int:
    """The most cards that a seat may come to hold: by the actions of the ring, any number."""
    if ruleset.acquire == "actions":
        return len(ruleset.deck.cards())
    return ruleset.hand + 1


def ways(needs: tuple[Need, ...], options: Options) -> int:
    """The ways to choose what the groups stand for; like groups in any order are one way."""
    counts = {need: _values(need, options) for need in needs}
    return prod(
        comb(count + needs.count(need) - 1, needs.count(need)) for need, count in counts.items()
    )


def _values(need: Need, options: Options) -> int:
    """The number of values that one group may stand for, or of places times colours."""
    form = FORMS[need.kind]
    if need.parity and form.alike:
        return 1
    if form.alike:
        return value_count(form.alike, options.color_is_suit)
    first = 2 if need.parity == "even" else 1
    last = TOP if options.run_wrap else TOP - (need.size - 1) * form.step
    places = len(range(first, last + 1, 2 if need.parity else 1))
    return places * (4 if form.one_colour else 1)


def _trait_of(need: Need) -> str:
    """The trait by which cards can replace one another in the group."""
    form = FORMS[need.kind]
    return form.alike or ("card" if form.one_colour else "rank")


def _cards_touched(needs: tuple[Need, ...], alikes: frozenset[str], ruleset: RuleSet) -> int:
    """The most cards of different worth that one way to fill the needs can want."""
    kinds = _kinds(alikes, ruleset.options.color_is_suit)
    return sum(
        kinds[_trait_of(need)] * (1 if FORMS[need.kind].alike else need.size) for need in needs
    )


@cache
def _kinds(alikes: frozenset[str], suits: bool) -> dict[str, int]:
    """For each trait, the number of cards of one value that differ in another of the traits."""
    options = Options(color_is_suit=suits)
    traits: dict[int, dict[str, int]] = {
        card: {alike: card if alike == "card" else trait(alike, card, options) for alike in alikes}
        for card in (colour << 4 | rank for colour in range(4) for rank in range(1, TOP + 1))
    }
    distinct = {tuple(row.items()): row for row in traits.values()}.values()
    return {
        alike: max(
            sum(row[alike] == value for row in distinct)
            for value in {row[alike] for row in distinct}
        )
        for alike in alikes
    }
