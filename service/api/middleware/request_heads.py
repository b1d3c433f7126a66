"""Heads of requests: an id, one host (RFC 9112, 3.2), and sizes within bounds.

The server itself refuses what it cannot hold at all, in bare words; see `service.api.openapi.info`.
"""

import re

from litestar.types import Scope
from uuid_utils import uuid4

from phaseledger.service.api.errors import AddressTooLong, HeadersTooLarge
from phaseledger.service.refusals import Refusal

LONGEST_TARGET = 16 * 1024
"""Bytes of path and query at most."""
LARGEST_HEADERS = 32 * 1024
"""Bytes of all header names and values at most."""
_VALID_ID = re.compile(rb"[A-Za-z0-9._-]{1,128}")
_WITHOUT_HOST = {"1", "1.0"}
"""Versions of HTTP in which a request need not name a host, as servers call them."""


def request_id_of(scope: Scope) -> bytes:
    """The request's `X-Request-Id` if it has one that is valid, else a new UUID."""
    values = [value for name, value in scope["headers"] if name == b"x-request-id"]
    is_valid = len(values) == 1 and _VALID_ID.fullmatch(values[0]) is not None
    return values[0] if is_valid else str(uuid4()).encode()


def names_one_host(scope: Scope) -> bool:
    """Whether the request names one host, as RFC 9112, 3.2 demands.

    HTTP/1.0 has no Host. The server shows the ``:authority`` of HTTP/2 as one, and an empty one
    where a request has none.
    """
    hosts = [value for name, value in scope["headers"] if name == b"host"]
    return len(hosts) == 1 and (bool(hosts[0]) or scope["http_version"] in _WITHOUT_HOST)


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
