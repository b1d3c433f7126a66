"""Processes that tests start, and end where these make no progress."""

import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from tests.support.progress import SAMPLE, Stillness

STILL = 120.0  # seconds in which nothing moves, neither the process nor what it has started


def run(
    command: Sequence[object],
    *,
    env: Mapping[str, str] | None = None,
    cwd: Path | None = None,
    text: bool = True,
) -> subprocess.CompletedProcess[Any]:
    """What the command printed and its exit code, however long it takes while it moves."""
    arguments = [str(argument) for argument in command]
    pipe = subprocess.PIPE
    with subprocess.Popen(
        arguments, env=env, cwd=cwd, text=text, stdout=pipe, stderr=pipe
    ) as process:
        printed, complaints = finished(process)
    return subprocess.CompletedProcess(arguments, process.returncode, printed, complaints)


def finished(process: subprocess.Popen[Any]) -> tuple[Any, Any]:
    """What the process has printed, once it has ended.

    Raises:
        AssertionError: it stood still, and was killed.

    """
    stillness = Stillness()
    while True:
        try:
            return process.communicate(timeout=SAMPLE)
        except subprocess.TimeoutExpired:
            if stillness.seconds() < STILL:
                continue
        process.kill()
        raise AssertionError(f"{process.args} stood still after {process.communicate()}")
