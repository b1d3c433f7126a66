"""Waiting for whatever comes first."""

import asyncio
from collections.abc import Coroutine


async def unless(pause: Coroutine[None, None, None], *events: asyncio.Event) -> None:
    """Wait until the pause is over, or one of the events is set."""
    waiting = asyncio.create_task(pause)
    tasks = [waiting, *(asyncio.create_task(event.wait()) for event in events)]
    try:
        await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        if waiting.done():
            waiting.result()
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
