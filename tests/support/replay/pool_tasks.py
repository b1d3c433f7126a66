"""Tasks for a pool of processes: quick ones, endless ones, and some that perish."""

import os
import signal
import time
from multiprocessing.connection import Connection
from pathlib import Path

from tests.support.polling import eventually


def square(number: int) -> int:
    time.sleep(0.02 * (number % 3 == 0))
    return number * number


def refuse(number: int) -> int:
    if number == 5:
        raise ValueError("five")
    return number


def sleep(given: bytes) -> int:
    time.sleep(len(given) / 1_000)  # a quarter of an hour for a megabyte
    return len(given)


def perish(number: int) -> int:
    if number == 5:
        os.kill(os.getpid(), signal.SIGKILL)
    return number


def big(number: int) -> bytes:
    """More than a pipe takes at once: while nobody reads, whoever answers it is amid a write."""
    return bytes(1 << 26)


def perish_amid(number: int) -> bytes:
    def half(self: Connection, answer: bytes) -> None:
        os.write(self.fileno(), bytes(answer)[: len(answer) // 2])
        os.kill(os.getpid(), signal.SIGKILL)

    if number == 3:
        setattr(Connection, "_send", half)  # noqa: B010 - it is none of its public methods
    return bytes(100)


def close_and_sleep(self: Connection) -> None:
    """As where another thread runs as soon as the file is closed, which is no longer noted then."""
    os.close(self.fileno())
    time.sleep(0.5)


def nap(number: int) -> int:
    """So long that some are at it whenever one looks."""
    time.sleep(0.05)
    return number


def fail_after_others(folder: Path, number: int) -> int:
    """The first fails once the seventh has begun: a process gives its results one by one."""
    if number == 0:
        eventually((folder / "6").exists)
        raise ValueError("first")
    (folder / str(number)).touch()
    return number


def no_digest(_: int) -> str:
    return ""
