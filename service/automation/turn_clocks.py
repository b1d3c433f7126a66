"""Turn clocks: a seat that does not answer in time is timed out by the table's terms.

When a seat was asked stands in the log, so deadlines outlive any process and are the same in all.
A timer sleeps by the time that passes on its machine, and asks the ledger's clock before it acts.
Every process that knows the game has a timer for it, and a command's id is the same in all of
them, so the log takes each time-out once; an answer that comes just in time goes before it.
"""

import asyncio
from functools import partial
from uuid import UUID

import structlog

from phaseledger.domain.commands import Act, RejectCode, Rejected, TimeOut
from phaseledger.domain.words import Figure, Phrase
from phaseledger.service.automation.bots import retry_while_unavailable
from phaseledger.service.automation.game_tasks import TOO_LATE, GameTasks, logged_failures
from phaseledger.service.games.game import Answer, Game, Snapshot
from phaseledger.service.games.log_times import QuestionTime
from phaseledger.service.games.service import GameService
from phaseledger.service.games.time_limits import dues, seconds_until
from phaseledger.service.schemas.terms import Due

log = structlog.get_logger("phaseledger.clocks")


async def _time_out(games: GameService, game: UUID, seat: int, asked: QuestionTime) -> Answer:
    """Time out the seat as the terms say, if it still owes the answer to that question."""

    def require(now: Snapshot) -> None:
        question = now.marks.asked.get(seat)
        if question is None or question.version != asked.version:
            raise Rejected(RejectCode.NOT_OVERDUE)
        # Where the database went back, another question may have the same number by now.
        if not any(due.grace_until <= now.clock.now() for due in dues(now, seat)):
            raise Rejected(RejectCode.NOT_OVERDUE)

    # No Idempotency-Key has a space, so no client's command has the same id.
    key = f"overdue {seat} {asked.version}"
    return await games.send(game, Act(TimeOut(seat)), key, require=require)


async def claim(games: GameService, now: Snapshot, game: UUID, seat: int | None) -> Answer:
    """Time out the named seat, or the one that is overdue the longest.

    Raises:
        Rejected: nobody is overdue, or the table has no clock; the detail says until when there
            is time.
        LedgerTimeUnknown: nobody can tell.

    """
    if now.state.terms.clock is None:
        raise Rejected(RejectCode.NO_CLOCK)
    if now.revealed:
        raise Rejected(RejectCode.GAME_OVER)
    due = min(dues(now, seat), key=lambda candidate: candidate.grace_until, default=None)
    remaining = due.grace_until - now.clock.now() if due else 0
    if due is None or remaining > 0:
        if due is None:
            raise Rejected(RejectCode.NOT_OVERDUE)
        seconds = Figure(f"{remaining / 1000:.1f}")
        left = Phrase("detail.left", seat=due.seat, count=seconds)
        raise Rejected(RejectCode.NOT_OVERDUE, detail=left)
    return await _time_out(games, game, due.seat, now.marks.asked[due.seat])


class Clocks:
    """One timer for each game in which a person is asked against the clock."""

    def __init__(self, games: GameService) -> None:
        self._games = games
        self._tasks = GameTasks()
        games.watchers.append(self.wake)

    def wake(self, game: Game) -> None:
        """Start the timer of a game whose turn clock runs for a person; does not block."""
        if game.now and self._tasks.may_begin(game) and dues(game.now):
            self._tasks.begin(game, self._run(game), "clock")

    async def close(self) -> None:
        """Cancel all timers; the next process sets them again."""
        await self._tasks.close()

    async def _run(self, game: Game) -> None:
        with logged_failures(log, game.id, "clock stopped"):
            # A deadline only ever moves on, so there is no need to look before the first one.
            while (now := game.now) and (deadlines := dues(now)):
                due = min(deadlines, key=lambda candidate: candidate.grace_until)
                if (pause := seconds_until(due.grace_until, now.clock)) > 0:
                    await asyncio.sleep(pause)
                    continue
                await self._close(game, due, now.marks.asked[due.seat])

    async def _close(self, game: Game, due: Due, asked: QuestionTime) -> None:
        try:
            await retry_while_unavailable(partial(_time_out, self._games, game.id, due.seat, asked))
        except Rejected as refused:
            # It was answered meanwhile, perhaps through another process.
            if refused.code not in TOO_LATE:
                raise
        else:
            log.info("a seat was overdue", game=str(game.id), seat=due.seat, kind=due.kind)
