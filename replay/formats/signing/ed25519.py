"""Ed25519 (RFC 8032): verification that refuses the keys for which signatures can be forged.

These keys are the points whose order divides 8, in every spelling; a y that is not below the prime
is refused for every point, since each key has one spelling. The browser's page has the same rule.
"""

from functools import lru_cache

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

P = 2**255 - 19
"""The prime of the curve's field (RFC 8032, 5.1)."""
_D = -121665 * pow(121666, -1, P) % P
_SIGN = 1 << 255  # the bit of x's sign in a key, above its y


def _root(square: int) -> int:
    """A square root modulo the prime, of a number that has one (RFC 8032, 5.1.3)."""
    root = pow(square, (P + 3) // 8, P)
    return root if root * root % P == square else root * pow(2, (P - 1) // 4, P) % P


def _small() -> frozenset[int]:
    """The y of the eight points whose order divides 8.

    Points of order 1 and 2 have x = 0 and y = ±1; points of order 4, y = 0. Points of order 8
    double to y = 0, so x² = -y², and the curve -x² + y² = 1 + d x² y² leaves d y⁴ + 2 y² - 1 = 0.
    """
    discriminant = _root((1 + _D) % P)
    squares = ((sign * discriminant - 1) * pow(_D, -1, P) % P for sign in (1, -1))
    (y,) = {_root(square) for square in squares if pow(square, (P - 1) // 2, P) == 1}
    return frozenset((0, 1, P - 1, y, P - y))


SMALL = _small()
"""The y of points of small order."""


def is_usable(public: bytes) -> bool:
    """Whether the public key is a point of the curve that only its owner can sign for."""
    y = coordinate(public)
    if y is None:
        return False
    square = (y * y - 1) * pow(_D * y * y + 1, -1, P) % P
    return pow(square, (P - 1) // 2, P) == 1


def verifies(public: bytes, signature: bytes, message: bytes) -> bool:
    """Whether the message has the signature of a usable key."""
    try:
        key = _key(public)
        if key is None:
            return False
        key.verify(signature, message)
    except (InvalidSignature, ValueError):
        return False
    return True


@lru_cache(maxsize=256)
def _key(public: bytes) -> Ed25519PublicKey | None:
    """The key, cached for all its signatures; None where `coordinate` has none."""
    return None if coordinate(public) is None else Ed25519PublicKey.from_public_bytes(public)


def coordinate(public: bytes) -> int | None:
    """A public key's y; None where it is of small order, or not in its one spelling."""
    y = int.from_bytes(public, "little") & ~_SIGN
    return y if len(public) == 32 and y < P and y not in SMALL else None
