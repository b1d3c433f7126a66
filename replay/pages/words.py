"""Texts of a page in one of several languages: by code, with arguments."""

from phaseledger.domain.words import Amount, Language, amount, message, template_of
from phaseledger.replay.pages.page import Html, sentence


class PageWords:
    """The messages of a language whose keys begin with a prefix; ``count`` is an amount."""

    def __init__(self, prefix: str, lang: Language) -> None:
        self.lang = lang
        self._prefix = prefix

    def text(self, code: str, /, *, count: int | None = None, **values: object) -> str:
        """The text of that code."""
        if count is not None:
            values["count"] = Amount(count)
        return message(self.lang, f"{self._prefix}{code}", **values)

    def html(self, code: str, /, *, count: int | None = None, **values: object) -> Html:
        """The text of that code as markup, for values that are markup."""
        template = template_of(self.lang, f"{self._prefix}{code}", count=count)
        return sentence(
            template, values if count is None else {**values, "count": self.number(count)}
        )

    def texts(self, *codes: str) -> tuple[str, ...]:
        """The texts of several codes, none of which has arguments."""
        return tuple(map(self.text, codes))

    def number(self, value: int) -> str:
        """A whole number, as the language writes it."""
        return amount(value, self.lang)
