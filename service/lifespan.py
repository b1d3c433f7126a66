"""The application's lifespan: its background tasks and connections, from opening to closing."""

from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager, suppress
from functools import partial

from litestar.datastructures import State

from phaseledger.projections.views import PostgresViews as PostgresViews
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
) -> AsyncIterator[None]:
    """Open the service's components, run their background tasks, and play for bots and the absent.

    Everything is closed in the opposite order. ``listen`` runs the operator's listener.
    """
    games = service.games

    def release_waiting() -> None:
        """End all streams and waiting reads, since the process is about to stop."""
        service.shutdown.begin()
        service.streams.close()
        games.patience = 0

    if parts.continuity is not None:
        parts.continuity.watchers += [games.cache.distrust, parts.credentials.distrust]
        if parts.deliveries is not None:
            parts.continuity.watchers.append(parts.deliveries.distrust)

    async with AsyncExitStack() as stack:
        await _open_log(stack, parts)
        stack.push_async_callback(parts.credentials.close)
        await parts.credentials.open()
        stack.push_async_callback(parts.record.close)
        await parts.record.open()
        stack.callback(tracing.stop)
        await stack.enter_async_context(in_background(service.gate.watch))
        await _keep_up(stack, parts, state)
        stack.push_async_callback(service.health.close)
        await stack.enter_async_context(in_background(service.health.watch))
        stack.push_async_callback(games.quarantine.close)
        await games.quarantine.look()
        await stack.enter_async_context(in_background(games.quarantine.watch))
        stack.push_async_callback(parts.codes.close)
        await parts.codes.open()
        stack.enter_context(on_termination(release_waiting, service.shutdown.linger))
        await _play(stack, parts, service)
        if parts.deliveries is not None:
            games.watchers.append(parts.deliveries.hear)
            await stack.enter_async_context(parts.deliveries)
            await stack.enter_async_context(in_background(parts.deliveries.run))
        if listen is not None:
            await stack.enter_async_context(listen(Operator(service, service.record, state)))
        yield


async def _open_log(stack: AsyncExitStack, parts: Components) -> None:
    await stack.enter_async_context(parts.store)
    stack.push_async_callback(parts.clock.close)
    await parts.clock.open()
    if parts.probe is not None:
        with suppress(StoreUnavailable):  # which readiness tells
            await parts.probe.try_write()


async def _keep_up(stack: AsyncExitStack, parts: Components, state: State) -> None:
    """Open the views and the public log, and keep them up with the event log."""
    if isinstance(parts.views, PostgresViews):
        await stack.enter_async_context(parts.views)
    stack.push_async_callback(parts.log.tree.close)
    await parts.log.tree.open()
    await stack.enter_async_context(publishing(parts.log.publisher, state))
    if parts.follow is not None:
        await stack.enter_async_context(following(parts.follow, state))


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
    if parts.hear is not None:
        await stack.enter_async_context(in_background(partial(parts.hear, service.streams)))
    resume = partial(parts.adopt, games, autoplay) if parts.adopt else autoplay.resume
    await stack.enter_async_context(in_background(resume))
    expire = partial(close_expired, games, service.lifetimes)
    await stack.enter_async_context(in_background(expire))
