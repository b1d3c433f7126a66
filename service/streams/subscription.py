"""One open stream: a bounded queue of frames for its reader."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Literal

from phaseledger.service.quotas.token_buckets import RateLimitPolicy
from phaseledger.service.schemas.streams import StreamCloseCode
from phaseledger.service.streams import sse

LARGEST = 256 * 1024  # bytes that wait, beside those in the sockets
MOST = 1_000  # frames that wait

PARTS = 500
"""Parts a second for the readers of one origin. Each of many streams gets fewer and larger parts,
so that no event has to wait for all of them.
"""
PARTS_AT_ONCE = 20

StreamFormat = Literal["sse", "ndjson"]
TokenCheck = Callable[[], Awaitable[StreamCloseCode | None]]
"""A check of the caller's token: None while it is valid, else the reason why not."""


class Stream:
    """The frames queued for one client.

    Senders never wait for its reader: a client that reads too slowly is told to reconnect, which
    loses nothing, since a client names the version that it has.
    """

    def __init__(
        self,
        form: StreamFormat,
        ask: TokenCheck | None = None,
        origin: bytes = b"",
        *,
        lingers: bool = False,
    ) -> None:
        self.form = form
        self.ask = ask
        self.origin = origin
        """The network origin of its reader, for limits."""
        self.lingers = lingers
        """Whether it goes on after the game's end while players react."""
        self._ending: asyncio.TimerHandle | None = None
        self.abort: Callable[[], object] = lambda: None
        """Aborts the connection, even where its reader reads nothing."""
        self.leave: Callable[[], object] = lambda: None
        """Removes the stream from the count, once it is admitted."""
        self.pace: RateLimitPolicy | None = None
        """The parts that each origin's streams are sent, once the hub holds it."""
        self.is_over = False
        """Whether no more frames are accepted."""
        self._is_due = False  # whether the waiting frames are to be sent
        self._waiting: list[bytes] = []
        self._size = 0
        self._wake = asyncio.Event()
        self.touch()

    @property
    def is_idle(self) -> bool:
        """Whether no frame is queued."""
        return not self._waiting

    def touch(self) -> None:
        """Record that the reader has taken frames."""
        self.touched = asyncio.get_running_loop().time()

    def offer(self, frame: bytes) -> None:
        """Queue the frame; where the queue is full, close the stream instead."""
        if self.is_over:
            return
        if self._waiting and (self._size + len(frame) > LARGEST or len(self._waiting) >= MOST):
            self.close("fell_behind")
            return
        self._waiting.append(frame)
        self._size += len(frame)
        if not self._is_due:
            self._is_due = True
            loop = asyncio.get_running_loop()
            seconds = self.pace.reserve(self.origin, loop.time()) if self.pace else 0.0
            if seconds:
                loop.call_later(seconds, self._wake.set)
            else:
                self._wake.set()

    def finish(self) -> None:
        """End after the queued frames."""
        self.is_over = True
        self._wake.set()

    def finish_after(self, seconds: float) -> None:
        """End once no player reacts any more, or at once where the client does not wait for it."""
        if self.lingers and seconds > 0:
            self._ending = asyncio.get_running_loop().call_later(seconds, self.finish)
        else:
            self.finish()

    def abandon(self) -> None:
        """Keep nothing of the stream for later: its client is gone."""
        if self._ending is not None:
            self._ending.cancel()

    def close(self, code: StreamCloseCode) -> None:
        """Drop the queued frames, and end with a reason."""
        if not self.is_over:
            self._waiting = [sse.closed(code)] if self.form == "sse" else []
            self.finish()

    async def taken(self) -> AsyncIterator[bytes]:
        """The queued frames, all at once each time, until the stream is over."""
        while not (self.is_over and not self._waiting):
            await self._wake.wait()
            self._wake.clear()
            self._is_due = False
            if self._waiting:
                waiting, self._waiting, self._size = b"".join(self._waiting), [], 0
                yield waiting
