"""Texts of a page in one of several languages: by code, with arguments, by number where it counts.

A text may have a form for one: ``games@1`` beside ``games``. May import what `pages` may.
"""

from collections.abc import Mapping

from phaseledger.domain.explain.languages import Language
from phaseledger.domain.explain.wording import amount, is_singular
from phaseledger.replay.pages.page import Html, sentence

Texts = Mapping[Language, Mapping[str, str]]
"""The texts of each language, by their codes."""


class PageWords:
    """The texts of a language."""

    def __init__(self, texts: Texts, lang: Language) -> None:
        self.lang = lang
        self._texts = texts[lang]

    def text(self, code: str, /, *, count: int | None = None, **values: object) -> str:
        """The text of that code, in the form for ``count`` where there is one."""
        if count is not None:
            values["count"] = self.number(count)
        return self._template(code, count).format(**values)

    def html(self, code: str, /, *, count: int | None = None, **values: object) -> Html:
        """The same as markup, for values that are markup."""
        if count is not None:
            values["count"] = self.number(count)
        return sentence(self._template(code, count), values)

    def texts(self, *codes: str) -> tuple[str, ...]:
        """The texts of several codes, none of which has arguments."""
        return tuple(map(self.text, codes))

    def number(self, value: int) -> str:
        """A whole number, as the language writes it."""
        return amount(value, self.lang)

    def _template(self, code: str, count: int | None) -> str:
        text = self._texts[code]
        is_one = count is not None and is_singular(count, self.lang)
        return self._texts.get(f"{code}@1", text) if is_one else text
