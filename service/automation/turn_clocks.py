"""Turn clocks: a seat that does not answer in time is timed out by the table's terms.

When a seat was asked stands in the log, so deadlines outlive any process and are the same in all.
A timer sleeps by the time that passes on its machine, and asks the ledger's clock before it acts.
Every process that knows the game has a timer for it, and a command's id is the same in all of
them, so the log takes each time-out once; an answer that comes just in time goes before it.
"""

import asyncio
from functools import partial

import structlog
from typing_extensions import override

from phaseledger.domain.commands import Rejected
from phaseledger.service.automation.bots import retry_while_unavailable
from phaseledger.service.automation.game_tasks import TOO_LATE, GameTasks, logged_failures
from phaseledger.service.games.game import Game
from phaseledger.service.games.log_times import QuestionTime
from phaseledger.service.games.overdue import time_out
from phaseledger.service.games.time_limits import dues, seconds_until
from phaseledger.service.schemas.terms import Due

log = structlog.get_logger("phaseledger.clocks")


class Clocks(GameTasks):
    """One timer for each game in which a person is asked against the clock."""

    @override
    def wake(self, game: Game) -> None:
        if game.now and self.may_begin(game) and dues(game.now):
            self.begin(game, self._run(game), "clock")

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
            await retry_while_unavailable(partial(time_out, self._games, game.id, due.seat, asked))
        except Rejected as refused:
            # It was answered meanwhile, perhaps through another process.
            if refused.code not in TOO_LATE:
                raise
        else:
            log.info("a seat was overdue", game=str(game.id), seat=due.seat, kind=due.kind)
