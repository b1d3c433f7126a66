"""Background tasks by game that no request awaits: their errors are logged."""

import asyncio
from collections.abc import Coroutine, Iterator
from contextlib import contextmanager
from uuid import UUID
from weakref import WeakKeyDictionary

from structlog.typing import FilteringBoundLogger

from phaseledger.domain.commands import RejectCode, Rejected
from phaseledger.service.games.game import Game
from phaseledger.service.games.writer import GameService
from phaseledger.service.readmodels.errors import GameSetAside
from phaseledger.service.runtime.logs import trace
from phaseledger.service.runtime.tasks import cancel_and_wait

TOO_LATE = (RejectCode.NOT_OVERDUE, RejectCode.GAME_OVER)
"""Why a command of the service is refused where a player or another process was faster."""


@contextmanager
def logged_failures(
    log: FilteringBoundLogger, game: UUID, failure: str, passed: tuple[type[Exception], ...] = ()
) -> Iterator[None]:
    """Log what fails in the block as the ``failure``, but for what is ``passed`` on to the caller.

    A command that came too late, and a game that is set aside, are no failures.
    """
    try:
        yield
    except passed:
        raise
    except Rejected as refused:
        if refused.code not in TOO_LATE:
            log.error(failure, game=str(game), code=refused.code)  # noqa: TRY400
    except GameSetAside as aside:
        log.info("game is set aside", game=str(game), reason=str(aside.detail))
    except Exception as wrong:  # noqa: BLE001 - the task is not awaited, so it is told here
        log.error(failure, game=str(game), **trace(wrong))  # noqa: TRY400


class GameTasks:
    """A watcher of all games, with one task at a time for each, until it is closed.

    Where the log has gone back, the game begins anew, and so do its tasks.
    """

    repeats = True
    """Whether a game may have another task after the first one."""

    def __init__(self, games: GameService) -> None:
        self._games = games
        # A task that runs keeps its game; a finished one lasts as long as another task does.
        self._tasks: WeakKeyDictionary[Game, asyncio.Task[None]] = WeakKeyDictionary()
        self._histories: WeakKeyDictionary[Game, int] = WeakKeyDictionary()
        self._closed = False
        games.watchers.append(self.wake)

    def wake(self, game: Game) -> None:
        """Begin a task of the game, if there is work for one; returns at once."""
        raise NotImplementedError

    def may_begin(self, game: Game) -> bool:
        """Whether a task of the game may begin: it has none, or one that is done and may repeat."""
        task = self._tasks.get(game)
        may_repeat = self.repeats or self._histories.get(game) != game.history
        return not self._closed and (task is None or (may_repeat and task.done()))

    def begin(self, game: Game, work: Coroutine[None, None, None], name: str) -> None:
        """Run the work as the game's task; call it only where `may_begin` says so."""
        self._histories[game] = game.history
        self._tasks[game] = asyncio.create_task(work, name=f"{name} of {game.id}")

    async def close(self) -> None:
        """End all tasks, and let no other begin; the next process that knows the games does."""
        self._closed = True
        await cancel_and_wait(*self._tasks.values())
