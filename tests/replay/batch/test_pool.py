"""Work over processes: in order, in a bounded window, and without orphans."""

import subprocess
import sys
import time
from contextlib import suppress
from itertools import count
from pathlib import Path

import psutil
import pytest

from phaseledger.replay.batch.pool import Workers, in_order
from phaseledger.replay.terminal import WorkerLost
from tests.support.cases import looped
from tests.support.children import run
from tests.support.replay.pool_tasks import perish, refuse, sleep, square
from tests.support.replay.processes import ENVIRON


@looped("processes", [1, 2])
def test_results_come_in_order_and_items_are_taken_as_they_do(processes: int) -> None:
    taken = count()
    with in_order(square, taken, Workers(processes)) as squares:
        for done in range(40):
            assert next(squares) == done * done
    assert next(taken) <= 40 + 17


def test_what_a_task_raises_comes_in_its_place() -> None:
    with in_order(refuse, range(10), Workers(2)) as numbers:
        assert [next(numbers) for _ in range(5)] == [0, 1, 2, 3, 4]
        with pytest.raises(ValueError, match="five"):
            next(numbers)


def test_a_worker_that_is_killed_is_told_of() -> None:
    with (
        pytest.raises(WorkerLost, match="fewer --jobs"),
        in_order(perish, range(10), Workers(2)) as numbers,
    ):
        list(numbers)


def test_an_interrupt_does_not_wait_for_work_in_hand() -> None:
    """Nor for items too large for a pipe, half of which another process has read."""
    began = time.monotonic()
    with (
        suppress(KeyboardInterrupt),
        in_order(sleep, [b"", *[bytes(10**6)] * 9], Workers(2)) as slept,
    ):
        next(slept)
        raise KeyboardInterrupt
    assert time.monotonic() - began < 100


ENDLESS = """
from itertools import count
from phaseledger.replay.batch.pool import Workers, in_order
from tests.support.replay.pool_tasks import square

if __name__ == "__main__":
    with in_order(square, count(), Workers(2)) as squares:
        for number in squares:
            print(number, flush=True)
"""


AMID_A_RESULT = """
import sys
from multiprocessing.connection import Connection
from phaseledger.replay.batch.pool import Workers, in_order
from tests.support.replay.pool_tasks import big, close_and_sleep, perish_amid
task = big if sys.argv[1] == "big" else perish_amid
if sys.argv[1] == "closing":
    Connection._close = close_and_sleep
with in_order(task, range(1000), Workers(2)) as results:
    for result in results:
        if sys.argv[1] == "big":
            raise KeyboardInterrupt
"""


@looped(("task", "message"), [("big", "KeyboardInterrupt"), ("closing", "WorkerLost")])
def test_a_process_that_ends_amid_a_result_is_not_waited_for(task: str, message: str) -> None:
    done = run([sys.executable, "-c", AMID_A_RESULT, task], env=ENVIRON)
    assert message in done.stderr


PROGRAM = """
import os
from functools import partial
from phaseledger.replay.batch.pool import Workers, in_order
from tests.support.replay.pool_tasks import square
os.write(1, b"imported\\n")  # at once: workers share the pipe

def double(number):
    return 2 * number

if __name__ == "__main__":
    for task in (square, partial(pow, 2), double):
        with in_order(task, range(4), Workers(2)) as results:
            print(*results, flush=True)
"""


def test_workers_import_the_program_only_for_its_own_tasks(tmp_path: Path) -> None:
    """By its own process, and by the one or two workers that do its tasks."""
    program = tmp_path / "program.py"
    program.write_text(PROGRAM)
    lines = run([sys.executable, program], env=ENVIRON).stdout.splitlines()
    assert [line for line in lines if line != "imported"] == ["0 1 4 9", "1 2 4 8", "0 2 4 6"]
    assert lines.count("imported") in (2, 3)


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
    assert psutil.wait_procs(workers)[1] == []
