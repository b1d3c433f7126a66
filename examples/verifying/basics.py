"""Verdicts, hashes, keys that follow from a secret, and signatures."""

import base64
import functools
import hashlib
import hmac
import json
import re

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey


class Damaged(Exception):
    """The file is no bundle."""


class Wrong(Exception):
    """The game is wrong."""


class Untrue(Exception):
    """The operator's evidence does not hold."""


def demand(holds: object, sentence: str) -> None:
    """Refuse the game with that sentence unless something holds."""
    if not holds:
        raise Wrong(sentence)


def claim(holds: object, sentence: str) -> None:
    """Refuse the operator's evidence with that sentence unless something holds."""
    if not holds:
        raise Untrue(sentence)


def canonical(value: object) -> bytes:
    """The one spelling of a value (docs/reference/format.md)."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), sort_keys=True).encode()


def digest(*parts: str | bytes) -> bytes:
    """SHA-256 over the parts, one after the other."""
    whole = b"".join(part.encode() if isinstance(part, str) else part for part in parts)
    return hashlib.sha256(whole).digest()


def hkdf(secret: bytes, salt: bytes, info: str, length: int) -> bytes:
    """Bytes that follow from a secret and a purpose: HKDF with SHA-256 (RFC 5869)."""
    key = hmac.digest(salt, secret, "sha256")
    block, made = b"", b""
    for number in range(1, -(-length // 32) + 1):
        block = hmac.digest(key, block + info.encode() + bytes([number]), "sha256")
        made += block
    return made[:length]


def unhex(text: str, length: int) -> bytes:
    """So many bytes in lower-case hex; none where the text is anything else."""
    return bytes.fromhex(text) if re.fullmatch(f"[0-9a-f]{{{2 * length}}}", text) else b""


def unbase64(text: str) -> bytes:
    """The bytes that a text spells, if it is their one spelling; else none."""
    try:
        made = base64.b64decode(text, validate=True)
    except ValueError:
        return b""
    return made if base64.b64encode(made).decode() == text else b""


@functools.cache
def usable(key: bytes) -> bool:
    """Whether a public key is a point in its one spelling, and not one anybody can sign for."""
    if len(key) != 32:
        return False
    p = 2**255 - 19
    d = -121665 * pow(121666, -1, p) % p
    y, odd = int.from_bytes(key, "little") & (2**255 - 1), key[31] >> 7
    square = (y * y - 1) * pow(d * y * y + 1, -1, p) % p
    x = pow(square, (p + 3) // 8, p)
    if (x * x - square) % p:
        x = x * pow(2, (p - 1) // 4, p) % p
    if y >= p or (x * x - square) % p or (odd and not x):
        return False
    for _ in range(3):  # of small order: eight times the point is the neutral one
        t = d * x * x * y * y % p
        x, y = 2 * x * y * pow(1 + t, -1, p) % p, (y * y + x * x) * pow(1 - t, -1, p) % p
    return (x, y) != (0, 1)


def signed(key: bytes, signature: bytes, message: bytes) -> bool:
    """Whether a usable key has signed that (Ed25519, RFC 8032)."""
    try:
        Ed25519PublicKey.from_public_bytes(key).verify(signature, message)
    except (InvalidSignature, ValueError):
        return False
    return usable(key)
