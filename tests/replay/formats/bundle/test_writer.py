"""Bundles: what is written, and that nothing else is read."""

import hashlib

import msgspec

from phaseledger.domain.events import belongs
from phaseledger.replay.formats.bundle.reader import parse_bundle
from phaseledger.replay.formats.bundle.writer import bundle_lines
from phaseledger.replay.formats.signing import notes
from tests.support.cases import looped
from tests.support.replay.bundles import PLANS, content_of, game, good, of_kind
from tests.support.replay.operator_games import (
    OPERATOR,
    STRANGER,
    WITNESS,
    bundled,
    leaves_of,
    proofs,
)

# --- written --------------------------------------------------------------------------------------


@looped("name", PLANS)
def test_a_bundle_holds_the_whole_log(name: str) -> None:
    bundle = parse_bundle(good(name))

    assert [bundle.stored(event) for event in bundle.events] == list(game(name))
    assert [event.leaf for event in bundle.events] == [leaf.hex() for leaf in leaves_of(game(name))]
    assert bundle.header.head == bundle.events[-1].leaf
    assert bundle.header.status == bundle.status == ("finished" if name == "classic" else "voided")


def test_whoever_writes_one_may_pause_after_each_event_and_receipt() -> None:
    paused: list[None] = []
    lines = bundle_lines(game("classic"), signer=OPERATOR, pause=lambda: paused.append(None))
    bundle = parse_bundle(list(lines))

    assert len(paused) == len(bundle.events) + len(bundle.receipts)


def test_what_is_sealed_is_not_known() -> None:
    running = parse_bundle(bundled(game("classic")[:-1], viewer=1))
    for event, stored in zip(running.events, game("classic"), strict=False):
        tree, redacted = msgspec.json.decode(stored), msgspec.json.decode(running.as_opened(event))
        hidden = {who: held for who, held in tree.pop("hidden", {}).items() if belongs(who, 1)}
        closed = set(event.sealed) - set(hidden)

        assert redacted == ({**tree, "hidden": hidden} if hidden else tree)
        assert running.stored(event) == (None if closed else stored)


def test_leaves_salts_and_seals_by_their_formulas() -> None:
    """As format.md and evidence.md in docs/reference say, without the code that writes them."""
    lines, gid = good(), PLANS["classic"].game
    first = next(line for line in lines if line.startswith(b'{"event":'))[len('{"event":') : -2]
    (secret,) = (entry["secret"] for entry in of_kind(lines, "secret") if entry["by"] == "server")
    opened = of_kind(lines, "opens")[0]

    def mac(key: bytes, text: bytes) -> bytes:
        pads = (bytes(b ^ pad for b in key.ljust(64, b"\0")) for pad in (0x36, 0x5C))
        inner, outer = pads
        return hashlib.sha256(outer + hashlib.sha256(inner + text).digest()).digest()

    prk = mac(hashlib.sha256(gid.encode()).digest(), bytes.fromhex(secret))
    salt = mac(prk, b"p10-seal/v1 seq=1 key=server\x01")[:16]
    value = b'{"secret":"%s"}' % secret.encode()

    assert opened == {
        "audience": "server", "salt": salt.hex(), "seq": 1, "value": {"secret": secret}
    }  # fmt: skip
    assert content_of(b'{"event":' + first + b"}")["sealed"] == {
        "server": hashlib.sha256(b"\x02" + salt + value).hexdigest()
    }
    assert of_kind(lines, "event")[1]["prev"] == hashlib.sha256(b"\0" + first).hexdigest()


def test_once_a_game_is_over_all_see_the_same() -> None:
    for viewer in (None, 0, 2):
        assert tuple(bundled(game("classic"), viewer=viewer)) == good()
    assert "seat" not in content_of(good()[0])


@looped("name", PLANS)
@looped("viewer", [None, 0, 1])
def test_a_running_game_tells_no_more_than_its_viewer_may_know(
    name: str, viewer: int | None
) -> None:
    stored = game(name)[:-1]
    lines = bundled(stored, viewer=viewer)
    text, due = b"".join(lines), []
    for tree in map(msgspec.json.decode, stored):
        for who, hidden in tree.get("hidden", {}).items():
            if belongs(who, viewer):
                due.append((tree["seq"], who, hidden))
            elif "secret" in hidden:
                assert hidden["secret"].encode() not in text

    assert [(o["seq"], o["audience"], o["value"]) for o in of_kind(lines, "opens")] == due
    assert (viewer is None) or due
    assert content_of(lines[0])["status"] == "unfinished"
    assert content_of(lines[0]).get("seat") == viewer


def test_secrets_come_with_who_made_them() -> None:
    made = of_kind(good(), "secret")

    assert [(secret["by"], secret["made_by"]) for secret in made] == [
        ("server", "server"), ("0", "seat"), ("1", "server"), ("2", "seat")
    ]  # fmt: skip
    assert all("secret" in secret for secret in made)


def test_a_seat_that_has_not_revealed_keeps_its_secret() -> None:
    sealed = next(n for n, record in enumerate(game("classic"), 1) if b'"TableSealed/1"' in record)
    made = of_kind(bundled(game("classic")[: sealed + 1]), "secret")

    assert [secret["by"] for secret in made if "secret" in secret] == ["2"]


def test_every_command_has_its_receipt() -> None:
    events = of_kind(good(), "event")
    begins = [event["seq"] for event in events if "act" in event["data"]]

    assert [receipt["seq"] for receipt in of_kind(good(), "receipt")] == [
        *(seq - 1 for seq in begins[1:]), len(events)
    ]  # fmt: skip


def test_without_a_signer_nothing_is_signed() -> None:
    lines = list(bundle_lines(game("classic")))

    assert (
        of_kind(lines, "receipt")
        == of_kind(lines, "checkpoint")
        == content_of(lines[0])["keys"]
        == []
    )


def test_signatures_by_keys_that_are_not_named_are_left_out() -> None:
    given = proofs(leaves_of(game("classic")), "log", OPERATOR, WITNESS, STRANGER)
    keys = [OPERATOR.public]
    lines = list(bundle_lines(game("classic"), keys=keys, signer=OPERATOR, proofs=given))
    (note,) = (notes.note(checkpoint["note"]) for checkpoint in of_kind(lines, "checkpoint"))

    assert [signature.hash for signature in note.signatures] == [OPERATOR.public.hash]
    assert content_of(lines[0])["keys"] == [str(OPERATOR.public)]
