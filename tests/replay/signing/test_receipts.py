"""Receipts: what is signed, who has signed it, and what two of them prove."""

import base64
import hashlib
from itertools import pairwise
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from phaseledger.domain.evidence.codec import leaf_hash, redact, seal_key
from phaseledger.replay.signing.notes import SigningKey
from phaseledger.replay.signing.receipts import (
    Receipt,
    Receipted,
    begins,
    command_hash,
    command_of,
    entry_of,
    is_genuine,
    issue,
)
from tests.support.replay.log_edits import GAME, short_game, trees

KEY = SigningKey("games.example", b"\x05" * 32)
OTHER = SigningKey("games.example", b"\x06" * 32)
ENTRY = Receipted(GAME, 7, "ab" * 32, "cd" * 32, 1_700_000_000_000)
RECEIPT = issue(ENTRY, KEY)


def test_what_is_signed() -> None:
    """Six lines, as docs/evidence.md has them, under an ordinary Ed25519 signature."""
    text = f"p10-receipt/v1\n{GAME}\n7\n{'ab' * 32}\n{'cd' * 32}\n1700000000000\n"
    assert ENTRY.text() == text.encode()
    assert KEY.public.verifies(text.encode(), base64.b64decode(RECEIPT.sig))
    assert RECEIPT.key == KEY.public.id
    assert is_genuine(RECEIPT, KEY.public)


def test_the_same_receipt_every_time() -> None:
    assert issue(ENTRY, KEY) == RECEIPT
    assert msgspec.json.decode(msgspec.json.encode(RECEIPT), type=Receipt) == RECEIPT


CHANGES: list[dict[str, Any]] = [
    {"at": 1_700_000_000_001},
    {"command": "ce" * 32},
    {"game": GAME.replace("7", "8")},
    {"key": OTHER.public.id},
    {"key": "games.example"},
    {"leaf": "aa" * 32},
    {"seq": 8},
    {"sig": ""},
    {"sig": RECEIPT.sig.replace("=", "")},
    {"sig": RECEIPT.sig + "\n"},
    {"sig": "\u00e9" + RECEIPT.sig[1:]},
    {"sig": issue(ENTRY, OTHER).sig},
    {"leaf": f"{'ab' * 32}\n{'cd' * 32}", "command": "1700000000000"},
]


@pytest.mark.parametrize("change", CHANGES)
def test_a_changed_receipt_is_not_genuine(change: dict[str, Any]) -> None:
    assert not is_genuine(replace(RECEIPT, **change), KEY.public)


def test_every_letter_of_the_signature_counts() -> None:
    for place, letter in enumerate(RECEIPT.sig):
        for other in {"A", "B", "/", "="} - {letter}:
            spoiled = RECEIPT.sig[:place] + other + RECEIPT.sig[place + 1 :]
            assert not is_genuine(replace(RECEIPT, sig=spoiled), KEY.public), place


def test_a_signature_has_one_spelling() -> None:
    """The last letter has bits that stand for nothing; base64 that sets them is refused."""
    other = RECEIPT.sig[:85] + chr(ord(RECEIPT.sig[85]) + 1) + RECEIPT.sig[86:]
    assert base64.b64decode(other) == base64.b64decode(RECEIPT.sig)
    assert not is_genuine(replace(RECEIPT, sig=other), KEY.public)


def test_another_key_has_not_signed_it() -> None:
    """Not even one that says it is called the same."""
    assert not is_genuine(RECEIPT, OTHER.public)
    assert not is_genuine(replace(RECEIPT, key=OTHER.public.id), OTHER.public)


def test_two_stories_are_both_genuine() -> None:
    """So whoever holds both can prove that two were told of one event."""
    other = issue(ENTRY._replace(leaf="ba" * 32), KEY)
    assert (other.game, other.seq) == (RECEIPT.game, RECEIPT.seq)
    assert other.leaf != RECEIPT.leaf
    assert is_genuine(other, KEY.public)
    assert is_genuine(RECEIPT, KEY.public)


# --- of a command in a log ------------------------------------------------------------------------


def test_a_commands_hash() -> None:
    """By the formula, over the bytes of ``act`` as they stand in the event."""
    for stored in short_game():
        tree = msgspec.json.decode(stored)
        act = tree["data"].get("act")
        assert begins(stored) == (act is not None)
        if act is not None:
            text = msgspec.json.encode(act, order="sorted")
            made = hashlib.sha256(
                f"p10-command/v1\n{GAME}\n{tree['cmd']}\n".encode() + text
            ).hexdigest()
            assert command_of(stored) == made == command_hash(GAME, tree["cmd"], text)


def test_the_public_form_gives_the_same_receipt() -> None:
    """Whoever sees no card can check it all the same."""
    key = seal_key(GAME, trees()[0]["hidden"]["server"]["secret"])
    concealed = 0
    for stored in short_game():
        public = redact(stored, key, None, opened=False)
        concealed += public != stored
        leaf = leaf_hash(public)
        if begins(stored):
            assert entry_of(stored, stored, leaf) == entry_of(public, public, leaf)
    assert concealed > 10


def test_a_receipt_is_for_the_commands_last_event() -> None:
    log = short_game()
    starts = [number for number, stored in enumerate(log) if begins(stored)]
    first, after = next((a, b) for a, b in pairwise(starts) if b > a + 1)
    entry = entry_of(log[first], log[after - 1], "ef" * 32)
    assert entry == Receipted(GAME, after, "ef" * 32, command_of(log[first]), 0)
