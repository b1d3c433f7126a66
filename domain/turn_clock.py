"""The turn clock of a table: the time at which each seat was asked, and its deadline.

No rule of play reads it (law 6). The times come from the caller: the service, which times seats out
by this module, takes them from the ledger's clock; an audit, which checks the time-outs by it, from
the recorded events. So an audit finds no fault with what the service allowed.
"""

from collections.abc import Collection, Iterable, Mapping
from typing import NamedTuple, TypeVar

from phaseledger.domain.events import Event
from phaseledger.domain.state import Question
from phaseledger.domain.terms import Clock

A = TypeVar("A")
"""The asking of a seat, as a caller keeps it: its time, or its event as well."""


class Deadline(NamedTuple):
    """The deadline of a seat, in ms since 1970."""

    due: int
    """The time from which an answer is late."""
    grace_until: int
    """The earliest time, to the millisecond, at which the seat may be timed out."""


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
    """The asking of each seat that still owes an answer after the event.

    ``before`` and ``waits`` are the questions before the event and after it; ``asking`` is for the
    seats that this event asks. A seat that was already asked the same keeps its asking, also when
    other seats have answered in between, which gives it no more time. The seat's own answer begins
    a new asking. Due secrets have a deadline of their own and are left out.
    """
    speaker = event.act.seat if event.act else None
    return {
        question.seat: askings[question.seat]
        if question in before and question.seat != speaker and question.seat in askings
        else asking
        for question in waits
        if question.kind != "reveal"
    }
