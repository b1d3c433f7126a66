"""The shell under seeded faults: 5 simulations, each another schedule and other faults.

A campaign has 200; `benchmarks/simulation.py` runs as many as one likes, and one of them again.
"""

import pytest

from tests.simulation.simulation import simulate
from tests.support.campaigns import sampled

SEEDS = 200
IN_ONE_TEST = 5


@pytest.mark.parametrize("first", sampled(range(0, SEEDS, IN_ONE_TEST), 0))
def test_the_history_is_that_of_one_ledger(first: int) -> None:
    acknowledged = time_outs = 0
    for seed in range(first, first + IN_ONE_TEST):
        outcome = simulate(seed)
        acknowledged += outcome.acknowledged
        time_outs += outcome.time_outs
        assert not outcome.violation, (
            f"python benchmarks/simulation.py --seed {seed}\n{outcome.violation}"
        )
    assert acknowledged > 10 * IN_ONE_TEST
    assert time_outs > 0
