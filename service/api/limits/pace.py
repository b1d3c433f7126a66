"""The pace of readers, and what answers hold meanwhile: who takes too little of one loses it."""

import asyncio
import time
from collections import Counter
from collections.abc import Callable

from litestar.types import (
    ASGIApp,
    HTTPResponseBodyEvent,
    HTTPResponseStartEvent,
    Message,
    Receive,
    Scope,
    Send,
)

from phaseledger.service.api.errors import TooManyRequests
from phaseledger.service.api.problems.details import refuse

WHOLE = 32 * 1024
"""Bytes of an answer that is sent whole. The server keeps what it was given until the reader has
taken it, for as long as the connection stays.
"""
LARGEST_PART = 64 * 1024
"""Bytes that are sent at a time, so that a slow reader is told from one that takes nothing."""
PATIENCE = 15.0
"""The seconds in which a reader has to take what the least rate asks for."""
LEAST_RATE = 8 * 1024
"""Bytes a second of a long answer, as of a request's body."""
MOST_HELD = 64 << 20
"""Bytes of long answers that readers of one address have not taken yet; one may be longer."""


class ReaderTooSlow(TimeoutError):
    """Whoever asked takes too little of the answer, which is broken off."""


class ReaderPace:
    """How fast the reader of one answer takes its parts, over ``patience`` seconds at a time.

    Only the time counts in which the reader is waited for. Without ``patience`` it has any.
    """

    def __init__(self, patience: float | None = PATIENCE, least_rate: float = LEAST_RATE) -> None:
        self._patience = patience
        self._least_rate = least_rate
        self._waited = 0.0  # seconds
        self._taken = 0  # bytes

    async def send(self, send: Send, body: bytes, *, more_body: bool) -> None:
        """Send a part. Raises ReaderTooSlow."""
        began = time.monotonic()
        message: HTTPResponseBodyEvent = {
            "type": "http.response.body",
            "body": body,
            "more_body": more_body,
        }
        try:
            async with asyncio.timeout(self._patience):
                await send(message)
        except TimeoutError:
            raise ReaderTooSlow from None
        if self._patience is None:
            return
        self._waited += time.monotonic() - began
        self._taken += len(body)
        if self._waited >= self._patience:
            if self._taken < self._waited * self._least_rate:
                raise ReaderTooSlow
            self._waited, self._taken = 0.0, 0


def with_reader_pace(
    app: ASGIApp, origin: Callable[[Scope], bytes], counted: Counter[bytes] | None = None
) -> ASGIApp:
    """Middleware that sends a long answer in parts, and breaks it off where nobody takes them.

    Where readers of the address, which is ``origin``'s, have too many bytes to take, it is answered
    429 instead; ``counted`` has them by address, for several applications together.
    """
    held: Counter[bytes] = Counter() if counted is None else counted

    async def answer(scope: Scope, receive: Receive, send: Send) -> None:
        if scope.get("method") is None:
            await app(scope, receive, send)
            return
        address, size, is_refused = origin(scope), 0, False

        async def send_parts(message: Message) -> None:
            nonlocal size, is_refused
            if is_refused:
                return
            if message["type"] == "http.response.start" and (length := _length(message)) > WHOLE:
                is_refused = 0 < held[address] > MOST_HELD - length
                if is_refused:
                    await refuse(scope, receive, send, TooManyRequests(PATIENCE))
                    return
                size = length
                held[address] += size
            if message["type"] == "http.response.body" and _is_long(message):
                await _send_paced(send, message["body"])
            else:
                await send(message)

        try:
            await app(scope, receive, send_parts)
        finally:
            held[address] -= size
            if not held[address]:
                del held[address]

    return answer


async def _send_paced(send: Send, body: bytes) -> None:
    pace = ReaderPace()
    for start in range(0, len(body), LARGEST_PART):
        end = start + LARGEST_PART
        await pace.send(send, body[start:end], more_body=end < len(body))


def _is_long(message: HTTPResponseBodyEvent) -> bool:
    """Whether it is the whole body of an answer, or the last part of it, and long."""
    return not message.get("more_body") and len(message.get("body", b"")) > WHOLE


def _length(start: HTTPResponseStartEvent) -> int:
    """The body's length, where the headers have it."""
    return next((int(value) for name, value in start["headers"] if name == b"content-length"), 0)
