"""Signed notes (C2SP signed-note) with Ed25519, and texts of their form: a log's checkpoints (C2SP
tlog-checkpoint) and the cosignatures of witnesses (C2SP tlog-cosignature, v1).

A key's id is ``<name>+<8 hex digits>``; its public form, the verifier key, is ``<name>+<8 hex
digits>+<base64 of its kind and its 32 bytes>``.
"""

import base64
import binascii
import hashlib
import re
from collections.abc import Iterable
from functools import lru_cache
from typing import NamedTuple

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from phaseledger.replay.formats.signing.ed25519 import verifies

ED25519, COSIGNATURE = 1, 4
"""Kinds of key: one signs the text, the other the text with the time at which it was seen."""

_NAME = re.compile(r"[!-*,-~]{1,200}")
_ORIGIN = re.compile(r"[!-~]{1,200}")
_PRIVATE = "PRIVATE+KEY+"
_DASH = "\u2014 "
_CONTROL = re.compile(r"[\x00-\x09\x0b-\x1f]")
_NUMBER = re.compile(r"0|[1-9][0-9]{0,18}")
LONGEST = 64 * 1024
"""Characters of a note."""


class BadKey(ValueError):
    """A text that is no key; the message does not repeat it."""


class BadNote(ValueError):
    """A text that is no note, or no checkpoint."""


def is_name(text: str) -> bool:
    """Whether a key may bear the name: visible ASCII without ``+``."""
    return _NAME.fullmatch(text) is not None


@lru_cache(maxsize=256)
def _key_hash(name: str, kind: int, public: bytes) -> bytes:
    return hashlib.sha256(name.encode() + b"\n" + bytes([kind]) + public).digest()[:4]


def _decoded(text: str) -> bytes:
    return base64.b64decode(text, validate=True)


class VerifierKey(NamedTuple):
    """The public half of a key."""

    name: str
    kind: int
    public: bytes

    @property
    def hash(self) -> bytes:
        """The four bytes by which signatures name the key."""
        return _key_hash(self.name, self.kind, self.public)

    @property
    def id(self) -> str:
        """Name and hash, as in receipts."""
        return f"{self.name}+{self.hash.hex()}"

    def __str__(self) -> str:
        body = base64.b64encode(bytes([self.kind]) + self.public).decode()
        return f"{self.id}+{body}"

    def verifies(self, message: bytes, signature: bytes) -> bool:
        """Whether an Ed25519 signature is this key's over the message."""
        return verifies(self.public, signature, message)


def verifier_key(text: str) -> VerifierKey:
    """The verifier key that a text encodes.

    Raises:
        BadKey: the text is no verifier key, or its hash is of another key.

    """
    if text.startswith(_PRIVATE):
        raise BadKey(
            "this is a private key, which nobody else may ever see: give its verifier key, "
            "<name>+<hash>+<base64>"
        )
    name, _, hash_and_body = text.partition("+")
    digits, _, body = hash_and_body.partition("+")
    try:
        kind, public = _decoded(body)[:1], _decoded(body)[1:]
    except (binascii.Error, ValueError):
        raise BadKey("this is no verifier key: <name>+<hash>+<base64>") from None
    if not is_name(name) or kind not in (b"\x01", b"\x04") or len(public) != 32:
        raise BadKey("this is no Ed25519 verifier key: <name>+<hash>+<base64>")
    key = VerifierKey(name, kind[0], public)
    if str(key) != text:
        raise BadKey(f"the key's hash is {key.hash.hex()}, but its text says {digits[:8]}")
    return key


def verifier_keys(texts: Iterable[str], kind: int) -> tuple[VerifierKey, ...]:
    """The verifier keys of one kind that the texts encode, without duplicates.

    Raises:
        BadKey: one is invalid, of the other kind, or a duplicate; the message says which by its
            place, and repeats no text.

    """
    keys: list[VerifierKey] = []
    for place, text in enumerate(texts, 1):
        try:
            key = verifier_key(text)
        except BadKey as error:
            raise BadKey(f"entry {place}: {error}") from None
        if key.kind != kind:
            owners = {ED25519: "an operator's key", COSIGNATURE: "a witness's key"}
            raise BadKey(f"entry {place}: {key.id} is {owners[key.kind]}, not {owners[kind]}")
        if key in keys:
            raise BadKey(f"entry {place}: this key stands there twice")
        keys.append(key)
    return tuple(keys)


class SigningKey:
    """A named Ed25519 private key; its ``repr`` does not show it."""

    def __init__(self, name: str, seed: bytes, kind: int = ED25519) -> None:
        if not is_name(name):
            raise BadKey("a key's name is 1 to 200 visible ASCII characters without +")
        self._seed = seed
        self._key = Ed25519PrivateKey.from_private_bytes(seed)
        self.public = VerifierKey(name, kind, self._key.public_key().public_bytes_raw())
        self.id = self.public.id  # once: it takes a hash

    @classmethod
    def new(cls, name: str, kind: int = ED25519) -> "SigningKey":
        """A fresh key."""
        return cls(name, Ed25519PrivateKey.generate().private_bytes_raw(), kind)

    @classmethod
    def parse(cls, text: str) -> "SigningKey":
        """The key in the encoding of `text`; raises BadKey."""
        name, _, hash_and_body = text.strip().removeprefix(_PRIVATE).partition("+")
        digits, _, body = hash_and_body.partition("+")
        try:
            raw = _decoded(body)
        except (binascii.Error, ValueError):
            raw = b""
        kinds = (bytes([ED25519]), bytes([COSIGNATURE]))
        if not text.startswith(_PRIVATE) or len(raw) != 33 or raw[:1] not in kinds:
            raise BadKey("this is no private key of a note: PRIVATE+KEY+<name>+<hash>+<base64>")
        key = cls(name, raw[1:], raw[0])
        if key.public.hash.hex() != digits:
            raise BadKey("the private key is damaged: its hash does not match")
        return key

    def text(self) -> str:
        """The private key as text (base64): enough to sign."""
        public = self.public
        body = base64.b64encode(bytes([public.kind]) + self._seed).decode()
        return f"{_PRIVATE}{public.name}+{public.hash.hex()}+{body}"

    def sign(self, message: bytes) -> bytes:
        """The 64 bytes of an Ed25519 signature."""
        return self._key.sign(message)

    def __repr__(self) -> str:
        return f"<SigningKey {self.public.id}>"


class Signature(NamedTuple):
    """A signature line of a note."""

    name: str
    hash: bytes
    signed: bytes
    """64 bytes; a cosignature has the time, 8 bytes, before them."""

    @property
    def key(self) -> str:
        """The id of the key that it names."""
        return f"{self.name}+{self.hash.hex()}"

    def __str__(self) -> str:
        return f"{_DASH}{self.name} {base64.b64encode(self.hash + self.signed).decode()}\n"


class Note(NamedTuple):
    """A signed note: a text that ends with a line feed, and the signatures under it."""

    text: str
    signatures: tuple[Signature, ...]

    def __str__(self) -> str:
        return f"{self.text}\n{''.join(map(str, self.signatures))}"


def signature(text: str, key: SigningKey, at: int = 0) -> Signature:
    """A key's signature under a text; a cosignature has the time ``at``, in s since 1970."""
    public = key.public
    if public.kind == COSIGNATURE:
        body = at.to_bytes(8) + key.sign(_cosigned(text, at))
    else:
        body = key.sign(text.encode())
    return Signature(public.name, public.hash, body)


def _cosigned(text: str, at: int) -> bytes:
    return f"cosignature/v1\ntime {at}\n{text}".encode()


def signed_by(note: Note, key: VerifierKey) -> bool:
    """Whether the note has a valid signature of the key, and no invalid one of it."""
    lines = [line for line in note.signatures if (line.name, line.hash) == (key.name, key.hash)]
    return bool(lines) and all(_is_good(note.text, line, key) for line in lines)


def cosigning_times(note: Note, key: VerifierKey) -> tuple[int, ...]:
    """The times at which the key cosigned the note, in seconds since 1970 by its owner's clock.

    They are valid only where the note is `signed_by` the key.
    """
    return tuple(
        int.from_bytes(line.signed[:8])
        for line in note.signatures
        if (line.name, line.hash) == (key.name, key.hash)
    )


def _is_good(text: str, line: Signature, key: VerifierKey) -> bool:
    if key.kind == COSIGNATURE:
        at = int.from_bytes(line.signed[:8])
        return key.verifies(_cosigned(text, at), line.signed[8:])
    return key.verifies(text.encode(), line.signed)


def note(text: str) -> Note:
    """The note that a text encodes; its signatures are not verified.

    Raises:
        BadNote: the text is no signed note.

    """
    body, blank, signature_block = text.rpartition("\n\n")
    lines = signature_block.splitlines(keepends=True)
    if len(text) > LONGEST or not blank or not lines or len(lines) > 64 or _CONTROL.search(text):
        raise BadNote("this is no signed note: a text, an empty line, signatures")
    signatures = []
    for line in lines:
        name, _, encoded = line.removeprefix(_DASH).removesuffix("\n").partition(" ")
        try:
            raw = _decoded(encoded)
        except (binascii.Error, ValueError):
            raw = b""
        signatures.append(Signature(name, raw[:4], raw[4:]))
        if len(raw) <= 4 or not is_name(name) or str(signatures[-1]) != line:
            raise BadNote("a signature line of the note is damaged")
    return Note(body + "\n", tuple(signatures))


class Checkpoint(NamedTuple):
    """A checkpoint of a log: its origin (name), its size in leaves, and their Merkle root."""

    origin: str
    size: int
    root: bytes

    def text(self) -> str:
        """The text of the note."""
        return f"{self.origin}\n{self.size}\n{base64.b64encode(self.root).decode()}\n"


def checkpoint(text: str) -> Checkpoint:
    """The checkpoint that a note's text encodes; extension lines are refused.

    Raises:
        BadNote: the text is no checkpoint.

    """
    origin, _, size_and_root = text.partition("\n")  # visible ASCII: a report shows it unchanged
    size, _, root = size_and_root.partition("\n")
    try:
        parsed = Checkpoint(
            origin, int(size) if _NUMBER.fullmatch(size) else -1, _decoded(root[:-1])
        )
    except (binascii.Error, ValueError):
        raise BadNote("this is no checkpoint: origin, size, root") from None
    is_valid = _ORIGIN.fullmatch(origin) and parsed.size >= 0 and len(parsed.root) == 32
    if not is_valid or parsed.text() != text:
        raise BadNote("this is no checkpoint: origin, size, root")
    return parsed
