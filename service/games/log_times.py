"""Timestamps and positions of a game's events, kept beside its state: no rule reads them.

Every process finds the same marks in the log, so deadlines and what a spectator may see outlive a
process and are the same in all.

An event may have a time yet to come: an earlier release wrote it on a node whose clock was ahead,
or the database's clock was put back since. The events after it have no earlier time, but deadlines
count from when this process saw the event.
"""

from collections.abc import Mapping
from typing import NamedTuple

from phaseledger.domain.commands import Act, CloseReveal, Command, TimeOut
from phaseledger.domain.events import (
    Event,
    RoundDealt,
    RoundEnded,
    SeatFreed,
    SeatHandedOver,
    TableSealed,
)
from phaseledger.domain.state import State
from phaseledger.domain.turn_clock import askings_after, deadline
from phaseledger.service.eventlog.clock import LedgerClock, elapsed_ms
from phaseledger.service.eventlog.errors import StoreUnavailable

AHEAD = 2_000  # milliseconds; two nodes know the ledger's time better than that


class QuestionTime(NamedTuple):
    """Since when a seat has been asked what it is asked now."""

    at: int
    """Milliseconds since 1970, as the log has it."""
    version: int
    """The number of the event that asked."""
    seen_at: int = 0
    """When this process saw that event, as `elapsed_ms` counts."""

    def since(self, clock: LedgerClock) -> int:
        """When it was asked by the ledger's time, in ms since 1970: not after it was seen."""
        return credible(self.at, self.seen_at, clock)


class LogTimes(NamedTuple):
    """The log's times and positions of a game after some number of events."""

    at: int = 0
    """The time of the last event, in ms since 1970."""
    sealed_at: int = 0
    """When a table that waits for secrets was sealed, in ms since 1970."""
    sealed_seen_at: int = 0
    """When this process saw that, as `elapsed_ms` counts."""
    reveal_seconds: int = 0
    """The time that its seats have to reveal them, as recorded; 0: none is recorded."""
    asked: Mapping[int, QuestionTime] = {}
    """By seat; empty at a table without a clock."""
    first_deal: int = 0
    """The number of the event that dealt the first round; 0 before."""
    deal: int = 0
    """The number of the event that dealt the round being played; 0 between rounds."""
    freed: Mapping[int, int] = {}
    """By seat, the number of the event that last freed it."""
    commanded_at: int = 0
    """The time of the last decision that no bot took, in ms since 1970."""
    handed_over: int = 0
    """The number of the event that last gave a person's seat to a bot; 0: none."""
    lost: frozenset[int] = frozenset()
    """Seats that a bot has because their players were late; a seat that was left is not here."""


NONE = LogTimes()


def credible(at: int, seen_at: int, clock: LedgerClock) -> int:
    """The time of an event, or when it was seen (of `elapsed_ms`) where it claims to be later.

    It is believed where the ledger's time has never been known. Times are in ms since 1970.
    """
    try:
        latest = clock.estimate() - (elapsed_ms() - seen_at)
    except StoreUnavailable:
        return at
    return at if at <= latest + AHEAD else latest


def full_time(marks: LogTimes, state: State | None, command: Command, clock: LedgerClock) -> int:
    """The least time of an event that ends a wait which began at a time yet to come; else 0.

    By the ledger's time the wait was long enough. A later reader of the log compares the times of
    its events alone, so these are as far apart.
    """
    asked = marks.asked.get(command.overdue) if isinstance(command, TimeOut) else None
    if asked and state and state.terms.clock:
        began, seen_at = asked.at, asked.seen_at
        over = deadline(state.terms.clock, began).grace_until
    elif isinstance(command, CloseReveal):
        began, seen_at = marks.sealed_at, marks.sealed_seen_at
        over = began + 1000 * marks.reveal_seconds
    else:
        return 0
    return over if credible(began, seen_at, clock) < began else 0


def times_after(
    marks: LogTimes, before: State | None, state: State, seq: int, at: int, event: Event
) -> LogTimes:
    """The marks after an event, number ``seq``, that led from one state to the next."""
    if at != marks.at:
        marks = LogTimes(at, *marks[1:])
    if event.act is not None and not _is_bots(before, event.act):
        marks = marks._replace(commanded_at=at)
    if isinstance(event, TableSealed) and state.stage == "sealed":
        marks = marks._replace(
            sealed_at=at, sealed_seen_at=elapsed_ms(), reveal_seconds=event.reveal_seconds
        )
    if isinstance(event, RoundDealt):
        marks = marks._replace(deal=seq, first_deal=marks.first_deal or seq)
    elif isinstance(event, RoundEnded):
        marks = marks._replace(deal=0)
    elif isinstance(event, SeatFreed):
        marks = marks._replace(freed={**marks.freed, event.seat: seq})
    elif isinstance(event, SeatHandedOver):
        lost = marks.lost | {event.seat} if event.why == "overdue" else marks.lost
        marks = marks._replace(handed_over=seq, lost=lost)
    if state.terms.clock and (event.asks is not None or event.act is not None):
        asked = QuestionTime(at, seq, elapsed_ms())
        questions = before.waits if before else ()
        marks = marks._replace(
            asked=askings_after(marks.asked, questions, state.waits, event, asked)
        )
    return marks


def _is_bots(before: State | None, act: Act) -> bool:
    """Whether a bot has decided it, that has the seat for good."""
    seat = before.seats[act.seat] if before and act.seat is not None else None
    return seat is not None and seat.bot != ""
