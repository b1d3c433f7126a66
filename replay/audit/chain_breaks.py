"""Which of two events was changed where the hash chain breaks between them.

An event bears the leaf hash of the one before it. Where the two do not fit, either was changed; the
event after both tells which: it bears the leaf of the second one as that was when it was stored.
"""

from phaseledger.domain.evidence.codec import decode, leaf_hash, redact
from phaseledger.replay.records.findings import SourceRow


def previous_leaf(row: SourceRow) -> str:
    """The leaf hash that the row says it follows on; empty where it cannot be read."""
    try:
        return decode(row.topic, row.stored)[0].prev
    except ValueError:
        return ""


def is_confirmed(row: SourceRow, following: SourceRow, key: bytes) -> bool:
    """Whether the following row continues from this one as it stands, so that it is unchanged.

    ``key`` is the game's, by which what is hidden is sealed.
    """
    try:
        leaf = leaf_hash(redact(row.stored, key, None, opened=False))
    except (KeyError, ValueError, RecursionError):
        return False
    return leaf == previous_leaf(following)
