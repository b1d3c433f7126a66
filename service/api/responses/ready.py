"""Answers that are ready: status, headers and body, without what the framework would add."""

from collections.abc import Sequence
from typing import TypeAlias

from litestar.types import Receive, Scope, Send

Headers: TypeAlias = Sequence[tuple[bytes, bytes]]
"""Names in lower case, and values."""


class ReadyAnswer:
    """An answer as an ASGI application."""

    __slots__ = ("body", "headers", "status")

    def __init__(self, status: int, headers: Headers, body: bytes) -> None:
        self.status, self.headers, self.body = status, headers, body

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Give the answer."""
        headers = [*self.headers]
        await send({"type": "http.response.start", "status": self.status, "headers": headers})
        await send({"type": "http.response.body", "body": self.body, "more_body": False})
