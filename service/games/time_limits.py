"""Until when a table waits for a seat, and for secrets: questions to a snapshot.

Deadlines count by the ledger's time, whatever the clock of the node that asks says.
"""

import time

from phaseledger.service.games.errors import BotAnswers
from phaseledger.service.games.game import Snapshot
from phaseledger.service.schemas.terms import Due


def dues(now: Snapshot, seat: int | None = None) -> tuple[Due, ...]:
    """The deadlines of the people who are asked, or of one seat; none where there is no clock."""
    state, clock = now.state, now.state.terms.clock
    if clock is None or state.stage != "playing":
        return ()
    found = []
    for question in state.waits:
        sitting = state.seat(question.seat)
        if seat in (None, question.seat) and not (sitting.bot or sitting.stand_in):
            due = now.marks.asked[question.seat].at + 1000 * clock.seconds
            grace = due + 1000 * clock.grace
            found.append(Due(question.seat, question.kind, due, grace))
    return tuple(found)


def _time() -> int:
    return time.time_ns() // 1_000_000


class Late(BotAnswers, outcome="failed"):
    """The seat's time is over, grace included, and nobody has said so in the game yet."""


def require_in_time(now: Snapshot, seat: int) -> None:
    """See that the seat may answer still, whether or not a timer has run. Raises Late."""
    if any(due.grace_until <= _time() for due in dues(now, seat)):
        raise Late


def due_at(now: Snapshot, seconds: int) -> int | None:
    """When the secrets have to be in, in ms since 1970; None where none is owed.

    The table says how long it waits for them; ``seconds`` is for one that does not.
    """
    waits = 1000 * (now.marks.reveal_seconds or seconds)
    return now.marks.sealed_at + waits if now.state.stage == "sealed" else None
