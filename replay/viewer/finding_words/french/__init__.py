"""What findings, verdicts and files that cannot be read say, in French."""

from collections.abc import Mapping

from phaseledger.replay.viewer.finding_words.french.checks import CHECKS
from phaseledger.replay.viewer.finding_words.french.claims import CLAIMS
from phaseledger.replay.viewer.finding_words.french.files import FILES
from phaseledger.replay.viewer.finding_words.french.objections import OBJECTIONS

FORMS: Mapping[str, str] = {**CHECKS, **CLAIMS, **OBJECTIONS, **FILES}
"""Texts that are made of parts, by code."""
