"""The keyed hash against the standard library's own."""

import hmac

import pytest
from hypothesis import given
from hypothesis import strategies as st

from phaseledger.domain.hashing import hmac_sha256


@given(key=st.binary(max_size=64), messages=st.lists(st.binary(max_size=200), max_size=3))
def test_as_the_standard_library_has_it(key: bytes, messages: list[bytes]) -> None:
    """Also the second time, with what was prepared for the key."""
    for message in messages:
        assert hmac_sha256(key, message) == hmac.digest(key, message, "sha256")


def test_a_key_longer_than_a_block_is_none() -> None:
    with pytest.raises(AssertionError):
        hmac_sha256(b"k" * 65, b"")
