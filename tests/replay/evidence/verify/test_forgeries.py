"""Games that somebody changed with care: sealed and chained anew, and perhaps signed anew.

Where everything fits together, only the rules and the operator's word are left to catch it.
"""

from msgspec.structs import replace

from phaseledger.replay.evidence.verify.checks.receipts import KeptReceipt
from phaseledger.replay.evidence.verify.policy import Policy
from phaseledger.replay.evidence.verify.verify import verify
from phaseledger.replay.formats.bundle.reader import parse_bundle
from phaseledger.replay.formats.signing.receipts import Receipt
from tests.support.replay.bundles import PLANS, good, of_kind
from tests.support.replay.judgements import code_of, judged
from tests.support.replay.log_edits import first
from tests.support.replay.operator_games import OPERATOR, ORIGIN, WITNESS, bundled, played
from tests.support.replay.sealed_forgeries import forged, score, signed_opening

POLICY = Policy("club.toml", (OPERATOR.public,), ORIGIN, (WITNESS.public,), 1)


def test_the_first_bad_event_has_its_rule_and_both_values() -> None:
    judgement = judged(bundled(forged(score)))
    (problem,) = judgement.problems
    seq = of_kind(good(), "event").index(
        next(event for event in of_kind(good(), "event") if event["type"] == "RoundEnded/1")
    )

    assert (problem.seq, problem.rule != "") == (seq + 1, True)
    assert problem.expected.startswith("data.results[0].total = ")
    assert problem.recorded.startswith("data.results[0].total = ")
    assert bundled(forged(score))[problem.line - 1].startswith(b'{"event":')


def test_an_audit_finds_a_signature_that_nobody_could_make() -> None:
    """No seat has a key before the table is open."""
    finding = first(forged(signed_opening))
    assert (finding.code, finding.reject) == ("illegal_decision", "no_key_registered")


def test_a_game_dealt_from_other_secrets_is_another_story() -> None:
    """Everything in it fits; only what was signed before does not."""
    other = played(replace(PLANS["classic"], server="another"))
    assert judged(bundled(other), POLICY).conclusion == "sound"
    kept = [
        KeptReceipt("mine", 1, Receipt(**receipt)) for receipt in of_kind(good(), "receipt")[4:7]
    ]
    (examined,) = verify([parse_bundle(bundled(other), "file")], POLICY, kept)
    judgement = examined.judgement

    assert {problem.code for problem in judgement.problems} == {"equivocation"}
    assert (code_of(judgement), judgement.conclusion) == (6, "operator")
