"""The words of a language for a verdict."""

from collections.abc import Iterable
from typing import NamedTuple

from phaseledger.domain.words import Amount, Language, amount, message, spoken
from phaseledger.replay.pages.words import PageWords


class VerdictWords(NamedTuple):
    """The words of a language for the lines of a verdict."""

    lang: Language = "en"

    def say(self, text: str) -> str:
        """What a check says, in the language."""
        return spoken(text, self.lang)

    def text(self, code: str, /, **values: object) -> str:
        """The message of that code."""
        return message(self.lang, code, **values)

    def line(self, code: str, /, count: int | None = None, **values: object) -> str:
        """The message of a verdict of that code."""
        if count is not None:
            values["count"] = Amount(count)
        return message(self.lang, f"verdict.{code}", **values)

    def amount(self, number: int) -> str:
        """The number as the language writes it."""
        return amount(number, self.lang)

    def seats(self, seats: Iterable[int]) -> str:
        """Seats by their numbers."""
        return ", ".join(message(self.lang, "seat", seat=seat) for seat in seats)

    def trust(self, *, trusted: bool) -> str:
        """How to speak of a key that the policy names, or does not."""
        return self.line("trusted" if trusted else "untrusted")


IN_ENGLISH = VerdictWords()


class VerdictPageWords(PageWords):
    """The words of the report, beside those of the ``verdict`` in the same language."""

    def __init__(self, verdict: VerdictWords = IN_ENGLISH) -> None:
        super().__init__("verdict_page.", verdict.lang)
        self.verdict = verdict
