"""The event loop of the simulation: virtual time, seeded order, processes that stop."""

import asyncio
import threading
import time
from contextvars import Context

import pytest

from tests.simulation.chance import Chance
from tests.simulation.loop import PROCESS, Deadlock, Process, VirtualLoop, run, virtual_world


def loop_of(seed: int = 0, disorder: float = 1.0) -> VirtualLoop:
    return VirtualLoop(Chance(seed), disorder)


def spawn(loop: VirtualLoop, process: Process, work: object) -> asyncio.Task[object]:
    context = Context()
    context.run(PROCESS.set, process)
    return loop.create_task(work, context=context)


def test_a_sleep_takes_no_time_and_moves_the_clock_on() -> None:
    loop = loop_of()

    async def main() -> float:
        await asyncio.sleep(86_400)
        return loop.time()

    assert run(loop, main()) == 86_400


def order_of(seed: int, disorder: float) -> list[int]:
    loop, order = loop_of(seed, disorder), []

    async def work(number: int) -> None:
        await asyncio.sleep(0)
        order.append(number)

    async def main() -> None:
        await asyncio.gather(*(work(number) for number in range(20)))

    run(loop, main())
    return order


def test_the_seed_says_which_of_those_ready_runs_next() -> None:
    assert order_of(1, 1.0) == order_of(1, 1.0) != order_of(2, 1.0)
    assert order_of(1, 0.0) == list(range(20))


def test_a_deadlock_is_reported_with_what_waits() -> None:
    async def forgotten() -> None:
        await asyncio.Event().wait()

    with pytest.raises(Deadlock, match=r"forgotten.*wait"):
        run(loop_of(), forgotten())


def test_a_killed_process_never_runs_again() -> None:
    loop, process, steps = loop_of(), Process("node"), []

    async def work() -> None:
        try:
            while True:
                await asyncio.sleep(1)
                steps.append(loop.time())
        finally:
            steps.append("cleared away")

    async def main() -> list[object]:
        spawn(loop, process, work())
        await asyncio.sleep(3.5)
        process.killed = True
        await asyncio.sleep(100)
        return list(steps)

    assert run(loop, main()) == [1, 2, 3]
    assert steps[-1] == "cleared away"


def test_a_paused_process_goes_on_later() -> None:
    loop, process, steps = loop_of(), Process("node"), []

    async def work() -> None:
        while True:
            await asyncio.sleep(1)
            steps.append(loop.time())

    async def main() -> None:
        spawn(loop, process, work())
        await asyncio.sleep(1.5)
        process.paused_until = 10.0
        await asyncio.sleep(11)

    run(loop, main())
    assert steps == [1, 10, 11, 12]


def test_each_process_has_a_clock_and_other_threads_keep_theirs() -> None:
    loop = loop_of()
    at_home: list[float] = []

    async def clock() -> float:
        return time.time_ns() / 1e9 - time.time() + time.time()

    async def main() -> tuple[object, ...]:
        ahead = await spawn(loop, Process("ahead", 120.0), clock())
        right = await spawn(loop, Process("right"), clock())
        return ahead, right

    with virtual_world(loop, Chance(1)):
        thread = threading.Thread(target=lambda: at_home.append(time.time()))
        thread.start()
        thread.join()
        ahead, right = run(loop, main())

    assert ahead - right == pytest.approx(120.0)
    assert abs(at_home[0] - time.time()) < abs(at_home[0] - right)
