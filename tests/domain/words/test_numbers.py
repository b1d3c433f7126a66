"""Numbers in texts: whatever may be one has a form for it, in every language."""

import re
from collections.abc import Iterator, Mapping
from pathlib import Path

from phaseledger.domain.words import LANGUAGES, Language
from phaseledger.domain.words.po import catalogue
from tests.support.cases import looped

SAID = ("viewer.", "play.", "problems.", "problem_pages.", "adds.", "rule.", "option.", "says.")
"""Messages of which this asks nothing: pages, prose, and rules."""
TEXTS: Mapping[Language, Mapping[str, tuple[str, ...]]] = {
    lang: {
        key: tuple(
            form.replace("\N{NO-BREAK SPACE}", " ")
            for form in ((text,) if isinstance(text, str) else text)
        )
        for key, text in catalogue(lang).texts.items()
        if not key.startswith(SAID)
    }
    for lang in LANGUAGES
}
"""Of each language, by key, with its plurals."""
PREFIXES = ("evidence.", "report.", "verdict_page.", "verifier.")
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
    """The words beside a number that are others where it is one."""
    words = set[str]()
    for singular, *others in TEXTS[lang].values():
        if others and "{" in singular:
            words |= {*AMOUNT.findall(others[-1])} - {*AMOUNT.findall(singular)}
    return frozenset(words)


def without_singular(lang: Language) -> Iterator[tuple[str, str]]:
    """Keys and texts that say such a word of a number, and have no form for one."""
    words = plurals(lang)
    for key, (text, *others) in TEXTS[lang].items():
        if not others and "@" not in key and words & {*AMOUNT.findall(text)}:
            yield key.split(".", 1)[-1] if key.startswith(PREFIXES) else key, text


@looped("lang", LANGUAGES)
def test_a_number_has_a_form_for_one(lang: Language) -> None:
    assert [(code, text) for code, text in without_singular(lang) if code not in SEVERAL] == []


@looped(
    ("lang", "few"),
    [("en", {"events", "cards", "witnesses", "commands"}), ("de", {"Ereignisse", "Karten"}),
     ("fr", {"événements", "cartes", "témoins"})],
)  # fmt: skip
def test_the_plurals_that_are_looked_for(lang: Language, few: set[str]) -> None:
    assert few <= plurals(lang)
    assert len(plurals(lang)) > 15


def test_no_plural_is_said_of_one() -> None:
    verdicts = (
        Path(__file__).parents[2] / "replay" / "evidence" / "verify" / "verdicts.txt"
    ).read_text()
    words = "|".join(sorted(plurals("en")))
    assert re.findall(rf"(?<![\w.,-])(?<!of )1 (?:{words})\b", verdicts) == []
