"""A seed says all: the same one gives the same run, in this process and in any other."""

import os
import subprocess
import sys
from functools import cache
from pathlib import Path

import msgspec

from tests.simulation.simulation import Options, Outcome, simulate

ROOT = Path(__file__).parents[2]
SEED = 3
PROGRAM = f"""
import sys
import msgspec
from tests.simulation.simulation import simulate
sys.stdout.buffer.write(msgspec.json.encode(simulate({SEED})))
"""
BROKEN = Options(predecessors=False)
LIKELY = range(25, 225)
"""Seeds of which one shows the fault; the first of them does, as things are."""


@cache
def run() -> Outcome:
    return simulate(SEED)


def test_the_same_seed_is_the_same_run() -> None:
    assert simulate(SEED) == run()


def test_another_process_with_other_hashes_of_texts_runs_the_same() -> None:
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM],
        cwd=ROOT,
        env={**os.environ, "PYTHONHASHSEED": "12345"},
        check=True,
        stdout=subprocess.PIPE,
    )

    assert msgspec.json.decode(done.stdout, type=Outcome) == run()


def test_a_failure_is_replayed_exactly() -> None:
    failed = next(outcome for seed in LIKELY if (outcome := simulate(seed, BROKEN)).violation)

    assert simulate(failed.seed, BROKEN) == failed


def test_other_seeds_are_other_runs() -> None:
    assert simulate(SEED + 1).digest != run().digest
