"""Heads of requests: one host (RFC 9112, 3.2), and sizes within bounds.

The server itself refuses what it cannot hold at all, in bare words; see `service.api.openapi.info`.
"""

from litestar.types import ASGIApp, Receive, Scope, Send

from phaseledger.service.api.errors import AddressTooLong, BadHost, HeadersTooLarge
from phaseledger.service.api.problems.details import refuse
from phaseledger.service.refusals import Refusal

LONGEST_TARGET = 16 * 1024
"""Bytes of path and query at most."""
LARGEST_HEADERS = 32 * 1024
"""Bytes of all header names and values at most."""
_WITHOUT_HOST = {"1", "1.0"}
"""Versions of HTTP in which a request need not name a host, as servers call them."""


def with_one_host(app: ASGIApp) -> ASGIApp:
    """Answer 400 to a request that names no host, or several (RFC 9112, 3.2).

    HTTP/1.0 has no Host. The server shows the ``:authority`` of HTTP/2 as one, and an empty one
    where a request has none.
    """

    async def answer(scope: Scope, receive: Receive, send: Send) -> None:
        if scope.get("method") is None:
            await app(scope, receive, send)
            return
        if names_one_host(scope):
            await app(scope, receive, send)
        else:
            await refuse(scope, receive, send, BadHost())

    return answer


def names_one_host(scope: Scope) -> bool:
    """Whether the request names one host, as RFC 9112, 3.2 demands."""
    hosts = [value for name, value in scope["headers"] if name == b"host"]
    return len(hosts) == 1 and (bool(hosts[0]) or scope["http_version"] in _WITHOUT_HOST)


def with_small_heads(app: ASGIApp) -> ASGIApp:
    """Answer 414 to too long an address, and 431 to headers that are too large together."""

    async def answer(scope: Scope, receive: Receive, send: Send) -> None:
        fault = None if scope.get("method") is None else size_fault(scope)
        if fault is None:
            await app(scope, receive, send)
        else:
            await refuse(scope, receive, send, fault)

    return answer


def size_fault(scope: Scope) -> Refusal | None:
    """The refusal of too long an address, or of headers that are too large together."""
    if _target_size(scope) > LONGEST_TARGET:
        return AddressTooLong()
    if sum([len(name) + len(value) for name, value in scope["headers"]]) > LARGEST_HEADERS:
        return HeadersTooLarge()
    return None


def _target_size(scope: Scope) -> int:
    path = scope.get("raw_path") or scope["path"].encode()
    return len(path) + len(scope["query_string"])
