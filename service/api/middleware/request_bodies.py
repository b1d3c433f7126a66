"""Bodies of requests: within the time that they may take, and whole."""

import asyncio

from litestar.types import Receive, ReceiveMessage, Scope

from phaseledger.domain.words import Phrase
from phaseledger.service.api.errors import BodyCutOff, BodyTooSlow

BODY_SECONDS = 3.0
BYTES_A_SECOND = 8 * 1024
"""A body may take `BODY_SECONDS`, and as much longer as it comes in at this rate. Bodies are
small, and a proxy in front collects the bodies of slow clients.
"""
WITH_BODY = {"DELETE", "PATCH", "POST", "PUT"}
_LENGTH = b"content-length"


class PromptBody:
    """A request's messages; those of its body have to come in time (408), and whole (400)."""

    def __init__(self, scope: Scope, receive: Receive) -> None:
        self._receive = receive
        self._started_at, self._received, self._is_complete = 0.0, 0, False
        # Later versions may send more than announced, and are refused.
        self._length = b""
        if scope["http_version"] < "2":
            self._length = next((value for name, value in scope["headers"] if name == _LENGTH), b"")

    async def receive(self) -> ReceiveMessage:
        """The next message. Raises BodyTooSlow, BodyCutOff."""
        if self._is_complete:  # the next message is the disconnect
            return await self._receive()
        now = asyncio.get_running_loop().time()
        self._started_at = self._started_at or now
        remaining = self._started_at + BODY_SECONDS + self._received / BYTES_A_SECOND - now
        try:
            async with asyncio.timeout(remaining):
                message = await self._receive()
        except TimeoutError:
            raise BodyTooSlow(Phrase("adds.bytes_came", count=self._received)) from None
        if message["type"] != "http.request":
            raise BodyCutOff(Phrase("adds.bytes_came", count=self._received))
        self._received += len(message.get("body", b""))
        if b"%d" % self._received == self._length:
            # The server would say so in a message of its own, for which the loop has to wait.
            message["more_body"] = False
        self._is_complete = not message.get("more_body", False)
        return message
