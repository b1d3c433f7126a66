"""Refusals in words: the sentence of each code, and its details, which the rules write in English.

A detail is a card, a number, or one of the forms ``detail.*`` of the English table; so it is read
by these forms, and put into the same form of another language.
"""

from collections.abc import Mapping
from functools import cache

from phaseledger.domain.explain.forms import Forms
from phaseledger.domain.explain.languages import MESSAGES, Language, has_message, message


def title_of(code: str, lang: Language) -> str | None:
    """The sentence of a code of the rules; None for a code that is none of theirs."""
    key = f"refused.{code}"
    return message(lang, key) if has_message(key) else None


def detail_of(detail: str, lang: Language) -> str:
    """The detail in that language; one of no known form stays as it is."""
    if lang == "en" or not detail:
        return detail
    return _forms(lang).translated(detail) or detail


def with_detail(title: str, detail: str, lang: Language) -> str:
    """The sentence of a refusal with its detail, if it has one."""
    if not detail:
        return title
    return message(lang, "refused.with_detail", title=title[:-1], detail=detail.rstrip("."))


def detail_forms(lang: Language) -> Mapping[str, str]:
    """The details that the rules write, and the values of house rules, by code."""
    return {
        code: text
        for code, text in MESSAGES[lang].items()
        if code.startswith(("detail.", "values."))
    }


def joining_words(lang: Language) -> Mapping[str, str]:
    """The words that join values in details, by the English ones."""
    return {MESSAGES["en"][code]: message(lang, code) for code in ("and", "or", "to", "more")}


@cache
def _forms(lang: Language) -> Forms:
    return Forms(detail_forms("en"), detail_forms(lang), words=joining_words(lang))
