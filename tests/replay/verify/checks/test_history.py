"""The log of a bundle and checkpoints that somebody kept: one history, or a finding."""

from collections.abc import Sequence
from functools import cache
from pathlib import Path

import msgspec
import pytest
from msgspec.structs import replace

from phaseledger.domain.evidence import merkle
from phaseledger.replay.bundle.lines import Inclusion
from phaseledger.replay.bundle.reader import parse_bundle
from phaseledger.replay.bundle.writer import Proofs, bundle_lines
from phaseledger.replay.records.source import DamagedSource
from phaseledger.replay.signing import notes
from phaseledger.replay.signing.notes import Checkpoint, Note, SigningKey
from phaseledger.replay.verify.evidence import Judgement
from phaseledger.replay.verify.policy import Policy
from phaseledger.replay.verify.sightings import read_sightings
from phaseledger.replay.verify.verify import verify
from tests.support.replay.bundles import game
from tests.support.replay.operator_games import (
    COSIGNED,
    OPERATOR,
    ORIGIN,
    STRANGER,
    WITNESS,
    leaves_of,
    secret,
)

OTHERS = [secret("another game", number) for number in range(9)]
LEAVES = [*OTHERS[:3], *leaves_of(game("classic")), *OTHERS[3:]]
FORK = [*reversed(OTHERS), *LEAVES]
POLICY = Policy("club.toml", (OPERATOR.public,), ORIGIN, (WITNESS.public,))
OWN = len(LEAVES) - 3
"""The size of the log at the bundle's checkpoint."""
SIZES = (1, 3, 50, OWN, len(LEAVES) - 1)


def note(leaves: Sequence[bytes], size: int, *keys: SigningKey, origin: str = ORIGIN) -> str:
    text = Checkpoint(origin, size, merkle.root_of(leaves[:size])).text()
    return str(Note(text, tuple(notes.signature(text, key, COSIGNED) for key in keys)))


def nodes_of(leaves: Sequence[bytes]) -> merkle.Nodes:
    return cache(lambda level, index: merkle.root_of(leaves[index << level : index + 1 << level]))


def bundle(size: int = OWN) -> list[bytes]:
    """The game's bundle at a size of the log that covers it."""
    stored = game("classic")
    inclusions = [
        Inclusion(
            2 + seq,
            tuple(step.hex() for step in merkle.inclusion(2 + seq, size, nodes_of(LEAVES))),
            seq,
            size,
        )
        for seq in (1, len(stored))
    ]
    proofs = Proofs(note(LEAVES, size, OPERATOR), tuple(inclusions))
    return list(bundle_lines(stored, keys=[OPERATOR.public], signer=OPERATOR, proofs=proofs))


def kept(leaves: Sequence[bytes], size: int, *keys: SigningKey) -> bytes:
    return msgspec.json.encode({"note": note(leaves, size, *keys)})


def proof(first: int, second: int, leaves: Sequence[bytes] = LEAVES) -> bytes:
    path = [step.hex() for step in merkle.consistency(first, second, nodes_of(leaves))]
    return msgspec.json.encode({"first": first, "second": second, "path": path})


def judged(
    lines: Sequence[bytes], folder: Path, *sightings: bytes, policy: Policy | None = POLICY
) -> Judgement:
    file = folder / "sightings"
    file.write_bytes(b"\n".join(sightings) + b"\n")
    kept_lines = list(read_sightings(str(file)))
    (examined,) = verify([parse_bundle(lines, "file")], policy, (), kept_lines)
    return examined.judgement


@pytest.mark.parametrize("policy", [None, POLICY])
@pytest.mark.parametrize("size", SIZES)
def test_one_history(size: int, policy: Policy | None, tmp_path: Path) -> None:
    """Whichever of the two is the larger one, and at one size without any proof."""
    sizes = (min(OWN, size), max(OWN, size))
    proofs = [proof(*sizes)] if size != OWN else []
    judgement = judged(bundle(), tmp_path, kept(LEAVES, size, OPERATOR), *proofs, policy=policy)
    assert judgement.problems == ()
    assert "Its log is of one history with a checkpoint that somebody kept." in judgement.notes


@pytest.mark.parametrize("key", [OPERATOR, WITNESS])
@pytest.mark.parametrize("size", SIZES)
def test_another_history(size: int, key: SigningKey, tmp_path: Path) -> None:
    """The operator's own proof between two histories leads nowhere; nor does any other."""
    sizes = (min(OWN, size), max(OWN, size))
    for leaves in (LEAVES, FORK):
        proofs = [proof(*sizes, leaves)] if size != OWN else []
        judgement = judged(bundle(), tmp_path, kept(FORK, size, key), *proofs)
        (problem,) = judgement.problems
        assert problem.code == ("two_roots" if size == OWN else "bad_consistency")
        assert (problem.source, problem.line) == (str(tmp_path / "sightings"), len(proofs) + 1)
        assert judgement.conclusion == "operator"


def test_a_checkpoint_without_a_proof(tmp_path: Path) -> None:
    judgement = judged(bundle(), tmp_path, kept(FORK, 3, WITNESS), proof(4, OWN))
    assert judgement.problems == ()
    (said,) = (line for line in judgement.notes if "one history" in line)
    assert said.endswith(f"a consistency proof from 3 to {OWN} leaves would.")


def test_a_checkpoint_by_nobody_that_counts(tmp_path: Path) -> None:
    """Anybody can sign another history; a witness counts that the policy names."""
    for keys, policy in (([STRANGER], POLICY), ([STRANGER], None), ([WITNESS], None)):
        judgement = judged(bundle(), tmp_path, kept(FORK, OWN, *keys), policy=policy)
        assert judgement.problems == ()
        assert any("is signed by no key that counts here" in line for line in judgement.notes)


def test_a_proof_of_another_log_beside_it(tmp_path: Path) -> None:
    """It has the same sizes by chance, and says not of which log it is."""
    proofs = [proof(3, OWN), proof(3, OWN, FORK)]
    for lines in (proofs, proofs[::-1]):
        judgement = judged(bundle(), tmp_path, kept(LEAVES, 3, OPERATOR), *lines)
        assert judgement.problems == ()


def test_another_key_of_the_operator(tmp_path: Path) -> None:
    """Whoever changes the key changes no history."""
    older = SigningKey(ORIGIN, secret("the operator's older key"))
    policy = replace(POLICY, keys=(*POLICY.keys, older.public))
    judgement = judged(bundle(), tmp_path, kept(FORK, OWN, older), policy=policy)
    assert [problem.code for problem in judgement.problems] == ["two_roots"]


def test_the_empty_log(tmp_path: Path) -> None:
    """It is the beginning of all logs, which takes no proof (RFC 9162, 2.1.4)."""
    assert judged(bundle(), tmp_path, kept(LEAVES, 0, OPERATOR)).problems == ()
    text = Checkpoint(ORIGIN, 0, b"\7" * 32).text()
    wrong = str(Note(text, (notes.signature(text, OPERATOR, COSIGNED),)))
    judgement = judged(bundle(), tmp_path, msgspec.json.encode({"note": wrong}))
    assert [(each.code, each.line) for each in judgement.problems] == [("bad_consistency", 1)]


def test_a_checkpoint_of_another_log(tmp_path: Path) -> None:
    other = note(FORK, 5, OPERATOR, origin="example.org/others")
    judgement = judged(bundle(), tmp_path, msgspec.json.encode({"note": other}))
    assert judgement.problems == ()
    assert not any("history" in line for line in judgement.notes)


@pytest.mark.parametrize(
    "line",
    [b'{"first": 1}', b'{"first": -1, "second": 2, "path": []}', b'{"first": 1, "game": "x"}'],
)
def test_what_is_no_proof(line: bytes, tmp_path: Path) -> None:
    with pytest.raises(DamagedSource, match="sightings:1: the line is no checkpoint and no proof"):
        judged(bundle(), tmp_path, line)
