"""The words of the report on many games, and how it writes values."""

from collections.abc import Iterable
from functools import reduce

from phaseledger.domain.words import Language, decimal, spoken
from phaseledger.replay.pages.charts import Mark, percent, plain_number
from phaseledger.replay.pages.words import PageWords


class ReportWords(PageWords):
    """The words of a language for the report, and how it writes values."""

    def __init__(self, lang: Language = "en") -> None:
        super().__init__("report.", lang)

    def say(self, text: str) -> str:
        """What the reading of a game says, in the language."""
        return spoken(text, self.lang)

    def listed(self, parts: Iterable[str]) -> str:
        """What is said of one thing, one after the other."""
        return reduce(lambda first, second: self.text("and_then", first=first, then=second), parts)

    def player(self, identity: str | int) -> str:
        """What to call a seat, by its number, or a bot."""
        if isinstance(identity, int):
            return self.text("seat", seat=identity + 1)
        return self.text("person") if identity == "person" else identity

    def subject(self, identity: str | int) -> str:
        """A text with its first letter in upper case, for the beginning of a sentence."""
        if isinstance(identity, int):
            return self.text("seat.wins", seat=identity + 1)
        return (
            self.text("person.wins")
            if identity == "person"
            else identity[:1].upper() + identity[1:]
        )

    def plain(self, value: float) -> str:
        """A number with at most two decimals."""
        return plain_number(value, self.lang)

    def share(self, value: float) -> str:
        """A share as a percentage."""
        return percent(value, self.lang)

    def chance(self, value: float, digits: int = 2) -> str:
        """A chance in per cent, with this number of digits."""
        return f"{decimal(value * 100, digits, self.lang)}\N{NO-BREAK SPACE}%"

    def value(self, value: float | None, *, share: bool = True) -> str:
        """A share or a number; a dash where there is none."""
        return "-" if value is None else self.share(value) if share else self.plain(value)

    def range(self, low: str, high: str) -> str:
        """A range that is not broken over two lines."""
        text = self.text("range", low=low, high=high)
        return text.replace(" ", "\N{NO-BREAK SPACE}")

    def interval(self, mark: Mark, *, share: bool = True) -> str:
        """The interval of a value; a dash where there is none."""
        if mark.low is None or mark.high is None:
            return "-"
        return self.range(*(self.value(end, share=share) for end in (mark.low, mark.high)))
