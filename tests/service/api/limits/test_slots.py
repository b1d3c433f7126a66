"""Slots: so many in all, a few for each caller, and nobody waits for another caller's."""

import asyncio
from contextlib import AsyncExitStack

from phaseledger.service.api.limits.slots import Slots
from tests.support.service.work_limits import in_a_loop


@in_a_loop
async def test_a_caller_holds_a_few_and_others_get_the_rest() -> None:
    slots = Slots(3, 2)
    assert slots.reason_to_refuse(b"a") == ""
    async with AsyncExitStack() as held:
        await held.enter_async_context(slots.held(b"a"))
        assert slots.reason_to_refuse(b"a") == ""
        await held.enter_async_context(slots.held(b"a"))
        assert slots.reason_to_refuse(b"a") == "there may be 2 of one address"
        assert slots.reason_to_refuse(b"b") == ""
        await held.enter_async_context(slots.held(b"b"))
        assert slots.reason_to_refuse(b"b") == "there are 3"
    assert slots.reason_to_refuse(b"a") == slots.reason_to_refuse(b"b") == ""
    assert not slots._callers, "nobody is remembered"


@in_a_loop
async def test_who_waits_for_its_own_share_takes_no_slot_of_others() -> None:
    slots, order = Slots(3, 2), list[str]()
    leave = asyncio.Event()

    async def hold(name: str) -> None:
        async with slots.held(name[:1].encode()):
            order.append(name)
            await leave.wait()

    tasks = [asyncio.create_task(hold(f"a{number}")) for number in range(5)]
    tasks.append(asyncio.create_task(hold("b")))
    for _ in range(10):
        await asyncio.sleep(0)
    assert order == ["a0", "a1", "b"]
    tasks[3].cancel()
    leave.set()
    await asyncio.gather(*tasks, return_exceptions=True)
    assert order == ["a0", "a1", "b", "a2", "a4"]
    assert not slots._callers
