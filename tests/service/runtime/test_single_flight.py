"""Single flight: one run for all who ask meanwhile, and an end to waiting for it."""

import asyncio

import pytest

from phaseledger.service.runtime.single_flight import SingleFlight
from tests.support.polling import ENDLESS


class Work:
    """Counts its runs, each of which lasts until the gate is open."""

    def __init__(self) -> None:
        self.runs = 0
        self.gate = asyncio.Event()

    async def __call__(self) -> int:
        self.runs += 1
        run = self.runs
        await self.gate.wait()
        return run


async def test_those_who_ask_meanwhile_share_one_run() -> None:
    work = Work()
    flight = SingleFlight(work)
    asking = [asyncio.create_task(flight.result(ENDLESS)) for _ in range(5)]
    await asyncio.sleep(0)
    work.gate.set()
    assert await asyncio.gather(*asking) == [1] * 5
    assert await flight.result(ENDLESS) == 2


async def test_a_fresh_result_serves_again() -> None:
    work = Work()
    work.gate.set()
    flight = SingleFlight(work, fresh=ENDLESS)
    assert [await flight.result(ENDLESS) for _ in range(3)] == [1, 1, 1]


async def test_who_waits_in_vain_is_told_and_the_run_goes_on() -> None:
    """Nothing is begun beside it, and its result comes to whoever asks later."""
    work = Work()
    flight = SingleFlight(work, fresh=ENDLESS)
    for _ in range(3):
        with pytest.raises(TimeoutError):
            await flight.result(0.01)
    assert work.runs == 1
    work.gate.set()
    assert await flight.result(ENDLESS) == 1


def test_closing_ends_the_run() -> None:
    async def scene() -> None:
        flight = SingleFlight(Work())
        with pytest.raises(TimeoutError):
            await flight.result(0.01)
        await flight.close()
        assert len(asyncio.all_tasks()) == 1

    asyncio.run(scene())
