"""The terms of a table in bodies, and the time that they leave."""

from typing import Annotated, Literal

from msgspec import Meta, Struct

from phaseledger.domain.state import QuestionKind
from phaseledger.domain.terms import LONGEST_DELAY, Clock, Pace, Spectators

Level = Literal["random", "greedy", "expert", "master"]


class Body(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A request's body: an unknown field is refused."""


class TableTerms(Body, frozen=True):
    """The terms of a table, set by its opener besides the rules: who may join, who may watch, the
    time for a turn.
    """

    private: Annotated[
        bool,
        Meta(
            description="Whether it is in no list, and sitting down needs the code that opening "
            "it answers."
        ),
    ] = False
    spectators: Annotated[
        Spectators,
        Meta(
            description="What who has no seat may see: all that is public at once, all but the "
            "last `delay` events, all before the round being played, or nothing."
        ),
    ] = "open"
    delay: Annotated[
        int,
        Meta(
            ge=0, le=LONGEST_DELAY, description="How many events `delayed` spectators are behind."
        ),
    ] = 0
    clock: Annotated[
        Clock | None,
        Meta(description="How long a seat has for each answer; without one, as long as it likes."),
    ] = None
    stand_in: Annotated[
        Level, Meta(description="The bot that plays for seats that are overdue or have left.")
    ] = "greedy"
    pace: Pace = 0


class Due(Struct, frozen=True):
    """The time of a seat for its open question."""

    seat: int
    kind: QuestionKind
    due_at: Annotated[
        int,
        Meta(
            description="When the answer is due (milliseconds since 1970); after that the seat is "
            "late."
        ),
    ]
    grace_until: Annotated[
        int, Meta(description="When it is overdue, so that anybody at the table may claim it.")
    ]
