"""Refusals of quotas."""

import math

from phaseledger.service.refusals import Occasion, Refusal


class TooManyEvents(
    Refusal,
    code="too_many_events",
    status=429,
    met=(
        *(Occasion.OPENING, Occasion.JOINING, Occasion.FILLING, Occasion.REMATCHING),
        *(Occasion.STARTING, Occasion.CLAIMING, Occasion.PLAYING),
    ),
):
    """The address's tables may write no event for ``wait`` seconds."""

    def __init__(self, wait: float) -> None:
        super().__init__()
        self.retry_after = math.ceil(wait)
