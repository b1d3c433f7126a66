"""Commands as processes that are forked off one that has imported them: most of a command's time
goes into imports, and hundreds of tests start one.

What depends on how Python starts, on the terminal or on signals is for `tests.support.children`.
"""

import multiprocessing
import os
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path
from runpy import run_module

from tests.support.progress import SAMPLE, Stillness

STILL = 120.0  # seconds in which nothing moves, neither the process nor what it has started
SERVICE, REPLAY = "phaseledger.service.cli.main", "phaseledger.replay.cli.main"
_FOR_SERVICE = ("admin", "archive", "backup", "demo", "keys", "new_epoch", "offline", "serve")
_FOR_REPLAY = ("audit", "export", "odds", "query", "rejudge", "replay", "report", "simulate")

_processes = multiprocessing.get_context("forkserver")
_processes.set_forkserver_preload(
    [
        *(f"phaseledger.service.cli.{name}" for name in _FOR_SERVICE),
        *(f"phaseledger.replay.cli.{name}" for name in _FOR_REPLAY),
        "phaseledger.replay.cli.verify",
        "phaseledger.replay.verify.html_report",
    ]
)


def command(
    main: str,
    *arguments: object,
    env: Mapping[str, str],
    cwd: Path | None = None,
    given: bytes = b"",
) -> subprocess.CompletedProcess[bytes]:
    """What the command printed and its exit code, however long it takes while it moves.

    ``main`` is the module that is run, `SERVICE` or `REPLAY`; ``given`` is its standard input.
    """
    words = [str(argument) for argument in arguments]
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        (place / "0").write_bytes(given)
        process = _processes.Process(
            target=_run, args=(main, words, dict(env), str(cwd or Path.cwd()), folder)
        )
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
        printed, complaints = ((place / number).read_bytes() for number in "12")
    return subprocess.CompletedProcess(words, code, printed, complaints)


def text(main: str, *arguments: object, env: Mapping[str, str]) -> subprocess.CompletedProcess[str]:
    """The same, where what is printed is text."""
    done = command(main, *arguments, env=env)
    return subprocess.CompletedProcess(
        done.args, done.returncode, done.stdout.decode(), done.stderr.decode()
    )


def _run(main: str, words: list[str], env: dict[str, str], cwd: str, folder: str) -> None:
    os.environ.clear()
    os.environ.update(env)
    for number, mode in enumerate(("rb", "wb", "wb")):
        with Path(folder, f"{number}").open(mode) as file:
            os.dup2(file.fileno(), number)
    sys.stdin = open(0, closefd=False)  # noqa: SIM115 - the one before was closed
    os.chdir(cwd)
    sys.argv = ["phaseledger", *words]
    sys.modules.pop(main, None)
    run_module(main, run_name="__main__")
