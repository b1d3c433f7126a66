"""Turn clocks: a seat that is asked has so long to answer, and then the table's terms take over.

When a seat was asked stands in the log, so deadlines outlive any process and are the same in all.
Every process that knows the game has a timer for it, and a command's id is the same in all of
them, so the log takes each time-out once; an answer that comes just in time goes before it.
"""

import asyncio
from functools import partial
from uuid import UUID

import structlog

from phaseledger.domain.commands import Act, RejectCode, Rejected, TimeOut
from phaseledger.service.automation.bots import retry_while_unavailable
from phaseledger.service.automation.game_tasks import GameTasks
from phaseledger.service.games.game import Answer, Game, Snapshot
from phaseledger.service.games.log_times import QuestionTime
from phaseledger.service.games.service import GameService
from phaseledger.service.games.time_limits import _time, dues
from phaseledger.service.runtime.logs import trace
from phaseledger.service.schemas.terms import Due

log = structlog.get_logger("phaseledger.clocks")


async def _time_out(games: GameService, game: UUID, seat: int, asked: QuestionTime) -> Answer:
    """Have done to the seat what the terms say, if it still owes the answer to that question."""

    def require(now: Snapshot) -> None:
        if now.marks.asked.get(seat) != asked:
            raise Rejected(RejectCode.NOT_OVERDUE)

    # No Idempotency-Key has a space, so no client's command has the same id.
    key = f"overdue {seat} {asked.version}"
    return await games.send(game, Act(TimeOut(seat)), key, require=require)


async def claim(games: GameService, now: Snapshot, game: UUID, seat: int | None) -> Answer:
    """Time out the named seat, or the one that is overdue the longest.

    Raises:
        Rejected: nobody is overdue, or the table has no clock; the detail says until when there
            is time.

    """
    if now.state.terms.clock is None:
        raise Rejected(RejectCode.NO_CLOCK)
    if now.revealed:
        raise Rejected(RejectCode.GAME_OVER)
    due = min(dues(now, seat), key=lambda each: each.grace_until, default=None)
    left = due.grace_until - _time() if due else 0
    if due is None or left > 0:
        told = f"seat {due.seat} has {left / 1000:.1f} s left" if due else ""
        raise Rejected(RejectCode.NOT_OVERDUE, detail=told)
    return await _time_out(games, game, due.seat, now.marks.asked[due.seat])


class Clocks:
    """One timer for each game in which a person is asked against the clock."""

    def __init__(self, games: GameService) -> None:
        self._games = games
        self._tasks = GameTasks()
        games.watchers.append(self.wake)

    def wake(self, game: Game) -> None:
        """See to it that nobody takes for ever; returns at once."""
        if game.now and self._tasks.may_begin(game) and dues(game.now):
            self._tasks.begin(game, self._run(game), "clock")

    async def close(self) -> None:
        """Let all timers go; the next process sets them again."""
        await self._tasks.close()

    async def _run(self, game: Game) -> None:
        try:
            # A deadline only ever moves on, so there is no need to look before the first one.
            while (now := game.now) and (waiting := dues(now)):
                due = min(waiting, key=lambda each: each.grace_until)
                left = due.grace_until - _time()
                if left > 0:
                    await asyncio.sleep(left / 1000)
                    continue
                await self._close(game, due, now.marks.asked[due.seat])
        except Exception as wrong:  # noqa: BLE001 - nobody awaits this task, so it is told here
            log.error("clock stopped", game=str(game.id), **trace(wrong))  # noqa: TRY400

    async def _close(self, game: Game, due: Due, asked: QuestionTime) -> None:
        try:
            await retry_while_unavailable(partial(_time_out, self._games, game.id, due.seat, asked))
        except Rejected as refused:
            # It was answered meanwhile, perhaps through another process.
            if refused.code not in (RejectCode.NOT_OVERDUE, RejectCode.GAME_OVER):
                raise
        else:
            log.info("a seat was overdue", game=str(game.id), seat=due.seat, kind=due.kind)
