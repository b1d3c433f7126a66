"""The changed one of two events between which the hash chain breaks.

An event carries the leaf hash of the event before it. Where the two differ, either was changed; the
next event tells which: it carries the leaf of the second event as first stored.
"""

from phaseledger.domain.evidence.codec import decode, leaf_hash, redact
from phaseledger.replay.formats.records.findings import SourceRow


def previous_leaf(row: SourceRow) -> str:
    """The leaf hash on which the row says it follows; empty where it cannot be read."""
    try:
        return decode(row.topic, row.stored)[0].prev
    except ValueError:
        return ""


def is_confirmed(row: SourceRow, following: SourceRow, key: bytes) -> bool:
    """Whether the following row continues from this one as it stands, so that it is unchanged.

    ``key`` is the key of the game's seals.
    """
    try:
        leaf = leaf_hash(redact(row.stored, key, None, opened=False))
    except (KeyError, ValueError, RecursionError):
        return False
    return leaf == previous_leaf(following)
