"""What the log's own times and places say of a game, beside its state: nothing here is a rule.

Every process that reads the same log finds the same marks, so what follows from them, a deadline
or what a spectator may see, outlives any process and is the same in all.
"""

from collections.abc import Mapping
from typing import NamedTuple

from phaseledger.domain.events import Event, RoundDealt, RoundEnded, SeatFreed, TableSealed
from phaseledger.domain.state import State


class QuestionTime(NamedTuple):
    """Since when a seat has been asked what it is asked now."""

    at: int
    """Milliseconds since 1970, as the log has it."""
    version: int
    """The number of the event that asked."""


class LogTimes(NamedTuple):
    """Of a game after some number of events."""

    at: int = 0
    """The time of the last event, in ms since 1970."""
    sealed_at: int = 0
    """When a table that waits for secrets was sealed, in ms since 1970."""
    reveal_seconds: int = 0
    """How long its seats have to reveal them, as it says; 0 where it says nothing."""
    asked: Mapping[int, QuestionTime] = {}
    """By seat; empty at a table without a clock."""
    first_deal: int = 0
    """The number of the event that dealt the first round; 0 before."""
    deal: int = 0
    """The number of the event that dealt the round being played; 0 between rounds."""
    freed: Mapping[int, int] = {}
    """By seat, the number of the event that last took it from somebody."""


NONE = LogTimes()


def times_after(
    marks: LogTimes, before: State | None, state: State, seq: int, at: int, event: Event
) -> LogTimes:
    """The marks after an event, number ``seq``, that led from one state to the next."""
    if at != marks.at:
        marks = LogTimes(at, *marks[1:])
    if isinstance(event, TableSealed) and state.stage == "sealed":
        marks = marks._replace(sealed_at=at, reveal_seconds=event.reveal_seconds)
    if isinstance(event, RoundDealt):
        marks = marks._replace(deal=seq, first_deal=marks.first_deal or seq)
    elif isinstance(event, RoundEnded):
        marks = marks._replace(deal=0)
    elif isinstance(event, SeatFreed):
        marks = marks._replace(freed={**marks.freed, event.seat: seq})
    if state.terms.clock and (event.asks is not None or event.act is not None):
        marks = marks._replace(asked=_asked(marks, before, state, seq, at, event))
    return marks


def _asked(
    marks: LogTimes, before: State | None, state: State, seq: int, at: int, event: Event
) -> dict[int, QuestionTime]:
    """Since when each seat is asked: another seat's answer gives nobody more time."""
    spoke = event.act.seat if event.act else None
    known, already = marks.asked, set(before.waits) if before else set()
    return {
        q.seat: known[q.seat]
        if q in already and q.seat != spoke and q.seat in known
        else QuestionTime(at, seq)
        for q in state.waits
        if q.kind != "reveal"
    }
