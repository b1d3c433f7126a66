"""The command line's processes, forked off one that has imported it: most of a command's time goes
into imports, and hundreds of tests start one.

What depends on how Python starts or on a terminal is for `tests.support.children`.
"""

import multiprocessing
import os
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from contextlib import suppress
from multiprocessing.reduction import DupFd
from pathlib import Path
from runpy import run_module
from typing import IO, Any

from tests.support.children import finished

MAIN = "phaseledger.service.cli.main"

_processes = multiprocessing.get_context("forkserver")
_processes.set_forkserver_preload(["tests.support.imported_program"])


class Command:
    """A command that was started, with what tests ask of a `subprocess.Popen`.

    What goes to no file goes where this process prints, or, where that is ``subprocess.PIPE``, to
    whoever communicates with it in the end.
    """

    def __init__(
        self,
        words: list[str],
        env: Mapping[str, str],
        cwd: Path,
        *outputs: int | IO[bytes] | None,
    ) -> None:
        self.args = words
        self.returncode: int | None = None
        self._printed: tuple[bytes | None, bytes | None] | None = None
        self._pipes = [_pipe(output) for output in outputs]
        handles = [
            _Handle(_number(pipe or output, standard))
            for standard, (pipe, output) in enumerate(zip(self._pipes, outputs, strict=True), 1)
        ]
        self._process = _processes.Process(target=_run, args=(words, dict(env), str(cwd), handles))
        self._process.start()
        assert self._process.pid is not None
        self.pid = self._process.pid

    def poll(self) -> int | None:
        """The exit code; None while it runs."""
        if self.returncode is None:
            self.returncode = self._process.exitcode
        return self.returncode

    def wait(self, timeout: float | None = None) -> int:
        """The exit code, once it has ended; raises subprocess.TimeoutExpired."""
        if self.returncode is None:
            self._process.join(timeout)
        if self.poll() is None:
            raise subprocess.TimeoutExpired(self.args, timeout or 0.0)
        assert self.returncode is not None
        return self.returncode

    def communicate(self, timeout: float | None = None) -> tuple[bytes | None, bytes | None]:
        """What it has printed, once it has ended; raises subprocess.TimeoutExpired."""
        self.wait(timeout)
        if self._printed is None:
            out, err = (pipe and _whole(pipe) for pipe in self._pipes)
            self._printed = out, err
        return self._printed

    def send_signal(self, number: int) -> None:
        """Send it a signal, unless it has ended."""
        if self.poll() is None:
            with suppress(ProcessLookupError):
                os.kill(self.pid, number)

    def terminate(self) -> None:
        """Ask it to end."""
        self._process.terminate()

    def kill(self) -> None:
        """End it at once."""
        self._process.kill()


def started(
    *arguments: object,
    env: Mapping[str, str],
    cwd: Path | None = None,
    stdout: int | IO[bytes] | None = None,
    stderr: int | IO[bytes] | None = None,
) -> Any:
    """The command as it starts; with what tests ask of a `subprocess.Popen`."""
    words = [str(argument) for argument in arguments]
    return Command(words, env, cwd or Path.cwd(), stdout, stderr)


def phaseledger(*arguments: object, env: Mapping[str, str]) -> subprocess.CompletedProcess[str]:
    """What the command printed and its exit code, however long it takes while it moves.

    Raises:
        AssertionError: it stood still, and was killed.

    """
    pipe = subprocess.PIPE
    with tempfile.TemporaryDirectory() as folder:
        process = started(*arguments, env=env, cwd=Path(folder), stdout=pipe, stderr=pipe)
        printed, complaints = (words.decode() for words in finished(process))
    return subprocess.CompletedProcess(process.args, process.returncode, printed, complaints)


class _Handle:
    """An open file that goes along to another process."""

    def __init__(self, number: int) -> None:
        self.number = number

    def __reduce__(self) -> tuple[Any, ...]:
        return _taken, (DupFd(self.number),)


def _taken(handle: Any) -> _Handle:
    return _Handle(handle.detach())


def _pipe(output: int | IO[bytes] | None) -> IO[bytes] | None:
    """A file for what goes to whoever communicates, since a pipe that is not read holds one up."""
    return tempfile.TemporaryFile() if output == subprocess.PIPE else None


def _number(output: int | IO[bytes] | None, standard: int) -> int:
    """The descriptor to print to."""
    if output is None:
        return standard
    return output if isinstance(output, int) else output.fileno()


def _whole(file: IO[bytes]) -> bytes:
    file.seek(0)
    with file:
        return file.read()


def _run(
    words: list[str],
    env: dict[str, str],
    cwd: str,
    outputs: list[_Handle],
) -> None:
    os.environ.clear()
    os.environ.update(env)
    for number, output in enumerate(outputs, 1):
        os.dup2(output.number, number)
        os.close(output.number)
    os.chdir(cwd)
    sys.argv = ["phaseledger", *words]
    run_module(MAIN, run_name="__main__")
