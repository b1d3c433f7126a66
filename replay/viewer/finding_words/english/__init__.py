"""What findings, verdicts and files that cannot be read say, in English."""

from collections.abc import Mapping

from phaseledger.replay.viewer.finding_words.english.checks import CHECKS
from phaseledger.replay.viewer.finding_words.english.claims import CLAIMS
from phaseledger.replay.viewer.finding_words.english.files import FILES
from phaseledger.replay.viewer.finding_words.english.objections import OBJECTIONS

FORMS: Mapping[str, str] = {**CHECKS, **CLAIMS, **OBJECTIONS, **FILES}
"""Texts that are made of parts, by code."""
