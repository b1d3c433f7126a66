"""The application's lifespan: its background tasks and connections, from opening to closing."""

from collections.abc import AsyncIterator, Sequence
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager, suppress
from functools import partial

from litestar.datastructures import State

from phaseledger.projections.store import PostgresViews as PostgresViews
from phaseledger.service.api.dependencies import Service
from phaseledger.service.api.operator.actions import Operator
from phaseledger.service.api.operator.listener import ListenerFactory
from phaseledger.service.api.readiness import STOPPED, UNSIGNED
from phaseledger.service.automation.bots import Autoplay
from phaseledger.service.automation.due_games import DueNotes
from phaseledger.service.automation.overlong_games import OverlongGames
from phaseledger.service.automation.reveal_deadlines import Deadlines
from phaseledger.service.automation.table_expiry import close_expired
from phaseledger.service.automation.turn_clocks import Clocks
from phaseledger.service.components import Components
from phaseledger.service.eventlog.errors import StoreUnavailable
from phaseledger.service.games.service import GameService
from phaseledger.service.partitions.routing import ByPartition, Partition
from phaseledger.service.quotas.token_buckets import RateLimitPolicy
from phaseledger.service.runtime import tracing
from phaseledger.service.runtime.background import (
    Report,
    Until,
    in_background,
    in_background_until,
)
from phaseledger.service.runtime.process import on_termination
from phaseledger.service.transparency.errors import TreeError
from phaseledger.service.transparency.leaves import UnknownLeaf
from phaseledger.service.transparency.publisher import Publisher
from phaseledger.service.transparency.signer import SigningRefused


def following(keep_up: Until, state: State) -> AbstractAsyncContextManager[None]:
    """Keep the views up beside the block; while that fails, `STOPPED` is true in the state."""
    expected, report = (StoreUnavailable,), _flag(state, STOPPED)
    return in_background_until(keep_up, "projections stopped", expected, report)


def publishing(publisher: Publisher, state: State) -> AbstractAsyncContextManager[None]:
    """Sign the public log beside the block; while that fails, `UNSIGNED` is true in the state."""
    expected = (SigningRefused, UnknownLeaf, TreeError)
    message = "the public log is not signed"
    return in_background_until(publisher.run, message, expected, _flag(state, UNSIGNED))


def _flag(state: State, name: str) -> Report:
    def report(failed: bool) -> None:
        state[name] = failed

    return report


@asynccontextmanager
async def running(
    state: State,
    parts: Components,
    service: Service,
    listen: ListenerFactory | None,
    policies: Sequence[RateLimitPolicy] = (),
) -> AsyncIterator[None]:
    """Open the service's components, run their background tasks, and play for bots and the absent.

    Everything is closed in the opposite order. ``listen`` runs the operator's listener; the buckets
    of ``policies`` are shared with other processes.
    """
    games = service.games

    def release_waiting() -> None:
        """End all streams and waiting reads, since the process is about to stop."""
        service.shutdown.begin()
        service.streams.close()
        games.patience = 0

    for components in parts.all():
        if components.continuity is not None:
            components.continuity.watchers += [
                games.cache.distrust,
                components.credentials.distrust,
            ]
            if components.deliveries is not None:
                components.continuity.watchers.append(components.deliveries.distrust)

    async with AsyncExitStack() as stack:
        await _open_logs(stack, service.partitions)
        stack.push_async_callback(service.credentials.close)
        await service.credentials.open()
        stack.push_async_callback(service.record.close)
        await service.record.open()
        stack.callback(tracing.stop)
        await stack.enter_async_context(in_background(service.gate.watch))
        await _keep_up(stack, service.partitions, parts, state)
        stack.push_async_callback(service.health.close)
        await stack.enter_async_context(in_background(service.health.watch))
        stack.push_async_callback(games.quarantine.close)
        await games.quarantine.look()
        await stack.enter_async_context(in_background(games.quarantine.watch))
        stack.push_async_callback(service.codes.close)
        await service.codes.open()
        if parts.share is not None:
            exchange = parts.share(policies, games.tables)
            await stack.enter_async_context(in_background(exchange.run))
        stack.enter_context(on_termination(release_waiting, service.shutdown.linger))
        await _play(stack, parts, service)
        await _deliver(stack, service.partitions, games)
        if listen is not None:
            await stack.enter_async_context(listen(Operator(service, service.record, state)))
        yield


async def _open_logs(stack: AsyncExitStack, partitions: ByPartition[Partition]) -> None:
    for partition in partitions.resources:
        await stack.enter_async_context(partition.store)
        stack.push_async_callback(partition.clock.close)
        await partition.clock.open()
        if partition.probe is not None:
            with suppress(StoreUnavailable):  # which readiness tells
                await partition.probe.try_write()


async def _keep_up(
    stack: AsyncExitStack, partitions: ByPartition[Partition], parts: Components, state: State
) -> None:
    """Open the views and the public logs, and keep them up with their event logs."""
    for partition in partitions.resources:
        if isinstance(partition.views, PostgresViews):
            await stack.enter_async_context(partition.views)
        stack.push_async_callback(partition.log.tree.close)
        await partition.log.tree.open()
        await stack.enter_async_context(publishing(partition.log.publisher, state))
    for components in parts.all():
        if components.follow is not None:
            await stack.enter_async_context(following(components.follow, state))


async def _play(stack: AsyncExitStack, parts: Components, service: Service) -> None:
    """Run bots, clocks and deadlines, also of games that another process has left."""
    games = service.games
    autoplay = Autoplay(games, service.bots_alone)
    deadlines = Deadlines(games, service.reveal_seconds)
    stack.push_async_callback(Clocks(games).close)
    stack.push_async_callback(OverlongGames(games).close)
    stack.push_async_callback(autoplay.close)
    stack.push_async_callback(deadlines.close)
    notes = DueNotes(games, games.store)
    games.watchers.append(notes.note)
    stack.push_async_callback(notes.flush)
    await stack.enter_async_context(in_background(notes.run))
    await stack.enter_async_context(service.streams.kept_up())
    for components in parts.all():
        if components.hear is not None:
            listen = partial(components.hear, service.streams)
            await stack.enter_async_context(in_background(listen))
        resume = (
            partial(components.adopt, games, autoplay)
            if components.adopt
            else partial(autoplay.resume, components.store)
        )
        await stack.enter_async_context(in_background(resume))
        expire = partial(close_expired, games, components.store, service.lifetimes)
        await stack.enter_async_context(in_background(expire))


async def _deliver(
    stack: AsyncExitStack, partitions: ByPartition[Partition], games: GameService
) -> None:
    for partition in partitions.resources:
        if partition.deliveries is not None:
            games.watchers.append(partition.deliveries.hear)
            await stack.enter_async_context(partition.deliveries)
            await stack.enter_async_context(in_background(partition.deliveries.run))
