"""Readers that take every part, and yet too little of a response: it is broken off."""

import asyncio
from collections.abc import AsyncGenerator
from types import SimpleNamespace
from typing import Any

import pytest

from phaseledger.service.api.limits import pace
from phaseledger.service.api.responses.streaming import StreamingResponse
from tests.support.service.bare_requests import SCOPE

PARTS, SIZE = 20, 1_000
PATIENCE = 5.0


class Export(StreamingResponse):
    patience = PATIENCE


async def parts() -> AsyncGenerator[bytes]:
    for _ in range(PARTS):
        yield bytes(SIZE)


@pytest.mark.parametrize(("rate", "taken"), [(SIZE, PARTS), (SIZE + 1, 5)])
def test_who_takes_less_than_the_least_rate_is_left(
    rate: int, taken: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each part takes a second of a clock that nothing else moves."""
    clock, sent = SimpleNamespace(seconds=0.0), list[bytes]()
    monkeypatch.setattr(Export, "least_rate", rate)
    monkeypatch.setattr(pace, "time", SimpleNamespace(monotonic=lambda: clock.seconds))

    async def take(message: Any) -> None:
        clock.seconds += 1.0
        if message.get("body"):
            sent.append(message["body"])

    async def connected() -> Any:
        await asyncio.Event().wait()

    async def answer() -> None:
        response: Any = Export(parts(), "text/plain", {})
        await response.to_asgi_response(app=None, request=None)(SCOPE, connected, take)

    if taken == PARTS:
        asyncio.run(answer())
    else:
        with pytest.raises(TimeoutError):
            asyncio.run(answer())
    assert len(sent) == taken
