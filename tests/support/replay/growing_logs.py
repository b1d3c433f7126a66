"""A log with a game in it, of any size, and bundles that prove how it went on."""

from collections.abc import Sequence
from functools import cache

from msgspec.structs import replace

from phaseledger.domain.evidence import merkle
from phaseledger.replay.formats.bundle.lines import EarlierSize, Inclusion
from phaseledger.replay.formats.bundle.writer import Proofs, bundle_lines
from phaseledger.replay.formats.signing import notes
from phaseledger.replay.formats.signing.notes import Checkpoint, Note, SigningKey
from tests.support.replay.bundles import game
from tests.support.replay.operator_games import COSIGNED, OPERATOR, ORIGIN, leaves_of, secret

OTHERS = [secret("another game", number) for number in range(9)]
LEAVES = [*OTHERS[:3], *leaves_of(game("classic")), *OTHERS[3:]]
FORK = [*reversed(OTHERS), *LEAVES]
OWN = len(LEAVES) - 3
"""The size of the log at the bundle's checkpoint."""


def note(leaves: Sequence[bytes], size: int, *keys: SigningKey, origin: str = ORIGIN) -> str:
    text = Checkpoint(origin, size, merkle.root_of(leaves[:size])).text()
    return str(Note(text, tuple(notes.signature(text, key, COSIGNED) for key in keys)))


def nodes_of(leaves: Sequence[bytes]) -> merkle.Nodes:
    return cache(lambda level, index: merkle.root_of(leaves[index << level : index + 1 << level]))


def bundle(
    size: int = OWN, earlier: Sequence[EarlierSize] = (), leaves: Sequence[bytes] = LEAVES
) -> list[bytes]:
    """The game's bundle at a size of the log that covers it."""
    stored, nodes = game("classic"), nodes_of(leaves)
    first = leaves.index(leaves_of(stored)[0])
    inclusions = []
    for seq in (1, len(stored)):
        path = merkle.inclusion(first + seq - 1, size, nodes)
        inclusions.append(Inclusion(first + seq - 1, tuple(step.hex() for step in path), seq, size))
    proofs = Proofs(note(leaves, size, OPERATOR), tuple(inclusions), tuple(earlier))
    return list(bundle_lines(stored, keys=[OPERATOR.public], signer=OPERATOR, proofs=proofs))


def earlier_size(first: int, forked: Sequence[bytes] = ()) -> EarlierSize:
    """What a bundle says of an earlier size of its log, or of one but for its last leaf."""
    leaves, size = (forked, len(forked) - 1) if forked else (LEAVES, OWN)
    path = merkle.consistency(first, size, nodes_of(leaves))
    root = merkle.root_of(leaves[:first]).hex()
    return EarlierSize(first, tuple(step.hex() for step in path), root, size)


EARLIER = tuple(map(earlier_size, (1, 3, 50, OWN)))
"""Some sizes of the log, with their proofs."""


def misled(proof: EarlierSize, field: str) -> EarlierSize:
    """The proof with another value in one field."""
    match field:
        case "first":
            return replace(proof, first=proof.first + 1)
        case "path":
            return replace(proof, path=(*proof.path[:-1], "0" * 64))
        case "root":
            return replace(proof, root="0" * 64)
    return replace(proof, second=proof.second + 1)
