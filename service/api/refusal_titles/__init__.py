"""Refusals in the caller's language: the title, and the detail as far as the rules wrote it.

The code, the rule and everything else that programs go by is the same in every language, and
English is what the refusals are declared in. `wording` is the entry; may import what `api` may.
"""

from collections.abc import Mapping
from typing import NamedTuple

from phaseledger.domain.explain.languages import Language
from phaseledger.domain.explain.languages.french import spaced
from phaseledger.domain.explain.refusals import detail_of, title_of, with_detail
from phaseledger.service.api.refusal_titles import french, german
from phaseledger.service.refusals import Refusal

TITLES: Mapping[Language, Mapping[str, str]] = {
    "de": german.TITLES,
    "fr": {code: spaced(title) for code, title in french.TITLES.items()},
}
"""Titles of refusals that are not the rules', by language and code."""


class Wording(NamedTuple):
    """What a problem says to people."""

    title: str
    detail: str
    """A whole sentence: the title again, with what the refusal adds to it."""


def wording(refusal: Refusal | type[Refusal], detail: str, lang: Language) -> Wording:
    """The title and the detail of a refusal; ``detail`` is what it adds to the title."""
    title = refusal.title
    if lang != "en":
        title = title_of(refusal.code, lang) or TITLES[lang].get(refusal.code, title)
    return Wording(title, with_detail(title, detail_of(detail, lang), lang))
