"""The application's lifespan: its background tasks and connections, from opening to closing."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager

from litestar.datastructures import State

from phaseledger.projections.store import PostgresViews as PostgresViews
from phaseledger.service.api.readiness import STOPPED, UNSIGNED
from phaseledger.service.components import Components
from phaseledger.service.games.service import GameService
from phaseledger.service.partitions.routing import ByPartition, Partition
from phaseledger.service.readmodels.follower import ProjectionStopped
from phaseledger.service.runtime import logs
from phaseledger.service.runtime.background import Until, in_background, log
from phaseledger.service.transparency.errors import TreeError
from phaseledger.service.transparency.leaves import UnknownLeaf
from phaseledger.service.transparency.publisher import Publisher
from phaseledger.service.transparency.signer import SigningRefused


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


async def _opened(stack: AsyncExitStack, each: ByPartition[Partition]) -> None:
    for one in each.each:
        await stack.enter_async_context(one.store)


async def _kept_up(
    stack: AsyncExitStack, each: ByPartition[Partition], parts: Components, state: State
) -> None:
    """Open the views and the public logs, and keep them up with their event logs."""
    for one in each.each:
        if isinstance(one.views, PostgresViews):
            await stack.enter_async_context(one.views)
        stack.push_async_callback(one.log.tree.close)
        await one.log.tree.open()
        await stack.enter_async_context(publishing(one.log.publisher, state))
    for follow in (one.follow for one in parts.all()):
        if follow is not None:
            await stack.enter_async_context(following(follow, state))


async def _delivering(
    stack: AsyncExitStack, each: ByPartition[Partition], games: GameService
) -> None:
    for deliveries in (one.deliveries for one in each.each):
        if deliveries is not None:
            games.watchers.append(deliveries.wake)
            await stack.enter_async_context(deliveries)
            await stack.enter_async_context(in_background(deliveries.run()))
