"""Refusals of streams: too many of them are open."""

from phaseledger.service.refusals import Occasion, Refusal


class TooManyStreams(
    Refusal,
    code="too_many_streams",
    status=503,
    title="As many streams are open as there may be; try again.",
    met=(Occasion.STREAMING,),
):
    """The limit of open streams is reached, or the process stops."""
