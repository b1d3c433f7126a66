"""The refusals of a busy address: each in its time, and of what has waited for too long."""

import asyncio
from collections.abc import Callable
from typing import Any

import pytest

from phaseledger.service.api.limits import fair_queue as module
from phaseledger.service.api.limits.fair_queue import Permits, Refusals
from phaseledger.service.api.requests.client_address import origin
from phaseledger.service.api.stack import Stack
from tests.support.service.work_limits import in_a_loop, of_work

BUSY, OTHER = b"busy", b"other"
FIRST = asyncio.FIRST_COMPLETED


@in_a_loop
async def test_refusals_of_an_address_come_one_after_another(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Each waits for its time, none for ever, nobody for another's, and not all at once."""
    monkeypatch.setattr(module, "REFUSALS", 4)
    monkeypatch.setattr(module, "LONGEST_DELAY", 0.6)
    monkeypatch.setattr(module, "MOST_DELAYED", 5)

    refusals, delays, over = Refusals(lambda: 0.0), list[float](), asyncio.Event()

    async def sleep(seconds: float) -> None:
        delays.append(seconds)
        await over.wait()

    with monkeypatch.context() as patched:
        patched.setattr(asyncio, "sleep", sleep)
        addresses = [*[BUSY] * 6, OTHER]
        tasks = [asyncio.create_task(refusals.wait(address)) for address in addresses]
        done, _ = await asyncio.wait(tasks, return_when=FIRST)
    assert delays == [0, 0.25, 0.5, 0.6, 0.6, 0]
    assert done == {tasks[5]}, "a sixth would only take memory"
    over.set()
    await asyncio.gather(*tasks)
    assert refusals._delayed == {}


@in_a_loop
async def test_a_request_that_finds_no_room_is_refused_in_its_time(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    limits, scope = of_work(2 * module.BUSY)
    delayed, statuses = list[bytes](), list[int]()

    async def wait(_: Refusals, address: bytes) -> None:
        delayed.append(address)

    monkeypatch.setattr(Refusals, "wait", wait)
    monkeypatch.setattr(Permits, "has_room", lambda *_: False)

    async def receive(message: Any) -> None:
        if message["type"] == "http.response.start":
            statuses.append(message["status"])

    unused: Any = None
    app = Stack(unused, limits=limits, clock=lambda: 0.0)
    await app(scope, unused, receive)
    assert (delayed, statuses) == ([origin(scope)], [429])


@pytest.mark.parametrize(
    ("used", "waited", "status"),
    [
        (2 * module.BUSY, module.LONGEST_WAIT + 1, 429),
        (2 * module.BUSY, module.LONGEST_WAIT - 1, 200),
        (0.0, module.LONGEST_WAIT + 1, 200),
    ],
)
@in_a_loop
async def test_what_a_busy_address_has_had_waiting_for_long_is_not_made(
    monkeypatch: pytest.MonkeyPatch, used: float, waited: float, status: int
) -> None:
    limits, scope = of_work(used)
    clock, statuses, given_back = [0.0], list[int](), list[bool]()

    async def wait(_: Permits, __: bytes) -> Callable[[], None]:
        clock[0] = waited
        return lambda: given_back.append(True)

    async def delay(_: Refusals, __: bytes) -> None:
        assert given_back == [True]  # so that others need not wait as long

    monkeypatch.setattr(Permits, "wait", wait)
    monkeypatch.setattr(Refusals, "wait", delay)

    async def answer(_: Any, __: Any, send: Any) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": []})

    async def receive(message: Any) -> None:
        if message["type"] == "http.response.start":
            statuses.append(message["status"])

    unused: Any = None
    app = Stack(answer, limits=limits, clock=lambda: clock[0])
    await app(scope, unused, receive)
    assert statuses == [status]
