"""A Dask scheduler and its workers, forked off a process that has imported Dask: most of what one
takes of the processor goes into imports.

This file is also the program of that process. It forks whatever a line of its standard input asks
for, as a JSON array of the program, the version that it is to be of, and its arguments.
"""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from importlib import import_module
from pathlib import Path
from typing import NamedTuple

from tests.support.polling import eventually
from tests.support.replay.processes import ENVIRON


class Process(NamedTuple):
    """A scheduler or a worker."""

    pid: int

    def kill(self) -> None:
        """End it at once, and wait until it is gone."""
        with suppress(ProcessLookupError):
            os.kill(self.pid, signal.SIGKILL)
        eventually(lambda: not Path(f"/proc/{self.pid}").exists())


class Parent(NamedTuple):
    """The process that has imported Dask."""

    process: "subprocess.Popen[str]"

    def fork(self, program: str, version: str, *arguments: str) -> Process:
        """Start a ``scheduler`` or a ``worker`` of that version."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write(json.dumps([program, version, *arguments]) + "\n")
        self.process.stdin.flush()
        return Process(int(self.process.stdout.readline()))


@contextmanager
def dask_parent() -> Iterator[Parent]:
    """A process that has imported Dask, until the end of the block."""
    pipe = subprocess.PIPE
    command = [sys.executable, "-m", "tests.support.replay.dask_processes"]
    with subprocess.Popen(command, env=ENVIRON, stdin=pipe, stdout=pipe, text=True) as process:
        yield Parent(process)
        assert process.stdin is not None
        process.stdin.close()


def main() -> None:
    """Fork what the lines ask for, and print the number of each process."""
    for name in ("scheduler", "worker"):
        import_module(f"distributed.cli.dask_{name}")
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # nobody waits for what has ended
    for line in sys.stdin:
        if child := os.fork():
            print(child, flush=True)
        else:
            run(*json.loads(line))


def run(program: str, version: str, *arguments: str) -> None:
    """Be a scheduler or a worker, until it ends."""
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    nothing = os.open(os.devnull, os.O_RDWR)
    for standard in range(3):
        os.dup2(nothing, standard)
    import_module("phaseledger").__version__ = version
    sys.argv = [program, *arguments]
    import_module(f"distributed.cli.dask_{program}").main()


if __name__ == "__main__":
    main()
