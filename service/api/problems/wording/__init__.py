"""Refusals in the caller's language: the title, the detail, and each part of a request at fault.

The code, the rule and everything else that programs go by is the same in every language, and
English is what the refusals are declared in. `wording` is the entry; may import `problems.texts`,
and the rooms below `api`.
"""

from collections.abc import Mapping
from functools import cache
from typing import NamedTuple

from phaseledger.domain.explain.forms import Forms
from phaseledger.domain.explain.languages import Language
from phaseledger.domain.explain.languages.french import spaced
from phaseledger.domain.explain.refusals import (
    detail_forms,
    joining_words,
    title_of,
    with_detail,
)
from phaseledger.replay.viewer.finding_words import finding_words
from phaseledger.service.api.problems.texts import TEXTS, ProblemText
from phaseledger.service.api.problems.wording import english, french, german
from phaseledger.service.refusals import Refusal

DETAILS: Mapping[Language, Mapping[str, str]] = {
    "en": english.DETAILS,
    "de": german.DETAILS,
    "fr": {code: spaced(text) for code, text in french.DETAILS.items()},
}
"""What the service's refusals add to their titles, by language and code."""


class Wording(NamedTuple):
    """What a problem says to people."""

    title: str
    detail: str
    """A whole sentence: the title again, with what the refusal adds to it."""


def wording(refusal: Refusal | type[Refusal], detail: str, lang: Language) -> Wording:
    """The title and the detail of a refusal; ``detail`` is what it adds to the title."""
    title = refusal.title
    if lang != "en":
        text = TEXTS[lang].get(refusal.code, ProblemText())
        title = title_of(refusal.code, lang) or text.title or title
    return Wording(title, with_detail(title, detail_words(detail, lang), lang))


def detail_words(text: str, lang: Language) -> str:
    """What a refusal adds, or what is at fault in a request or a file, in that language."""
    if lang == "en" or not text:
        return text
    forms = _forms(lang)
    whole = forms.translated(text)
    if whole is not None:
        return whole
    parts = [forms.translated(part) for part in text.split("; ")]  # several faults of one request
    if None not in parts:
        return "; ".join(map(str, parts))
    return finding_words(lang)(text)


@cache
def _forms(lang: Language) -> Forms:
    english_forms, forms = ({**detail_forms(table), **DETAILS[table]} for table in ("en", lang))
    return Forms(english_forms, forms, words=joining_words(lang))
