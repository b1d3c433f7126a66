"""Bundles with their proofs in a public log of one's own making."""

from collections.abc import Sequence
from functools import cache

from msgspec.structs import replace

from phaseledger.domain.evidence import merkle
from phaseledger.replay.formats.bundle.lines import Inclusion
from phaseledger.replay.formats.bundle.writer import Proofs, bundle_lines
from phaseledger.replay.formats.signing import notes
from phaseledger.replay.formats.signing.notes import Checkpoint, Note, SigningKey
from tests.support.replay.bundles import PLANS
from tests.support.replay.operator_games import OPERATOR, ORIGIN, leaves_of, played, secret

OTHERS = [secret("another game's leaf", n) for n in range(7)]


@cache
def other_game() -> tuple[bytes, ...]:
    return tuple(played(replace(PLANS["classic"], seed="another")))


def logged(
    stored: Sequence[bytes],
    log: Sequence[bytes],
    key: SigningKey = OPERATOR,
    origin: str = ORIGIN,
    *,
    places: Sequence[tuple[int, int]] = (),
) -> list[bytes]:
    """A bundle with its proofs in that log; ``places`` are events and indices of its own choice."""
    leaves = leaves_of(stored)
    ends = places or [(seq, log.index(leaves[seq - 1])) for seq in (1, len(leaves))]
    point = Checkpoint(origin, len(log), merkle.root_of(log))

    @cache
    def nodes(level: int, index: int) -> bytes:
        return merkle.root_of(log[index << level : index + 1 << level])

    inclusions = [
        Inclusion(
            index,
            tuple(step.hex() for step in merkle.inclusion(index, len(log), nodes)),
            seq,
            len(log),
        )
        for seq, index in ends
    ]
    note = Note(point.text(), (notes.signature(point.text(), key),))
    given = Proofs(str(note), tuple(inclusions))
    return list(bundle_lines(stored, keys=[key.public], signer=key, proofs=given))
