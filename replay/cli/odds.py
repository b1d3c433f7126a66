"""The command `odds`."""

from collections.abc import Iterator
from typing import Annotated

from cyclopts import Parameter
from msgspec import Struct
from msgspec.structs import replace

from phaseledger.domain.explain.check import Senseless, find_phase
from phaseledger.domain.ruleset import phase_number
from phaseledger.replay.batch.inputs import HouseRuleOptions, Json, optional
from phaseledger.replay.cli.rules import RulesetArgument, phase_named, resolved_game
from phaseledger.replay.laboratory.analysis.odds_check import (
    PhaseOdds,
    drawn_phases,
    exact_odds,
    sample,
)
from phaseledger.replay.terminal import SOUND, UsageError, answer, guarded, progress

MOST_HANDS = 10_000_000


class _Odds(Struct, frozen=True):
    """The document of --json."""

    ruleset: str
    hand: int
    cards: int
    phases: list[PhaseOdds]


@guarded
def odds_command(
    ruleset: RulesetArgument = "classic",
    /,
    *,
    phase: Annotated[
        str, optional('One phase only: its number, or one described as in "set(3) + run(4)".')
    ] = "",
    check: Annotated[
        int, Parameter(help="Also draw so many hands, and see which of them can be laid.")
    ] = 0,
    seed: Annotated[str, Parameter(help="Any text: which hands are drawn.")] = "odds",
    option: HouseRuleOptions = (),
    json: Json = False,
) -> int:
    """Tell how likely a dealt hand already holds each phase.

    The chance is exact: all hands that can be dealt are counted, none is sampled. A hand holds a
    phase if its groups can be laid from the dealt cards alone, wilds used as the rules allow; a
    turn begins with a draw, so a card is always left to discard. Jokers of the board game are
    turned while playing, and in no dealt hand.

    With --check N the same is tried with N hands drawn at random, by the finder that the game
    itself plays with; its interval (95 %, Wilson's) should hold the exact chance in 19 of 20 cases.

    With --json: {ruleset, hand, cards, phases: [{number, rule, text, words, makes, hands, chance,
    uncounted?, checked?: {hands, made, share, low, high}}]}; makes and hands are whole numbers as
    text, chance their quotient.

    For example: phaseledger odds

    Or: phaseledger odds express --check 20000

    Or: phaseledger odds classic --phase "set(3) + run(4)" --option run_wrap=true
    """
    if not 0 <= check <= MOST_HANDS:
        raise UsageError(f"--check draws 1 to {MOST_HANDS:,} hands.")
    _, house_ruleset = resolved_game(ruleset, option)
    phase_rules, numbered = house_ruleset, list(enumerate(house_ruleset.phases, 1))
    if phase:
        try:
            phase_rules, number, _ = find_phase(house_ruleset, phase_named(phase))
        except Senseless as senseless:
            raise UsageError(f"That cannot be asked: {senseless}.") from None
        numbered = [(number, phase_rules.phases[number - 1])]
    rows = exact_odds(house_ruleset, numbered)
    if check:
        hits = [0] * len(numbered)
        with progress("drawing", check) as advance:
            for outcomes in drawn_phases(
                house_ruleset, [asked_phase.needs for _, asked_phase in numbered], seed, check
            ):
                hits = [count + holds for count, holds in zip(hits, outcomes, strict=True)]
                advance(1)
        rows = [
            replace(row, checked=sample(count, check))
            for row, count in zip(rows, hits, strict=True)
        ]
    odds = _Odds(house_ruleset.id, house_ruleset.hand, len(house_ruleset.deck.cards()), rows)
    numbers = [phase_number(phase_rules, number) for number, _ in numbered]
    answer(odds, _lines(odds, numbers), json=json)
    return SOUND


def _lines(odds: _Odds, numbers: list[str]) -> Iterator[str]:
    yield f"{odds.ruleset}: a hand of {odds.hand} dealt from {odds.cards} cards holds"
    words = max(len(row.words) for row in odds.phases)
    checked = odds.phases[0].checked
    drawn_hands = f"   of {checked.hands:,} hands drawn (95 %)" if checked else ""
    width = max(len("phase"), *map(len, numbers))
    yield f"{'phase':{width}}  {'':{words}}    exactly       one in{drawn_hands}"
    for number, row in zip(numbers, odds.phases, strict=True):
        yield f"{number:>{width}}  {row.words:{words}}  {_exact(row)}{_checked(row)}"


def _exact(row: PhaseOdds) -> str:
    if row.chance is None:
        return f"not counted: {row.uncounted}"
    rarity = f"{1 / row.chance:,.1f}" if row.chance else "never"
    return f"{row.chance:>9.5%}  {rarity:>11}"


def _checked(row: PhaseOdds) -> str:
    check = row.checked
    return f"   {check.share:>9.5%}  ({check.low:.5%} .. {check.high:.5%})" if check else ""
