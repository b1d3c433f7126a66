"""Signatures of seats: what is signed, where it holds, and which keys sign nothing."""

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from hypothesis import given
from hypothesis import strategies as st

from phaseledger.domain import commands as c
from phaseledger.domain.commands import Command
from phaseledger.replay.signing.commands import is_signed, is_usable, public_key, sign, signed_text
from tests.support.table import GAME

PRIVATE = bytes(range(32))
PUBLIC = public_key(PRIVATE)
HEAD = "ab" * 32
DRAW = c.Draw()


# --- what is signed -------------------------------------------------------------------------------


def test_the_text() -> None:
    """As docs/evidence.md has it: five lines, then the canonical command, defaults left out."""
    front = f"p10-signed-command/v1\n{GAME}\n1\n{HEAD}\n17\n"
    told: list[tuple[Command, str]] = [
        (c.Draw(), '{"type":"draw"}'),
        (c.Draw("discard"), '{"source":"discard","type":"draw"}'),
        (c.Search("R5"), '{"card":"R5","type":"search"}'),
        (c.Keep(), '{"type":"keep"}'),
        (
            c.Lay((c.GroupToLay("R5 W"), c.GroupToLay("W W", 3)), 2),
            '{"groups":[{"cards":"R5 W"},{"cards":"W W","value":3}],"phase":2,"type":"lay"}',
        ),
        (c.RevealSecret("cd" * 32), '{"secret":"' + "cd" * 32 + '","type":"reveal_secret"}'),
    ]
    for command, text in told:
        assert signed_text(GAME, 1, HEAD, 17, command).decode() == f"{front}{text}\n"


def test_a_known_answer() -> None:
    """The private key 00 01 .. 1f has the public key that any Ed25519 library gives it."""
    assert PUBLIC == "03a107bff3ce10be1d70dd18e74bc09967e4d6309ba50d5f1ddc8664125531b8"
    raw = Ed25519PublicKey.from_public_bytes(bytes.fromhex(PUBLIC))
    sig = sign(PRIVATE, GAME, 1, HEAD, 17, DRAW)
    text = f'p10-signed-command/v1\n{GAME}\n1\n{HEAD}\n17\n{{"type":"draw"}}\n'
    raw.verify(bytes.fromhex(sig), text.encode())
    assert len(sig) == 128


def test_a_signature_holds_there_and_then_only() -> None:
    sig = sign(PRIVATE, GAME, 1, HEAD, 17, DRAW)
    assert is_signed(PUBLIC, sig, GAME, 1, HEAD, 17, DRAW)
    other = public_key(b"\x01" * 32)
    for public, game, seat, head, version, command in [
        (other, GAME, 1, HEAD, 17, DRAW),
        (PUBLIC, GAME.replace("1", "2"), 1, HEAD, 17, DRAW),
        (PUBLIC, GAME, 0, HEAD, 17, DRAW),
        (PUBLIC, GAME, 1, "ba" * 32, 17, DRAW),
        (PUBLIC, GAME, 1, HEAD, 18, DRAW),
        (PUBLIC, GAME, 1, HEAD, 17, c.Draw("discard")),
        (PUBLIC, GAME, 1, HEAD, 17, c.Pass()),
    ]:
        assert not is_signed(public, sig, game, seat, head, version, command)


@given(st.one_of(st.text(max_size=140), st.binary(max_size=70).map(bytes.hex)))
def test_nothing_else_is_a_signature(sig: str) -> None:
    """Whatever it is: false, and no error."""
    assert not is_signed(PUBLIC, sig, GAME, 1, HEAD, 17, DRAW)
    assert not is_signed(sig, "00" * 64, GAME, 1, HEAD, 17, DRAW)


# --- which keys -----------------------------------------------------------------------------------

P = 2**255 - 19
D = -121665 * pow(121666, -1, P) % P
SQRT_OF_MINUS_1 = pow(2, (P - 1) // 4, P)
Point = tuple[int, int]


def root(square: int) -> int | None:
    """A square root modulo P; None where there is none (RFC 8032, 5.1.3)."""
    made = pow(square, (P + 3) // 8, P)
    for candidate in (made, made * SQRT_OF_MINUS_1 % P):
        if candidate * candidate % P == square % P:
            return candidate
    return None


def point(y: int) -> Point | None:
    """A point of the curve with that y; None where there is none."""
    x = root((y * y - 1) * pow(D * y * y + 1, -1, P) % P)
    return None if x is None else (x, y)


def doubled(of: Point) -> Point:
    x, y = of
    t = D * x * x * y * y % P
    return 2 * x * y * pow(1 + t, -1, P) % P, (y * y + x * x) * pow(1 - t, -1, P) % P


def small() -> list[int]:
    """The y of all points whose order divides 8.

    Those of order 8 double to y = 0, so x^2 = -y^2, and the curve leaves d y^4 + 2 y^2 - 1 = 0.
    """
    found = [1, P - 1, 0]
    r = root(1 + D)
    assert r is not None
    for square in ((r - 1) * pow(D, -1, P) % P, (-r - 1) * pow(D, -1, P) % P):
        y = root(square)
        if y is not None and point(y):
            found += [y, P - y]
    return found


def encoded(y: int, sign_bit: int = 0) -> str:
    return (y | sign_bit << 255).to_bytes(32, "little").hex()


def test_the_small_points_are_the_small_points() -> None:
    """The arithmetic of this test itself: eight points, counted with their signs of x."""
    assert len(small()) == 5
    for y in small():
        found = point(y)
        assert found is not None
        assert doubled(doubled(doubled(found))) == (0, 1)
    base = point(4 * pow(5, -1, P) % P)
    assert base is not None
    assert doubled(doubled(doubled(base))) != (0, 1)


@pytest.mark.parametrize("sign_bit", [0, 1])
@pytest.mark.parametrize("y", small(), ids=hex)
def test_a_small_point_is_no_key(y: int, sign_bit: int) -> None:
    assert not is_usable(encoded(y, sign_bit))


BASE = encoded(4 * pow(5, -1, P) % P)
FORGED = BASE + encoded(1)
"""R is the base point and s is 1: good for every text, if the public key is the neutral point."""


def test_anybody_could_sign_for_a_small_point() -> None:
    """The library takes the forgery, so the guard has to be ours."""
    neutral = Ed25519PublicKey.from_public_bytes(bytes.fromhex(encoded(1)))
    neutral.verify(bytes.fromhex(FORGED), b"whatever you like")
    assert not is_signed(encoded(1), FORGED, GAME, 1, HEAD, 17, DRAW)
    assert not is_usable(encoded(1))


@pytest.mark.parametrize("more", [*range(19)])
def test_a_coordinate_is_below_the_prime(more: int) -> None:
    """The other spelling of a point would be another key with the same signatures."""
    for sign_bit in (0, 1):
        assert not is_usable(encoded(P + more, sign_bit))


@given(st.integers(2, P - 2), st.integers(0, 1))
def test_half_of_all_texts_are_points(y: int, sign_bit: int) -> None:
    if y not in small():
        assert is_usable(encoded(y, sign_bit)) == (point(y) is not None)


@given(st.binary(min_size=32, max_size=32))
def test_every_real_key_is_usable(private: bytes) -> None:
    assert is_usable(public_key(private))


@pytest.mark.parametrize("text", ["", "ab" * 31, "ab" * 33])
def test_what_is_too_short_or_too_long(text: str) -> None:
    assert not is_usable(text)
