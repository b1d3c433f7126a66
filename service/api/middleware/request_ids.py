"""The id of a request, which its answer and its log lines repeat."""

import re

from litestar.types import Scope
from uuid_utils import uuid4

_VALID_ID = re.compile(rb"[A-Za-z0-9._-]{1,128}")


def request_id_of(scope: Scope) -> bytes:
    """The request's `X-Request-Id` if it has one that is valid, else a new UUID."""
    values = [value for name, value in scope["headers"] if name == b"x-request-id"]
    is_valid = len(values) == 1 and _VALID_ID.fullmatch(values[0]) is not None
    return values[0] if is_valid else str(uuid4()).encode()
