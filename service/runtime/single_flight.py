"""Single flight: one run of the work for all callers who ask while it runs."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Generic, TypeVar

from phaseledger.service.runtime.tasks import cancel_and_wait

T = TypeVar("T")


class SingleFlight(Generic[T]):
    """Shares one run of the work among all callers who ask for it while it runs.

    A result also serves callers within ``fresh`` seconds after it. An exception of the work is
    raised to all of them, so the work should return its failures.
    """

    def __init__(self, work: Callable[[], Awaitable[T]], fresh: float = 0.0) -> None:
        self._work = work
        self._fresh = fresh
        self._task: asyncio.Task[T] | None = None
        self._ended = 0.0

    async def result(self, seconds: float) -> T:
        """The work's result; waits for it ``seconds`` at most, and lets it run on.

        Raises:
            TimeoutError: it takes longer.
            the exceptions of the work.

        """
        task = self._task
        now = asyncio.get_running_loop().time()
        if task is None or (task.done() and now - self._ended >= self._fresh):
            task = self._task = asyncio.create_task(self._run())
        done, _ = await asyncio.wait({task}, timeout=seconds)
        if not done:
            raise TimeoutError
        return task.result()

    async def close(self) -> None:
        """End the work."""
        if self._task is not None:
            await cancel_and_wait(self._task)

    async def _run(self) -> T:
        try:
            return await self._work()
        finally:
            self._ended = asyncio.get_running_loop().time()
