"""What findings, verdicts and files that cannot be read say in other languages, by the English.

The checks of an audit and a verification write English. What the catalogue of codes says is looked
up whole; texts with arguments are read by their forms. `finding_words` is the entry, `HEADLINES`
are the words of a verdict. May import what `viewer` may.
"""

from collections.abc import Callable, Iterator, Mapping
from functools import cache
from types import ModuleType
from typing import cast

from phaseledger.domain.explain.forms import Forms
from phaseledger.domain.explain.languages import Language
from phaseledger.domain.explain.languages.french import spaced
from phaseledger.domain.explain.refusals import detail_forms, joining_words
from phaseledger.domain.explain.wording import NUMBER_MARKS, SINGULARS
from phaseledger.replay.verify import headline
from phaseledger.replay.verify.blame import blamed
from phaseledger.replay.verify.codes import CODES, AnyCode
from phaseledger.replay.verify.evidence import Grade
from phaseledger.replay.verify.grades import MEANINGS
from phaseledger.replay.words import english, french, german
from phaseledger.replay.words.french import explanations as french_explanations
from phaseledger.replay.words.french import headlines as french_headlines
from phaseledger.replay.words.german import explanations as german_explanations
from phaseledger.replay.words.german import headlines as german_headlines

EXPLANATIONS: Mapping[Language, ModuleType] = {"de": german_explanations, "fr": french_explanations}
HEADLINES: Mapping[Language, Mapping[str, str]] = {
    "en": headline.ENGLISH,
    "de": german_headlines.HEADLINES,
    "fr": {code: spaced(text) for code, text in french_headlines.HEADLINES.items()},
}
"""The words of `headline` in each language."""
FORMS: Mapping[Language, Mapping[str, str]] = {
    "en": english.FORMS,
    "de": german.FORMS,
    "fr": {code: spaced(text) for code, text in french.FORMS.items()},
}
"""Texts with arguments in each language, by code."""


def finding_words(lang: Language) -> Callable[[str], str]:
    """A function from what English says to what that language does, as far as there are words."""
    if lang == "en":
        return str
    forms = _forms(lang)
    return lambda text: forms.translated(text) or text


@cache
def _forms(lang: Language) -> Forms:
    english_forms, forms = ({**detail_forms(table), **FORMS[table]} for table in ("en", lang))
    return Forms(
        english_forms,
        forms,
        explanations(lang),
        NUMBER_MARKS[lang],
        words=joining_words(lang),
        singular=SINGULARS[lang],
    )


@cache
def explanations(lang: Language) -> Mapping[str, str]:
    """What the catalogues of codes and grades say, in that language, by what English says there."""
    pairs = _pairs(EXPLANATIONS[lang])
    return {english: spaced(other) if lang == "fr" else other for english, other in pairs}


def _pairs(table: ModuleType) -> Iterator[tuple[str, str]]:
    for code, text in table.MEANS.items():
        yield CODES[cast("AnyCode", code)].means, text
    for code, text in table.BLAMES.items():
        yield blamed(cast("AnyCode", code)), text
    for code, text in table.PROVES.items():
        yield CODES[cast("AnyCode", code)].proves, text
    for code, text in table.ADVISES.items():
        yield CODES[cast("AnyCode", code)].advice, text
    for grade, text in table.GRADES.items():
        yield MEANINGS[cast("Grade", grade)], text
