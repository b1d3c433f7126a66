"""What findings and verdicts of a viewer's document say in other languages, by the English text.

`finding_phrases` has the phrases of a language. May import what `viewer` may.
"""

from collections.abc import Iterator, Mapping
from functools import cache
from types import ModuleType
from typing import cast

from phaseledger.domain.explain.languages import Language
from phaseledger.domain.explain.languages.french import spaced
from phaseledger.replay.verify.blame import blamed
from phaseledger.replay.verify.codes import CODES, AnyCode
from phaseledger.replay.verify.evidence import Conclusion, Grade
from phaseledger.replay.verify.grades import MEANINGS
from phaseledger.replay.verify.headline import BAD
from phaseledger.replay.viewer.finding_words import french, german

TABLES: Mapping[Language, ModuleType] = {"de": german, "fr": french}


@cache
def finding_phrases(lang: Language) -> Mapping[str, str]:
    """What can be said in that language of a finding or a verdict, by what English says there."""
    pairs = _pairs(TABLES[lang]) if lang in TABLES else ()
    return {english: spaced(other) if lang == "fr" else other for english, other in pairs}


def _pairs(table: ModuleType) -> Iterator[tuple[str, str]]:
    for code, text in table.MEANS.items():
        yield CODES[cast("AnyCode", code)].means, text
    for code, text in table.BLAMES.items():
        yield blamed(cast("AnyCode", code)), text
    for code, text in table.PROVES.items():
        yield CODES[cast("AnyCode", code)].proves, text
    for code, text in table.ADVISES.items():
        yield CODES[cast("AnyCode", code)].advice, text
    for grade, text in table.GRADES.items():
        yield MEANINGS[cast("Grade", grade)], text
    for conclusion, text in table.VERDICTS.items():
        yield BAD[cast("Conclusion", conclusion)], text
