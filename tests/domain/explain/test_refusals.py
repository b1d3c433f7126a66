"""Refusals in words: each code in every language, and the details that the rules write."""

import pytest

from phaseledger.domain.commands import Discard, RejectCode
from phaseledger.domain.explain.languages import LANGUAGES, Language
from phaseledger.domain.explain.refusals import detail_of, title_of, with_detail
from tests.support.table import refused, table


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_code_has_a_sentence_of_its_own(lang: Language) -> None:
    titles = [title_of(code, lang) for code in RejectCode]
    assert all(title and title.endswith(".") for title in titles)
    assert len({*titles}) == len(RejectCode)


def test_english_is_as_declared() -> None:
    assert [title_of(code, "en") for code in RejectCode] == [code.sentence for code in RejectCode]
    assert title_of("not_ready", "de") is None


@pytest.mark.parametrize(
    ("detail", "german"),
    [
        ("seat 3", "Platz 3"),
        ("seat 3 has to give a card first", "Platz 3 muss zuerst eine Karte geben"),
        ("dealer 9", "Geber 9"),
        ("2 to 6 seats, not 7", "2 bis 6 Plätze, nicht 7"),
        ("6, at most 5", "6, höchstens 5"),
        ("one card is taken", "genommen wird eine Karte"),
        (
            "2H; cards are written as in R4, B10, G12, W or S",
            "2H; Karten schreibt man wie in R4, B10, G12, W oder S",
        ),
        ("R5", "R5"),
        ("0, 2", "0, 2"),
        ("option players: it is empty", "option players: it is empty"),
        ("", ""),
    ],
)
def test_detail(detail: str, german: str) -> None:
    assert detail_of(detail, "de") == german
    assert detail_of(detail, "en") == detail


def test_a_detail_that_the_rules_write() -> None:
    """The form is read off what is refused, not off what this test thinks it is."""
    _, _, detail = refused(table(["R1", "R2"]), 0, Discard("2H"))
    assert detail_of(detail, "fr").startswith("2H\N{NO-BREAK SPACE}; les cartes s'écrivent")
    _, _, detail = refused(table(["S R1", "R2"]), 0, Discard("S", 0))
    assert detail_of(detail, "de") == "Platz 0"


def test_a_sentence_with_its_detail() -> None:
    title = title_of("target_self", "fr")
    assert title is not None
    assert with_detail(title, "", "fr") == title
    assert with_detail(title, "place 2", "fr").endswith("tour\N{NO-BREAK SPACE}: place 2.")
