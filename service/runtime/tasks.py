"""Asyncio tasks: waiting for the first of several events, and reliable cancellation."""

import asyncio
from collections.abc import Coroutine
from typing import Any

CANCEL_INTERVAL = 1.0  # seconds until a task that was cancelled and goes on is cancelled once more


async def wait_unless(pause: Coroutine[None, None, None], *events: asyncio.Event) -> None:
    """Wait until the pause is over or one of the events is set."""
    pausing = asyncio.create_task(pause)
    tasks = [pausing, *(asyncio.create_task(event.wait()) for event in events)]
    try:
        await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        if pausing.done():
            pausing.result()
    finally:
        await cancel_and_wait(*tasks)


async def cancel_and_wait(*tasks: asyncio.Task[Any]) -> None:
    """Cancel the tasks, once a second, and wait until they have ended, in whatever way.

    One cancellation may get lost: before Python 3.12 ``asyncio.wait_for`` drops one that comes in
    the moment of its result, and pools of connections wait with it.
    """
    cancelled = None
    while pending := [task for task in tasks if not task.done()]:
        for task in pending:
            task.cancel()
        try:
            await asyncio.wait(pending, timeout=CANCEL_INTERVAL)
        except asyncio.CancelledError as also:  # the canceller is cancelled too, but later
            cancelled = also
    await asyncio.gather(*tasks, return_exceptions=True)  # no other code reads their results
    if cancelled:
        raise cancelled
