"""What runs beside the application: it ends with it, and says when it ends before."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any

import structlog
from litestar.datastructures import State

from service import logs
from service.leaves import UnknownLeaf
from service.publisher import Publisher
from service.readiness import STOPPED, UNSIGNED
from service.signer import SigningRefused
from service.tree import TreeError
from service.worker import ProjectionStopped

log = structlog.get_logger("phaseledger.app")

Follow = Callable[[asyncio.Event], Awaitable[None]]
"""Keeps the views up with the log until the event is set."""


@asynccontextmanager
async def beside(work: Any) -> AsyncIterator[None]:  # noqa: ANN401 - a coroutine
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
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


@asynccontextmanager
async def following(keep_up: Follow, state: State) -> AsyncIterator[None]:
    """Keep the views up beside the block; where that ends early, the state says so."""
    stop = asyncio.Event()

    async def watched() -> None:
        try:
            await keep_up(stop)
        except ProjectionStopped as stopped:
            log.critical("projections stopped", reason=str(stopped))
        except Exception as bug:  # noqa: BLE001 - reads of the views go on, and say how far behind
            log.critical("projections stopped", **logs.trace(bug))
        state[STOPPED] = not stop.is_set()

    task = asyncio.create_task(watched())
    try:
        yield
    finally:
        stop.set()
        await task


@asynccontextmanager
async def publishing(publisher: Publisher, state: State) -> AsyncIterator[None]:
    """Sign the public log beside the block; where that ends early, the state says so."""
    stop = asyncio.Event()

    async def watched() -> None:
        try:
            await publisher.run(stop)
        except (SigningRefused, UnknownLeaf, TreeError) as refused:
            log.critical("the public log is not signed", reason=str(refused))
        except Exception as bug:  # noqa: BLE001 - games go on, and readiness tells it
            log.critical("the public log is not signed", **logs.trace(bug))
        state[UNSIGNED] = not stop.is_set()

    task = asyncio.create_task(watched())
    try:
        yield
    finally:
        stop.set()
        await task
