"""Rollouts on many processes: the same ones, in the same order, on any number of processes."""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from functools import partial

from phaseledger.domain.rollouts.rollout import Rollout, RolloutPlan, rollout
from phaseledger.replay.batch.pool import Workers, in_order


def rollouts(
    plan: RolloutPlan, count: int, workers: Workers
) -> AbstractContextManager[Iterator[Rollout]]:
    """Rollouts 0 to ``count`` - 1 of the plan, in order; raises as `rollout`."""
    task: Callable[[int], Rollout] = partial(rollout, plan)
    return in_order(task, range(count), workers)
