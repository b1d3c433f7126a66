"""Presences: a seat's signed statement that it was there, and the operator's receipt with the time.

A player who is asked signs the newest event that it has seen; the service, if that is its newest
event, signs the time of arrival. Both texts are lines: ``p10-present/v1``, the game, the seat, the
event's leaf hash and number; and ``p10-presence/v1``, the same with the time and the player's
signature after them (docs/reference/evidence.md).
"""

import base64
from typing import Annotated

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from msgspec import Meta, Struct
from msgspec.structs import replace

from phaseledger.replay.formats.signing.ed25519 import verifies
from phaseledger.replay.formats.signing.notes import SigningKey

SLACK = 15_000
"""The most milliseconds from the time of an event to its storing: the limit of a command.

An event with an earlier time may be stored after a presence that did not know it.
"""


class Presence(Struct, frozen=True, forbid_unknown_fields=True):
    """The operator's signed statement that a seat had seen the game's newest event."""

    at: Annotated[int, Meta(description="When the service was told, in ms since 1970.")]
    game: str
    key: Annotated[str, Meta(description="Which key has signed: its name, + and 8 hex digits.")]
    leaf: Annotated[str, Meta(description="The newest event's hash, in hex.")]
    seat: int
    seq: Annotated[int, Meta(description="The newest event's number.")]
    sig: Annotated[str, Meta(description="The operator's Ed25519 signature, in base64.")]
    signature: Annotated[
        str, Meta(description="The player's, 128 hex digits; empty for a seat without a key.")
    ]

    def text(self) -> bytes:
        """The bytes that the operator signs."""
        front = present_text(self.game, self.seat, self.leaf, self.seq).removeprefix(_PRESENT)
        return b"p10-presence/v1\n" + front + f"{self.at}\n{self.signature}\n".encode()


_PRESENT = b"p10-present/v1\n"


def present_text(game: str, seat: int, leaf: str, seq: int) -> bytes:
    """The bytes that a player signs."""
    return _PRESENT + f"{game}\n{seat}\n{leaf}\n{seq}\n".encode()


def sign_present(key: bytes, game: str, seat: int, leaf: str, seq: int) -> str:
    """The signature (128 hex digits) with a seat's private key, 32 bytes."""
    private = Ed25519PrivateKey.from_private_bytes(key)
    return private.sign(present_text(game, seat, leaf, seq)).hex()


def is_present(public: str, signature: str, game: str, seat: int, leaf: str, seq: int) -> bool:
    """Whether the player's signature verifies by its public key (both hex)."""
    try:
        text = present_text(game, seat, leaf, seq)
        return verifies(bytes.fromhex(public), bytes.fromhex(signature), text)
    except ValueError:  # one of them is not hex
        return False


def confirm(
    game: str, seat: int, leaf: str, seq: int, at: int, signature: str, key: SigningKey
) -> Presence:
    """The presence of a seat, signed by the operator."""
    unsigned = Presence(
        at=at, game=game, key=key.id, leaf=leaf, seat=seat, seq=seq, sig="", signature=signature
    )
    sig = base64.b64encode(key.sign(unsigned.text())).decode()
    return replace(unsigned, sig=sig)
