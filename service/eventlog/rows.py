"""The shape of a stored event."""

from typing import NamedTuple

from phaseledger.domain.evidence.codec import Entry


class Row(NamedTuple):
    """One event as stored; versions count from 1 within their game."""

    version: int
    topic: str
    state: bytes
    leaf: bytes | None = None
    """Its Merkle leaf hash, which follows from the bytes; None where it was not stored."""


def row_of(entry: Entry) -> Row:
    """The row of an event that the codec has made."""
    return Row(entry.seq, entry.topic, entry.stored, bytes.fromhex(entry.leaf))
