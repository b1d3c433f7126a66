"""The words of the HTML report on a verification, beside those of its verdict."""

from phaseledger.replay.pages.words import PageWords
from phaseledger.replay.verify.verdict_words import IN_ENGLISH, VerdictWords


class VerdictPageWords(PageWords):
    """The words of the report, beside those of the ``verdict`` in the same language."""

    def __init__(self, verdict: VerdictWords = IN_ENGLISH) -> None:
        super().__init__("verdict_page.", verdict.lang)
        self.verdict = verdict
