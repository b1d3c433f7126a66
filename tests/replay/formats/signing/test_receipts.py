"""Receipts: what is signed, who has signed it, and what two of them prove."""

import base64
import hashlib
from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from phaseledger.domain.evidence.codec import leaf_hash, redact, seal_key
from phaseledger.replay.formats.signing.notes import SigningKey
from phaseledger.replay.formats.signing.receipts import (
    Receipt,
    Receipted,
    begins,
    command_hash,
    command_of,
    entry_of,
    is_genuine,
    issue,
    sign_tree,
)
from tests.support.cases import looped
from tests.support.replay.log_edits import GAME, short_game, trees

KEY = SigningKey("games.example", b"\x05" * 32)
OTHER = SigningKey("games.example", b"\x06" * 32)
ENTRY = Receipted(GAME, 7, "ab" * 32, "cd" * 32, 1_700_000_000_000)
RECEIPT = issue(ENTRY, KEY)


def test_what_is_signed() -> None:
    """Six lines, as docs/reference/evidence.md has them, under an ordinary Ed25519 signature."""
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


@looped("change", CHANGES)
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


# --- format 2: one signature over the entries of a commit -----------------------------------------

ENTRIES = [ENTRY._replace(seq=7 + number) for number in range(5)]


def shared(entries: Sequence[Receipted], key: SigningKey = KEY) -> list[Receipt]:
    """The receipts of the entries of one commit."""
    tree = sign_tree([entry.tree_leaf() for entry in entries], key)
    return [
        signature.receipt(entry)
        for entry, signature in zip(entries, tree.signatures(), strict=True)
    ]


def test_what_is_signed_for_two_commands() -> None:
    """By the words of docs/reference/evidence.md, computed here from nothing but SHA-256."""
    first, second = (hashlib.sha256(b"\0" + entry.text()).digest() for entry in ENTRIES[:2])
    root = hashlib.sha256(b"\1" + first + second).hexdigest()
    text = f"p10-receipt/v2\n2\n{root}\n".encode()
    left, right = shared(ENTRIES[:2])
    assert KEY.public.verifies(text, base64.b64decode(left.sig))
    assert msgspec.to_builtins(right) == {
        **msgspec.to_builtins(issue(ENTRIES[1], KEY)),
        "sig": left.sig,
        "index": 1,
        "size": 2,
        "path": (first.hex(),),
    }
    assert msgspec.to_builtins(left) == {
        **msgspec.to_builtins(issue(ENTRIES[0], KEY)),
        "sig": left.sig,
        "size": 2,
        "path": (second.hex(),),
    }


@looped("size", [*range(2, 18), 64, 65, 100])
def test_each_receipt_of_a_commit_is_genuine(size: int) -> None:
    entries = [ENTRY._replace(seq=number) for number in range(1, size + 1)]
    receipts = shared(entries)
    assert [receipt.content() for receipt in receipts] == entries
    assert {receipt.sig for receipt in receipts} == {receipts[0].sig}
    for receipt in receipts:
        encoded = msgspec.json.encode(receipt)
        assert is_genuine(msgspec.json.decode(encoded, type=Receipt), KEY.public)
        assert not is_genuine(receipt, OTHER.public)


def test_a_receipt_of_format_1_says_nothing_of_a_tree() -> None:
    assert not msgspec.to_builtins(RECEIPT).keys() & {"index", "path", "size"}


SHARED = shared(ENTRIES)[2]
TREE_CHANGES: list[dict[str, Any]] = [
    *CHANGES[:6],
    {"index": 3},
    {"index": 5},
    {"index": -1},
    {"size": 4},
    {"size": 6},
    {"size": 1},
    {"size": 0},
    {"path": ()},
    {"path": SHARED.path[:-1]},
    {"path": (*SHARED.path, "00" * 32)},
    {"path": SHARED.path[::-1]},
    {"path": ("00" * 32, *SHARED.path[1:])},
    {"index": 0, "path": (), "size": 1},
    {"sig": issue(ENTRIES[2], KEY).sig},
    {"sig": shared(ENTRIES[:4])[2].sig},
    {"sig": shared(ENTRIES, OTHER)[2].sig},
]


@looped("change", TREE_CHANGES)
def test_a_changed_receipt_of_a_commit_is_not_genuine(change: dict[str, Any]) -> None:
    assert is_genuine(SHARED, KEY.public)
    assert not is_genuine(replace(SHARED, **change), KEY.public)


def test_a_path_to_nowhere_is_no_signed_text() -> None:
    """Not even a signature over nothing makes a receipt of it."""
    nowhere = replace(SHARED, size=40)
    sig = base64.b64encode(KEY.sign(b"")).decode()
    assert nowhere.text() is None
    assert not is_genuine(replace(nowhere, sig=sig), KEY.public)


@looped("fault", [{"path": ["0"]}, {"index": -1}, {"size": 0}, {"path": ["00"] * 3}])
def test_what_is_no_path(fault: dict[str, Any]) -> None:
    tree = {**msgspec.to_builtins(SHARED), **fault}
    with pytest.raises(msgspec.ValidationError):
        msgspec.json.decode(msgspec.json.encode(tree), type=Receipt)


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
