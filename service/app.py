"""The composition of the service: its parts, what is made of them, and how it all runs.

It reads in the order in which things are made: the components, the service over them, its
lifespan, the application, the process.
"""

import asyncio
import multiprocessing
import os
import threading
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager, suppress
from functools import partial
from typing import TypeAlias

import structlog
from litestar import Litestar
from litestar.datastructures import State
from litestar.types import ASGIApp

from phaseledger.replay.formats.signing.keys import Keyring
from phaseledger.replay.formats.signing.keys import load as load_keys
from phaseledger.replay.formats.signing.receipts import sign_tree
from phaseledger.service.analyses.analyses import Analyses
from phaseledger.service.api.application import application
from phaseledger.service.api.dependencies import Components, RequestSlots, Service
from phaseledger.service.api.health_monitor import HealthMonitor
from phaseledger.service.api.limits.attempts import AttemptLimits
from phaseledger.service.api.limits.rates import limits
from phaseledger.service.api.limits.slots import Slots
from phaseledger.service.api.operator.listener import listener
from phaseledger.service.api.operator.record import Operator
from phaseledger.service.api.readiness import STOPPED, UNSIGNED
from phaseledger.service.api.routes import analysis, bundle, exports, frames, hints, replays
from phaseledger.service.api.stack import Stack
from phaseledger.service.applications.store import Applications
from phaseledger.service.automation.bots import Autoplay
from phaseledger.service.automation.due_games import DueNotes
from phaseledger.service.automation.overlong_games import OverlongGames
from phaseledger.service.automation.reveal_deadlines import Deadlines
from phaseledger.service.automation.table_expiry import Lifetimes, close_expired
from phaseledger.service.automation.takeover import adopt
from phaseledger.service.automation.turn_clocks import Clocks
from phaseledger.service.credentials.store import Credentials
from phaseledger.service.database.public_log import signer_of
from phaseledger.service.database.rights import look_at_rights, parts_of
from phaseledger.service.eventlog.clock import DatabaseClock
from phaseledger.service.eventlog.continuity import Continuity
from phaseledger.service.eventlog.errors import StoreUnavailable
from phaseledger.service.eventlog.measures import Measures
from phaseledger.service.eventlog.pool import CONNECTIONS, pool
from phaseledger.service.eventlog.postgres import PostgresStore
from phaseledger.service.eventlog.side_connection import SideConnection
from phaseledger.service.eventlog.write_probe import WriteProbe
from phaseledger.service.games.bounds import EventBounds
from phaseledger.service.games.quarantine import Quarantine
from phaseledger.service.games.writer import GameService
from phaseledger.service.lobby.join_codes import JoinCodes
from phaseledger.service.lobby.table_quotas import TableQuotas
from phaseledger.service.notices import web_push
from phaseledger.service.notices.notices import Notices
from phaseledger.service.operations import AdminLog, Gate
from phaseledger.service.players.retention import retained
from phaseledger.service.players.store import Players
from phaseledger.service.quotas.open_tables import OpenTables
from phaseledger.service.readmodels.follower import follow
from phaseledger.service.readmodels.views import Views
from phaseledger.service.runtime import logs, tracing
from phaseledger.service.runtime.background import Until, in_background, in_background_until
from phaseledger.service.runtime.process import collect_seldom, on_termination, switch_often
from phaseledger.service.runtime.shutdown import Shutdown
from phaseledger.service.settings import (
    Settings,
    allowed_origins,
    keys_folder,
    load,
    oidc_client,
    sealing_keys_of,
    trusted_proxies,
    witnesses,
)
from phaseledger.service.signin.sign_in import SignIn
from phaseledger.service.signin.store import PlayerSessions
from phaseledger.service.streams.hub import Streams
from phaseledger.service.streams.reactions import announce
from phaseledger.service.streams.remote_commits import listen_for_commits
from phaseledger.service.transparency.errors import TreeError
from phaseledger.service.transparency.leaves import UnknownLeaf
from phaseledger.service.transparency.publisher import PublicLog, Publisher
from phaseledger.service.transparency.signer import SigningRefused
from phaseledger.service.transparency.tree import Tree
from phaseledger.service.webhooks.delivery import Deliveries
from phaseledger.service.webhooks.sender import Sender
from phaseledger.service.webhooks.store import Webhooks

Lifespan: TypeAlias = AbstractAsyncContextManager[None]
LifespanWrapper: TypeAlias = Callable[[Lifespan], Lifespan]
"""Wraps the application's lifespan, such as to tell that it has begun."""

log = structlog.get_logger("phaseledger.app")


# --- the components -------------------------------------------------------------------------------


def in_postgres(settings: Settings, keys: Keyring | None = None) -> Components:
    """Components in the settings' database, which is migrated already; the keys are those of its
    folder, unless others are given.
    """
    dsn, schema = settings.database_url, settings.schema
    keys, sealing = keys or load_keys(keys_folder(settings)), sealing_keys_of(settings)
    continuity, beside = Continuity(), SideConnection(dsn)
    store = PostgresStore(
        dsn,
        schema=schema,
        unsafe=settings.unsafe,
        synchronous=settings.synchronous_standby,
        continuity=continuity,
        sealing=sealing,
        sign=partial(sign_tree, key=keys.current),
    )
    signer = signer_of(settings, keys)
    publisher = Publisher(store, Tree(dsn, signer.origin, schema=schema), signer)
    continuity.require = publisher.require_published
    publisher.doubted = continuity.doubt
    hooks = Webhooks(dsn, schema=schema, sealing=sealing)
    sender = Sender(allow_private=settings.webhook_allow_private)
    connections = pool(dsn, CONNECTIONS)
    credentials = Credentials(connections, schema=schema, lifetime=86_400 * settings.token_days)
    notices = None
    if settings.push_contact:
        key = web_push.load_or_new(keys_folder(settings), settings.push_contact)
        notices = Notices(store, credentials, hooks, sender, key)
    applications = Applications(connections, schema=schema, sealing=sealing)
    players = Players(connections, schema=schema)
    sessions = PlayerSessions(connections, schema=schema, days=settings.session_days)
    client = oidc_client(settings)
    rights = partial(look_at_rights, schema=schema, parts=parts_of(settings))
    return Components(
        store=store,
        credentials=credentials,
        applications=applications,
        players=players,
        sessions=sessions,
        views=Views(dsn, schema, sealing),
        keys=keys,
        log=PublicLog(publisher, witnesses(settings)),
        record=AdminLog(connections, schema=schema),
        codes=JoinCodes(connections, schema=schema, sealing=sealing),
        clock=DatabaseClock(beside),
        sign_in=SignIn(client, applications, players, sessions) if client else None,
        follow=partial(follow, store, dsn, schema=schema) if settings.projections else None,
        hear=partial(listen_for_commits, dsn, schema=schema),
        announce=partial(announce, beside),
        adopt=partial(adopt, dsn, schema=schema),
        deliveries=Deliveries(store, hooks, sender, notices=notices),
        notices=notices,
        probe=WriteProbe(beside, schema, rights),
        measures=Measures(beside, schema),
        continuity=continuity,
        connections=connections,
    )


# --- the service ----------------------------------------------------------------------------------


def service_over(parts: Components, settings: Settings) -> Service:
    """The service that handlers are given."""
    games = GameService(
        parts.store,
        cached=settings.cached_games,
        patience=settings.patience_seconds,
        reveal_seconds=settings.reveal_seconds,
        tree=parts.log.tree,
        clock=parts.clock,
        quarantine=Quarantine(parts.store, parts.views),
        bounds=EventBounds(settings.lobby_events, settings.game_events),
        tables=OpenTables.of(settings),
    )
    return Service(
        settings=settings,
        parts=parts,
        games=games,
        analyses=Analyses(games),
        streams=Streams(
            games,
            settings.reveal_seconds,
            heartbeat=settings.heartbeat_seconds,
            most=settings.max_streams,
            most_each=settings.max_streams_per_address,
        ),
        quotas=TableQuotas(games),
        attempts=AttemptLimits(settings.join_guesses, settings.player_joins),
        slots=RequestSlots(
            analyses=Slots(analysis.AT_ONCE, analysis.AT_ONCE_EACH),
            bundles=asyncio.Semaphore(bundle.AT_ONCE),
            exports=Slots(exports.AT_ONCE, exports.AT_ONCE_EACH),
            frames=Slots(frames.AT_ONCE, frames.AT_ONCE_EACH),
            hints=Slots(hints.AT_ONCE, hints.AT_ONCE_EACH),
            uploads=Slots(replays.UPLOADS_AT_ONCE, replays.UPLOADS_AT_ONCE_EACH),
            replays=Slots(replays.AT_ONCE, replays.AT_ONCE_EACH),
        ),
        gate=Gate(parts.record),
        shutdown=Shutdown(settings.stop_seconds),
        health=HealthMonitor(parts.store, parts.views, parts.log, parts.clock, parts.probe),
        proxies=trusted_proxies(settings),
    )


# --- its lifespan ---------------------------------------------------------------------------------


def following(keep_up: Until, state: State) -> Lifespan:
    """Keep the views up beside the block; while that fails, `STOPPED` is true in the state."""
    flag = partial(state.__setitem__, STOPPED)
    return in_background_until(keep_up, "projections stopped", (StoreUnavailable,), flag)


def publishing(publisher: Publisher, state: State) -> Lifespan:
    """Sign the public log beside the block; while that fails, `UNSIGNED` is true in the state."""
    expected = (SigningRefused, UnknownLeaf, TreeError)
    flag = partial(state.__setitem__, UNSIGNED)
    return in_background_until(publisher.run, "the public log is not signed", expected, flag)


@asynccontextmanager
async def running(service: Service, state: State) -> AsyncIterator[None]:
    """Open the service's components, run their background tasks, and play for bots and the absent.

    Everything is closed in the opposite order.
    """
    parts, games = service.parts, service.games

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
        await stack.enter_async_context(parts.store)
        await stack.enter_async_context(parts.clock)
        if parts.probe is not None:
            with suppress(StoreUnavailable):  # which readiness tells
                await parts.probe.try_write()
        if parts.connections is not None:
            await stack.enter_async_context(parts.connections)
        await stack.enter_async_context(parts.credentials)
        await stack.enter_async_context(parts.applications)
        await stack.enter_async_context(parts.players)
        await stack.enter_async_context(parts.sessions)
        if parts.sign_in is not None:
            await stack.enter_async_context(parts.sign_in)
        retain = partial(retained, parts.players, service.settings.player_days)
        await stack.enter_async_context(in_background(retain))
        await stack.enter_async_context(parts.record)
        stack.callback(tracing.stop)
        await stack.enter_async_context(in_background(service.gate.watch))
        await _keep_up(stack, parts, state)
        stack.push_async_callback(service.health.close)
        await stack.enter_async_context(in_background(service.health.watch))
        stack.push_async_callback(games.quarantine.close)
        await games.quarantine.look()
        await stack.enter_async_context(in_background(games.quarantine.watch))
        await stack.enter_async_context(parts.codes)
        stack.enter_context(on_termination(release_waiting, service.shutdown.linger))
        await _play(stack, service)
        stack.push_async_callback(service.analyses.close)
        if parts.deliveries is not None:
            games.watchers.append(parts.deliveries.hear)
            await stack.enter_async_context(parts.deliveries)
            await stack.enter_async_context(in_background(parts.deliveries.run))
        if parts.notices is not None:
            note = partial(parts.notices.note_presences, lambda: service.streams.seats)
            await stack.enter_async_context(in_background(note))
        if service.settings.admin_port:
            await stack.enter_async_context(listener(Operator(service, state)))
        yield


async def _keep_up(stack: AsyncExitStack, parts: Components, state: State) -> None:
    """Open the views and the public log, and keep them up with the event log."""
    await stack.enter_async_context(parts.views)
    await stack.enter_async_context(parts.log.tree)
    await stack.enter_async_context(publishing(parts.log.publisher, state))
    if parts.follow is not None:
        await stack.enter_async_context(following(parts.follow, state))


async def _play(stack: AsyncExitStack, service: Service) -> None:
    """Run bots, clocks and deadlines, also of games that another process has left."""
    parts, games, settings = service.parts, service.games, service.settings
    autoplay = Autoplay(games, settings.bots_alone_seconds)
    deadlines = Deadlines(games, settings.reveal_seconds)
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
    lifetimes = Lifetimes(settings.lobby_hours, settings.idle_days)
    await stack.enter_async_context(in_background(partial(close_expired, games, lifetimes)))


# --- the application ------------------------------------------------------------------------------


def routes(parts: Components, settings: Settings, start: LifespanWrapper | None = None) -> Litestar:
    """The application without its middleware."""
    service = service_over(parts, settings)

    def lifespan(state: State) -> Lifespan:
        ran = running(service, state)
        return start(ran) if start else ran

    return application(service, lifespan)


def create_app(
    parts: Components, settings: Settings, start: LifespanWrapper | None = None
) -> Stack:
    """The whole application: routes, and the stack around them."""
    app = routes(parts, settings, start)
    service: Service = app.state["service"]
    return Stack(
        app,
        service.gate,
        service.shutdown,
        limits=limits(settings, parts.applications.valid),
        origins=allowed_origins(settings),
        root=settings.root_path,
    )


# --- the process ----------------------------------------------------------------------------------


def serving(start: LifespanWrapper | None = None) -> ASGIApp:
    """The application of a server process, by the settings in its environment."""
    settings = load(os.environ)
    logs.configure(settings.log_level)
    _end_with_parent()
    tracing.install_provider(tracing.provider(os.environ))
    app = create_app(in_postgres(settings), settings, start)
    collect_seldom()
    switch_often()
    return app


def _end_with_parent() -> None:
    """End this process when the one that started it is killed, since an orphan keeps the port."""
    parent = multiprocessing.parent_process()
    if parent is None:
        return

    def watch() -> None:
        parent.join()
        log.critical("the process that started this one is gone")
        os._exit(1)  # no process is left to stop it in order, and the log is durable

    threading.Thread(target=watch, daemon=True).start()
