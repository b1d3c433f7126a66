"""Refusals of analyses."""

from phaseledger.service.refusals import Refusal


class AnalysisNotCovered(Refusal, code="analysis_not_covered", status=409):
    """A game has no analysis, or none here; the detail says why."""


class NoHint(Refusal, code="no_hint", status=409):
    """The seat gets no hint, or none now; the detail says why."""


class TooManyAnalyses(Refusal, code="too_many_analyses", status=503):
    """As many analyses are under way as there may be, or as many of the address."""

    retry_after = 10
