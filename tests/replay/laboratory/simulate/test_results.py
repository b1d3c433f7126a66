"""Games played for their results alone end as their records do."""

from itertools import islice

import pytest
from msgspec.structs import replace

from phaseledger.replay.laboratory.simulate.game import SimulationPlan, play
from phaseledger.replay.laboratory.simulate.results import GameResult, Stopwatch, play_result
from tests.support.replay.option_pairs import plans


def of_record(plan: SimulationPlan, index: int) -> GameResult:
    """The result as the record of the game has it."""
    played = play(plan, index)
    return GameResult(
        game=played.game,
        winners=played.state.winners,
        points=tuple(seat.points for seat in played.state.seats if seat),
        decisions=played.decisions,
        fault=played.fault,
    )


@pytest.mark.parametrize("ruleset", ["classic", "standard-deck", "express", "board"])
def test_results_are_those_of_the_records(ruleset: str) -> None:
    """Pairwise house rules, whole games and some that are broken off."""
    results = []
    for number, plan in islice(plans(ruleset, "results"), 8):
        plan = replace(plan, cap=800)
        results.append(play_result(plan, number, Stopwatch()))
        assert results[-1] == of_record(plan, number), plan
    assert any(result.winners for result in results)
