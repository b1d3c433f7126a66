"""What runs beside the application: it ends with it, and says when it ends before."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import Any

import structlog
from litestar.datastructures import State

from phaseledger.service.api.readiness import STOPPED, UNSIGNED
from phaseledger.service.readmodels.follower import ProjectionStopped
from phaseledger.service.runtime import logs
from phaseledger.service.runtime.tasks import ended
from phaseledger.service.transparency.leaves import UnknownLeaf
from phaseledger.service.transparency.publisher import Publisher
from phaseledger.service.transparency.signer import SigningRefused
from phaseledger.service.transparency.tree import TreeError

log = structlog.get_logger("phaseledger.app")

Until = Callable[[asyncio.Event], Awaitable[None]]
"""Works until the event is set."""


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
        await ended(task)


def following(keep_up: Until, state: State) -> AbstractAsyncContextManager[None]:
    """Keep the views up beside the block; where that ends early, the state says so."""
    return _watched(keep_up, state, STOPPED, "projections stopped", ProjectionStopped)


def publishing(publisher: Publisher, state: State) -> AbstractAsyncContextManager[None]:
    """Sign the public log beside the block; where that ends early, the state says so."""
    reasons = (SigningRefused, UnknownLeaf, TreeError)
    return _watched(publisher.run, state, UNSIGNED, "the public log is not signed", *reasons)


@asynccontextmanager
async def _watched(
    work: Until, state: State, early: str, told: str, *reasons: type[Exception]
) -> AsyncIterator[None]:
    """Run the work beside the block; where it ends ``early``, for these reasons or others, that is
    told, and games go on.
    """
    stop = asyncio.Event()

    async def watched() -> None:
        try:
            await work(stop)
        except reasons as known:
            log.critical(told, reason=str(known))
        except Exception as bug:  # noqa: BLE001 - readiness tells it, and reads say how far behind
            log.critical(told, **logs.trace(bug))
        state[early] = not stop.is_set()

    task = asyncio.create_task(watched())
    try:
        yield
    finally:
        stop.set()
        await task
