"""Pages of other origins: which of them may call the API from a browser (Fetch, section 3.2).

Nothing that a browser sends by itself counts here: a token comes in a header that the page writes.
So whoever may call the API at all may call it from any page, and `*` gives nothing away.
"""

from collections.abc import Sequence

from litestar.types import ASGIApp, Message, Receive, Scope, Send

from phaseledger.service.api.requests.client_address import header_of
from phaseledger.service.settings import ANY_ORIGIN

REMEMBERED = 24 * 60 * 60
"""For how many seconds a browser need not ask again; some take less for the longest time."""
METHODS = "GET, HEAD, POST, DELETE"
REQUEST_HEADERS = (
    "Accept",
    "Authorization",
    "Command-Signature",
    "Content-Type",
    "Idempotency-Key",
    "If-Match",
    "If-None-Match",
    "Last-Event-ID",
    "traceparent",
    "tracestate",
    "X-Request-Id",
)
"""The headers that pages may send."""
ANSWER_HEADERS = (
    "Allow",
    "Content-Disposition",
    "ETag",
    "Idempotent-Replayed",
    "Link",
    "Location",
    "RateLimit",
    "RateLimit-Policy",
    "Retry-After",
    "WWW-Authenticate",
    "X-Request-Id",
)
"""The headers that pages may read, beside those that they always may."""
_EXPOSED = (b"access-control-expose-headers", ", ".join(ANSWER_HEADERS).encode())
_VARY = (b"vary", b"Origin")


class Grants:
    """The headers by which browsers show answers to the pages of some origins."""

    def __init__(self, origins: Sequence[str]) -> None:
        self._is_open = ANY_ORIGIN in origins
        self._permitted = frozenset(origin.encode() for origin in origins)

    def of(self, scope: Scope) -> list[tuple[bytes, bytes]]:
        """Those of an answer to the request.

        What depends on the origin says so, also where there is none: caches keep it for others.
        """
        if self._is_open:
            return [(b"access-control-allow-origin", b"*"), _EXPOSED]
        origin = header_of(scope, b"origin").encode("latin-1")
        if origin not in self._permitted:
            return [_VARY]
        return [(b"access-control-allow-origin", origin), _VARY, _EXPOSED]


def with_cors(app: ASGIApp, origins: Sequence[str]) -> ASGIApp:
    """Middleware that lets pages of the origins read every answer, and answers their preflights.

    Without origins nothing changes, and browsers keep the answers from pages of other origins.
    """
    if not origins:
        return app
    grants = Grants(origins)
    preflight = (
        (b"access-control-allow-methods", METHODS.encode()),
        (b"access-control-allow-headers", ", ".join(REQUEST_HEADERS).encode()),
        (b"access-control-max-age", b"%d" % REMEMBERED),
    )

    async def answer(scope: Scope, receive: Receive, send: Send) -> None:
        method = scope.get("method")
        if method is None:
            await app(scope, receive, send)
            return
        headers = grants.of(scope)
        is_preflight = method == "OPTIONS" and header_of(scope, b"access-control-request-method")
        if is_preflight and _EXPOSED in headers:
            lines = [*(line for line in headers if line != _EXPOSED), *preflight]
            await send({"type": "http.response.start", "status": 204, "headers": lines})
            await send({"type": "http.response.body", "body": b"", "more_body": False})
            return

        async def send_granted(message: Message) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [*message["headers"], *headers]
            await send(message)

        await app(scope, receive, send_granted)

    return answer
