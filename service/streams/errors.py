"""Refusals of streams: too many of them are open; too many reactions."""

from phaseledger.service.refusals import LimitReached, Occasion, Refusal


class TooManyStreams(Refusal, code="too_many_streams", status=503, met=(Occasion.STREAMING,)):
    """As many streams are open as there may be, or the process stops."""


class TooManyReactions(LimitReached, code="too_many_reactions", status=429):
    """The seat may react again after ``wait`` seconds."""
