"""Background tasks of the application, restarted with a pause when they fail.

Tasks that serve all requests, such as following the log, must not end for good with an unforeseen
error: a server that is read-only for three seconds, a right that is granted again.
"""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

import structlog

from phaseledger.service.runtime import logs
from phaseledger.service.runtime.tasks import cancel_and_wait, wait_unless

SHORTEST, LONGEST = 0.5, 30.0  # seconds between a failure and the next try; twice as long each time
SETTLED = 5.0  # seconds after which a task that runs counts as well again

log = structlog.get_logger("phaseledger.app")

Until = Callable[[asyncio.Event], Awaitable[None]]
"""A background task that works until the event is set."""


Report = Callable[[bool], None]
"""Called with whether the work has failed, or runs again."""


async def supervise(
    work: Until,
    stop: asyncio.Event,
    *,
    message: str = "background work failed",
    expected: tuple[type[Exception], ...] = (),
    report: Report | None = None,
) -> None:
    """Do the work until it is done or told to stop; after any failure, try again.

    Each failure is logged under the message, one of the ``expected`` ones without its traceback,
    and once as long as the reason is the same.
    ``report`` is called with True when it has failed, and with False once it has run for a while.
    """
    loop, pause = asyncio.get_running_loop(), SHORTEST
    tell, last = report or (lambda _: None), ""
    while not stop.is_set():
        began = loop.time()
        settling = loop.call_later(SETTLED, tell, False)
        try:
            await work(stop)
        except expected as reason:
            if last != str(reason):
                log.critical(message, reason=(last := str(reason)))
        except Exception as bug:  # noqa: BLE001 - the work is not awaited, so the error is logged here
            log.critical(message, **logs.trace(bug))
        else:
            return
        finally:
            settling.cancel()
        tell(not stop.is_set())
        pause = SHORTEST if loop.time() - began > LONGEST else pause
        await wait_unless(asyncio.sleep(pause), stop)
        pause = min(2 * pause, LONGEST)


@asynccontextmanager
async def in_background(work: Callable[[], Awaitable[None]]) -> AsyncIterator[None]:
    """Run the work, supervised, in the background of the block, and no longer than it."""
    task = asyncio.create_task(supervise(lambda _: work(), asyncio.Event()))
    try:
        yield
    finally:
        await cancel_and_wait(task)


@asynccontextmanager
async def in_background_until(
    work: Until, message: str, expected: tuple[type[Exception], ...], report: Report
) -> AsyncIterator[None]:
    """Run the work, supervised, beside the block; in the end it is told to stop and waited for."""
    stop = asyncio.Event()
    supervising = supervise(work, stop, message=message, expected=expected, report=report)
    task = asyncio.create_task(supervising)
    try:
        yield
    finally:
        stop.set()
        await task
