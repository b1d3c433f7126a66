"""The words of a language for a verdict, which whoever has the tables hands to `verify`."""

from collections.abc import Callable, Iterable, Mapping
from typing import NamedTuple

from phaseledger.domain.explain.languages import Language, message
from phaseledger.domain.explain.wording import amount
from phaseledger.replay.verify.headline import ENGLISH


class VerdictWords(NamedTuple):
    """The words of a language for the lines of a verdict."""

    lang: Language = "en"
    headlines: Mapping[str, str] = ENGLISH
    """Those of `headline`."""
    translated: Callable[[str], str] = str
    """From what a check says in English to what the language does."""

    def text(self, code: str, /, **values: object) -> str:
        """The message of that code."""
        return message(self.lang, code, **values)

    def line(self, code: str, /, count: int | None = None, **values: object) -> str:
        """The message of a verdict of that code, in the form for ``count`` if it has one."""
        if count is not None:
            values["count"] = self.amount(count)
        return message(self.lang, f"verdict.{code}", count, **values)

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
