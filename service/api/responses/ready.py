"""Answers that are ready: status, headers and body, without what the framework would add."""

from collections.abc import Mapping, Sequence
from typing import TypeAlias

from litestar.types import Receive, Scope, Send

Headers: TypeAlias = Sequence[tuple[bytes, bytes]]
"""Names in lower case, and values."""


class ReadyAnswer:
    """An answer as an ASGI application."""

    __slots__ = ("body", "headers", "status")

    def __init__(self, status: int, headers: Headers, body: bytes = b"") -> None:
        self.status, self.headers, self.body = status, headers, body

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Give the answer."""
        headers = [*self.headers]
        await send({"type": "http.response.start", "status": self.status, "headers": headers})
        await send({"type": "http.response.body", "body": self.body, "more_body": False})


def lines_of(headers: Mapping[str, str]) -> Headers:
    """The headers as they are sent."""
    return [(name.lower().encode(), value.encode()) for name, value in headers.items()]


def json_answer(headers: Headers, body: bytes, status: int = 200) -> ReadyAnswer:
    """The answer whose body is this JSON."""
    own = ((b"content-type", b"application/json"), (b"content-length", b"%d" % len(body)))
    return ReadyAnswer(status, [*headers, *own], body)
