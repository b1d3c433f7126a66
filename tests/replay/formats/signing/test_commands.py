"""Signatures of seats: what is signed, where it holds, and which keys sign nothing."""

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from hypothesis import given
from hypothesis import strategies as st

from phaseledger.domain import commands as c
from phaseledger.domain.commands import Command
from phaseledger.replay.formats.signing.commands import is_signed, public_key, sign, signed_text
from tests.support.table import GAME

PRIVATE = bytes(range(32))
PUBLIC = public_key(PRIVATE)
HEAD = "ab" * 32
DRAW = c.Draw()


# --- what is signed -------------------------------------------------------------------------------


def test_the_text() -> None:
    """As docs/reference/evidence.md has it: five lines, then the command, defaults left out."""
    front = f"p10-signed-command/v1\n{GAME}\n1\n{HEAD}\n17\n"
    texts: list[tuple[Command, str]] = [
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
    for command, text in texts:
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
