"""Rollouts on many processes."""

from phaseledger.domain.rollouts.rollout import RolloutPlan, rollout
from phaseledger.replay.batch.pool import Workers
from phaseledger.replay.laboratory.simulate.rollouts import rollouts
from tests.support.table import table


def test_processes_do_not_change_rollouts() -> None:
    state = table(["R1 R2 R5", "B1 B2 B9"], question="draw", max_turns_per_round=20)
    plan = RolloutPlan(state, 0, ("greedy", "expert"), "many")
    expected = [rollout(plan, number) for number in range(6)]
    for workers in (1, 2):
        with rollouts(plan, 6, Workers(workers)) as results:
            assert list(results) == expected
