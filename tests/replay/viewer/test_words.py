"""The pages' own words: the same keys and arguments in every language, as Python reads them."""

import re
from pathlib import Path

import pytest

from phaseledger.domain.explain.languages import LANGUAGES

ROOT = Path(__file__).parents[3]
FOLDERS = ("replay/viewer/web/words", "service/web/words")
ENTRY = re.compile(r'^  "([^"]+)": "((?:[^"\\]|\\.)*)",$')
PLACEHOLDER = re.compile(r"\{(\w+)\}")


def words(folder: str, lang: str) -> dict[str, str]:
    """The flat object of a language's module; each line but comments is one entry."""
    text = (ROOT / folder / f"{lang}.js").read_text()
    body = text[text.index(f"export const {lang} = {{\n") :].splitlines()[1:]
    assert body.pop() == "};"
    lines = [line for line in body if line.strip() and not line.startswith("  //")]
    entries = [ENTRY.match(line) for line in lines]
    assert None not in entries, [line for line in lines if not ENTRY.match(line)]
    pairs = [entry.groups() for entry in entries if entry]
    assert len({key for key, _ in pairs}) == len(pairs)
    return dict(pairs)


@pytest.mark.parametrize("folder", FOLDERS)
@pytest.mark.parametrize("lang", [lang for lang in LANGUAGES if lang != "en"])
def test_every_language_has_the_same_keys_and_arguments(folder: str, lang: str) -> None:
    english, other = words(folder, "en"), words(folder, lang)
    assert other.keys() == english.keys()
    for key, text in other.items():
        count = {"count"} if key.endswith(".one") else set()
        due = set(PLACEHOLDER.findall(english[key]))
        assert due - count <= set(PLACEHOLDER.findall(text)) <= due, key
        assert text.strip(), key


@pytest.mark.parametrize("folder", FOLDERS)
def test_the_languages_differ(folder: str) -> None:
    """But for names, signs and words that are the same."""
    english, german, french = (words(folder, lang) for lang in LANGUAGES)
    for other in (german, french):
        same = sum(english[key] == text for key, text in other.items())
        assert same < len(english) / 8
