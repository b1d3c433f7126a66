"""The ASGI application: routes, their dependencies, middleware and lifespan."""

import asyncio
import multiprocessing
import os
import threading
from collections.abc import Callable, Sequence
from contextlib import AbstractAsyncContextManager
from functools import cache, partial
from typing import Any, Self, TypeAlias

import structlog
from litestar import Litestar, MediaType, Router, get
from litestar.di import Provide
from litestar.handlers import BaseRouteHandler
from litestar.types import ASGIApp, Scope
from msgspec import Struct

from phaseledger.service.api import auth
from phaseledger.service.api.dependencies import SERVICE, Service
from phaseledger.service.api.health_monitor import HealthMonitor, ReadyBounds
from phaseledger.service.api.limits.attempts import AttemptLimits
from phaseledger.service.api.limits.rates import Limits, limits
from phaseledger.service.api.limits.slots import Slots
from phaseledger.service.api.openapi.document import text
from phaseledger.service.api.operator.listener import ListenerFactory, listener
from phaseledger.service.api.problems.details import answer
from phaseledger.service.api.requests.client_address import origin, origin_of
from phaseledger.service.api.requests.parameters import (
    LARGEST_BODY,
    StrictRequest,
    require_exact_parameters,
)
from phaseledger.service.api.routes import (
    bundle,
    docs,
    events,
    exports,
    frames,
    lobby,
    play,
    projections,
    reads,
    replays,
    rules,
    webhooks,
)
from phaseledger.service.api.routes import games as game_routes
from phaseledger.service.api.routes import log as log_routes
from phaseledger.service.api.stack import Stack
from phaseledger.service.automation.table_expiry import ENDLESS, Lifetimes
from phaseledger.service.components import Components, in_postgres
from phaseledger.service.games.bounds import UNBOUNDED, EventBounds
from phaseledger.service.games.quarantine import Quarantine
from phaseledger.service.games.writer import GameService
from phaseledger.service.lifespan import running
from phaseledger.service.lobby.table_quotas import TableQuotas
from phaseledger.service.operations import Gate
from phaseledger.service.quotas.open_tables import OpenTables, event_policy
from phaseledger.service.runtime import logs, tracing
from phaseledger.service.runtime.process import collect_seldom, switch_often
from phaseledger.service.runtime.shutdown import Shutdown
from phaseledger.service.settings import allowed_origins, load
from phaseledger.service.streams.hub import Streams

Lifespan: TypeAlias = AbstractAsyncContextManager[None]

log = structlog.get_logger("phaseledger.app")


class AppOptions(Struct, frozen=True, kw_only=True):
    """The options of the application, whatever its components. Times are in seconds."""

    ledger: int = 0
    """The ledger's number, which ids of new games have; 0: none."""
    cached: int = 2_000
    """How many games to keep in memory."""
    patience: float = 10.0
    """How long reads wait for a version."""
    reveal_seconds: int = 120
    """How long a sealed table waits for secrets that its terms set no time for."""
    lifetimes: Lifetimes = ENDLESS
    """How long tables stay open."""
    quotas: tuple[int, int] = (0, 0)
    """How many open tables, and games of bots alone, one address may have; 0: any number."""
    events: tuple[float, int] = (0, 0)
    """How many events a second an address's tables may write for long, and how many at once; 0:
    any number.
    """
    bots_alone: float = 0
    """For how long bots play alone while nobody watches; 0: for ever."""
    bounds: EventBounds = UNBOUNDED
    """How many events a lobby and a game may have."""
    require_if_match: bool = False
    web: bool = True
    """Whether there are pages for people, at `/play`."""
    ready_lag: int = 0
    """By how many events the views may be behind while all is well; 0: by any number."""
    ready_stall: float = 30.0
    """For how long views or signatures may stand still with events to take in; 0: for any time."""
    clock_tolerance: float = 5.0
    """By how much the node's clock may differ from the database's; 0: by anything."""
    heartbeat: float = 15.0
    """After how much silence a stream shows that it is alive."""
    max_streams: int = 2_000
    max_streams_per_address: int = 256
    origin: Callable[[Scope], bytes] = origin
    """The key of a request's address for limits."""
    allowed_origins: tuple[str, ...] = ()
    """The origins whose pages may call the API; `*` stands for all."""
    join_guesses: int = 0
    """Wrong join codes a minute that may come from an address; 0: any number."""
    root_path: str = ""
    """The path below which a proxy serves the application; empty: it has its host alone."""
    stop_seconds: float = 2.0
    """How long connections are given back for before the process stops."""
    listen: ListenerFactory | None = None
    """Runs the operator's listener."""
    start: Callable[[Lifespan], Lifespan] = lambda lifespan: lifespan
    """Wraps the application's lifespan, such as to tell that it has begun."""


USUAL = AppOptions()

V1 = (
    *(game_routes, lobby, webhooks, reads, events, rules, projections, log_routes, bundle, exports),
    *(frames, replays),
)
"""The parts of the API, in the order of its first release."""
ROUTES: tuple[tuple[str, Sequence[BaseRouteHandler]], ...] = (
    ("/v1", [handler for part in V1 for handler in part.HANDLERS]),
    ("/", [*projections.HEALTH, *docs.HANDLERS, *play.HANDLERS]),
)
"""All operations, by the path that they stand below."""


def service_of(parts: Components, options: AppOptions) -> Service:
    """The `Service` that handlers get, made of the parts."""
    games = GameService(
        parts.store,
        cached=options.cached,
        patience=options.patience,
        reveal_seconds=options.reveal_seconds,
        tree=parts.log.tree,
        clock=parts.clock,
        quarantine=Quarantine(parts.store, parts.views),
        bounds=options.bounds,
        tables=OpenTables(options.quotas[1], event_policy(*options.events)),
    )
    streams = Streams(
        games,
        options.reveal_seconds,
        heartbeat=options.heartbeat,
        most=options.max_streams,
        most_each=options.max_streams_per_address,
    )
    return Service(
        games=games,
        credentials=parts.credentials,
        views=parts.views,
        store=parts.store,
        log=parts.log,
        keys=parts.keys,
        reveal_seconds=options.reveal_seconds,
        codes=parts.codes,
        record=parts.record,
        gate=Gate(parts.record),
        shutdown=Shutdown(options.stop_seconds),
        streams=streams,
        quotas=TableQuotas(games, options.quotas[0]),
        bundling=asyncio.Semaphore(bundle.AT_ONCE),
        exports=Slots(exports.AT_ONCE, exports.AT_ONCE_EACH),
        framing=Slots(frames.AT_ONCE, frames.AT_ONCE_EACH),
        uploads=Slots(replays.UPLOADS_AT_ONCE, replays.UPLOADS_AT_ONCE_EACH),
        replaying=Slots(replays.AT_ONCE, replays.AT_ONCE_EACH),
        origin=options.origin,
        require_if_match=options.require_if_match,
        web=options.web,
        lifetimes=options.lifetimes,
        bots_alone=options.bots_alone,
        bounds=ReadyBounds(options.ready_lag, options.ready_stall, options.clock_tolerance),
        health=HealthMonitor(parts.store, parts.views, parts.log, parts.clock, parts.probe),
        attempts=AttemptLimits(options.join_guesses),
        deliveries=parts.deliveries,
        continuity=parts.continuity,
        ledger=options.ledger,
    )


def routes(parts: Components, options: AppOptions = USUAL) -> Litestar:
    """The application without its middleware."""
    service = service_of(parts, options)

    @get("/openapi.json", media_type=MediaType.JSON)
    async def description() -> bytes:
        return await asyncio.to_thread(document)

    app = Litestar(
        [
            *(_OwnRouter(path, route_handlers=_parsed(handlers)) for path, handlers in ROUTES),
            _OwnRouter("/v1", route_handlers=[description]),
        ],
        request_class=StrictRequest,
        before_request=require_exact_parameters,
        request_max_body_size=LARGEST_BODY,
        exception_handlers={Exception: answer},
        dependencies={
            "service": Provide(lambda: service, sync_to_thread=False),
            "viewer": Provide(auth.viewer),
            "seat": Provide(auth.seat),
            "host": Provide(auth.host),
            "caller": Provide(auth.caller),
            "presented": Provide(auth.presented),
            "sitting": Provide(auth.sitting),
            "member": Provide(auth.member),
        },
        lifespan=[lambda app: options.start(running(app.state, parts, service, options.listen))],
        openapi_config=None,
        logging_config=None,
    )
    document = cache(partial(text, app, options.root_path))  # made once, beside the loop
    app.state[SERVICE] = service
    return app


class _OwnRouter(Router):
    """A router of one application, which can do without the copy that applications make of one."""

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        return self


def _parsed(handlers: Sequence[BaseRouteHandler]) -> Sequence[BaseRouteHandler]:
    """The handlers, whose signatures are parsed once for every application of the process."""
    for handler in handlers:
        _ = handler.parsed_fn_signature
    return handlers


def create_app(
    parts: Components, options: AppOptions = USUAL, *, limits: Limits | None = None
) -> Stack:
    """The whole application: routes, and the stack around them."""
    litestar = routes(parts, options)
    service: Service = litestar.state[SERVICE]
    return Stack(
        litestar,
        service.gate,
        service.shutdown,
        limits=limits,
        origins=options.allowed_origins,
        root=options.root_path,
    )


def serving(start: Callable[[Lifespan], Lifespan] = USUAL.start) -> ASGIApp:
    """The application of a server process, by the settings in its environment."""
    settings = load(os.environ)
    logs.configure(settings.log_level)
    _end_with_parent()
    tracing.install_provider(tracing.provider(os.environ))
    options = AppOptions(
        ledger=settings.ledger,
        cached=settings.cached_games,
        reveal_seconds=settings.reveal_seconds,
        quotas=(settings.tables_per_address, settings.bot_games_per_address),
        events=(settings.event_rate, settings.event_burst),
        bots_alone=60 * settings.bots_alone_minutes,
        lifetimes=Lifetimes(settings.lobby_hours, settings.idle_days),
        bounds=EventBounds(settings.lobby_events, settings.game_events),
        require_if_match=settings.require_if_match,
        web=settings.web,
        ready_lag=settings.ready_lag,
        ready_stall=settings.ready_stall_seconds,
        clock_tolerance=settings.clock_tolerance_seconds,
        heartbeat=settings.heartbeat_seconds,
        max_streams=settings.max_streams,
        max_streams_per_address=settings.max_streams_per_address,
        origin=origin_of(settings),
        allowed_origins=allowed_origins(settings),
        join_guesses=settings.join_guesses,
        root_path=settings.root_path,
        stop_seconds=settings.stop_seconds,
        listen=listener(settings),
        start=start,
    )
    app = create_app(in_postgres(settings), options, limits=limits(settings))
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
        os._exit(1)  # nobody is left to stop it in order, and the log is durable

    threading.Thread(target=watch, daemon=True).start()
