"""The words of the HTML report on a verification in English, German and French, by code.

Each language is a module with one table of the same codes and arguments (a test compares). What
verdicts, checks and codes say comes from `VerdictWords`. `VerdictPageWords` is the entry. May
import what `verify` may.
"""

from phaseledger.domain.explain.languages.french import spaced
from phaseledger.replay.pages.words import PageWords, Texts
from phaseledger.replay.verify.report_words import english, french, german
from phaseledger.replay.verify.verdict_words import IN_ENGLISH, VerdictWords

WORDS: Texts = {
    "en": english.WORDS,
    "de": german.WORDS,
    "fr": {code: spaced(text) for code, text in french.WORDS.items()},
}


class VerdictPageWords(PageWords):
    """The words of the report, beside those of the ``verdict`` in the same language."""

    def __init__(self, verdict: VerdictWords = IN_ENGLISH) -> None:
        super().__init__(WORDS, verdict.lang)
        self.verdict = verdict
