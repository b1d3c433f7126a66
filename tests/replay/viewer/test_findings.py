"""Findings as the dispute screen shows them."""

import re
from typing import Any

import msgspec
import pytest

from phaseledger.domain.explain.rulebook import rule_text
from phaseledger.domain.explain.wording import card_words
from phaseledger.domain.rejections.codes import RejectCode
from phaseledger.replay.evidence.verify.codes import CODES
from tests.support.replay.bundles import good
from tests.support.replay.disputed_games import _cheated, disputed_game
from tests.support.replay.log_edits import Tree, encode, rechained, seq_of, short_game
from tests.support.replay.operator_games import bundled
from tests.support.replay.tampered_bundles import counted
from tests.support.replay.viewer_documents import chair_frames, export, forged, read

DRAW = seq_of("CardDrawn", lambda tree: "hidden" in tree, skip=3)


def other_card(records: list[Tree]) -> None:
    (secret,) = records[DRAW - 1]["hidden"].values()
    secret["card"] = "W" if secret["card"] != "W" else "R5"


@pytest.fixture(scope="module")
def forgery() -> dict[str, Any]:
    return read(forged(other_card))


def test_another_card_is_shown_beside_the_right_one(forgery: dict[str, Any]) -> None:
    (finding,) = forgery["findings"]
    right = msgspec.json.decode(short_game()[DRAW - 1])
    (card,) = (secret["card"] for secret in right["hidden"].values())
    name = f"seat {right['data']['seat']}"

    assert (finding["seq"], finding["code"], finding["rule"]) == (DRAW, "outcome_differs", "C-14")
    assert finding["expected"] | {"raw": ""} == {
        "sentence": f"{name} draws from the stock ({card_words(card)})",
        "cards": card,
        "raw": "",
    }
    assert finding["recorded"]["cards"] != card
    assert finding["recorded"]["cards"] in finding["recorded"]["raw"]
    assert finding["turn"].startswith(f"{name}'s draw from the stock in turn ")
    assert finding["turn"].endswith(", round 1")
    assert finding["rule_text"] == rule_text("C-14")
    assert finding["blame"].startswith("The operator's server")
    assert finding["proves"] == CODES["outcome_differs"].proves
    assert finding["todo"] == CODES["outcome_differs"].advice


def test_the_chain_is_there_to_be_computed_again(forgery: dict[str, Any]) -> None:
    chain = forgery["findings"][0]["chain"]

    assert chain["prev"] == msgspec.json.decode(short_game()[DRAW - 1])["prev"]
    assert len(chain["leaf"]) == 64
    assert "index" not in chain


def test_the_game_is_shown_up_to_the_finding(forgery: dict[str, Any]) -> None:
    assert forgery["events"] == DRAW - 1 == len(chair_frames(forgery, "all"))
    assert forgery["stage"] == "ended"
    assert forgery["chairs"][0] == "all"
    assert forgery["verdict"]["headline"].startswith("WRONG: this is no game played by its rules")
    assert forgery["verdict"]["grade"] == "none"


def test_a_refused_move_says_why() -> None:
    seq = seq_of("CardDiscarded", skip=2)

    def other_discard(records: list[Tree]) -> None:
        record = records[seq - 1]["data"]
        record["cards"] = record["act"]["command"]["cards"] = "2H"

    (finding,) = read(forged(other_discard))["findings"]
    assert (finding["code"], finding["seq"]) == ("illegal_decision", seq)
    assert finding["expected"] == {
        "sentence": f"Refused. {RejectCode.UNKNOWN_CARD.sentence}",
        "raw": "refused: unknown_card 2H; cards are written as in R4, B10, G12, W or S",
    }


def test_an_event_that_follows_from_nothing_is_no_stumbling_block() -> None:
    seq = seq_of("CardsHit") if any(b"CardsHit/1" in line for line in short_game()) else DRAW

    def huge(records: list[Tree]) -> None:
        records[seq - 1]["data"]["seat"] = 10**9

    (finding, *_) = read(forged(huge))["findings"]
    assert finding["recorded"]["sentence"] == "An event that does not follow from those before"


def test_an_event_changed_by_what_follows_is_the_one_that_is_blamed() -> None:
    lines = [*short_game()]
    begins = [b'"act":' in line for line in lines]
    at = next(n for n in range(20, len(lines)) if begins[n] and begins[n + 1])
    tree = msgspec.json.decode(lines[at])
    tree["at"] += 1
    lines[at] = msgspec.json.encode(tree, order="sorted")
    document = read(export(lines))

    assert [finding["code"] for finding in document["findings"]] == ["broken_chain"]
    assert document["events"] == document["findings"][0]["seq"] - 1


def test_a_missing_end_has_nothing_recorded() -> None:
    lines = [*short_game()]
    cut = max(n for n, line in enumerate(lines) if b'"act":' not in line)
    (finding, *_) = read(export(lines[:cut]))["findings"]

    assert finding["code"] == "truncated"
    assert finding["recorded"] == {"sentence": "nothing"}


# --- bundles --------------------------------------------------------------------------------------


def test_a_bundles_finding_says_who_vouches_for_it() -> None:
    first, second = read(b"".join(bundled(_cheated())), "cheated.bundle")["findings"]

    assert (first["seq"], first["code"], first["rule"]) == (22, "outcome_differs", "C-64")
    assert first["turn"] == "the end of round 1"
    assert (first["recorded"]["raw"], first["expected"]["raw"]) == (
        "data.results[1].points = 75",
        "data.results[1].points = 55",
    )
    assert [voucher.partition(":")[0] for voucher in first["vouch"]] == [
        "the player",
        "the operator",
        "the operator",
        "a witness",
    ]
    assert (second["seq"], second["code"]) == (25, "bad_signature")
    assert second["expected"]["sentence"].startswith("a signature of ")
    assert {"leaf", "prev"} == {*second["chain"]}


def test_a_wrong_receipt_for_the_first_bad_event_is_no_claim_about_its_cards() -> None:
    """Only a finding about the first bad event itself shows what is recorded and what is due."""
    records = [msgspec.json.decode(stored) for stored in disputed_game()]
    drawn = next(tree for tree in records if tree["type"] == "CardDrawn/1" and "hidden" in tree)
    (secret,) = drawn["hidden"].values()
    due, secret["card"] = secret["card"], "W"
    lines = bundled([encode(tree) for tree in rechained(records)])
    of_drawn = f'"seq":{drawn["seq"]},'.encode()
    (at,) = (n for n, line in enumerate(lines) if line[:11] == b'{"receipt":' and of_drawn in line)
    lines[at] = re.sub(rb'"leaf":"..', b'"leaf":"00', lines[at])
    findings = read(b"".join(lines), "it.bundle")["findings"]

    assert [(finding["code"], finding["seq"]) for finding in findings] == [
        ("outcome_differs", drawn["seq"]),
        ("bad_signature", drawn["seq"] + 1),
        ("bad_receipt", drawn["seq"]),
    ]
    event, signature, receipt = findings
    assert (event["recorded"]["cards"], event["expected"]["cards"]) == ("W", due)
    assert all("cards" not in finding["recorded"] for finding in (signature, receipt))
    key = msgspec.json.decode(lines[at])["receipt"]["key"]
    assert receipt["expected"] == {"sentence": f"a signature of {key}"}
    assert receipt["recorded"] == {"sentence": msgspec.json.decode(lines[at])["receipt"]["sig"]}
    assert (receipt["turn"], receipt["chain"]) == (event["turn"], event["chain"])


def test_the_place_in_the_public_log_is_shown_where_it_is_proven() -> None:
    lines = bundled(disputed_game())
    tampered = [line.replace(b'"made_by":"seat"', b'"made_by":"server"', 1) for line in lines]
    document = read(b"".join(tampered), "it.bundle")

    assert document["findings"]
    assert all("seq" in finding for finding in document["findings"])


def test_findings_that_are_alike_are_one() -> None:
    lines = [*good()]
    receipts = [n for n, line in enumerate(lines) if line.startswith(b'{"receipt":')]
    for number in receipts[:4]:
        lines[number] = re.sub(rb'"leaf":"..', b'"leaf":"00', lines[number])
    (finding,) = read(b"".join(lines), "it.bundle")["findings"]

    assert (finding["code"], finding["seq"]) == ("bad_receipt", 1)
    assert finding["text"].endswith("that it names. And 2 more like this, up to event 3.")
    assert finding["turn"] == "the opening of the table"


def test_where_nobody_vouches_that_is_said() -> None:
    extra = (b'{"receipt":', b'{"checkpoint":', b'{"inclusion":')
    lines = [line for line in good("express") if not line.startswith(extra)]
    tampered = [line.replace(b'"source":"stock"', b'"source":"pile"', 1) for line in lines]
    finding, *_ = read(b"".join(counted(tampered)), "it.bundle")["findings"]

    assert finding["vouch"] == ["Nobody: whoever wrote this file could have made it up."]
