"""What runs beside the application: it ends with it, and says when it ends before."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any

import structlog

from phaseledger.service.runtime import logs
from phaseledger.service.runtime.tasks import cancel_and_wait

log = structlog.get_logger("phaseledger.app")

Until = Callable[[asyncio.Event], Awaitable[None]]
"""Works until the event is set."""


@asynccontextmanager
async def in_background(work: Any) -> AsyncIterator[None]:  # noqa: ANN401 - a coroutine
    """Run the work beside the block, and no longer than it."""

    async def watched() -> None:
        try:
            await work
        except Exception as bug:  # noqa: BLE001 - nobody awaits the work, so it is told here
            log.critical("background work failed", **logs.trace(bug))

    task = asyncio.create_task(watched())
    try:
        yield
    finally:
        await cancel_and_wait(task)
