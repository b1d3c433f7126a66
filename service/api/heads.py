"""How large a request may be before its body: no more than anybody needs.

The server itself refuses what it cannot hold at all, in bare words; see `service.about`.
"""

from litestar.types import ASGIApp, Receive, Scope, Send

from phaseledger.service.api.problems import Refusal
from phaseledger.service.api.rate_limits import refuse

LONGEST_TARGET = 16 * 1024
"""Bytes of path and query."""
LARGEST_HEADERS = 32 * 1024
"""Bytes of all names and values."""


def _target(scope: Scope) -> int:
    path = scope.get("raw_path") or scope["path"].encode()
    return len(path) + len(scope["query_string"])


def with_small_heads(app: ASGIApp) -> ASGIApp:
    """Answer 414 to too long an address, and 431 to headers that are too large together."""

    async def answer(scope: Scope, receive: Receive, send: Send) -> None:
        if scope.get("method") is None:
            await app(scope, receive, send)
        elif _target(scope) > LONGEST_TARGET:
            await refuse(scope, receive, send, Refusal("address_too_long"))
        elif sum(len(name) + len(value) for name, value in scope["headers"]) > LARGEST_HEADERS:
            await refuse(scope, receive, send, Refusal("headers_too_large"))
        else:
            await app(scope, receive, send)

    return answer
