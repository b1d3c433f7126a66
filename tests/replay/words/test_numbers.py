"""Numbers in texts: whatever may be one has a form for it, in every language."""

import re
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from phaseledger.domain.explain.languages import LANGUAGES, MESSAGES, Language
from phaseledger.replay.report.words import WORDS as REPORT
from phaseledger.replay.verify.report_words import WORDS as VERDICT_REPORT
from phaseledger.replay.verify.verifier_page import TABLES
from phaseledger.replay.viewer.finding_words import FORMS

TEXTS: Mapping[Language, Mapping[str, str]] = {
    lang: {
        code: text.replace("\N{NO-BREAK SPACE}", " ")
        for table in (MESSAGES, FORMS, REPORT, VERDICT_REPORT)
        for code, text in [*table[lang].items(), *TABLES[lang][2].items()]
    }
    for lang in LANGUAGES
}
"""Of each language, by code, with its further forms."""
AMOUNT = re.compile(r"\{(?:count|total|more|points|sum|seats)\} ([^\W\d_]+)")
"""A number that is put in, and the word after it."""
SEVERAL = {
    # Limits, and what no table, deck or log has but one of.
    *("file.events", "file.seconds", "file.processor", "bundle.most", "bundle.lines"),
    *(
        "fault.most_receipts",
        "line.longest_receipt",
        "dispute.most",
        "fault.most_sightings",
        "detail.option.phase_cards",
        "opened",
    ),
    *("detail.phase.groups", "chapter.short", "checked.log", "checked.log_cosigned"),
    *("checked.log_unchecked", "board.in_place"),
    *("deck", "deck.both", "deck.missing", "deck.surplus", "group.many", "dealt.kept_of"),
    *(
        "sheet.row.cards",
        "sheet.row.points",
        "log.one_hash",
        "note.no_proof",
        "log.path",
        "odds.words",
    ),
    *("keep.count", "discard.count", "swapped.many", "needs.set"),
    # Times to the millisecond, which go with the plural where the language does not say otherwise.
    *("proves.waited", "note.present", "note.told"),
}
"""Texts of numbers that are never one."""


def plurals(lang: Language) -> frozenset[str]:
    """The words that a further form for one has in another form."""
    words = set[str]()
    for code, text in TEXTS[lang].items():
        base = TEXTS[lang].get(code.partition("@")[0], "")
        if code.endswith(("@1", "@one")) and "{" in text:
            words |= {*AMOUNT.findall(base)} - {*AMOUNT.findall(text)}
    return frozenset(words)


def without_singular(lang: Language) -> Iterator[tuple[str, str]]:
    """Codes and texts that say such a word of a number, and have no form for one."""
    texts, words = TEXTS[lang], plurals(lang)
    for code, text in texts.items():
        has_form = f"{code}@1" in texts or f"{code}@one" in texts or "@" in code
        if not has_form and words & {*AMOUNT.findall(text)}:
            yield code, text


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_number_has_a_form_for_one(lang: Language) -> None:
    assert [(code, text) for code, text in without_singular(lang) if code not in SEVERAL] == []


@pytest.mark.parametrize(
    ("lang", "few"),
    [("en", {"events", "cards", "witnesses", "commands"}), ("de", {"Ereignisse", "Karten"}),
     ("fr", {"événements", "cartes", "témoins"})],
)  # fmt: skip
def test_the_plurals_that_are_looked_for(lang: Language, few: set[str]) -> None:
    assert few <= plurals(lang)
    assert len(plurals(lang)) > 15


def test_no_plural_is_said_of_one() -> None:
    verdicts = (Path(__file__).parents[1] / "verify" / "verdicts.txt").read_text()
    words = "|".join(sorted(plurals("en")))
    assert re.findall(rf"(?<![\w.,-])(?<!of )1 (?:{words})\b", verdicts) == []
