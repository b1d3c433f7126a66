"""Refusals in words: the sentence of each code, and that with its detail."""

from phaseledger.domain.explain.wording import card_words
from phaseledger.domain.words import Language, message


def title_of(code: str, lang: Language = "en") -> str:
    """The sentence of a refusal."""
    return message(lang, f"refused.{code}")


def with_detail(title: str, detail: str, lang: Language) -> str:
    """The sentence of a refusal with its detail, if it has one."""
    if not detail:
        return title
    added = card_words(detail, lang).rstrip(".")  # what names no card is said as it is
    return message(lang, "refused.with_detail", title=title[:-1], detail=added)
