"""The shell under seeded faults: 5 simulations, each another schedule and other faults.

A campaign has 200; `benchmarks/simulation.py` runs as many as one likes, and one of them again.
"""

import os
import subprocess
import sys
from collections import Counter
from functools import cache
from pathlib import Path

import msgspec
import pytest
from msgspec.structs import replace

from benchmarks import simulation as campaigns
from tests.simulation.simulation import Outcome, simulate
from tests.simulation.sometimes import FEWEST, SOMETIMES, table
from tests.support.campaigns import sampled

SEEDS = 200
IN_ONE_TEST = 5
PLAIN = (
    "two writers met",
    "a stale cache accepted, and the primary key did not",
    "a stale cache refused, and the log did not",
    "another node answered a repeat",
    "a packed game was unpacked",
    "another node took the public log over",
)
"""The states that the seeds of the plain suite reach, and more of them."""
PROGRAM = """
import sys
import msgspec
from tests.simulation.simulation import simulate
sys.stdout.buffer.write(msgspec.json.encode(simulate(3)))
"""

simulated = cache(simulate)


@pytest.mark.parametrize("first", sampled(range(0, SEEDS, IN_ONE_TEST), 0))
def test_the_history_is_that_of_one_ledger(first: int) -> None:
    outcomes = [simulated(seed) for seed in range(first, first + IN_ONE_TEST)]
    for outcome in outcomes:
        command = f"python benchmarks/simulation.py --seed {outcome.seed}"
        assert not outcome.violation, f"{command}\n{outcome.violation}"
    assert sum(outcome.acknowledged for outcome in outcomes) > 10 * IN_ONE_TEST
    assert sum(outcome.time_outs for outcome in outcomes) > 0


def test_the_plain_seeds_reach_some_rare_states() -> None:
    """A campaign has to reach all of them."""
    reached = sum((Counter(simulated(seed).reached) for seed in range(IN_ONE_TEST)), Counter())
    print(table(reached))
    assert not {*PLAIN} - {*reached}


def test_a_campaign_fails_that_has_not_reached_a_state(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    *others, last = SOMETIMES
    outcome = replace(simulated(0), reached=dict.fromkeys(others, 1))
    whole = replace(outcome, reached=dict.fromkeys(SOMETIMES, 1))
    for outcomes, code in (([outcome] * FEWEST, 1), ([whole] * FEWEST, 0), ([outcome], 0)):
        monkeypatch.setattr(campaigns, "campaign", lambda *_, done=outcomes: done)
        monkeypatch.setattr(sys, "argv", ["simulation.py"])
        assert campaigns.main() == code
        assert (f"have not reached: {last}" in capsys.readouterr().out) == bool(code)


def test_another_process_with_other_hashes_of_texts_runs_the_same() -> None:
    """A seed says all, in this process and in any other."""
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM],
        cwd=Path(__file__).parents[2],
        env={**os.environ, "PYTHONHASHSEED": "12345"},
        check=True,
        stdout=subprocess.PIPE,
    )
    assert msgspec.json.decode(done.stdout, type=Outcome) == simulated(3)
    assert simulated(4).digest != simulated(3).digest
