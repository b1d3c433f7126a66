"""Refusals of streams: too many of them are open."""

from phaseledger.service.refusals import Occasion, Refusal


class TooManyStreams(Refusal, code="too_many_streams", status=503, met=(Occasion.STREAMING,)):
    """As many streams are open as there may be, or the process stops."""
