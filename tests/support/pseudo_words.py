"""English marked in place of German: what has no mark comes from no table."""

import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager

import pytest

from phaseledger.domain.explain.languages import MESSAGES
from phaseledger.replay.viewer import finding_words as words_of
from phaseledger.replay.viewer.finding_words import FORMS, HEADLINES, explanations


def bracketed(text: str) -> str:
    """The text in brackets, with all that is put into it."""
    return f"⟦{text}⟧"


def bare(text: str) -> str:
    """What stands in no brackets."""
    before = ""
    while before != text:
        before, text = text, re.sub("⟦[^⟦⟧]*⟧", "", text)
    return text


@contextmanager
def pseudo_german(monkeypatch: pytest.MonkeyPatch, mark: Callable[[str], str]) -> Iterator[None]:
    """English templates with a mark take the place of German, in messages and what checks say."""

    def marked(texts: Mapping[str, str]) -> dict[str, str]:
        return {code: mark(text) for code, text in texts.items()}

    english = {**MESSAGES["de"], **MESSAGES["en"]}
    monkeypatch.setitem(MESSAGES, "de", marked(english))  # type: ignore[arg-type]
    for table in (FORMS, HEADLINES):
        monkeypatch.setitem(table, "de", marked(table["en"]))  # type: ignore[arg-type]
    phrases = {text: mark(text) for text in explanations("de")}
    monkeypatch.setattr(words_of, "explanations", lambda _: phrases)
    words_of._forms.cache_clear()
    yield
    words_of._forms.cache_clear()
