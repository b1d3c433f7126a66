"""English, the language in which everything is first written."""

from collections.abc import Mapping

from phaseledger.domain.explain.languages.english.answers import ANSWERS
from phaseledger.domain.explain.languages.english.audits import AUDITS
from phaseledger.domain.explain.languages.english.cards import CARDS
from phaseledger.domain.explain.languages.english.checks import CHECKS
from phaseledger.domain.explain.languages.english.options import OPTIONS
from phaseledger.domain.explain.languages.english.places import PLACES
from phaseledger.domain.explain.languages.english.refusals import REFUSALS
from phaseledger.domain.explain.languages.english.rules import RULES
from phaseledger.domain.explain.languages.english.sheets import SHEETS
from phaseledger.domain.explain.languages.english.tables import TABLES
from phaseledger.domain.explain.languages.english.transcript import TRANSCRIPT
from phaseledger.domain.explain.languages.english.verdicts import VERDICTS

MESSAGES: Mapping[str, str] = {
    **ANSWERS,
    **AUDITS,
    **CARDS,
    **CHECKS,
    **OPTIONS,
    **PLACES,
    **REFUSALS,
    **RULES,
    **SHEETS,
    **TABLES,
    **TRANSCRIPT,
    **VERDICTS,
}
"""Every message, by its code."""
