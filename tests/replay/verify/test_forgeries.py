"""Games that somebody changed with care: sealed and chained anew, and perhaps signed anew.

Where everything fits together, only the rules and the operator's word are left to catch it.
"""

from collections.abc import Callable
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from phaseledger.replay.bundle.reader import parse_bundle
from phaseledger.replay.signing.receipts import Receipt
from phaseledger.replay.verify.check_operator import KeptReceipt
from phaseledger.replay.verify.policy import Policy
from phaseledger.replay.verify.verify import verify
from tests.replay.bundle.test_writer import PLANS, game, good, of_kind
from tests.replay.verify.test_verify import code_of, judged, outcomes
from tests.support.replay.log_edits import encode, first, rechained
from tests.support.replay.operator_games import OPERATOR, ORIGIN, WITNESS, bundled, played

Tree = dict[str, Any]
POLICY = Policy("club.toml", (OPERATOR.public,), ORIGIN, (WITNESS.public,), 1)


def forged(change: Callable[[list[Tree]], object]) -> list[bytes]:
    """The game's log with a change, the chain and all seals made anew."""
    made = [msgspec.json.decode(each) for each in game("classic")]
    change(made)
    return [encode(tree) for tree in rechained(made)]


def event(kind: str, number: int = 0) -> Callable[[list[Tree]], Tree]:
    return lambda log: [tree for tree in log if tree["type"] == f"{kind}/1"][number]


def score(log: list[Tree]) -> None:
    event("RoundEnded")(log)["data"]["results"][0]["total"] += 5


def card(log: list[Tree]) -> None:
    drawn = next(tree for tree in log if tree["type"] == "CardDrawn/1" and "hidden" in tree)
    (hidden,) = drawn["hidden"].values()
    hidden["card"] = "R1" if hidden["card"] != "R1" else "R2"


def rules(log: list[Tree]) -> None:
    log[0]["data"]["ruleset"]["hand"] = 9


def name(log: list[Tree]) -> None:
    log[1]["data"]["name"] = "Somebody else"


def server_secret(log: list[Tree]) -> None:
    log[0]["hidden"]["server"]["secret"] = log[-1]["data"]["secret"] = "ab" * 32


def revealed(log: list[Tree]) -> None:
    event("SeatSecretRevealed")(log)["data"]["secret"] = "ab" * 32


def signature(log: list[Tree]) -> None:
    signed = [tree for tree in log if "sig" in tree["data"].get("act", {})]
    one, other = signed[5]["data"]["act"], signed[6]["data"]["act"]
    one["sig"], other["sig"] = other["sig"], one["sig"]


def signed_opening(log: list[Tree]) -> None:
    log[0]["hidden"]["server"]["sig"] = "ab" * 64


def winners(log: list[Tree]) -> None:
    log[-1]["data"]["winners"] = [(log[-1]["data"]["winners"][0] + 1) % 3]


FORGED = {
    "a score": (score, "outcome_differs"),
    "a card": (card, "outcome_differs"),
    "the rules": (rules, "outcome_differs"),
    "a name": (name, "outcome_differs"),
    "the winner": (winners, "outcome_differs"),
    "the server's secret": (server_secret, "broken_promise"),
    "a revealed secret": (revealed, "broken_promise"),
    "two signatures": (signature, "bad_signature"),
    "a signature over the opening": (signed_opening, "bad_signature"),
}


@pytest.mark.parametrize("what", FORGED)
def test_the_operator_itself_cannot_change_a_game(what: str) -> None:
    """It signs everything anew; the rules and the commitments find the first bad event."""
    change, code = FORGED[what]
    found = judged(bundled(forged(change)), POLICY)

    assert code in [problem.code for problem in found.problems]
    assert (code_of(found), found.conclusion) == (1, "wrong")
    assert outcomes(found)["receipts"] == outcomes(found)["checkpoint"] == "passed"


def test_the_first_bad_event_has_its_rule_and_both_values() -> None:
    found = judged(bundled(forged(score)))
    (problem,) = found.problems
    seq = of_kind(good(), "event").index(
        next(each for each in of_kind(good(), "event") if each["type"] == "RoundEnded/1")
    )

    assert (problem.seq, problem.rule != "") == (seq + 1, True)
    assert problem.expected.startswith("data.results[0].total = ")
    assert problem.recorded.startswith("data.results[0].total = ")
    assert bundled(forged(score))[problem.line - 1].startswith(b'{"event":')


def test_an_audit_finds_a_signature_that_nobody_could_make() -> None:
    """No seat has a key before the table is open."""
    found = first(forged(signed_opening))
    assert (found.code, found.reject) == ("illegal_decision", "no_key_registered")


def test_a_game_dealt_from_other_secrets_is_another_story() -> None:
    """Everything in it fits; only what was signed before does not."""
    other = played(replace(PLANS["classic"], server="another"))
    assert judged(bundled(other), POLICY).conclusion == "sound"
    kept = [KeptReceipt("mine", 1, Receipt(**each)) for each in of_kind(good(), "receipt")[4:7]]
    (examined,) = verify([parse_bundle(bundled(other), "file")], POLICY, kept)
    found = examined.judgement

    assert {problem.code for problem in found.problems} == {"equivocation"}
    assert (code_of(found), found.conclusion) == (6, "operator")
