"""Time limits: the deadlines of seats, and of secrets, computed from a snapshot.

Deadlines count by the ledger's time, whatever the clock of the node that asks says.
"""

from phaseledger.domain.turn_clock import deadline
from phaseledger.service.eventlog.clock import RETRY, LedgerClock
from phaseledger.service.eventlog.errors import LedgerTimeUnknown
from phaseledger.service.games.errors import BotAnswers
from phaseledger.service.games.game import Snapshot
from phaseledger.service.games.log_times import credible
from phaseledger.service.schemas.terms import Due


def dues(now: Snapshot, seat: int | None = None) -> tuple[Due, ...]:
    """The deadlines of the people who are asked, or of one seat; none where there is no clock."""
    state, clock = now.state, now.state.terms.clock
    if clock is None or state.stage != "playing":
        return ()
    deadlines = []
    for question in state.waits:
        sitting = state.seat(question.seat)
        if seat in (None, question.seat) and not (sitting.bot or sitting.stand_in):
            until = deadline(clock, now.marks.asked[question.seat].since(now.clock))
            deadlines.append(Due(question.seat, question.kind, until.due, until.grace_until))
    return tuple(deadlines)


def seconds_until(deadline: int, clock: LedgerClock) -> float:
    """The seconds until the deadline (ms since 1970); `RETRY` while the time is unknown."""
    try:
        return max(0, deadline - clock.now()) / 1000
    except LedgerTimeUnknown:
        return RETRY


class Late(BotAnswers, outcome="failed"):
    """The seat's time is over, grace included, and the game does not have the time-out yet.

    The command is sent again after the time-out and is then counted once more.
    """


def require_in_time(now: Snapshot, seat: int) -> None:
    """Require that the seat is within its deadline, whether or not a timer has run.

    Raises Late, LedgerTimeUnknown.
    """
    if any(due.grace_until <= now.clock.now() for due in dues(now, seat)):
        raise Late


def due_at(now: Snapshot, seconds: int) -> int | None:
    """When the secrets have to be in, in ms since 1970; None where none is owed.

    The table says how long it waits for them; ``seconds`` is for one that does not.
    """
    if now.state.stage != "sealed":
        return None
    marks = now.marks
    sealed = credible(marks.sealed_at, marks.sealed_seen_at, now.clock)
    return sealed + 1000 * (marks.reveal_seconds or seconds)
