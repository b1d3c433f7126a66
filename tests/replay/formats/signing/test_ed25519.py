"""Which public keys count: those that only their owners can sign for, in one spelling."""

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from hypothesis import given
from hypothesis import strategies as st

from phaseledger.domain import commands as c
from phaseledger.replay.formats.signing.commands import is_signed, public_key
from phaseledger.replay.formats.signing.ed25519 import coordinate, is_usable, verifies
from phaseledger.replay.formats.signing.notes import VerifierKey
from tests.support.browser import Verifier, codes
from tests.support.cases import looped
from tests.support.replay.judgements import judged
from tests.support.replay.operator_games import bundled
from tests.support.replay.signed_game import signed_game
from tests.support.table import GAME

HEAD = "ab" * 32
DRAW = c.Draw()

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
    coordinates = [1, P - 1, 0]
    r = root(1 + D)
    assert r is not None
    for square in ((r - 1) * pow(D, -1, P) % P, (-r - 1) * pow(D, -1, P) % P):
        y = root(square)
        if y is not None and point(y):
            coordinates += [y, P - y]
    return coordinates


def encoded(y: int, sign_bit: int = 0) -> bytes:
    return (y | sign_bit << 255).to_bytes(32, "little")


def test_the_small_points_are_the_small_points() -> None:
    """The arithmetic of this test itself: eight points, counted with their signs of x."""
    assert len(small()) == 5
    for y in small():
        small_point = point(y)
        assert small_point is not None
        assert doubled(doubled(doubled(small_point))) == (0, 1)
    base = point(4 * pow(5, -1, P) % P)
    assert base is not None
    assert doubled(doubled(doubled(base))) != (0, 1)


@looped("sign_bit", [0, 1])
@looped("y", small(), ids=hex)
def test_a_small_point_is_no_key(y: int, sign_bit: int) -> None:
    assert not is_usable(encoded(y, sign_bit))


FORGED = encoded(4 * pow(5, -1, P) % P) + encoded(1)
"""R is the base point and s is 1: good for every text, if the public key is the neutral point."""
UNUSABLE = [encoded(y, bit) for y in (*small(), *range(P, 2**255)) for bit in (0, 1)]
"""Every spelling of the points of small order, and of a y that is not below the prime."""


@looped("spelling", [encoded(1), encoded(1, 1), encoded(P + 1), encoded(P + 1, 1)])
def test_anybody_could_sign_for_the_neutral_point(spelling: bytes) -> None:
    """The library takes the forgery in some spellings, so the guard has to be ours."""
    Ed25519PublicKey.from_public_bytes(encoded(1)).verify(FORGED, b"whatever you like")
    assert not verifies(spelling, FORGED, b"whatever you like")
    assert not is_signed(spelling.hex(), FORGED.hex(), GAME, 1, HEAD, 17, DRAW)
    assert not VerifierKey("operator", 1, spelling).verifies(b"whatever you like", FORGED)


@looped("spelling", [encoded(1), encoded(P + 1, 1)])
def test_no_verifier_takes_a_game_that_anybody_could_have_signed(
    page: Verifier, spelling: bytes
) -> None:
    forged = bundled([entry.stored for entry in signed_game(spelling.hex(), FORGED.hex())])
    answer, judgement = page.verify(b"".join(forged)), judged(forged)
    assert not answer["ok"]
    assert (codes(answer)[0], judgement.problems[0].code) == ("signature", "bad_signature")


@looped("key", UNUSABLE, ids=bytes.hex)
def test_what_is_unusable_is_so_everywhere(key: bytes) -> None:
    assert not is_usable(key)
    assert not verifies(key, FORGED, b"")


def test_the_page_has_the_same_table(page: Verifier) -> None:
    """All unusable spellings, their neighbours, and keys that somebody has."""
    near = [(int.from_bytes(key, "little") + step) % 2**256 for key in UNUSABLE for step in (-1, 1)]
    keys = [*UNUSABLE, *(number.to_bytes(32, "little") for number in near)]
    keys += [bytes.fromhex(public_key(bytes([n] * 32))) for n in range(20)]
    usable = page.page.evaluate(
        "(keys) => keys.map((key) => isUsable(unhex(key)))", [*map(bytes.hex, keys)]
    )
    # What is no point of the curve is refused by whoever verifies.
    assert usable == [coordinate(key) is not None for key in keys]
    assert not any(usable[: len(UNUSABLE)])
    assert all(usable[-20:])


@given(st.integers(2, P - 2), st.integers(0, 1))
def test_half_of_all_texts_are_points(y: int, sign_bit: int) -> None:
    if y not in small():
        assert is_usable(encoded(y, sign_bit)) == (point(y) is not None)


@given(st.binary(min_size=32, max_size=32))
def test_every_real_key_is_usable(private: bytes) -> None:
    assert is_usable(bytes.fromhex(public_key(private)))


@looped("length", [0, 31, 33])
def test_what_is_too_short_or_too_long(length: int) -> None:
    assert not is_usable(b"\xab" * length)
