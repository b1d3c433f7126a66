"""Pages of other origins: which of them may call the API from a browser (Fetch, section 3.2).

Nothing that a browser sends by itself counts here: a token comes in a header that the page writes.
So a holder of a token may call the API from any page, and `*` gives nothing away.
"""

from collections.abc import Sequence

from litestar.types import Scope

from phaseledger.service.api.requests.client_address import header_of
from phaseledger.service.settings import ANY_ORIGIN

REMEMBERED = 24 * 60 * 60
"""For how many seconds a browser need not ask again; some take less for the longest time."""
METHODS = "GET, HEAD, POST, PUT, DELETE"
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
"""The headers that pages may read, beside the ones that they always may."""
_EXPOSED = (b"access-control-expose-headers", ", ".join(ANSWER_HEADERS).encode())
_VARY = (b"vary", b"Origin")


class Grants:
    """The headers by which browsers show answers to the pages of some origins."""

    def __init__(self, origins: Sequence[str]) -> None:
        self._is_open = ANY_ORIGIN in origins
        self._permitted = frozenset(origin.encode() for origin in origins)

    def of(self, scope: Scope) -> list[tuple[bytes, bytes]]:
        """The headers of an answer to the request.

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


def preflight(scope: Scope, granted: Sequence[tuple[bytes, bytes]]) -> list[tuple[bytes, bytes]]:
    """The headers of the answer to a granted preflight; none to another request.

    A page may send any headers, none of which protects anything; the ones that it asks for are
    named, since `*` would leave Authorization out. A preflight is answered above the limits too, or
    the page would not be told why its request is refused.
    """
    is_asked = header_of(scope, b"access-control-request-method")
    if scope.get("method") != "OPTIONS" or not is_asked or _EXPOSED not in granted:
        return []
    lines = [
        *(line for line in granted if line != _EXPOSED),
        (b"access-control-allow-methods", METHODS.encode()),
        (b"access-control-max-age", b"%d" % REMEMBERED),
        (b"vary", b"Access-Control-Request-Headers"),
    ]
    if asked := header_of(scope, b"access-control-request-headers"):
        lines.append((b"access-control-allow-headers", asked.encode("latin-1")))
    if header_of(scope, b"access-control-request-private-network") == "true":
        lines.append((b"access-control-allow-private-network", b"true"))
    return lines
