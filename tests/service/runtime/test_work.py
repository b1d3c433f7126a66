"""What a request costs: steps in the loop count, waits do not, and what others do for it does."""

import asyncio
import threading
import time

import pytest

from phaseledger.service.runtime import work
from phaseledger.service.runtime.work import (
    CURRENT,
    RequestWork,
    in_daemon_thread,
    in_thread,
    let_others_run,
    measured,
    measured_here,
    paced,
    spend,
)


def _busy(seconds: float) -> None:
    until = time.perf_counter() + seconds
    while time.perf_counter() < until:
        pass


async def test_steps_count_and_waits_do_not() -> None:
    async def inner() -> int:
        _busy(0.02)
        await asyncio.sleep(1)
        _busy(0.02)
        return 7

    total = RequestWork()

    assert await measured(inner(), total) == 7
    assert 0.04 <= total.seconds < 0.5


async def test_another_task_is_not_counted() -> None:
    total = RequestWork()

    other = asyncio.create_task(asyncio.sleep(0.01))
    other.add_done_callback(lambda _: _busy(0.3))
    await measured(asyncio.sleep(0.1), total)
    assert total.seconds < 0.2


async def test_exceptions_go_both_ways() -> None:
    total = RequestWork()
    thrown: list[BaseException] = []

    async def inner() -> str:
        try:
            await asyncio.sleep(60)
        except asyncio.CancelledError as error:
            thrown.append(error)
        _busy(0.02)
        raise ValueError("its own")

    task = asyncio.create_task(measured_here(measured(inner(), total)))  # type: ignore[arg-type]
    await asyncio.sleep(0.01)
    task.cancel()
    with pytest.raises(ValueError, match="its own"):
        await task
    assert thrown
    assert total.seconds >= 0.02


def test_a_coroutine_that_is_given_up_is_closed() -> None:
    closed: list[str] = []

    async def inner() -> None:
        try:
            await asyncio.sleep(60)
        finally:
            closed.append("inner")

    async def outer() -> None:
        await measured(inner(), RequestWork())

    coroutine = outer()
    loop = asyncio.new_event_loop()
    loop.run_until_complete(_first_step(coroutine))
    coroutine.close()
    loop.close()
    assert closed == ["inner"]


async def _first_step(coroutine: object) -> None:
    coroutine.send(None)  # type: ignore[attr-defined]


async def test_tasks_count_as_their_request() -> None:
    total = RequestWork()

    async def work() -> None:
        _busy(0.02)

    await asyncio.create_task(measured_here(work()))
    assert total.seconds == 0
    CURRENT.set(total)
    await asyncio.create_task(measured_here(work()))
    assert total.seconds >= 0.02


async def test_threads_and_others_work_for_the_request_in_hand() -> None:
    def thought() -> str:
        until = time.thread_time() + 0.05
        while time.thread_time() < until:
            pass
        time.sleep(0.5)  # a wait is free in a thread too
        return "thought"

    CURRENT.set(total := RequestWork())
    result = await in_thread(thought)
    spend(0.25)
    result, seconds = result, total.seconds
    assert result == "thought"
    assert 0.3 <= seconds < 0.5


async def test_without_a_request_nothing_is_counted() -> None:
    spend(1)
    await paced()
    assert await in_thread(lambda: "thought") == "thought"


def test_a_request_waits_as_long_as_it_is_to() -> None:
    async def run() -> float:
        CURRENT.set(RequestWork(lambda: 0.2))
        began = time.monotonic()
        await paced()
        return time.monotonic() - began

    assert asyncio.run(run()) >= 0.19


def test_a_thread_that_computes_sleeps_now_and_then(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where there is one processor the loop would else wait for milliseconds whenever it wakes."""
    moments: list[float] = []
    monkeypatch.setattr(work, "sleep", moments.append)

    def compute() -> None:
        until = time.thread_time() + 0.02
        while time.thread_time() < until:
            let_others_run()

    asyncio.run(in_thread(compute))
    assert 10 <= len(moments) <= 41  # half a millisecond at a time, or somewhat more
    assert max(moments) < 0.001


async def test_a_thread_of_its_own_gives_its_result_and_its_error() -> None:
    is_daemon = await in_daemon_thread(lambda: threading.current_thread().daemon)
    with pytest.raises(ZeroDivisionError):
        await in_daemon_thread(lambda: 1 // 0)
    assert (is_daemon, await in_daemon_thread(lambda: 7)) == (True, 7)


async def test_a_thread_of_its_own_is_not_waited_for() -> None:
    begun, go_on, ended = (threading.Event() for _ in range(3))

    def work() -> None:
        begun.set()
        go_on.wait()
        ended.set()

    working = asyncio.create_task(in_daemon_thread(work))
    await asyncio.to_thread(begun.wait)
    working.cancel()
    with pytest.raises(asyncio.CancelledError):
        await working
    assert not ended.is_set()
    go_on.set()
    ended.wait()


async def test_what_is_spent_after_the_end_is_settled() -> None:
    total, settled = RequestWork(), list[float]()

    CURRENT.set(total)
    spend(1)
    total.settle = lambda: settled.append(total.seconds)
    spend(2)
    assert settled == [3]
