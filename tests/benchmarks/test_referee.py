"""The campaign of the second referee, a few games of it through the same code."""

import pytest

from benchmarks.referee import SEED, changed, judged, mutant
from phaseledger.domain.rulesets import GAMES
from tests.support.campaigns import sampled
from tests.support.replay.option_pairs import plans
from tests.support.replay.rule_mutants import SIDES, changes, chosen


@pytest.mark.parametrize("ruleset", GAMES)
def test_a_game_without_objection(ruleset: str) -> None:
    (verdict,) = judged(next(plans(ruleset, SEED, 10_000)))
    assert (verdict.number, verdict.kind, verdict.fault) == (10_000, ruleset, "")


def test_changes_that_are_found() -> None:
    verdicts = changed(3)
    assert len({verdict.kind for verdict in verdicts}) > 30
    assert [verdict.fault for verdict in verdicts if verdict.fault] == []


@pytest.mark.slow  # a process with fifty games
@pytest.mark.parametrize("side", sampled(SIDES, "referee"))
def test_a_mutant_of_either_side_is_noticed(side: str) -> None:
    """And which one a number stands for is spread over all files of the side."""
    (verdict,) = mutant((side, 2))
    assert verdict.fault == ""
    files = {chosen(side, number)[0] for number in range(100)}
    assert files == set(SIDES[side])
    assert all(changes(file) > 10 for file in files)
