"""Answers of many parts, which let go of a reader who has gone away or takes nothing."""

import asyncio
from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing
from typing import Any

from litestar.response import Stream
from litestar.response.streaming import ASGIStreamingResponse
from litestar.types import Receive, Send
from typing_extensions import override

from phaseledger.service.runtime.tasks import cancel_and_wait


class StreamingResponse(Stream):
    """An answer of the parts, which are closed at its end, however that comes."""

    patience: float | None = None
    """Seconds in which a reader must take each part; None: whatever it pleases."""

    def __init__(
        self, parts: AsyncGenerator[bytes], media_type: str, headers: dict[str, str]
    ) -> None:
        super().__init__(parts, media_type=media_type, headers=headers)
        self.parts = parts

    def begun(self, abort: Callable[[], object]) -> None:
        """Take notice that it is being sent, and of how to break it off; returns at once."""

    def taken(self) -> None:
        """Take notice that the reader has taken a part."""

    @override
    def to_asgi_response(self, app: Any, request: Any, **more: Any) -> ASGIStreamingResponse:
        return _Body(
            self,
            headers={**(more.get("headers") or {}), **self.headers},
            media_type=self.media_type,
            status_code=200,
        )


class _Body(ASGIStreamingResponse):
    """The framework's own waits for a reader as long as that pleases, and leaves parts open."""

    def __init__(self, answer: StreamingResponse, **more: Any) -> None:  # noqa: ANN401
        super().__init__(iterator=answer.parts, **more)
        self._answer = answer

    @override
    async def send_body(self, send: Send, receive: Receive) -> None:
        pump = asyncio.create_task(self._pump(send))
        gone = asyncio.create_task(_gone(receive))
        self._answer.begun(gone.cancel)
        try:
            await asyncio.wait([pump, gone], return_when=asyncio.FIRST_COMPLETED)
        finally:
            await cancel_and_wait(pump, gone)
        # A body that was broken off lacks its last chunk, so the client knows.
        if not pump.cancelled() and (bug := pump.exception()):
            raise bug

    async def _pump(self, send: Send) -> None:
        async with aclosing(self._answer.parts) as parts:
            async for part in parts:
                await self._send(send, part, more=True)
                self._answer.taken()
        await self._send(send, b"", more=False)

    async def _send(self, send: Send, body: bytes, *, more: bool) -> None:
        async with asyncio.timeout(self._answer.patience):
            await send({"type": "http.response.body", "body": body, "more_body": more})


async def _gone(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
