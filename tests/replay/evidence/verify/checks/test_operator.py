"""The operator's word against what others hold, and against what a policy asks for.

test_verdict_texts.py has receipts, policies and logs with one thing wrong in each.
"""

from collections.abc import Sequence

import pytest
from msgspec.structs import replace

from phaseledger.replay.evidence.verify.checks.receipts import KeptReceipt
from phaseledger.replay.evidence.verify.policy import Policy, Requirement
from phaseledger.replay.evidence.verify.verify import verify
from phaseledger.replay.formats.bundle.reader import parse_bundle
from phaseledger.replay.formats.bundle.writer import bundle_lines
from phaseledger.replay.formats.records.source import UnknownGame
from phaseledger.replay.formats.signing.receipts import Receipt
from tests.support.cases import looped
from tests.support.replay.bundles import PLANS, game, good, of_kind
from tests.support.replay.judgements import code_of, judged, outcomes
from tests.support.replay.log_edits import encode
from tests.support.replay.logged_bundles import logged
from tests.support.replay.operator_games import (
    OPERATOR,
    STRANGER,
    WITNESS,
    bundled,
    leaves_of,
    played,
    proofs,
)
from tests.support.replay.policy_cases import (
    POLICY,
    SHARED_KEPT,
    issued,
    judged_with,
    pair_judged,
    shared,
)

# --- receipts that somebody kept ------------------------------------------------------------------


def test_a_receipt_shows_that_the_end_was_cut_off() -> None:
    last = Receipt(**of_kind(good(), "receipt")[-1])
    judgement = judged_with(bundled(game("classic")[:40]), [last], POLICY)

    assert [(problem.code, problem.source, problem.line) for problem in judgement.problems] == [
        ("cut_off", "mine", 1)
    ]
    assert (judgement.conclusion, outcomes(judgement)["held_receipts"]) == ("operator", "failed")


@looped("policy", [POLICY, None])
def test_receipts_of_format_2(policy: Policy | None) -> None:
    """A commit's receipts share a signature; what does not lead to it is not genuine."""
    for place in range(3):
        judgement = judged_with(good(), [shared(place)], policy)
        assert outcomes(judgement)["held_receipts"] == "passed"
    for receipt, code in SHARED_KEPT.values():
        judgement = judged_with(good(), [receipt], policy)
        assert [problem.code for problem in judgement.problems] == [code]
        assert code_of(judgement) == (7 if code == "worthless_receipt" else 6)


def test_a_receipt_of_a_game_that_no_bundle_is_about() -> None:
    with pytest.raises(UnknownGame, match="mine:1: the receipt is of another game"):
        judged_with(good("board"), [issued()])


# --- several bundles ------------------------------------------------------------------------------


SHORT = bundled(game("classic")[:40], viewer=1)
LEAVES = leaves_of(game("classic"))


@looped(
    ("short", "longer", "changes", "codes"),
    [
        (SHORT, good(), {}, [[], []]),
        (SHORT, good(), {"leaf": "ab" * 32}, [["cut_off"], ["equivocation"]]),
        (SHORT, bundled(game("classic")[:41]), {}, [["cut_off"], ["cut_off"]]),
        (
            logged(game("classic")[:40], LEAVES),
            logged(game("classic"), LEAVES),
            {},
            [["cut_off"], []],
        ),
    ],
    ids=["made before", "another leaf", "no longer one", "knew of the end"],
)
def test_receipts_of_what_a_longer_bundle_has(
    short: Sequence[bytes],
    longer: Sequence[bytes],
    changes: dict[str, str],
    codes: list[list[str]],
) -> None:
    """A file of a game that goes on may have been made before: that cuts nothing off."""
    last = issued(**{**of_kind(good(), "receipt")[-1], **changes})
    read = [parse_bundle(short, "short"), parse_bundle(longer, "longer")]
    judgements = [
        examination.judgement for examination in verify(read, None, [KeptReceipt("mine", 1, last)])
    ]

    assert [[problem.code for problem in judgement.problems] for judgement in judgements] == codes
    is_earlier = any(
        "made before it, and goes on in longer" in note for note in judgements[0].notes
    )
    assert is_earlier == (not judgements[0].problems)


def test_two_stories_of_one_game() -> None:
    other = played(replace(PLANS["classic"], moves="others"))
    first, second = pair_judged(good(), bundled(other))
    (problem,) = (candidate for candidate in second.problems if candidate.code == "equivocation")
    assert problem.recorded == next(
        candidate.recorded for candidate in first.problems if candidate.code == "equivocation"
    ), "nothing says which of the two is the wrong one"
    mine, its = (of_kind(lines, "event") for lines in (good(), bundled(other)))
    seq = next(n for n, pair in enumerate(zip(mine, its, strict=False), 1) if pair[0] != pair[1])

    assert (first.conclusion, second.conclusion, problem.seq) == ("operator", "operator", seq)
    assert problem.recorded.endswith(" in other")


def test_two_roots_of_one_log() -> None:
    """The same game in two logs of one name and size, each with genuine signatures."""
    stored, keys = game("classic"), [OPERATOR.public]
    point = proofs(leaves_of(stored), "another log", OPERATOR)
    other = list(bundle_lines(stored, keys=keys, signer=OPERATOR, proofs=point))
    first, second = pair_judged(good(), other)

    assert (first.conclusion, second.conclusion) == ("operator", "operator")
    for judgement in (first, second):
        assert [problem.code for problem in judgement.problems] == ["two_roots"]
        assert "for which nobody vouches" in judgement.problems[0].expected


# --- what a policy asks for -----------------------------------------------------------------------


def test_a_game_that_gives_all_that_is_asked_for() -> None:
    everything: frozenset[Requirement] = frozenset({"receipts", "checkpoint", "finished"})
    signed = replace(PLANS["classic"], signing=(0, 1, 2))

    assert judged(good(), replace(POLICY, require=everything)).conclusion == "sound"
    asked = replace(POLICY, require=everything | {"signatures"})
    assert judged(bundled(played(signed)), asked).conclusion == "sound"


def test_a_key_of_the_policy_beside_one_that_it_does_not_know() -> None:
    """While keys are changed, a checkpoint has the signatures of the old key and of the new one."""
    lines = bundled(game("classic"), witnesses=(STRANGER, WITNESS))

    assert judged(lines, POLICY).conclusion == "sound"
    assert judged(lines, replace(POLICY, keys=(STRANGER.public,))).conclusion == "operator"


def test_a_bad_cosignature_counts_even_if_nobody_asks_for_it() -> None:
    (note,) = of_kind(good(), "checkpoint")
    first, _, last = note["note"].rpartition(" ")
    bad = {"checkpoint": {"note": f"{first} {last[:20]}{'AB'[last[20] == 'A']}{last[21:]}"}}
    lines = [encode(bad) + b"\n" if line.startswith(b'{"checkpoint"') else line for line in good()]

    assert [problem.code for problem in judged(lines).problems] == ["bad_cosignature"]
