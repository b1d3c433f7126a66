"""Refusals in words: each code in every language, and the details that the rules write."""

from phaseledger.domain.commands import Discard, RejectCode
from phaseledger.domain.explain.refusals import title_of, with_detail
from phaseledger.domain.words import LANGUAGES, Language, spoken
from tests.support.cases import looped
from tests.support.table import refused, table


@looped("lang", LANGUAGES)
def test_every_code_has_a_sentence_of_its_own(lang: Language) -> None:
    titles = [title_of(code, lang) for code in RejectCode]
    assert all(title and title.endswith(".") for title in titles)
    assert len({*titles}) == len(RejectCode)


def test_a_detail_that_the_rules_write() -> None:
    _, _, detail = refused(table(["R1", "R2"]), 0, Discard("2H"))
    assert detail == "2H; cards are written as in R4, B10, G12, W or S"
    assert spoken(detail, "de") == "2H; Karten schreibt man wie in R4, B10, G12, W oder S"


def test_a_sentence_with_its_detail() -> None:
    title = title_of("target_self", "fr")
    assert with_detail(title, "", "fr") == title
    assert with_detail(title, "place 2", "fr").endswith("tour\N{NO-BREAK SPACE}: place 2.")
