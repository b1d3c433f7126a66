"""Background tasks by game."""

import asyncio
from collections.abc import Coroutine
from weakref import WeakKeyDictionary

from phaseledger.service.games.game import Game
from phaseledger.service.runtime.tasks import cancel_and_wait


class GameTasks:
    """One task at a time for each game, or one in all (not ``repeats``), until closed.

    Where the log has gone back, the game begins anew, and so do its tasks.
    """

    def __init__(self, *, repeats: bool = True) -> None:
        self._repeats = repeats
        # A task that runs keeps its game; a finished one lasts as long as somebody else does.
        self._tasks: WeakKeyDictionary[Game, asyncio.Task[None]] = WeakKeyDictionary()
        self._histories: WeakKeyDictionary[Game, int] = WeakKeyDictionary()
        self._closed = False

    def may_begin(self, game: Game) -> bool:
        """Whether a task of the game may begin: it has none, or one that is done and may repeat."""
        task = self._tasks.get(game)
        may_repeat = self._repeats or self._histories.get(game) != game.history
        return not self._closed and (task is None or (may_repeat and task.done()))

    def begin(self, game: Game, work: Coroutine[None, None, None], name: str) -> None:
        """Run the work as the game's task; call it only where `may_begin` says so."""
        self._histories[game] = game.history
        self._tasks[game] = asyncio.create_task(work, name=f"{name} of {game.id}")

    async def close(self) -> None:
        """End all tasks, and let no other begin."""
        self._closed = True
        await cancel_and_wait(*self._tasks.values())
