"""Versions as clients name them."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from phaseledger.service.schemas.versions import (
    HEAD_DIGITS,
    NAMED_VERSION,
    NEWEST,
    KnownVersion,
    known_version,
    named,
)

HEADS = st.text("0123456789abcdef", min_size=64, max_size=64)
VERSIONS = st.integers(0, NEWEST)


@given(VERSIONS, HEADS)
def test_a_version_is_read_as_it_was_named(number: int, head: str) -> None:
    version = named(number, head)

    assert known_version(str(version)) == version
    assert re.match(NAMED_VERSION, str(version))
    assert version.fits(number, head)


@given(VERSIONS)
def test_a_number_alone_is_read_too(number: int) -> None:
    assert known_version(str(number)) == KnownVersion(number)


@given(VERSIONS, HEADS, HEADS)
def test_a_number_alone_fits_every_history(number: int, head: str, other: str) -> None:
    assert KnownVersion(number).fits(number, head)
    is_same = head[:HEAD_DIGITS] == other[:HEAD_DIGITS]
    assert named(number, head).fits(number, other) == is_same
    assert not named(number, head).fits(number + 1, head)


def test_what_is_no_version_is_refused() -> None:
    for text in (
        *("", "-", "x", "-1", "+1", " 1", "1.5", "1-", "1-abc", "\u0661", str(NEWEST + 1)),
        *(f"-{'a' * 16}", f"1-{'a' * 17}", f"1-{'A' * 16}", f"1-{'g' * 16}", "9" * 5000),
    ):
        with pytest.raises(ValueError, match=r"is no version|is more than"):
            known_version(text)
