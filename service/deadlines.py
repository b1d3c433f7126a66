"""A sealed table does not wait for ever: when secrets stay away, the game is void (evidence.md).

Every process that knows the game has a timer for it. The command's id is the same in all of them,
so the log takes it once; a secret that comes just in time goes before it.
"""

import asyncio
import time
from functools import partial
from weakref import WeakKeyDictionary

import structlog

from domain.commands import Act, CloseReveal, RejectCode, Rejected
from service.autoplay import patiently
from service.game import Game, Snapshot
from service.games import Games
from service.logs import trace

# No Idempotency-Key has a space, so no client's command has the same id.
KEY = "reveal closed"

log = structlog.get_logger("phaseledger.deadlines")


def due_at(now: Snapshot, seconds: int) -> int | None:
    """When the secrets have to be in, in ms since 1970; None where none is owed."""
    return now.sealed_at + 1000 * seconds if now.state.stage == "sealed" else None


class Deadlines:
    """One timer for each table that waits for secrets, ``seconds`` after it was sealed."""

    def __init__(self, games: Games, seconds: int) -> None:
        self._games = games
        self._seconds = seconds
        # A task that runs keeps its game; a finished one lasts as long as somebody else does.
        self._tasks: WeakKeyDictionary[Game, asyncio.Task[None]] = WeakKeyDictionary()
        self._closed = False
        games.watchers.append(self.wake)

    def wake(self, game: Game) -> None:
        """See to it that the game's secrets do not stay away for ever; returns at once."""
        if self._closed or game.now is None or game in self._tasks:
            return
        due = due_at(game.now, self._seconds)
        if due is not None:
            work = self._close(game, due)
            self._tasks[game] = asyncio.create_task(work, name=f"deadline of {game.id}")

    async def close(self) -> None:
        """Let all timers go; the next process sets them again."""
        self._closed = True
        tasks = list(self._tasks.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _close(self, game: Game, due: int) -> None:
        """Void the game at that time, unless it needs no secret any more."""
        await asyncio.sleep(min(due / 1000 - time.time(), self._seconds))
        try:
            await patiently(partial(self._games.send, game.id, Act(CloseReveal()), KEY))
        except Rejected as refused:
            if refused.code not in (RejectCode.NOT_OVERDUE, RejectCode.GAME_OVER):
                log.error("deadline was not kept", game=str(game.id), code=refused.code)  # noqa: TRY400
        except Exception as wrong:  # noqa: BLE001 - nobody awaits this task, so it is told here
            log.error("deadline was not kept", game=str(game.id), **trace(wrong))  # noqa: TRY400
        else:
            log.info("game is void: secrets stayed away", game=str(game.id))
