"""Refusals of quotas."""

from phaseledger.service.refusals import LimitReached, Occasion


class TooManyEvents(
    LimitReached,
    code="too_many_events",
    status=429,
    met=(
        *(Occasion.OPENING, Occasion.JOINING, Occasion.FILLING, Occasion.REMATCHING),
        *(Occasion.STARTING, Occasion.CLAIMING, Occasion.PLAYING),
    ),
):
    """The opener's tables may write no event for ``wait`` seconds."""
