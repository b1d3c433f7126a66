"""Signed commands: a seat's Ed25519 signature over what it did, which nobody else can make.

The text that is signed is ``p10-signed-command/v1``, the game, the seat, the hash and the number of
the event that the seat saw last, and the whole command in canonical JSON, each on a line. The
signature and the public key are hex.
"""

import msgspec
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from phaseledger.domain.commands import Command

_canonical = msgspec.json.Encoder(order="sorted").encode

P = 2**255 - 19
"""The prime of the curve's field (RFC 8032, 5.1)."""
_D = -121665 * pow(121666, -1, P) % P
_LOW_ORDER = {
    *("00" * 32, "00" * 31 + "80"),
    *("01" + "00" * 31, "01" + "00" * 30 + "80"),
    *("ec" + "ff" * 30 + "7f", "ec" + "ff" * 31),
    "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
    "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc85",
    "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a",
    "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac03fa",
}
"""The points of low order (it divides 8): to such a key anybody can make signatures."""


def is_usable(public: str) -> bool:
    """Whether a public key (hex) is a point of the curve that only its owner can sign for."""
    raw = bytes.fromhex(public)
    y = int.from_bytes(raw, "little") & ~(1 << 255)
    if len(raw) != 32 or public in _LOW_ORDER or y >= P:
        return False
    square = (y * y - 1) * pow(_D * y * y + 1, -1, P) % P
    return pow(square, (P - 1) // 2, P) == 1


def signed_text(game: str, seat: int, head: str, version: int, command: Command) -> bytes:
    """The bytes that a seat signs: a command to the game at ``version``, with the hash ``head``."""
    header = f"p10-signed-command/v1\n{game}\n{seat}\n{head}\n{version}\n"
    return header.encode() + _canonical(command) + b"\n"


def sign(key: bytes, game: str, seat: int, head: str, version: int, command: Command) -> str:
    """The signature (128 hex digits) with a seat's private key, 32 bytes."""
    private = Ed25519PrivateKey.from_private_bytes(key)
    return private.sign(signed_text(game, seat, head, version, command)).hex()


def public_key(key: bytes) -> str:
    """The public key (64 hex digits) of a private key, 32 bytes."""
    return Ed25519PrivateKey.from_private_bytes(key).public_key().public_bytes_raw().hex()


def is_signed(
    public: str, sig: str, game: str, seat: int, head: str, version: int, command: Command
) -> bool:
    """Whether the signature verifies: by this key, over this command at this place of the chain."""
    if public in _LOW_ORDER:
        return False
    try:
        key = Ed25519PublicKey.from_public_bytes(bytes.fromhex(public))
        key.verify(bytes.fromhex(sig), signed_text(game, seat, head, version, command))
    except (InvalidSignature, ValueError):
        return False
    return True
