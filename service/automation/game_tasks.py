"""Background tasks by game."""

import asyncio
from collections.abc import Coroutine
from weakref import WeakKeyDictionary

from phaseledger.service.games.game import Game
from phaseledger.service.runtime.tasks import cancel_and_wait


class GameTasks:
    """One task at a time for each game, or but one (not ``again``), until they are closed."""

    def __init__(self, *, again: bool = True) -> None:
        self._again = again
        # A task that runs keeps its game; a finished one lasts as long as somebody else does.
        self._tasks: WeakKeyDictionary[Game, asyncio.Task[None]] = WeakKeyDictionary()
        self._closed = False

    def may_begin(self, game: Game) -> bool:
        """Whether the game may have a task, and has none that stands in the way."""
        task = self._tasks.get(game)
        return not self._closed and (task is None or (self._again and task.done()))

    def begin(self, game: Game, work: Coroutine[None, None, None], name: str) -> None:
        """Run the work as the game's task, which may begin."""
        self._tasks[game] = asyncio.create_task(work, name=f"{name} of {game.id}")

    async def close(self) -> None:
        """End all tasks, and let no other begin."""
        self._closed = True
        await cancel_and_wait(*self._tasks.values())
