"""JSON responses without what the framework would look for at every answer."""

from typing import TypeVar

import msgspec
from litestar import Response
from litestar.types import ASGIApp

from phaseledger.service.api.responses.ready import ReadyAnswer

T = TypeVar("T")
_encode = msgspec.json.Encoder().encode


class PlainJsonResponse(Response[T]):
    """A JSON response with the given lower-case headers and those of its body, and no others.

    Bytes are JSON already.

    The framework would look for encoders, cookies and defaults at every answer.
    """

    def to_asgi_response(  # type: ignore[override]
        self, *_: object, status_code: int | None = None, **__: object
    ) -> ASGIApp:
        """The response as an ASGI application."""
        body = self.content if isinstance(self.content, bytes) else _encode(self.content)
        headers = [(name.encode(), value.encode()) for name, value in self.headers.items()]
        headers += [
            (b"content-type", b"application/json"),
            (b"content-length", b"%d" % len(body)),
        ]
        return ReadyAnswer(self.status_code or status_code or 200, headers, body)
