"""Streaming responses, which end when the reader disconnects."""

import asyncio
from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing
from typing import Any

from litestar.response import Stream
from litestar.response.streaming import ASGIStreamingResponse
from litestar.types import Receive, Send
from typing_extensions import override

from phaseledger.service.runtime.tasks import cancel_and_wait
from phaseledger.service.runtime.work import measured_here, paced


class StreamingResponse(Stream):
    """A streaming response; its generator of parts is closed at its end, also after an error."""

    def __init__(
        self, parts: AsyncGenerator[bytes], media_type: str, headers: dict[str, str]
    ) -> None:
        super().__init__(parts, media_type=media_type, headers=headers)
        self.parts = parts

    def begun(self, abort: Callable[[], object]) -> None:
        """Called when sending begins, with the function that aborts it; returns at once."""

    def taken(self) -> None:
        """Called after each part that the reader has taken."""

    @override
    def to_asgi_response(self, app: Any, request: Any, **options: Any) -> ASGIStreamingResponse:
        return _Body(
            self,
            headers={**(options.get("headers") or {}), **self.headers},
            media_type=self.media_type,
            status_code=200,
        )


class _Body(ASGIStreamingResponse):
    """The body's sender; the framework's own does not close the generator."""

    def __init__(self, answer: StreamingResponse, **options: Any) -> None:  # noqa: ANN401
        super().__init__(iterator=answer.parts, **options)
        self._answer = answer

    @override
    async def send_body(self, send: Send, receive: Receive) -> None:
        pump = asyncio.create_task(measured_here(self._pump(send)))
        disconnect = asyncio.create_task(_disconnected(receive))
        self._answer.begun(disconnect.cancel)
        try:
            await asyncio.wait([pump, disconnect], return_when=asyncio.FIRST_COMPLETED)
        finally:
            await cancel_and_wait(pump, disconnect)
        # A body that was broken off lacks its last chunk, so the client knows.
        if not pump.cancelled() and (error := pump.exception()):
            raise error

    async def _pump(self, send: Send) -> None:
        async with aclosing(self._answer.parts) as parts:
            async for part in parts:
                await send({"type": "http.response.body", "body": part, "more_body": True})
                self._answer.taken()
                await paced()
        await send({"type": "http.response.body", "body": b"", "more_body": False})


async def _disconnected(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
