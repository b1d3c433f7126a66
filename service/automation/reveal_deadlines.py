"""Reveal deadlines: a sealed table whose secrets do not arrive in time is void (evidence.md).

Every process that knows the game has a timer for it. The command's id is the same in all of them,
so the log takes it once; a secret that comes just in time goes before it.
"""

import asyncio
from functools import partial

import structlog
from typing_extensions import override

from phaseledger.domain.commands import Act, CloseReveal
from phaseledger.service.automation.bots import retry_while_unavailable
from phaseledger.service.automation.game_tasks import GameTasks, logged_failures
from phaseledger.service.games.game import Game
from phaseledger.service.games.overdue import REVEAL_CLOSED
from phaseledger.service.games.time_limits import due_at, seconds_until
from phaseledger.service.games.writer import GameService

log = structlog.get_logger("phaseledger.deadlines")


class Deadlines(GameTasks):
    """One timer for each table that waits for secrets; see `due_at` on ``seconds``."""

    repeats = False

    def __init__(self, games: GameService, seconds: int) -> None:
        super().__init__(games)
        self._seconds = seconds

    @override
    def wake(self, game: Game) -> None:
        if game.now is None or not self.may_begin(game):
            return
        if due_at(game.now, self._seconds) is not None:
            self.begin(game, self._close(game), "deadline")

    async def _close(self, game: Game) -> None:
        """Void the game once its time is over, unless it needs no secret any more."""
        pause = 1.0
        while pause:
            due = due_at(game.now, self._seconds) if game.now else None
            if game.now is None or due is None:
                return
            pause = seconds_until(due, game.now.clock)
            await asyncio.sleep(pause)
        send = partial(self._games.send, game.id, Act(CloseReveal()), REVEAL_CLOSED)
        with logged_failures(log, game.id, "deadline was not kept"):
            await retry_while_unavailable(send)
            log.info("game is void: secrets stayed away", game=str(game.id))
