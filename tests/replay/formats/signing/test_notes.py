"""Signed notes, checkpoints and cosignatures (C2SP signed-note, tlog-checkpoint, tlog-cosignature).

The known answers are those of Go's golang.org/x/mod/sumdb/note.
"""

import base64
import hashlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from phaseledger.replay.formats.signing.notes import (
    COSIGNATURE,
    LONGEST,
    BadKey,
    BadNote,
    Checkpoint,
    Note,
    Signature,
    SigningKey,
    VerifierKey,
    checkpoint,
    is_name,
    note,
    signature,
    signed_by,
    verifier_key,
)
from tests.support.cases import looped

VKEY = "PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW"
SKEY = "PRIVATE+KEY+PeterNeumann+c74f20a3+AYEKFALVFGyNhPJEMzD1QIDr+Y7hfZx09iUvxdXHKDFz"
TEXT = (
    "If you think cryptography is the answer to your problem,\n"
    "then you don't know what your problem is.\n"
)
SIGNED = (
    f"{TEXT}\n\u2014 PeterNeumann x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZSNX"
    "gKvqfqdngotpRZb6KE6RyyBwJnAM=\n"
)
ROOT = hashlib.sha256(b"a root").digest()
HEAD = Checkpoint("games.example", 7, ROOT).text()
BAD_NAME = "a key's name is 1 to 200 visible ASCII characters without +"

names = st.from_regex(r"[!-*,-~]{1,40}", fullmatch=True)
seeds = st.binary(min_size=32, max_size=32)
signers = st.builds(SigningKey, names, seeds, st.sampled_from([1, COSIGNATURE]))
texts = st.text(st.characters(min_codepoint=0x20, exclude_categories=["Cs"]), max_size=60).map(
    lambda text: text + "\n"
)
times = st.integers(0, 2**63 - 1)


# --- known answers --------------------------------------------------------------------------------


def test_the_notes_of_go() -> None:
    """Key, hash and signature come out byte for byte."""
    signer = SigningKey.parse(SKEY)
    assert str(signer.public) == VKEY
    assert signer.text() == SKEY
    assert signer.public.id == "PeterNeumann+c74f20a3"
    assert str(Note(TEXT, (signature(TEXT, signer),))) == SIGNED
    assert note(SIGNED).text == TEXT
    assert signed_by(note(SIGNED), verifier_key(VKEY))


def test_a_checkpoint_is_three_lines() -> None:
    assert f"games.example\n7\n{base64.b64encode(ROOT).decode()}\n" == HEAD
    assert checkpoint(HEAD) == Checkpoint("games.example", 7, ROOT)


def test_what_a_witness_signs() -> None:
    """``cosignature/v1``, the time and the checkpoint, with the time before the signature."""
    witness = SigningKey("w.example", b"\x07" * 32, COSIGNATURE)
    signed = signature(HEAD, witness, at=1_700_000_000).signed
    assert signed[:8] == (1_700_000_000).to_bytes(8)
    message = b"cosignature/v1\ntime 1700000000\n" + HEAD.encode()
    assert witness.public.verifies(message, signed[8:])
    given = note(str(Note(HEAD, (signature(HEAD, witness, at=1_700_000_000),))))
    assert signed_by(given, witness.public)


# --- round trips ----------------------------------------------------------------------------------


@given(signers)
def test_keys_read_as_written(signer: SigningKey) -> None:
    assert verifier_key(str(signer.public)) == signer.public
    assert SigningKey.parse(signer.text()).public == signer.public
    assert SigningKey.parse(signer.text() + "\n").text() == signer.text()
    made = hashlib.sha256(
        signer.public.name.encode() + b"\n" + bytes([signer.public.kind]) + signer.public.public
    )
    assert signer.public.hash == made.digest()[:4]


@given(texts, st.lists(st.tuples(signers, times), min_size=1, max_size=3))
def test_notes_read_as_written(text: str, by: list[tuple[SigningKey, int]]) -> None:
    made = Note(text, tuple(signature(text, signer, at) for signer, at in by))
    read = note(str(made))
    assert read == made
    assert all(signed_by(read, signer.public) for signer, _ in by)


@given(names, st.integers(0, 2**62), st.binary(min_size=32, max_size=32))
def test_checkpoints_read_as_written(origin: str, size: int, root: bytes) -> None:
    made = Checkpoint(origin, size, root)
    assert checkpoint(made.text()) == made


@given(st.text(max_size=80))
def test_any_text_is_read_or_refused(text: str) -> None:
    """Nothing else comes out of it than BadNote and BadKey."""
    for read, refusal in ((note, BadNote), (checkpoint, BadNote), (verifier_key, BadKey)):
        try:
            made = read(text)
        except refusal:
            continue
        assert str(made) == text or made.text() == text  # type: ignore[union-attr]
    with pytest.raises(BadKey):
        SigningKey.parse(text)


# --- damage ---------------------------------------------------------------------------------------


def is_accepted(text: str, key: VerifierKey) -> bool:
    try:
        return signed_by(note(text), key)
    except BadNote:
        return False


def test_no_letter_of_a_note_can_be_changed() -> None:
    """Each character replaced by three others, left out, or doubled."""
    key = verifier_key(VKEY)
    for place, letter in enumerate(SIGNED):
        others = {chr(ord(letter) ^ 1), "A", "\n", "\u2028"} - {letter}
        for other in (*others, "", letter * 2):
            assert not is_accepted(SIGNED[:place] + other + SIGNED[place + 1 :], key), place


def test_no_letter_of_a_verifier_key_can_be_changed() -> None:
    for place, letter in enumerate(VKEY):
        for other in (chr(ord(letter) ^ 1), "", letter * 2, "\u2028"):
            with pytest.raises(BadKey):
                verifier_key(VKEY[:place] + other + VKEY[place + 1 :])


NO_KEY = "this is no verifier key: <name>+<hash>+<base64>"
NOT_ED25519 = "this is no Ed25519 verifier key: <name>+<hash>+<base64>"
PUBLIC = SigningKey.parse(SKEY).public.public


@looped(
    ("text", "sentence"),
    [
        ("", NOT_ED25519),
        (VKEY[:-1], NO_KEY),
        (f"{VKEY[:-2]}\u00e9=", NO_KEY),
        (str(VerifierKey("x", 2, PUBLIC)), NOT_ED25519),
        (str(VerifierKey("x", 1, PUBLIC[1:])), NOT_ED25519),
        (str(VerifierKey("a b", 1, PUBLIC)), NOT_ED25519),
        (
            VKEY.replace("c74f20a3", "d74f20a3ff"),
            "the key's hash is c74f20a3, but its text says d74f20a3",
        ),
    ],
)
def test_what_is_no_verifier_key(text: str, sentence: str) -> None:
    with pytest.raises(BadKey) as refused:
        verifier_key(text)
    assert str(refused.value) == sentence


def test_a_new_key_is_a_key_that_nobody_had() -> None:
    first, second = (SigningKey.new("w.example", COSIGNATURE) for _ in range(2))
    assert (first.public.name, first.public.kind) == ("w.example", COSIGNATURE)
    assert first.public.public != second.public.public
    assert SigningKey.new("log").public.kind == 1
    assert signature(HEAD, first).signed[:8] == bytes(8)
    assert signed_by(Note(HEAD, (signature(HEAD, first),)), first.public)


@looped(
    "text",
    [
        "",
        TEXT,
        f"{TEXT}\n",
        SIGNED.rstrip("\n"),
        SIGNED + "\n",
        SIGNED.replace("\u2014 ", "- "),
        SIGNED.replace("\u2014 PeterNeumann", "\u2014 Peter+Neumann"),
        SIGNED.replace("x08go", "x08g"),
        SIGNED.replace("nAM=", "nAN="),  # the same bytes, spelled otherwise
        SIGNED.replace(TEXT, TEXT + "\x00\n"),
        SIGNED.replace("\n", "\r\n"),
        f"{TEXT}\n\u2014 a AAAA\n",
        TEXT + "\n" + SIGNED.removeprefix(TEXT + "\n") * 65,
        "x" * LONGEST + SIGNED,
    ],
)
def test_what_is_no_note(text: str) -> None:
    with pytest.raises(BadNote) as refused:
        note(text)
    assert str(refused.value) in (
        "this is no signed note: a text, an empty line, signatures",
        "a signature line of the note is damaged",
    )


def test_what_is_just_a_note() -> None:
    """Empty lines in the text, the longest text, the most signatures, the shortest one."""
    line = "\u2014 a AAAAAAA=\n"
    assert note(f"a\n\nb\n\n{line}") == Note("a\n\nb\n", (Signature("a", b"\0" * 4, b"\0"),))
    assert len(note(f"{TEXT}\n{line * 64}").signatures) == 64
    rest = f"\n\n{line}"
    assert note("x" * (LONGEST - len(rest)) + rest).text.startswith("xxx")
    with pytest.raises(BadNote, match=r"^this is no signed note"):
        note("x" * (LONGEST - len(rest) + 1) + rest)
    with pytest.raises(BadNote, match=r"^this is no signed note"):
        note(f"{TEXT}\n{line * 65}")
    with pytest.raises(BadNote, match=r"^a signature line of the note is damaged$"):
        note(f"{TEXT}\n\u2014 a AAAAAA==\n")


def test_a_bad_signature_beside_a_good_one() -> None:
    """A key counts only if all that it is said to have signed is good; others do not matter."""
    signer, other = SigningKey.parse(SKEY), SigningKey("other", b"\x01" * 32)
    good, wrong = signature(TEXT, signer), signature("else\n", signer)
    assert not signed_by(Note(TEXT, (good, wrong)), signer.public)
    assert signed_by(Note(TEXT, (good, signature("else\n", other))), signer.public)
    assert not signed_by(Note(TEXT, (good,)), other.public)
    assert not signed_by(Note(TEXT, ()), signer.public)
    short = Signature("w", SigningKey("w", b"\x02" * 32, COSIGNATURE).public.hash, b"\x00" * 7)
    assert not signed_by(Note(TEXT, (short,)), SigningKey("w", b"\x02" * 32, COSIGNATURE).public)


def test_a_name_alone_is_no_key() -> None:
    """Two keys of one name: the hash tells whose signature it is."""
    first, second = SigningKey("log", b"\x01" * 32), SigningKey("log", b"\x02" * 32)
    assert not signed_by(Note(TEXT, (signature(TEXT, first),)), second.public)
    both = Note(TEXT, (signature(TEXT, first), signature(TEXT, second)))
    assert signed_by(both, first.public)
    assert signed_by(both, second.public)


def test_a_cosignature_of_another_time_is_bad() -> None:
    witness = SigningKey("w", b"\x02" * 32, COSIGNATURE)
    made = signature(HEAD, witness, at=5)
    moved = made._replace(signed=(6).to_bytes(8) + made.signed[8:])
    assert signed_by(Note(HEAD, (made,)), witness.public)
    assert not signed_by(Note(HEAD, (moved,)), witness.public)


def test_one_kind_of_key_does_not_pass_for_the_other() -> None:
    """The same private bytes as log and as witness are two keys."""
    log, witness = SigningKey("x", b"\x03" * 32), SigningKey("x", b"\x03" * 32, COSIGNATURE)
    assert log.public.hash != witness.public.hash
    forged = signature(HEAD, log)._replace(hash=witness.public.hash)
    assert not signed_by(Note(HEAD, (forged,)), witness.public)


@looped(
    "text",
    [
        "",
        "games.example\n7\n",
        HEAD.rstrip("\n"),
        HEAD + "extension\n",
        HEAD.rstrip("\n") + "x",
        HEAD[:-3] + chr(ord(HEAD[-3]) + 1) + "=\n",  # the same bytes, spelled otherwise
        HEAD.replace("\n7\n", "\n07\n"),
        HEAD.replace("\n7\n", "\n-7\n"),
        HEAD.replace("\n7\n", "\n+7\n"),
        HEAD.replace("\n7\n", "\n7 \n"),
        HEAD.replace("\n7\n", f"\n{'9' * 4000}\n"),
        HEAD.replace("games.example", ""),
        HEAD.replace("games.example", "games example"),
        HEAD.replace("games.example", "games\texample"),
        HEAD.replace("games.example", "games\x00example"),
        HEAD.replace("games.example", "games\x9bexample"),
        HEAD.replace("games.example", "games\u202eexample"),
        HEAD.replace("games.example", "games\u2028example"),
        HEAD.replace("games.example", "g" * 201),
        f"games.example\n7\n{base64.b64encode(ROOT[1:]).decode()}\n",
        f"games.example\n7\n{base64.b64encode(ROOT).decode()} \n",
        HEAD[:-3] + "\u00e9=\n",
    ],
)
def test_what_is_no_checkpoint(text: str) -> None:
    with pytest.raises(BadNote, match=r"^this is no checkpoint: origin, size, root$"):
        checkpoint(text)


@looped(
    "text",
    [
        "",
        "PRIVATE+KEY+",
        SKEY.removeprefix("PRIVATE+KEY+"),
        SKEY.replace("c74f20a3", "c74f20a4"),
        SKEY.replace("+AYEK", "+AoEK"),
        SKEY.replace("+AYEK", "+AYEL"),
        SKEY[:-4],
        SKEY[:-1],
        SKEY.replace("PeterNeumann", ""),
        SKEY.replace("Peter", "P\u00e9ter"),
    ],
)
def test_what_is_no_private_key(text: str) -> None:
    """And the refusal does not repeat it."""
    with pytest.raises(BadKey) as refused:
        SigningKey.parse(text)
    assert str(refused.value) in (
        "this is no private key of a note: PRIVATE+KEY+<name>+<hash>+<base64>",
        "the private key is damaged: its hash does not match",
        BAD_NAME,
    )


def test_a_private_key_is_not_shown_by_accident() -> None:
    signer = SigningKey.parse(SKEY)
    assert "AYEKFALVFGyNhPJ" not in f"{signer} {signer!r} {[signer]}"


@looped("name", ["", "a b", "a+b", "\u00e9", "a\n", "x" * 201])
def test_what_is_no_name(name: str) -> None:
    assert not is_name(name)
    with pytest.raises(BadKey) as refused:
        SigningKey(name, b"\x01" * 32)
    assert str(refused.value) == BAD_NAME
