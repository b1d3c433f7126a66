"""The command line's processes, forked off one that has imported it: most of a command's time goes
into imports, and hundreds of tests start one.

What depends on how Python starts, on a terminal or on signals is for `tests.support.children`.
"""

import multiprocessing
import os
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path
from runpy import run_module

from tests.support.children import STILL
from tests.support.progress import SAMPLE, Stillness

MAIN = "phaseledger.service.cli.main"
_FOR_SERVICE = ("admin", "archive", "backup", "demo", "keys", "new_epoch", "offline", "serve")
_FOR_REPLAY = ("audit", "export", "replay", "verify")

_processes = multiprocessing.get_context("forkserver")
_processes.set_forkserver_preload(
    [
        *(f"phaseledger.service.cli.{name}" for name in _FOR_SERVICE),
        *(f"phaseledger.replay.cli.{name}" for name in _FOR_REPLAY),
    ]
)


def phaseledger(*arguments: object, env: Mapping[str, str]) -> subprocess.CompletedProcess[str]:
    """What the command printed and its exit code, however long it takes while it moves.

    Raises:
        AssertionError: it stood still, and was killed.

    """
    words = [str(argument) for argument in arguments]
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        process = _processes.Process(target=_run, args=(words, dict(env), str(Path.cwd()), folder))
        process.start()
        stillness = Stillness()
        while process.is_alive():
            process.join(SAMPLE)
            if process.is_alive() and stillness.seconds() >= STILL:
                process.kill()
                raise AssertionError(f"{words} stood still after {(place / '2').read_text()}")
        code = process.exitcode
        process.close()
        assert code is not None
        printed, complaints = ((place / number).read_text() for number in "12")
    return subprocess.CompletedProcess(words, code, printed, complaints)


def _run(words: list[str], env: dict[str, str], folder: str, outputs: str) -> None:
    os.environ.clear()
    os.environ.update(env)
    for number in (1, 2):
        with Path(outputs, f"{number}").open("wb") as file:
            os.dup2(file.fileno(), number)
    os.chdir(folder)
    sys.argv = ["phaseledger", *words]
    run_module(MAIN, run_name="__main__")
