"""The commands as processes."""

import os
import subprocess
import sys
from pathlib import Path

from tests.replay.damage import OTHER, short_game

ROOT = Path(__file__).parents[2]
GOOD = b"".join(stored + b"\n" for stored in short_game())
BOTH = GOOD + b"".join(stored + b"\n" for stored in short_game(OTHER, "other"))
COMMAND = [sys.executable, "-m", "replay.cli"]
ENVIRON = {
    **{key: value for key, value in os.environ.items() if not key.startswith("PHASELEDGER_")},
    "PYTHONPATH": str(ROOT),
    "COLUMNS": "200",
}


def run(*arguments: object, given: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    done = subprocess.run(
        [*COMMAND, *map(str, arguments)], input=given, capture_output=True, env=ENVIRON, check=False
    )
    assert b"Traceback" not in done.stderr + done.stdout
    return done
