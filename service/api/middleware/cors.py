"""Pages of other origins: which of them may call the API from a browser (Fetch, section 3.2).

Nothing that a browser sends by itself counts here: a token comes in a header that the page writes.
So whoever may call the API at all may call it from any page, and `*` gives nothing away.
"""

from collections.abc import Callable, Sequence

from litestar.types import ASGIApp, Message, Receive, Scope, Send

from phaseledger.service.api.requests.client_address import header_of
from phaseledger.service.settings import ANY_ORIGIN

REMEMBERED = 24 * 60 * 60
"""For how many seconds a browser need not ask again; some take less for the longest time."""
METHODS = "GET, HEAD, POST, DELETE"
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
            return _granted(b"*")
        origin = header_of(scope, b"origin").encode("latin-1")
        if origin not in self._permitted:
            return [_VARY]
        return [*_granted(origin), _VARY]


def _granted(origin: bytes) -> list[tuple[bytes, bytes]]:
    return [(b"access-control-allow-origin", origin), (b"timing-allow-origin", origin), _EXPOSED]


def _preflight(scope: Scope) -> list[tuple[bytes, bytes]]:
    """The headers of the answer to a preflight. A page may send any headers, none of which protects
    anything; those that it asks for are named, since `*` would leave Authorization out.
    """
    lines = [
        (b"access-control-allow-methods", METHODS.encode()),
        (b"access-control-max-age", b"%d" % REMEMBERED),
        (b"vary", b"Access-Control-Request-Headers"),
    ]
    if asked := header_of(scope, b"access-control-request-headers"):
        lines.append((b"access-control-allow-headers", asked.encode("latin-1")))
    if header_of(scope, b"access-control-request-private-network") == "true":
        lines.append((b"access-control-allow-private-network", b"true"))
    return lines


def with_cors(app: ASGIApp, origins: Sequence[str], charge: Callable[[Scope], None]) -> ASGIApp:
    """Middleware that lets pages of the origins read every answer, and answers their preflights.

    A preflight is answered above the limits too, or the page would not be told why its request is
    refused; ``charge`` charges its address the work. Without origins nothing changes, and browsers
    keep the answers from pages of other origins.
    """
    if not origins:
        return app
    grants = Grants(origins)

    async def answer(scope: Scope, receive: Receive, send: Send) -> None:
        method = scope.get("method")
        if method is None:
            await app(scope, receive, send)
            return
        headers = grants.of(scope)
        is_preflight = method == "OPTIONS" and header_of(scope, b"access-control-request-method")
        if is_preflight and _EXPOSED in headers:
            charge(scope)
            lines = [*(line for line in headers if line != _EXPOSED), *_preflight(scope)]
            await send({"type": "http.response.start", "status": 204, "headers": lines})
            await send({"type": "http.response.body", "body": b"", "more_body": False})
            return

        async def send_granted(message: Message) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [*message["headers"], *headers]
            await send(message)

        await app(scope, receive, send_granted)

    return answer
