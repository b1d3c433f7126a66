"""Findings and verdicts in German and French: what an audit may say has words in both."""

from typing import get_args

import pytest

from phaseledger.domain.explain.languages import LANGUAGES, Language
from phaseledger.replay.records.findings import FindingCode
from phaseledger.replay.verify.blame import blamed
from phaseledger.replay.verify.codes import CODES
from phaseledger.replay.verify.grades import MEANINGS
from phaseledger.replay.verify.headline import BAD
from phaseledger.replay.viewer.finding_words import finding_phrases

TRANSLATIONS = LANGUAGES[1:]


@pytest.mark.parametrize("lang", TRANSLATIONS)
def test_every_finding_of_an_audit_has_words(lang: Language) -> None:
    due = {*MEANINGS.values(), *BAD.values()}
    for code in get_args(FindingCode):
        explanation = CODES[code]
        due |= {explanation.means, explanation.proves, explanation.advice, blamed(code)}
    phrases = finding_phrases(lang)
    assert due - phrases.keys() == set()
    assert phrases.keys() - due == set()
    assert len({*phrases.values()}) == len(phrases)
    assert not {*phrases.values()} & due


def test_english_needs_no_phrases() -> None:
    assert finding_phrases("en") == {}
