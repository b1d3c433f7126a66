"""The words of a language for a verdict."""

from typing import NamedTuple

from phaseledger.domain.words import Amount, Language, amount, message, spoken
from phaseledger.replay.evidence.verify.evidence import Judgement
from phaseledger.replay.pages.words import PageWords
from phaseledger.replay.text import quoted


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

    def owing(self, judgement: Judgement) -> str:
        """The seats that a voided game names."""
        seats = (seat_name(judgement, seat) for seat in judgement.owing)
        return ", ".join(message(self.lang, "seat", seat=seat) for seat in seats)

    def trust(self, *, trusted: bool) -> str:
        """How to speak of a key that the policy names, or does not."""
        return self.line("trusted" if trusted else "untrusted")


def seat_name(judgement: Judgement, seat: int | None) -> object:
    """The name of a seat's player, quoted; the number of a seat without a report."""
    names = {report.seat: quoted(report.name) for report in judgement.seats}
    return seat if seat is None else names.get(seat, seat)


IN_ENGLISH = VerdictWords()


class VerdictPageWords(PageWords):
    """The words of the report, beside those of the ``verdict`` in the same language."""

    def __init__(self, verdict: VerdictWords = IN_ENGLISH) -> None:
        super().__init__("verdict_page.", verdict.lang)
        self.verdict = verdict
