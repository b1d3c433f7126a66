"""For how long a coroutine holds the event loop, without its waits, and how not to hold it long.

A coroutine runs in steps: from being resumed to its next suspension it has the loop to itself. What
other tasks do for it is not counted.
"""

import asyncio
import types
from collections.abc import Awaitable, Callable, Coroutine, Generator
from contextvars import ContextVar
from time import perf_counter, thread_time
from typing import Any, TypeVar

T = TypeVar("T")
ON_THE_LOOP = 500
"""Events whose hashes are checked, or which are folded, without a thread: some milliseconds."""


class LoopTime:
    """The time in seconds for which measured coroutines have held the loop, step by step."""

    __slots__ = ("seconds",)

    def __init__(self) -> None:
        self.seconds = 0.0


CURRENT: ContextVar[LoopTime | None] = ContextVar("loop_time", default=None)
"""That of the request in hand, which its tasks inherit; None where nothing is measured."""


@types.coroutine
def measured(awaitable: Awaitable[T], total: LoopTime) -> Generator[Any, Any, T]:
    """Await the awaitable, and add the time of its steps to the total."""
    steps = awaitable.__await__()
    resume: Callable[[Any], Any] = steps.send
    argument: Any = None
    while True:
        began = perf_counter()
        try:
            future = resume(argument)
        except StopIteration as end:
            return end.value  # type: ignore[no-any-return]
        finally:
            total.seconds += perf_counter() - began
        try:
            argument = yield future
            resume = steps.send
        except GeneratorExit:
            steps.close()
            raise
        except BaseException as error:  # noqa: BLE001 - a cancellation too is the coroutine's
            resume, argument = steps.throw, error


async def measured_here(coroutine: Coroutine[Any, Any, T]) -> T:
    """Await the coroutine in a task whose steps count as those of the request that began it."""
    total = CURRENT.get()
    return await (coroutine if total is None else measured(coroutine, total))


async def beside_loop(work: Callable[[], T], events: int) -> T:
    """The result of the work on so many events, done in a thread where they are many.

    The thread's time counts as that of the request.
    """
    if events <= ON_THE_LOOP:
        return work()
    total = CURRENT.get()

    def timed() -> T:
        began = thread_time()
        try:
            return work()
        finally:
            if total is not None:
                total.seconds += thread_time() - began

    return await asyncio.to_thread(timed)
