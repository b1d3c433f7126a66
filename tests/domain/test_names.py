"""Names that look the same count as one, and new ones hide nothing (F5)."""

from phaseledger.domain.names import hides, look
from tests.support.cases import looped


@looped(
    "other", ["ADA LOVE", "\uff21da Love", "A\ufe0fda  Love", "Ad\u200da\xa0Love", "Ada\u2065 Love"]
)
def test_what_looks_the_same_is_one_name(other: str) -> None:
    assert look(other) == look("Ada Love") == "ada love"


def test_forms_of_unicode_look_the_same() -> None:
    assert look("Jose\u0301") == look("Jos\xe9") != look("Jose")


@looped("hidden", ["\ufe00", "\U0001bca0", "\U0001d173", "\u0600", "\u2065", "\n"])
def test_what_nobody_sees_is_hidden_but_for_what_joins(hidden: str) -> None:
    assert hides(f"Ada{hidden}")
    assert not hides("Ad\u200da \u2764\ufe0f")
