"""The commands, called in this process, or as processes of their own."""

import io
import os
import subprocess
import sys
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from unittest.mock import patch

from phaseledger.replay.batch import inputs
from phaseledger.replay.cli.main import app
from tests.support.replay.log_edits import OTHER, short_game

ROOT = Path(__file__).parents[3]
GOOD = b"".join(stored + b"\n" for stored in short_game())
BOTH = GOOD + b"".join(stored + b"\n" for stored in short_game(OTHER, "other"))
COMMAND = [sys.executable, "-m", "phaseledger.replay.cli.main"]
WIDTH = "200"
"""Characters of a line of text for people."""
FOR_TESTS = (
    *("PHASELEDGER_TEST_DSN", "PHASELEDGER_BROWSER", "PHASELEDGER_CHROMIUM"),
    "PHASELEDGER_NODE",
)

SERVICE_DEFAULTS = ("default_dsn", "default_keys", "default_published")
"""What the service's command line sets where it is imported, and these commands lack."""


def is_setting(name: str) -> bool:
    """Whether a variable of the environment is the caller's setting of the program."""
    return name.startswith("PHASELEDGER_") and name not in FOR_TESTS


ENVIRON = {
    **{name: value for name, value in os.environ.items() if not is_setting(name)},
    "PYTHONPATH": str(ROOT),
    "COLUMNS": WIDTH,
}


def run(*arguments: object, given: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    """A command called in this process: an interpreter's start takes longer than most commands.

    That each command does the same as a process is held by tests/replay/cli/test_processes.py.
    """
    words = [*map(str, arguments)]
    streams = [io.TextIOWrapper(io.BytesIO(data), encoding="utf-8") for data in (given, b"", b"")]
    taken, out, err = streams
    with (
        patch.dict(os.environ, ENVIRON, clear=True),
        patch.multiple(inputs, **dict.fromkeys(SERVICE_DEFAULTS)),
        patch.object(sys, "stdin", taken),
        redirect_stdout(out),
        redirect_stderr(err),
    ):
        code = _exit_code(words)
    printed = []
    for stream in (out, err):
        stream.flush()
        printed.append(stream.buffer.getvalue())  # type: ignore[attr-defined]
    return subprocess.CompletedProcess(words, code, *printed)


def _exit_code(words: list[str]) -> int:
    """As the interpreter has it: of `SystemExit` without a number, 0."""
    try:
        app(words)
    except SystemExit as ended:
        return int(ended.code or 0)
    return 0


def run_process(*arguments: object, given: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    """A command as a process of its own."""
    done = subprocess.run(
        [*COMMAND, *map(str, arguments)], input=given, capture_output=True, env=ENVIRON, check=False
    )
    assert b"Traceback" not in done.stderr + done.stdout
    return done
