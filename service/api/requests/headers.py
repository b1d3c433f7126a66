"""Header and query parameters that several operations share, and headers of their responses."""

import re
from collections.abc import Mapping
from typing import Annotated

from litestar.params import HeaderParameter, QueryParameter

from phaseledger.service.api.requests.invalid_parameters import (
    COMMAND_KEY,
    ENTITY_TAGS,
    SIGNATURE,
    TOKEN_KEY,
)
from phaseledger.service.schemas.versions import NEWEST

NOT_STORED = {"Cache-Control": "no-store"}
"""Headers of responses that must not be stored: they hold a token."""
REPEATED: Mapping[str, str] = {"idempotent-replayed": "true"}
"""Of an answer to a request that was carried out before, when its Idempotency-Key was new."""
REVALIDATED = {"Cache-Control": "private, no-cache", "Vary": "Authorization"}
"""Headers of responses that only the caller may store, and must revalidate by their ETag."""

LONGEST_IF_MATCH = 1000  # characters
LONGEST_IF_NONE_MATCH = 1000  # characters

_QUOTED_KEY = re.compile(rb'"((?:[!#-\[\]-~]|\\["\\]){16,128})"')


def bare_key(value: bytes) -> bytes:
    """The Idempotency-Key without its quotation marks, if it is a string of structured fields."""
    quoted = _QUOTED_KEY.fullmatch(value)
    return re.sub(rb"\\(.)", rb"\1", quoted[1]) if quoted else value


IdempotencyKey = Annotated[
    str,
    HeaderParameter(
        name="Idempotency-Key",
        pattern=COMMAND_KEY,
        description="Chance of your own, such as a UUID, kept as secret as your token: the same "
        "key with the same request gets the first answer again and changes nothing. It is compared "
        "as text: in capitals it is another one, in quotation marks (RFC 9651) the same.",
    ),
]

TokenKey = Annotated[
    str,
    HeaderParameter(
        name="Idempotency-Key",
        pattern=TOKEN_KEY,
        description="A random UUID, or 32 to 128 random hex digits. Whoever repeats the request "
        "with it gets a token: keep it as secret as that. The log publishes its hash.",
    ),
]

IfMatch = Annotated[
    str,
    HeaderParameter(
        name="If-Match",
        max_length=LONGEST_IF_MATCH,
        pattern=ENTITY_TAGS,
        description="The ETag of the table the command was meant for, or one made of its version "
        "and `head`, as `41-` and the first 16 digits; at any other: 412.",
    ),
]

SignatureHeader = Annotated[
    str,
    HeaderParameter(
        name="Command-Signature",
        pattern=SIGNATURE,
        description="For a seat with a key, and for no other: the Ed25519 signature of the "
        "command, 128 hex digits, over what docs/reference/evidence.md says.",
    ),
]

IfNoneMatch = Annotated[
    str,
    HeaderParameter(
        name="If-None-Match",
        max_length=LONGEST_IF_NONE_MATCH,
        description="An ETag held already: 304 if current.",
    ),
]

IfVersionUnknown = Annotated[
    str,
    HeaderParameter(
        name="If-None-Match",
        max_length=LONGEST_IF_NONE_MATCH,
        description="An ETag held already: 304 if current. One that ends with `-` and the first 16 "
        "digits of the version's `head` is current in that history alone: a ledger that went back "
        "has other events at the same versions.",
    ),
]

AtLeast = Annotated[
    int,
    QueryParameter(ge=0, le=NEWEST, description="Wait some seconds for the game's version."),
]
