"""French, in the words of the games' own French rules as far as they go."""

import re
from collections.abc import Mapping

from phaseledger.domain.explain.languages.french.answers import ANSWERS
from phaseledger.domain.explain.languages.french.audits import AUDITS
from phaseledger.domain.explain.languages.french.cards import CARDS
from phaseledger.domain.explain.languages.french.checks import CHECKS
from phaseledger.domain.explain.languages.french.options import OPTIONS
from phaseledger.domain.explain.languages.french.places import PLACES
from phaseledger.domain.explain.languages.french.refusals import REFUSALS
from phaseledger.domain.explain.languages.french.rules import RULES
from phaseledger.domain.explain.languages.french.sheets import SHEETS
from phaseledger.domain.explain.languages.french.tables import TABLES
from phaseledger.domain.explain.languages.french.transcript import TRANSCRIPT
from phaseledger.domain.explain.languages.french.verdicts import VERDICTS


def spaced(text: str) -> str:
    """The text with the spaces before high punctuation that no line is broken at."""
    return re.sub(r"(?<=«) | (?=[:;!?»])", "\N{NO-BREAK SPACE}", text)


_PARTS: tuple[Mapping[str, str], ...] = (
    ANSWERS,
    AUDITS,
    CARDS,
    CHECKS,
    OPTIONS,
    PLACES,
    REFUSALS,
    RULES,
    SHEETS,
    TABLES,
    TRANSCRIPT,
    VERDICTS,
)
MESSAGES: Mapping[str, str] = {code: spaced(text) for part in _PARTS for code, text in part.items()}
"""Every message, by its code."""
