"""The turn clock of a table: since when each seat is asked, and until when it has time to answer.

No rule of play reads it (law 6). The times come from whoever has them: from the ledger's clock in
the service, which times seats out by this, and from the recorded events in an audit, which holds
the time-outs against it. So what the service lets pass, an audit finds no fault with.
"""

from collections.abc import Collection, Iterable, Mapping
from typing import NamedTuple, TypeVar

from phaseledger.domain.events import Event
from phaseledger.domain.state import Question
from phaseledger.domain.terms import Clock

A = TypeVar("A")
"""How a seat came to be asked, as a caller keeps it: by its time, or by its event as well."""


class Deadline(NamedTuple):
    """Until when a seat has time, in ms since 1970."""

    due: int
    """When it becomes late."""
    grace_until: int
    """When it may be timed out: not a millisecond before."""


def deadline(clock: Clock, asked_at: int) -> Deadline:
    """The deadline of a seat that was asked at that time (ms since 1970)."""
    due = asked_at + 1_000 * clock.seconds
    return Deadline(due, due + 1_000 * clock.grace)


def askings_after(
    askings: Mapping[int, A],
    before: Collection[Question],
    waits: Iterable[Question],
    event: Event,
    asking: A,
) -> dict[int, A]:
    """By seat, how it came to be asked what it is asked after the event.

    ``before`` and ``waits`` are the questions before the event and after it; ``asking`` is for the
    seats that this event asks. A seat that had been asked the same keeps its asking, whoever else
    has answered meanwhile: that gives nobody more time. Its own answer begins a new one. Secrets
    that are due have a time of their own, and are left out.
    """
    speaker = event.act.seat if event.act else None
    return {
        question.seat: askings[question.seat]
        if question in before and question.seat != speaker and question.seat in askings
        else asking
        for question in waits
        if question.kind != "reveal"
    }
