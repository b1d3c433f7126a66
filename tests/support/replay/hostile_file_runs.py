"""Files that nobody should send an auditor, and the real command on each of them, measured.

Every file is refused with exit code 5 and one sentence, quickly and in little memory.
"""

import os
import resource
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

import msgspec

from tests.support.replay.hostile_files import FILES, LIES, good
from tests.support.replay.operator_games import OPERATOR
from tests.support.replay.processes import ENVIRON

SECONDS, MEGABYTES = 2.0, 256
"""What an audit of a hostile file may take: processor time, resident memory."""
USUAL = 0.4
"""Seconds of processor time for a good file, where they are 2 for a hostile one."""
HANGS = 100.0
"""Seconds that nothing takes but what waits for ever."""
LONGEST = 8_000
"""Characters that the command may say."""
GIGABYTE = 1 << 30

# --- what is no file -----------------------------------------------------------------------------


@contextmanager
def _directory(folder: Path) -> Iterator[str]:
    yield str(folder)


@contextmanager
def _missing(folder: Path) -> Iterator[str]:
    yield str(folder / "missing.ndjson")


@contextmanager
def _zeros(folder: Path) -> Iterator[str]:
    path = folder / "zeros.ndjson"
    with path.open("wb") as file:
        file.truncate(GIGABYTE)
    yield str(path)


@contextmanager
def _zeros_after_a_bundle(folder: Path) -> Iterator[str]:
    path = folder / "tail.ndjson"
    with path.open("wb") as file:
        file.write(b"".join(good()))
        file.truncate(GIGABYTE)
    yield str(path)


def _fifo(*given: bytes) -> Callable[[Path], "contextmanager[str]"]:
    """A pipe whose writer gives that much and goes away."""

    @contextmanager
    def pipe(folder: Path) -> Iterator[str]:
        path = folder / "pipe.ndjson"
        os.mkfifo(path)
        writer = threading.Thread(target=lambda: path.write_bytes(b"".join(given)))
        writer.start()
        yield str(path)
        writer.join()

    return pipe


def _device(path: str) -> Callable[[Path], "contextmanager[str]"]:
    @contextmanager
    def device(_: Path) -> Iterator[str]:
        yield path

    return device


PLACES = {
    "a directory": _directory,
    "no file": _missing,
    "1 GB of zeros": _zeros,
    "a good bundle and 1 GB of zeros": _zeros_after_a_bundle,
    "a pipe closed at once": _fifo(),
    "a pipe closed early": _fifo(b"".join(good()[:9]), good()[9][:40]),
    "endless zeros": _device("/dev/zero"),
    "endless noise": _device("/dev/urandom"),
    "nothing": _device("/dev/null"),
    "a file under a file": _device("/dev/null/bundle.ndjson"),
    "a name that is too long": _device("n" * 5_000),
}
"""By name, a path that the command is given."""


# --- the command ---------------------------------------------------------------------------------


class Ran(NamedTuple):
    """How the command went: exit code, wall and processor time, peak memory, what it printed."""

    code: int
    seconds: float
    busy: float
    megabytes: float
    printed: str

    def faults(self, path: str, codes: frozenset[int], slowness: float = 1.0) -> list[str]:
        """What is not as it must be. The time is that of the processor: neighbours take none.

        ``slowness`` is how many times as long as usual this machine takes.
        """
        named = path[:60] in self.printed
        return [
            text
            for wrong, text in (
                (self.code not in codes, f"exit code {self.code}"),
                (self.busy >= SECONDS * slowness, f"{self.busy:.1f} s of processor time"),
                (self.seconds >= HANGS, f"{self.seconds:.1f} s"),
                (self.megabytes >= MEGABYTES, f"{self.megabytes:.0f} MB"),
                ("Traceback" in self.printed, "a traceback"),
                (
                    5 in codes and self.code == 5 and not named,
                    f"does not name the file: {self.printed!r}",
                ),
                (len(self.printed) > LONGEST, f"{len(self.printed):,} characters said"),
            )
            if wrong
        ]


def policy(folder: Path) -> Path:
    """A policy that trusts the operator of the good bundles."""
    path = folder / "policy.toml"
    path.write_text(f'keys = ["{OPERATOR.public}"]\n')
    return path


_MEASURED = """
import json, os, resource, subprocess, sys, time
began = time.monotonic()
with open(sys.argv[1], "wb") as output:
    try:
        code = subprocess.run(sys.argv[2:], stdout=output, stderr=output, stdin=subprocess.DEVNULL,
                              timeout=120).returncode
    except subprocess.TimeoutExpired:
        code = -9
used = resource.getrusage(resource.RUSAGE_CHILDREN)
busy = used.ru_utime + used.ru_stime
print(json.dumps([code, time.monotonic() - began, busy, used.ru_maxrss / 1024]))
"""
"""Runs a command as its only child, so that the children's peak is the command's."""


def run(*arguments: str, folder: Path) -> Ran:
    """The real command in a process of its own, with 4 GB of address space at most."""
    output = folder / "said.txt"
    command = [sys.executable, "-m", "phaseledger.replay.cli.main", *arguments]
    measured = subprocess.run(
        [sys.executable, "-c", _MEASURED, str(output), *command],
        env=ENVIRON,
        capture_output=True,
        check=True,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (4 * GIGABYTE, 4 * GIGABYTE)),
    )
    figures = msgspec.json.decode(measured.stdout, type=tuple[int, float, float, float])
    return Ran(*figures, output.read_text(errors="replace"))


@cache
def slowness() -> float:
    """How many times as long as usual this machine takes for a good file; 1 if it is no slower."""
    with TemporaryDirectory() as name:
        folder = Path(name)
        path = folder / "good.ndjson"
        path.write_bytes(b"".join(good()))
        ran = run("verify", str(path), "--policy", str(policy(folder)), folder=folder)
    return max(1.0, ran.busy / USUAL)


NAMES = (*FILES, *PLACES, *LIES)
"""All hostile files."""
REFUSED, FOUND_OUT = frozenset({5}), frozenset({1, 5, 6, 7})


def tried(name: str, folder: Path) -> tuple[Ran, list[str]]:
    """What the command does with one of them, and what is not as it must be."""
    if name in PLACES:
        with PLACES[name](folder) as path:
            ran = run("verify", path, "--policy", str(policy(folder)), folder=folder)
        return ran, ran.faults(path, REFUSED, slowness())
    path = folder / "hostile.ndjson"
    path.write_bytes((FILES | LIES)[name]())
    report = str(folder / "report.html")
    asked = ["--report", report] if name in LIES else []
    ran = run("verify", str(path), "--policy", str(policy(folder)), *asked, folder=folder)
    path.unlink()
    return ran, ran.faults(str(path), REFUSED if name in FILES else FOUND_OUT, slowness())
