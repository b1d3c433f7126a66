"""Looks at games at a later time: those whose next deadline is known before they are folded."""

import asyncio
import heapq
from collections.abc import Awaitable, Callable
from uuid import UUID

from phaseledger.service.eventlog.clock import LedgerClock
from phaseledger.service.games.time_limits import seconds_until
from phaseledger.service.runtime.tasks import cancel_and_wait

AHEAD = 10.0  # seconds before its deadline that a game is looked at, which sets its timer
LONGEST = 10.0  # seconds between two looks at the clock, which may be put right meanwhile


class LaterLooks:
    """Games by the time of their next deadline, each looked at a little before."""

    def __init__(
        self,
        look: Callable[[UUID], Awaitable[None]],
        clock: LedgerClock,
    ) -> None:
        self._look = look
        self._clock = clock
        self._games: list[tuple[int, UUID]] = []
        """A heap of deadlines, in ms since 1970."""
        self._task: asyncio.Task[None] | None = None

    def put(self, game: UUID, due_at: int) -> bool:
        """Have the game looked at before that time (ms since 1970); False: it is that time now."""
        if self._pause(game, due_at) <= 0:
            return False
        heapq.heappush(self._games, (due_at, game))
        if self._task is None or self._task.done():
            self._task = asyncio.create_task(self._run(), name="later looks")
        return True

    async def close(self) -> None:
        """Look at no more games; the next process does."""
        await cancel_and_wait(*filter(None, (self._task,)))

    def _pause(self, game: UUID, due_at: int) -> float:
        return seconds_until(due_at - int(AHEAD * 1000), self._clock)

    async def _run(self) -> None:
        while self._games:
            due_at, game = self._games[0]
            if (pause := self._pause(game, due_at)) > 0:
                await asyncio.sleep(min(pause, LONGEST))
            else:
                heapq.heappop(self._games)
                await self._look(game)
