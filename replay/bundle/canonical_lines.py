"""The canonical form of a bundle's lines (RFC 8785), shown in less time than `is_canonical` takes.

The lines are all different, by their hashes. But what they say, the data of an event or the hidden
part that a seal is of, mostly was said before, in this game or in another one.
"""

from functools import lru_cache

import msgspec
from msgspec import Struct

from phaseledger.domain.evidence.codec import SHORT, is_canonical
from phaseledger.replay.bundle.lines import OpenedSeal, PublicEvent

_encode = msgspec.json.Encoder(order="sorted").encode
_is_canonical_part = lru_cache(maxsize=8_192)(is_canonical)


def is_canonical_part(part: bytes) -> bool:
    """As `is_canonical`, of a part of a line."""
    return (_is_canonical_part if len(part) <= SHORT else is_canonical)(part)


def is_canonical_line(value: Struct, body: bytes) -> bool:
    """Whether a line's body, which was read as the value, is canonical: as `is_canonical`."""
    return _is_as_encoded(value, body) or is_canonical(body)


def _is_as_encoded(value: Struct, body: bytes) -> bool:
    """Whether a body is what the encoder makes of the value, where that shows it to be canonical.

    The encoder copies the part that is of no type as it stands, and writes what is around it as
    RFC 8785 says. In that part alone there may be what `is_canonical` forbids besides: the types
    have no null, no fraction, no number from 2^53, and of ASCII are all names in an ASCII body.
    """
    match value:
        case PublicEvent():
            part = bytes(value.data)
        case OpenedSeal():
            part = bytes(value.value)
        case _:
            return False
    is_known = len(part) <= SHORT and body.isascii() and _encode(value) == body
    return is_known and _is_canonical_part(part)
