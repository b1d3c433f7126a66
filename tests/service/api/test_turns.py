"""The requests of a busy address wait for one another, and nobody else waits for them."""

import asyncio

import pytest

from phaseledger.service.api import turns as module
from phaseledger.service.api.turns import Turns

BUSY, OTHER = b"busy", b"other"


async def settled() -> None:
    for _ in range(5):
        await asyncio.sleep(0)


def test_so_many_are_served_at_a_time_in_the_order_in_which_they_came() -> None:
    async def scene() -> None:
        turns, served = Turns(at_once=2), list[int]()

        async def request(number: int) -> None:
            give_back = await turns.wait(BUSY)
            served.append(number)
            await ends[number].wait()
            give_back()
            give_back()  # once more changes nothing

        ends = [asyncio.Event() for _ in range(5)]
        tasks = [asyncio.create_task(request(number)) for number in range(5)]
        await settled()
        assert served == [0, 1]
        (await turns.wait(OTHER))()
        ends[1].set()
        await settled()
        assert served == [0, 1, 2]
        tasks[3].cancel()  # a client that hangs up while it waits
        ends[0].set()
        await settled()
        assert served == [0, 1, 2, 4]
        for end in ends:
            end.set()
        await asyncio.gather(*tasks, return_exceptions=True)
        assert turns._lines == {}

    asyncio.run(scene())


def test_only_so_many_wait() -> None:
    async def scene() -> None:
        turns = Turns(at_once=1, most_waiting=2)
        give_back = await turns.wait(BUSY)
        tasks = [asyncio.create_task(turns.wait(BUSY)) for _ in range(2)]
        await settled()
        assert (turns.has_room(BUSY), turns.has_room(OTHER)) == (False, True)
        give_back()
        for task in tasks:
            (await task)()
        assert turns.has_room(BUSY)

    asyncio.run(scene())


def test_a_request_that_waits_for_something_gives_up_its_turn(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(module, "HELD", 0.05)

    async def scene() -> None:
        turns = Turns(at_once=1)
        await turns.wait(BUSY)
        (await turns.wait(BUSY))()
        assert turns._lines == {}

    asyncio.run(scene())
