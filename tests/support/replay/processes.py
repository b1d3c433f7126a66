"""The commands as processes."""

import os
import subprocess
import sys
from pathlib import Path

from tests.support import forked
from tests.support.replay.log_edits import OTHER, short_game

ROOT = Path(__file__).parents[3]
GOOD = b"".join(stored + b"\n" for stored in short_game())
BOTH = GOOD + b"".join(stored + b"\n" for stored in short_game(OTHER, "other"))
COMMAND = [sys.executable, "-m", "phaseledger.replay.cli.main"]
WIDTH = "200"
"""Characters of a line of text for people."""
FOR_TESTS = ("PHASELEDGER_TEST_DSN", "PHASELEDGER_BROWSER", "PHASELEDGER_CHROMIUM")


def is_setting(name: str) -> bool:
    """Whether a variable of the environment is the caller's setting of the program."""
    return name.startswith("PHASELEDGER_") and name not in FOR_TESTS


ENVIRON = {
    **{name: value for name, value in os.environ.items() if not is_setting(name)},
    "PYTHONPATH": str(ROOT),
    "COLUMNS": WIDTH,
}


def run(*arguments: object, given: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    done = forked.command(forked.REPLAY, *arguments, env=ENVIRON, given=given)
    assert b"Traceback" not in done.stderr + done.stdout
    return done
