"""Receipts: the operator's signature that a command stands in a game's log, and where.

A receipt's entry is ``p10-receipt/v1``, the game, the number of the command's last event, the
event's leaf hash, the command's hash, and the event's ``at``, each on a line. Format 1 signs the
entry. Format 2 signs the root of a Merkle tree over the entries of all commands of one commit
(``p10-receipt/v2``, the tree's size and its root, each on a line), and each receipt carries the
path from its entry to the root (docs/reference/evidence.md).
"""

import base64
import binascii
import hashlib
from collections.abc import Sequence
from typing import Annotated, NamedTuple

import msgspec
from msgspec import Meta, Struct

from phaseledger.domain.evidence.merkle import audit_paths, root_of, root_of_path
from phaseledger.replay.formats.signing.notes import SigningKey, VerifierKey
from phaseledger.replay.formats.signing.presences import Presence


class Receipt(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """The operator's signed statement that a command stands in a game's log, and where."""

    at: Annotated[int, Meta(description="The time of the event, in milliseconds since 1970.")]
    command: Annotated[str, Meta(description="The command's hash, in hex.")]
    game: str
    key: Annotated[str, Meta(description="Which key has signed: its name, + and 8 hex digits.")]
    leaf: Annotated[str, Meta(description="The event's hash, in hex.")]
    seq: Annotated[int, Meta(description="The number of the command's last event.")]
    sig: Annotated[str, Meta(description="The Ed25519 signature, in base64.")]
    index: Annotated[
        int, Meta(ge=0, description="Which leaf of the tree it is. Left out where it is 0.")
    ] = 0
    path: Annotated[
        tuple[Annotated[str, Meta(pattern="^[0-9a-f]{64}$")], ...],
        Meta(
            max_length=16,
            description="The hashes from the entry to the root that is signed, in hex (RFC 6962, "
            "2.1.1). Left out where the entry itself is signed.",
        ),
    ] = ()
    size: Annotated[
        int,
        Meta(
            ge=1,
            description="How many commands' entries the signed tree has. Left out where the entry "
            "itself is signed.",
        ),
    ] = 1

    def content(self) -> "Receipted":
        """The signed content."""
        return Receipted(
            game=self.game, seq=self.seq, leaf=self.leaf, command=self.command, at=self.at
        )

    def text(self) -> bytes | None:
        """The signed bytes; None where the path leads to no root of such a tree."""
        entry = self.content()
        if (self.index, self.path, self.size) == (0, (), 1):
            return entry.text()
        steps = [bytes.fromhex(step) for step in self.path]
        root = root_of_path(entry.tree_leaf(), self.index, self.size, steps)
        return tree_text(self.size, root) if root else None


class _Data(Struct):
    act: msgspec.Raw = msgspec.Raw()


class _Event(Struct):
    at: int
    cmd: str
    game: str
    seq: int
    data: _Data


_decode_event = msgspec.json.Decoder(_Event).decode


class Receipted(NamedTuple):
    """The signed content of a receipt: a command's place in a game's log."""

    game: str
    seq: int
    leaf: str
    command: str
    at: int

    def text(self) -> bytes:
        """The signed bytes, or the bytes hashed to a leaf of the tree whose root is signed."""
        game, seq, leaf, command, at = self
        return f"p10-receipt/v1\n{game}\n{seq}\n{leaf}\n{command}\n{at}\n".encode()

    def tree_leaf(self) -> bytes:
        """The leaf hash of the entry in a tree of entries (RFC 6962, 2.1)."""
        return hashlib.sha256(b"\0" + self.text()).digest()


def tree_text(size: int, root: bytes) -> bytes:
    """The bytes that are signed for a tree of that many entries, two or more."""
    return f"p10-receipt/v2\n{size}\n{root.hex()}\n".encode()


def command_hash(game: str, cmd: str, act: bytes) -> str:
    """Hex SHA-256 over a command: its id in the log, and the canonical bytes of its public ``act``.

    Secret arguments are left out of ``act``, and so out of the hash: a receipt reveals no card.
    """
    header = f"p10-command/v1\n{game}\n{cmd}\n".encode()
    return hashlib.sha256(header + act).hexdigest()


def begins(event: bytes) -> bool:
    """Whether the event (stored or public form) is the first one of its command."""
    return bool(bytes(_decode_event(event).data.act))


def command_of(first: bytes) -> str:
    """The command hash of the command whose first event (stored or public form) this is."""
    event = _decode_event(first)
    return command_hash(event.game, event.cmd, bytes(event.data.act))


def entry_of(first: bytes, last: bytes, leaf: str) -> Receipted:
    """A command's receipt entry, from its first and last event and the last one's leaf hash."""
    event, command = _decode_event(last), command_of(first)
    return Receipted(game=event.game, seq=event.seq, leaf=leaf, command=command, at=event.at)


class TreeSignature(NamedTuple):
    """A signature over a tree of one entry or more, and the path to its root from one of them."""

    key: str
    """The id of the key that has signed."""
    sig: bytes
    place: int
    """The number of the entry's leaf in the tree."""
    size: int
    path: tuple[bytes, ...]

    def receipt(self, entry: Receipted) -> Receipt:
        """The receipt for the entry at this leaf."""
        return Receipt(
            at=entry.at,
            command=entry.command,
            game=entry.game,
            key=self.key,
            leaf=entry.leaf,
            seq=entry.seq,
            sig=base64.b64encode(self.sig).decode(),
            index=self.place,
            path=tuple(step.hex() for step in self.path),
            size=self.size,
        )


def issue(entry: Receipted, key: SigningKey) -> Receipt:
    """The signed receipt for an entry by itself: a tree of one, whose text is the entry's."""
    signature = TreeSignature(key=key.id, sig=key.sign(entry.text()), place=0, size=1, path=())
    return signature.receipt(entry)


class SignedTree(NamedTuple):
    """A tree of receipt entries, two or more, under one signature."""

    key: str
    """The id of the key that has signed."""
    sig: bytes
    leaves: tuple[bytes, ...]
    """The leaf hash of each entry."""

    def signatures(self) -> list[TreeSignature]:
        """The signature as each leaf has it."""
        size = len(self.leaves)
        return [
            TreeSignature(key=self.key, sig=self.sig, place=place, size=size, path=path)
            for place, path in enumerate(audit_paths(self.leaves)[1])
        ]


def sign_tree(leaves: Sequence[bytes], key: SigningKey) -> SignedTree:
    """Sign a tree of receipt entries, two or more, given by their leaf hashes."""
    sig = key.sign(tree_text(len(leaves), root_of(leaves)))
    return SignedTree(key=key.id, sig=sig, leaves=tuple(leaves))


def is_genuine(receipt: Receipt | Presence, key: VerifierKey) -> bool:
    """Whether it names the key and has a valid signature of it, in canonical base64."""
    try:
        signature = base64.b64decode(receipt.sig, validate=True)
    except (binascii.Error, ValueError):
        return False
    text = receipt.text()
    if text is None or base64.b64encode(signature).decode() != receipt.sig:
        return False
    return receipt.key == key.id and key.verifies(text, signature)
