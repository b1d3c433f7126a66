"""The log of a bundle and checkpoints that somebody kept: one history, or a finding."""

from collections.abc import Sequence
from itertools import cycle
from pathlib import Path
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace
from playwright.sync_api import Error

from phaseledger.domain.evidence import merkle
from phaseledger.replay.evidence.verify.evidence import Judgement
from phaseledger.replay.evidence.verify.policy import Policy
from phaseledger.replay.evidence.verify.sightings import read_sightings
from phaseledger.replay.evidence.verify.verify import verify
from phaseledger.replay.formats.bundle.reader import parse_bundle
from phaseledger.replay.formats.records.source import DamagedSource
from phaseledger.replay.formats.signing import notes
from phaseledger.replay.formats.signing.notes import Checkpoint, Note, SigningKey
from tests.support.browser import Verifier, codes, texts_of
from tests.support.cases import looped
from tests.support.replay.growing_logs import (
    EARLIER,
    FORK,
    LEAVES,
    OWN,
    bundle,
    earlier_size,
    misled,
    nodes_of,
    note,
)
from tests.support.replay.operator_games import (
    COSIGNED,
    OPERATOR,
    ORIGIN,
    STRANGER,
    WITNESS,
    secret,
)
from tests.support.replay.page_grades import written

POLICY = Policy("club.toml", (OPERATOR.public,), ORIGIN, (WITNESS.public,))
SIZES = (1, 3, 50, OWN, len(LEAVES) - 1)


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


@looped(("size", "policy"), zip(SIZES, cycle([None, POLICY])))
def test_one_history(size: int, policy: Policy | None, tmp_path: Path) -> None:
    """Whichever of the two is the larger one, and at one size without any proof."""
    sizes = (min(OWN, size), max(OWN, size))
    proofs = [proof(*sizes)] if size != OWN else []
    judgement = judged(bundle(), tmp_path, kept(LEAVES, size, OPERATOR), *proofs, policy=policy)
    assert judgement.problems == ()
    assert "Its log is of one history with a checkpoint that somebody kept." in judgement.notes


@looped(("size", "key"), zip(SIZES, cycle([OPERATOR, WITNESS])))
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
    (sentence,) = (line for line in judgement.notes if "one history" in line)
    assert sentence.endswith(f"a consistency proof from 3 to {OWN} leaves would.")


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
    assert [(problem.code, problem.line) for problem in judgement.problems] == [
        ("bad_consistency", 1)
    ]


def test_a_checkpoint_of_another_log(tmp_path: Path) -> None:
    other = note(FORK, 5, OPERATOR, origin="example.org/others")
    judgement = judged(bundle(), tmp_path, msgspec.json.encode({"note": other}))
    assert judgement.problems == ()
    assert not any("history" in line for line in judgement.notes)


def test_a_bundle_that_brings_the_proofs_itself(page: Verifier, tmp_path: Path) -> None:
    lines = bundle(earlier=EARLIER)
    assert page.verify(b"".join(lines))["ok"]
    for size in (point.first for point in EARLIER):
        judgement = judged(lines, tmp_path, kept(LEAVES, size, WITNESS))
        assert judgement.problems == ()
        assert "Its log is of one history with a checkpoint that somebody kept." in judgement.notes
        assert codes(on_the_page(page, kept(LEAVES, size, WITNESS), lines=lines)) == []
        (problem,) = judged(lines, tmp_path, kept(FORK, size, WITNESS)).problems
        assert (problem.code, problem.line) == ("two_roots", 1)
        assert codes(on_the_page(page, kept(FORK, size, WITNESS), lines=lines)) == ["consistency"]


def test_two_bundles_of_which_one_brings_another_root() -> None:
    """What a bundle says of an earlier size is compared with what others prove."""
    forked = [*FORK[:9], *LEAVES[3:]]
    other = bundle(len(forked) - 1, [earlier_size(3, forked)], forked)
    mine = bundle(earlier=[earlier_size(3)])
    examined = verify([parse_bundle(mine, "mine"), parse_bundle(other, "theirs")])
    problems = [problem for _, judgement in examined for problem in judgement.problems]
    assert "two_roots" in {problem.code for problem in problems}


@looped(("which", "field"), [*enumerate(["first", "path", "root", "second"]), (0, "root")])
def test_a_proof_in_a_bundle_that_leads_elsewhere(
    page: Verifier, field: str, which: int, tmp_path: Path
) -> None:
    changed = misled(EARLIER[which], field)
    lines = bundle(earlier=[changed])
    judgement = judged(lines, tmp_path, kept(LEAVES, OWN, WITNESS))
    assert [problem.code for problem in judgement.problems] == ["bad_consistency"]
    assert codes(page.verify(b"".join(lines))) == ["consistency"]


def test_earlier_sizes_stand_in_their_order(page: Verifier) -> None:
    for wrong in (EARLIER[::-1], [EARLIER[0]] * 2):
        lines = bundle(earlier=wrong)
        with pytest.raises(DamagedSource, match="not in their order"):
            parse_bundle(lines, "file")
        assert codes(page.verify(b"".join(lines))) == ["order"]


# --- the page -------------------------------------------------------------------------------------


def on_the_page(
    page: Verifier, *sightings: bytes, policy: Policy | None = POLICY, lines: Sequence[bytes] = ()
) -> dict[str, Any]:
    text = "".join(line.decode() + "\n" for line in sightings)
    asked = written(policy) if policy else None
    return page.verify(b"".join(lines or bundle()), None, asked, text)


@looped("size", [3, OWN, SIZES[-1]])
def test_the_page_sees_one_history_or_two(page: Verifier, size: int) -> None:
    """By the operator's key without a policy, and by the witness's whom a policy names."""
    sizes = (min(OWN, size), max(OWN, size))
    for leaves, key, policy in (
        (LEAVES, OPERATOR, None),
        (LEAVES, WITNESS, POLICY),
        (FORK, OPERATOR, None),
        (FORK, WITNESS, POLICY),
    ):
        lines = [*([proof(*sizes, leaves)] if size != OWN else []), kept(leaves, size, key)]
        answer = on_the_page(page, *lines, policy=policy)
        assert codes(answer) == (["consistency"] if leaves is FORK else [])
        said_so = "is of one history with 1 checkpoint." in texts_of(answer, "sightings")
        assert said_so is (leaves is LEAVES)


def test_the_page_says_what_shows_nothing(page: Verifier) -> None:
    """No proof, a key of nobody, another log."""
    other = msgspec.json.encode({"note": note(FORK, 5, OPERATOR, origin="example.org/others")})
    unproven = on_the_page(page, kept(FORK, 3, WITNESS), proof(4, OWN))
    stranger = on_the_page(page, kept(FORK, OWN, STRANGER), policy=None)
    for answer, sentence in (
        (unproven, "Nothing shows whether that in line 1 is of one history with the log."),
        (stranger, "That in line 1 is signed by no key that counts here."),
        (on_the_page(page, other), "of one history with 0 checkpoints."),
        (on_the_page(page, kept(LEAVES, 0, OPERATOR)), "of one history with 1 checkpoint."),
    ):
        assert codes(answer) == []
        assert sentence in texts_of(answer, "sightings")


@looped("line", [b'{"first": 1}', b'{"first": 1, "game": "x"}', b"x", b'{"note": ""}'])
def test_the_page_refuses_what_is_no_sighting(page: Verifier, line: bytes) -> None:
    with pytest.raises(Error, match="line 1: the line is no checkpoint and no proof"):
        on_the_page(page, line)
