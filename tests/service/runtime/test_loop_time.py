"""The time for which coroutines hold the loop: steps count, and waits do not."""

import asyncio
import time

import pytest

from phaseledger.service.runtime.loop_time import CURRENT, LoopTime, measured, measured_here


def _busy(seconds: float) -> None:
    until = time.perf_counter() + seconds
    while time.perf_counter() < until:
        pass


def test_steps_count_and_waits_do_not() -> None:
    async def inner() -> int:
        _busy(0.02)
        await asyncio.sleep(1)
        _busy(0.02)
        return 7

    total = LoopTime()

    async def run() -> int:
        return await measured(inner(), total)

    assert asyncio.run(run()) == 7
    assert 0.04 <= total.seconds < 0.5


def test_another_task_is_not_counted() -> None:
    total = LoopTime()

    async def run() -> None:
        other = asyncio.create_task(asyncio.sleep(0.01))
        other.add_done_callback(lambda _: _busy(0.3))
        await measured(asyncio.sleep(0.1), total)

    asyncio.run(run())
    assert total.seconds < 0.2


def test_exceptions_go_both_ways() -> None:
    total = LoopTime()
    thrown: list[BaseException] = []

    async def inner() -> str:
        try:
            await asyncio.sleep(60)
        except asyncio.CancelledError as error:
            thrown.append(error)
        _busy(0.02)
        raise ValueError("its own")

    async def run() -> None:
        task = asyncio.create_task(measured_here(measured(inner(), total)))  # type: ignore[arg-type]
        await asyncio.sleep(0.01)
        task.cancel()
        with pytest.raises(ValueError, match="its own"):
            await task

    asyncio.run(run())
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
        await measured(inner(), LoopTime())

    coroutine = outer()
    loop = asyncio.new_event_loop()
    loop.run_until_complete(_first_step(coroutine))
    coroutine.close()
    loop.close()
    assert closed == ["inner"]


async def _first_step(coroutine: object) -> None:
    coroutine.send(None)  # type: ignore[attr-defined]


def test_tasks_count_as_their_request() -> None:
    total = LoopTime()

    async def work() -> None:
        _busy(0.02)

    async def run() -> None:
        await asyncio.create_task(measured_here(work()))
        assert total.seconds == 0
        CURRENT.set(total)
        await asyncio.create_task(measured_here(work()))

    asyncio.run(run())
    assert total.seconds >= 0.02
