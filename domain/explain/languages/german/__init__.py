"""German."""

from collections.abc import Mapping

from phaseledger.domain.explain.languages.german.answers import ANSWERS
from phaseledger.domain.explain.languages.german.audits import AUDITS
from phaseledger.domain.explain.languages.german.cards import CARDS
from phaseledger.domain.explain.languages.german.checks import CHECKS
from phaseledger.domain.explain.languages.german.options import OPTIONS
from phaseledger.domain.explain.languages.german.places import PLACES
from phaseledger.domain.explain.languages.german.refusals import REFUSALS
from phaseledger.domain.explain.languages.german.rules import RULES
from phaseledger.domain.explain.languages.german.sheets import SHEETS
from phaseledger.domain.explain.languages.german.tables import TABLES
from phaseledger.domain.explain.languages.german.transcript import TRANSCRIPT
from phaseledger.domain.explain.languages.german.verdicts import VERDICTS

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
