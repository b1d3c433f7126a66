"""Responses that go on wait between their parts, the longer the less work their caller has left."""

import asyncio
import time
from collections.abc import AsyncGenerator
from typing import Any

from phaseledger.service.api.limits.rates import SLOWEST, Limits, Policies, WorkCharge
from phaseledger.service.api.requests.client_address import origin
from phaseledger.service.api.responses.streaming import StreamingResponse
from phaseledger.service.api.stack import Stack
from phaseledger.service.quotas.token_buckets import RateLimitPolicy
from phaseledger.service.runtime.work import measured_here
from tests.support.service.bare_requests import SCOPE, keep_busy, no_body

CLIENT = bytes([198, 51, 100, 7])


def test_a_response_that_goes_on_is_slowed_the_more_its_caller_has_used() -> None:
    """It waits between its parts; that of another caller does not."""
    work = Policies(
        RateLimitPolicy("address-work", 0.001, 1_000),
        RateLimitPolicy("token-work", 0.001, 1_000),
        RateLimitPolicy("application-work", 0.001, 1_000),
    )
    spent = bytes([198, 51, 100, 7])
    work[0].charge(spent, 2_000, 0.0)
    sent: list[float] = []

    async def parts() -> AsyncGenerator[bytes]:
        for _ in range(3):
            yield b"part"

    async def app(scope: Any, receive: Any, send: Any) -> None:
        response = StreamingResponse(parts(), "text/plain", {})
        await response.to_asgi_response(app=None, request=None)(scope, receive, send)

    async def note(message: Any) -> None:
        sent.append(time.monotonic())

    async def connected() -> Any:
        await asyncio.Event().wait()

    async def answer(client: str) -> float:
        sent.clear()
        scope: Any = {**SCOPE, "client": (client, 1)}
        # The one that it begins with is refused; this one was let in before.
        charge = WorkCharge(work, (origin(scope),), lambda: 0.0)
        await charge.measure(app(scope, connected, note))
        return sent[-1] - sent[0]

    assert asyncio.run(answer("198.51.100.7")) >= 3 * SLOWEST - 0.1
    work[0].charge(bytes([198, 51, 100, 8]), 500, 0.0)
    assert asyncio.run(answer("198.51.100.8")) < 0.1
    work[0].charge(bytes([198, 51, 100, 8]), 250, 0.0)
    assert 1.5 * SLOWEST - 0.1 <= asyncio.run(answer("198.51.100.8")) < 3 * SLOWEST


def test_a_response_that_goes_on_is_charged_meanwhile_and_in_its_tasks() -> None:
    """As streams are sent: by a task of the request."""
    work = (
        RateLimitPolicy("address-work", 0.001, 1_000),
        RateLimitPolicy("token-work", 0.001, 1_000),
    )
    left: list[int] = []

    async def app(scope: Any, receive: Any, send: Any) -> None:
        async def pump() -> None:
            for _ in range(4):
                keep_busy(0.05)
                await send({"type": "http.response.body", "body": b"", "more_body": True})

        await asyncio.create_task(measured_here(pump()))

    async def look(message: Any) -> None:
        await asyncio.sleep(0)
        left.append(work[0].look(CLIENT, 0.0).remaining)

    stack = Stack(app, limits=Limits(None, None, work=work), clock=lambda: 0.0)
    asyncio.run(stack({**SCOPE}, no_body, look))
    assert left[1] <= 950
    assert left[3] <= left[2] - 50 <= left[1] - 100
