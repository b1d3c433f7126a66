"""A seed says all: the same one gives the same run, in this process and in any other."""

import os
import subprocess
import sys
from pathlib import Path

import msgspec

from tests.simulation.simulation import Outcome, simulate

SEED = 3
PROGRAM = f"""
import sys
import msgspec
from tests.simulation.simulation import simulate
sys.stdout.buffer.write(msgspec.json.encode(simulate({SEED})))
"""


def test_another_process_with_other_hashes_of_texts_runs_the_same() -> None:
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM],
        cwd=Path(__file__).parents[2],
        env={**os.environ, "PYTHONHASHSEED": "12345"},
        check=True,
        stdout=subprocess.PIPE,
    )
    here = simulate(SEED)
    assert msgspec.json.decode(done.stdout, type=Outcome) == here
    assert simulate(SEED + 1).digest != here.digest
