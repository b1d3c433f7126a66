"""The campaign of the second referee, a few games of it through the same code."""

import pytest

from benchmarks.referee import SEED, changed, judged
from phaseledger.domain.rulesets import GAMES
from tests.support.replay.option_pairs import plans


@pytest.mark.parametrize("ruleset", GAMES)
def test_a_game_without_objection(ruleset: str) -> None:
    (verdict,) = judged(next(plans(ruleset, SEED, 10_000)))
    assert (verdict.number, verdict.kind, verdict.fault) == (10_000, ruleset, "")


def test_changes_that_are_found() -> None:
    verdicts = changed(3)
    assert len({verdict.kind for verdict in verdicts}) > 30
    assert [verdict.fault for verdict in verdicts if verdict.fault] == []
