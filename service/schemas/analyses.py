"""The analysis of a game while it is being made."""

from typing import Annotated, Literal

from msgspec import Meta, Struct


class AnalysisProgress(Struct, frozen=True):
    """An analysis that is being made: ask again after `Retry-After` seconds."""

    state: Literal["queued", "running"]
    done: Annotated[
        float, Meta(ge=0, le=1, description="The share of the game's decisions that are judged.")
    ]
