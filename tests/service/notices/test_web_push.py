"""Web Push: the worked example of RFC 8291, and the operator's key."""

import stat
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric import ec

from phaseledger.replay.formats.signing.keys import KeysError
from phaseledger.service.notices import web_push
from phaseledger.service.notices.web_push import LONGEST, PushKeys, decoded, encoded, encrypted
from tests.support.service.push_service import AUTH, PUBLIC, push_browser

# RFC 8291, section 5 and appendix A.
PLAIN = b"When I grow up, I want to be a watermelon"
OWN = "yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw"
SALT = "DGv6ra1nlYgDCS1FRnbzlw"
MESSAGE = (
    "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAm"
    "S6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_"
    "Qulcy4a-fN"
)


def test_a_message_is_encrypted_as_the_standard_shows() -> None:
    own = ec.derive_private_key(int.from_bytes(decoded(OWN)), ec.SECP256R1())
    keys = PushKeys(decoded(PUBLIC), decoded(AUTH))
    assert encoded(encrypted(PLAIN, keys, own, decoded(SALT), 0)) == MESSAGE


def test_the_length_of_a_message_tells_nothing() -> None:
    given = push_browser().keys
    keys = PushKeys(decoded(given["p256dh"]), decoded(given["auth"]))
    lengths = {len(encrypted(b"x" * number, keys)) for number in (0, 1, LONGEST - 1)}
    assert len(lengths) == 1


def test_the_key_is_made_once_and_for_its_owner_alone(tmp_path: Path) -> None:
    folder = tmp_path / "keys"
    first, second = (web_push.load_or_new(folder, "mailto:ops@club.example") for _ in range(2))
    assert first.public == second.public
    assert stat.S_IMODE((folder / web_push.FILE).stat().st_mode) == 0o600


def test_a_damaged_key_is_no_reason_for_another(tmp_path: Path) -> None:
    """All subscriptions are to the key that was there."""
    (tmp_path / web_push.FILE).write_text("nothing\n")
    with pytest.raises(KeysError, match="Restore it from a backup"):
        web_push.load_or_new(tmp_path, "mailto:ops@club.example")
