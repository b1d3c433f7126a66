"""The cost of a request: its time on the event loop, and the work of threads and the database.

A coroutine runs in steps: from being resumed to its next suspension it has the loop to itself, and
its waits are free. The work of threads and the database is added by their callers.
"""

import asyncio
import threading
import types
from collections.abc import Awaitable, Callable, Coroutine, Generator
from contextlib import suppress
from contextvars import ContextVar
from threading import local
from time import perf_counter, sleep, thread_time
from typing import Any, TypeVar

T = TypeVar("T")
ON_THE_LOOP = 100
"""Events whose hashes are checked, or which are folded, without a thread: a millisecond."""
STRETCH = 0.000_5
"""Seconds for which a thread computes at a time beside the event loop."""
MOMENT = 0.000_05
"""Seconds of each sleep between."""
_rested = local()


class RequestWork:
    """The work of a request so far, in seconds.

    ``pause`` returns the seconds to wait before it goes on, after its caller has used up its
    allowance. ``settle`` charges what is done for it after its end; None until then.
    """

    __slots__ = ("pause", "seconds", "settle")

    def __init__(self, pause: Callable[[], float] = lambda: 0) -> None:
        self.seconds = 0.0
        self.pause = pause
        self.settle: Callable[[], None] | None = None


CURRENT: ContextVar[RequestWork | None] = ContextVar("request_work", default=None)
"""The work of the current request, inherited by its tasks; None where nothing is measured."""

PERMIT: ContextVar[Callable[[], None]] = ContextVar("permit", default=lambda: None)
"""Gives back the permit of the current request in the fair queue, if it has one."""


@types.coroutine
def measured(awaitable: Awaitable[T], total: RequestWork) -> Generator[Any, Any, T]:
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
    """Await the coroutine in a task whose steps count for the request that began it."""
    total = CURRENT.get()
    return await (coroutine if total is None else measured(coroutine, total))


def spend(seconds: float) -> None:
    """Count work done elsewhere for the current request, if there is one, also after its end."""
    if total := CURRENT.get():
        total.seconds += seconds
        if total.settle is not None:
            total.settle()


def idle() -> None:
    """Let other requests of the same caller go on while the current one waits."""
    PERMIT.get()()


def let_others_run() -> None:
    """Sleep for a moment, if this thread has computed for a while: other threads may wait for the
    processor, and the system would make them wait for milliseconds each time.
    """
    now = thread_time()
    if now - getattr(_rested, "at", 0.0) > STRETCH:
        sleep(MOMENT)
        _rested.at = thread_time()


async def in_thread(work: Callable[[], T]) -> T:
    """Do the work in a thread, whose processor time counts for the current request."""

    def timed() -> tuple[T, float]:
        began = thread_time()
        return work(), thread_time() - began

    result, seconds = await asyncio.to_thread(timed)
    spend(seconds)
    return result


async def in_daemon_thread(work: Callable[[], T]) -> T:
    """The result of the work in a thread of its own, for which a process that ends does not wait.

    A caller that is cancelled does not end the work. Its time is not counted.
    """
    loop = asyncio.get_running_loop()
    future: asyncio.Future[T] = loop.create_future()

    def settle(result: T | None, error: BaseException | None) -> None:
        if future.done():
            return
        if error is None:
            future.set_result(result)  # type: ignore[arg-type]
        else:
            future.set_exception(error)

    def run() -> None:
        result, error = None, None
        try:
            result = work()
        except Exception as raised:  # noqa: BLE001 - the waiting coroutine gets it
            error = raised
        with suppress(RuntimeError):  # the loop is closed: there is no waiting coroutine
            loop.call_soon_threadsafe(settle, result, error)

    threading.Thread(target=run, name=f"beside {id(future):x}", daemon=True).start()
    return await future


async def beside_loop(work: Callable[[], T], events: int) -> T:
    """The result of the work on ``events`` events, in a thread where they are many."""
    return work() if events <= ON_THE_LOOP else await in_thread(work)


async def paced() -> None:
    """Wait for as long as the current request should before it goes on."""
    if (total := CURRENT.get()) and (seconds := total.pause()):
        await asyncio.sleep(seconds)
