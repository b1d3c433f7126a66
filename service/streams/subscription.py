"""One open stream: what waits for its reader, and no more of it than the bound allows."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Literal

from phaseledger.service.schemas.streams import StreamCloseCode
from phaseledger.service.streams import sse as frames

LARGEST = 256 * 1024  # bytes that wait, beside what the sockets hold
MOST = 1_000  # frames that wait

StreamFormat = Literal["sse", "ndjson"]
TokenCheck = Callable[[], Awaitable[StreamCloseCode | None]]
"""Whether the caller's token still counts: None, or why it does not."""


class Stream:
    """What one client is still to be sent.

    Nobody waits for its reader: whoever has news offers it, and one that reads too slowly is told
    to come back, which loses nothing, since a client names the version that it has.
    """

    def __init__(
        self, form: StreamFormat, ask: TokenCheck | None = None, origin: bytes = b""
    ) -> None:
        self.form = form
        self.ask = ask
        self.origin = origin
        """Where its reader is."""
        self.abort: Callable[[], object] = lambda: None
        """Breaks the connection off, even where its reader takes nothing."""
        self.is_over = False
        """Whether nothing more will be offered."""
        self._waiting: list[bytes] = []
        self._size = 0
        self._wake = asyncio.Event()
        self.touch()

    @property
    def is_idle(self) -> bool:
        """Whether all that was offered is on its way."""
        return not self._waiting

    def touch(self) -> None:
        """Note that the reader has taken something."""
        self.touched = asyncio.get_running_loop().time()

    def offer(self, frame: bytes) -> None:
        """Let the frame wait for the reader, who is sent away where too much waits already."""
        if self.is_over:
            return
        if self._waiting and (self._size + len(frame) > LARGEST or len(self._waiting) >= MOST):
            self.close("fell_behind")
            return
        self._waiting.append(frame)
        self._size += len(frame)
        self._wake.set()

    def finish(self) -> None:
        """End after what waits."""
        self.is_over = True
        self._wake.set()

    def close(self, code: StreamCloseCode) -> None:
        """End with a reason instead of what waits."""
        if not self.is_over:
            self._waiting = [frames.closed(code)] if self.form == "sse" else []
            self.finish()

    async def taken(self) -> AsyncIterator[bytes]:
        """What is offered, all that waits at once, until the stream is over."""
        while not (self.is_over and not self._waiting):
            await self._wake.wait()
            self._wake.clear()
            if self._waiting:
                waiting, self._waiting, self._size = b"".join(self._waiting), [], 0
                yield waiting
