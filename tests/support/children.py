"""Processes that tests start, and end where these make no progress."""

import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import psutil

from tests.support.polling import LONG
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


def kill_family(pid: int) -> None:
    """Kill the process and all that it has started, as a power cut would; all are gone then.

    Its children outlive it otherwise for a moment, in which they still listen on their ports.
    """
    parent = psutil.Process(pid)
    parent.suspend()  # it would restart what dies
    family = [*parent.children(recursive=True), parent]
    for process in family:
        process.kill()
    _, alive = psutil.wait_procs(family, LONG)
    assert not alive, f"still there: {alive}"
