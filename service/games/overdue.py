"""What is overdue: seats timed out by their table's clock, and tables whose secrets stayed away.

The command's id is the same in all processes, so the log takes it once.
"""

from contextlib import suppress
from uuid import UUID

from phaseledger.domain.commands import Act, CloseReveal, RejectCode, Rejected, TimeOut
from phaseledger.domain.words import Figure, Phrase
from phaseledger.service.games.game import Answer, Snapshot
from phaseledger.service.games.log_times import QuestionTime
from phaseledger.service.games.time_limits import due_at, dues
from phaseledger.service.games.writer import GameService

# No Idempotency-Key has a space, so no client's command has this id, nor a time-out's below.
REVEAL_CLOSED = "reveal closed"


async def close_if_due(games: GameService, game: UUID, seconds: int) -> None:
    """Void a table whose secrets are overdue, so that none is accepted late.

    The table's timer runs only in a process that has looked at the game.

    Raises:
        LedgerTimeUnknown: the ledger's time is not known.

    """
    now = await games.look(game)
    due = due_at(now, seconds)
    if due is not None and due <= now.clock.now():
        with suppress(Rejected):  # another process closed it, so the next command is refused
            await games.send(game, Act(CloseReveal()), REVEAL_CLOSED)


async def time_out(
    games: GameService, game: UUID, seat: int, asked: QuestionTime, at: int = 0
) -> Answer:
    """Time out the seat as the terms say, if it still owes the answer to that question.

    ``at`` is the deadline (ms since 1970) to which a table's clock is turned on; 0: it is not.
    """

    def require(now: Snapshot) -> None:
        question = now.marks.asked.get(seat)
        if question is None or question.version != asked.version:
            raise Rejected(RejectCode.NOT_OVERDUE)
        # Where the database went back, another question may have the same number by now.
        is_late = any(due.grace_until <= now.clock.now() for due in dues(now, seat))
        if not (at or is_late):
            raise Rejected(RejectCode.NOT_OVERDUE)

    key = f"overdue {seat} {asked.version}"
    return await games.send(game, Act(TimeOut(seat)), key, require=require, at=at)


async def claim(games: GameService, now: Snapshot, game: UUID, seat: int | None) -> Answer:
    """Time out the named seat, or the one that is overdue the longest.

    Raises:
        Rejected: no seat is overdue, or the table has no clock; the detail has the time left.
        LedgerTimeUnknown: the ledger's time is not known.

    """
    if now.state.terms.clock is None:
        raise Rejected(RejectCode.NO_CLOCK)
    if now.revealed:
        raise Rejected(RejectCode.GAME_OVER)
    due = min(dues(now, seat), key=lambda candidate: candidate.grace_until, default=None)
    if due is None:
        raise Rejected(RejectCode.NOT_OVERDUE)
    if (remaining := due.grace_until - now.clock.now()) > 0:
        raise not_overdue(remaining)
    return await time_out(games, game, due.seat, now.marks.asked[due.seat])


def not_overdue(remaining: int) -> Rejected:
    """The refusal that names the time left, in ms."""
    left = Phrase("detail.left", count=Figure(f"{remaining / 1000:.1f}"))
    return Rejected(RejectCode.NOT_OVERDUE, detail=left)
