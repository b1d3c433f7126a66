"""Refusals in words: the sentence of each code, and its details, which the rules write in English.

A detail is a card, a number, or one of the forms ``detail.*`` of the English table; so it is read
by these forms, and put into the same form of another language.
"""

import re
from functools import cache
from re import Pattern

from phaseledger.domain.explain.languages import MESSAGES, Language, has_message, message


def title_of(code: str, lang: Language) -> str | None:
    """The sentence of a code of the rules; None for a code that is none of theirs."""
    key = f"refused.{code}"
    return message(lang, key) if has_message(key) else None


def detail_of(detail: str, lang: Language) -> str:
    """The detail in that language; one of no known form stays as it is."""
    if lang == "en":
        return detail
    for code, form in _forms():
        if match := form.fullmatch(detail):
            return message(lang, code, **match.groupdict())
    return detail


def with_detail(title: str, detail: str, lang: Language) -> str:
    """The sentence of a refusal with its detail, if it has one."""
    if not detail:
        return title
    return message(lang, "refused.with_detail", title=title[:-1], detail=detail.rstrip("."))


@cache
def _forms() -> tuple[tuple[str, Pattern[str]], ...]:
    """How details are written in English, by the codes of their messages; the longest go first."""
    templates = {
        code: template for code, template in MESSAGES["en"].items() if code.startswith("detail.")
    }
    ordered = sorted(templates, key=lambda code: -len(templates[code]))
    return tuple((code, re.compile(_pattern(templates[code]))) for code in ordered)


def _pattern(template: str) -> str:
    parts = re.split(r"\{(\w+)\}", template)  # texts and the names of arguments take turns
    return "".join(
        f"(?P<{part}>.+)" if number % 2 else re.escape(part) for number, part in enumerate(parts)
    )
