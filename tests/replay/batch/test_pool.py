"""Work over processes: in order, in a bounded window, and without orphans."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from multiprocessing.connection import Connection
from pathlib import Path

import psutil
import pytest

from phaseledger.replay.batch.pool import in_order
from phaseledger.replay.terminal import WorkerLost
from tests.support.replay.processes import ENVIRON


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


@pytest.mark.parametrize("processes", [1, 2, 3])
def test_results_come_in_order(processes: int) -> None:
    with in_order(square, range(40), processes) as squares:
        assert list(squares) == [number * number for number in range(40)]


def test_items_are_taken_as_results_are() -> None:
    taken = 0

    def items() -> Iterator[int]:
        nonlocal taken
        while taken < 1000:
            taken += 1
            yield taken

    with in_order(square, items(), 2) as squares:
        for done in range(50):
            next(squares)
            assert taken <= done + 1 + 17
    assert taken < 100


def test_what_a_task_raises_comes_in_its_place() -> None:
    with in_order(refuse, range(10), 2) as numbers:
        assert [next(numbers) for _ in range(5)] == [0, 1, 2, 3, 4]
        with pytest.raises(ValueError, match="five"):
            next(numbers)


def test_a_worker_that_is_killed_is_told_of() -> None:
    with pytest.raises(WorkerLost, match="fewer --jobs"), in_order(perish, range(10), 2) as numbers:
        list(numbers)


def test_an_interrupt_does_not_wait_for_work_in_hand() -> None:
    """Nor for items too large for a pipe, half of which another process has read."""
    began = time.monotonic()
    with suppress(KeyboardInterrupt), in_order(sleep, [b"", *[bytes(10**6)] * 9], 2) as slept:
        next(slept)
        raise KeyboardInterrupt

    assert time.monotonic() - began < 100


ENDLESS = """
from itertools import count
from phaseledger.replay.pool import in_order
from tests.replay.test_pool import square

if __name__ == "__main__":
    with in_order(square, count(), 2) as squares:
        for number in squares:
            print(number, flush=True)
"""


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


AMID_A_RESULT = """
import sys
from multiprocessing.connection import Connection
from phaseledger.replay.pool import in_order
from tests.replay.test_pool import big, close_and_sleep, perish_amid
task = big if sys.argv[1] == "big" else perish_amid
if sys.argv[1] == "closing":
    Connection._close = close_and_sleep
with in_order(task, range(1000), 2) as results:
    for result in results:
        if sys.argv[1] == "big":
            raise KeyboardInterrupt
"""


@pytest.mark.parametrize(
    ("task", "told"),
    [("big", "KeyboardInterrupt"), ("perish", "WorkerLost"), ("closing", "WorkerLost")],
)
def test_a_process_that_ends_amid_a_result_is_not_waited_for(task: str, told: str) -> None:
    command = [sys.executable, "-c", AMID_A_RESULT, task]
    done = subprocess.run(command, env=ENVIRON, capture_output=True, text=True, timeout=100)
    assert told in done.stderr


def test_workers_end_with_the_first_process(tmp_path: Path) -> None:
    program = tmp_path / "endless.py"
    program.write_text(ENDLESS)
    first = subprocess.Popen([sys.executable, program], stdout=subprocess.PIPE, env=ENVIRON)
    assert first.stdout
    first.stdout.readline()
    workers = psutil.Process(first.pid).children(recursive=True)
    first.kill()
    first.communicate()

    assert len(workers) >= 2
    assert psutil.wait_procs(workers, timeout=100)[1] == []
