"""The catalogues: whole, alike in every language, and all that the product says is in them."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from babel import Locale
from babel.messages.catalog import Catalog
from babel.messages.pofile import read_po

from phaseledger.domain import words
from phaseledger.domain.words import LANGUAGES, Language
from phaseledger.domain.words.po import catalogue
from tests.support.cases import looped
from tests.support.languages import arguments

ROOT = Path(__file__).parents[3]
PACKAGES = ("domain", "replay", "service", "projections")
TRANSLATIONS = [lang for lang in LANGUAGES if lang != "en"]
NB = "\N{NO-BREAK SPACE}"


def read_by_babel(lang: Language) -> Catalog:
    path = Path(words.__file__).with_name(f"{lang}.po")
    with path.open("rb") as file:
        return read_po(file, locale=lang, abort_invalid=True)


def forms(lang: Language) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Every message by key, and by key and context, with its forms."""
    for key, text in catalogue(lang).texts.items():
        yield key, (text,) if isinstance(text, str) else text


@looped("lang", LANGUAGES)
def test_translators_tools_read_what_we_read(lang: Language) -> None:
    read = read_by_babel(lang)
    texts: dict[str, object] = {}
    for entry in read:
        if entry.id:
            key = entry.id if isinstance(entry.id, str) else entry.id[0]
            assert key not in texts or entry.context, key
            texts[f"{key}@{entry.context}" if entry.context else key] = entry.string
    assert not read.obsolete
    assert not read.fuzzy
    assert not [entry.id for entry in read if entry.fuzzy and entry.id]
    assert texts == catalogue(lang).texts


@looped("lang", LANGUAGES)
def test_plurals_are_those_of_cldr(lang: Language) -> None:
    """But for millions, which French has of their own, and no text says."""
    ours, cldr = catalogue(lang), Locale(lang).plural_form
    for number in (*range(1_000), 10**6 + 1):
        assert ours.categories[ours.plural(number)] == cldr(number), number
    for key, texts in forms(lang):
        assert len(texts) in {1, len(ours.categories)}, key


@looped("lang", TRANSLATIONS)
def test_every_language_has_the_same_messages(lang: Language) -> None:
    """With plurals in the same ones; forms for a context are any language's own."""

    def plurals(of: Language) -> dict[str, bool]:
        return {
            key: isinstance(text, tuple)
            for key, text in catalogue(of).texts.items()
            if "@" not in key
        }

    assert plurals(lang) == plurals("en")


@looped("lang", LANGUAGES)
def test_every_message_is_filled_with_the_same_arguments(lang: Language) -> None:
    """A form may leave out what it says itself."""
    english = dict(forms("en"))
    for key, texts in forms(lang):
        *others, last = texts
        due = arguments(english[key.partition("@")[0]][-1])
        taken = arguments(last)
        assert taken <= due if "@" in key else taken == due, key
        assert all(arguments(text) <= due for text in others), key


@looped("lang", LANGUAGES)
def test_no_message_is_empty_or_ill_spaced(lang: Language) -> None:
    """French has no space before a mark, or within quotation marks, at which a line is broken."""
    for key, texts in forms(lang):
        for text in texts:
            assert text.strip() or key == "number.thousands", key
            assert "  " not in text, key
            assert NB not in text or lang != "en", key
            assert lang != "fr" or not re.search("« | [:;!?»]", text), key


@looped("lang", TRANSLATIONS)
def test_the_languages_differ(lang: Language) -> None:
    """But for names, signs and words that are the same."""
    english = dict(forms("en"))
    same = [key for key, texts in forms(lang) if english.get(key) == texts and len(texts[0]) > 20]
    assert len(same) < 25, same


FOR_PEOPLE = (
    *("play.", "viewer.", "sheet.", "says.", "option.", "action_says.", "refused.", "reason."),
    *("check.", "group.", "need.", "needs.", "report.", "headline.", "place."),
)
"""The messages of pages, rules and refusals; others are for programmers and audits too."""
CODE = re.compile(
    r"\b(?:[RBGY](?:1[0-2]|[1-9])|(?:10|[2-9JQK])[HSDC]|[A-Z]-P?\d\d|TAKE\d?|CHOOSE)\b"
    r"|\b[a-z]+_[a-z_]+\b|\bregex\b|`str`|\$\."
    r"|\b(?:seat|group|Platz|Gruppe|place|groupe) 0\b"
)


@looped("lang", LANGUAGES)
def test_people_are_told_in_words(lang: Language) -> None:
    """No card, rule, option, space of the ring or type by its code; nothing is counted from 0."""
    spoken = [
        (key, re.sub(r"\{\w+\}", "", text))
        for key, texts in forms(lang)
        for text in texts
        if key.startswith(FOR_PEOPLE)
    ]
    assert len(spoken) > 1_000
    assert [(key, text) for key, text in spoken if CODE.search(text)] == []


# --- what the sources name ------------------------------------------------------------------------

WEB_STRING = re.compile(r"""["'`]([\w./ -]+)(\$\{)?""")
"""The beginning of a text of a script, and whether something is put in after it."""
JOINED = ("need.", "needs.", "group.", "play.terms.", "verifier.about.")
"""Keys that are joined of the kind of a group and its parity, or of a field and its value."""
PREFIXES = (
    *("viewer.", "play.", "verifier.", "evidence.", "report.", "verdict_page."),
    *("problem_pages.", "verdict.", "audit.", "sheet.", "code."),
)
"""Prefixes that the sources put before a key in one place."""


def strings() -> Iterator[list[str]]:
    """Every text of the sources, in pieces around what is put in."""
    for package in PACKAGES:
        for path in (ROOT / package).rglob("*.py"):
            for node in ast.walk(ast.parse(path.read_text())):
                if isinstance(node, ast.JoinedStr):
                    parts = [getattr(part, "value", None) for part in node.values]
                    yield "".join(part if isinstance(part, str) else "\0" for part in parts).split(
                        "\0"
                    )
                elif isinstance(node, ast.Constant) and isinstance(node.value, str):
                    yield [node.value]
        for path in (*(ROOT / package).rglob("*.js"), *(ROOT / package).rglob("*.html")):
            for text, is_begun in WEB_STRING.findall(path.read_text()):
                yield [text, ""] if is_begun else [text]


def named() -> tuple[set[str], set[str]]:
    """Texts of the sources, and patterns of those that they put together."""
    spoken = [*strings()]
    made = {".+".join(map(re.escape, pieces)) for pieces in spoken if len(pieces) > 1}
    whole = {f"{re.escape(prefix)}.+" for prefix in PREFIXES}
    return {pieces[0] for pieces in spoken if len(pieces) == 1}, {
        pattern
        for pattern in made - whole
        if re.match(r"[a-z_]{2,}\\\.|\.\+(\\\.|_)[a-z]", pattern)
    }


def is_named(key: str, texts: set[str], patterns: set[str]) -> bool:
    names = {key, *(key.removeprefix(prefix) for prefix in PREFIXES if key.startswith(prefix))}
    return bool(names & texts) or any(
        re.fullmatch(pattern, name) for name in names for pattern in patterns
    )


@pytest.mark.untraced
def test_every_message_is_named_somewhere() -> None:
    texts, patterns = named()
    bases = {key for key in catalogue("en").texts if "@" not in key and not key.startswith(JOINED)}
    assert [key for key in bases if not is_named(key, texts, patterns)] == []
