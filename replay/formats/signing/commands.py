"""Signed commands: a seat's Ed25519 signature over its command, which only its key can make.

The signed text is ``p10-signed-command/v1``, the game, the seat, the hash and the number of the
event that the seat saw last, and the whole command in canonical JSON, each on a line. The signature
and the public key are hex. Joining is signed by the key that it registers, without the secret that
the server makes.
"""

from collections.abc import Sequence

import msgspec
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from msgspec.structs import replace

from phaseledger.domain.commands import Act, Command, TakeSeat
from phaseledger.domain.state import SeatState
from phaseledger.replay.formats.signing.ed25519 import verifies

_canonical = msgspec.json.Encoder(order="sorted").encode


def signed_text(game: str, seat: int, head: str, version: int, command: Command) -> bytes:
    """The bytes that a seat signs: a command to the game at ``version``, with the hash ``head``."""
    if isinstance(command, TakeSeat):
        command = replace(command, secret="")
    header = f"p10-signed-command/v1\n{game}\n{seat}\n{head}\n{version}\n"
    return header.encode() + _canonical(command) + b"\n"


def sign(key: bytes, game: str, seat: int, head: str, version: int, command: Command) -> str:
    """The signature (128 hex digits) with a seat's private key, 32 bytes."""
    private = Ed25519PrivateKey.from_private_bytes(key)
    return private.sign(signed_text(game, seat, head, version, command)).hex()


def public_key(key: bytes) -> str:
    """The public key (64 hex digits) of a private key, 32 bytes."""
    return Ed25519PrivateKey.from_private_bytes(key).public_key().public_bytes_raw().hex()


def signing_key(act: Act, seats: Sequence[SeatState | None]) -> str:
    """The public key for a seat's command: the seat's, or the one that the command registers."""
    if isinstance(act.command, TakeSeat):
        return act.command.key
    occupant = None if act.seat is None else seats[act.seat]
    return occupant.key if occupant else ""


def is_signed(
    public: str, sig: str, game: str, seat: int, head: str, version: int, command: Command
) -> bool:
    """Whether the signature verifies: by this key, over this command at this place of the chain."""
    text = signed_text(game, seat, head, version, command)
    try:
        return verifies(bytes.fromhex(public), bytes.fromhex(sig), text)
    except ValueError:  # one of them is not hex
        return False
