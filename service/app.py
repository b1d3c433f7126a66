"""The ASGI application: routes, what they depend on, and what runs beside them."""

import asyncio
import multiprocessing
import os
import threading
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from typing import TypedDict, Unpack

import structlog
from litestar import Litestar, MediaType, Router, get
from litestar.di import Provide
from litestar.types import ASGIApp, ControllerRouterHandler, Scope

from phaseledger.service.api import auth as callers
from phaseledger.service.api.client_address import origin, origin_of
from phaseledger.service.api.command_fast_path import with_plain_commands
from phaseledger.service.api.middleware import (
    with_access_log,
    with_all_methods,
    with_gate,
    with_prompt_bodies,
    with_request_ids,
    with_security_headers,
    with_small_heads,
    with_spans,
)
from phaseledger.service.api.openapi.document import text
from phaseledger.service.api.operator_api import ListenerFactory, Operator, listener
from phaseledger.service.api.problems import answer
from phaseledger.service.api.rate_limits import Limits, limits, with_limits
from phaseledger.service.api.requests import LARGEST_BODY, StrictRequest, require_exact_parameters
from phaseledger.service.api.routes import (
    bundle,
    docs,
    events,
    exports,
    lobby,
    projections,
    reads,
    rules,
    webhooks,
)
from phaseledger.service.api.routes import games as game_routes
from phaseledger.service.api.routes import log as log_routes
from phaseledger.service.automation.bots import Autoplay
from phaseledger.service.automation.reveal_deadlines import Deadlines
from phaseledger.service.automation.turn_clocks import Clocks
from phaseledger.service.components import (
    Components,
    in_memory,
    in_postgres,
    joint_codes,
    joint_credentials,
    joint_store,
    joint_views,
    new_games,
    partition,
)
from phaseledger.service.games.service import GameService
from phaseledger.service.lifespan import _delivering, _kept_up, _opened
from phaseledger.service.operations import Gate, MemoryAdminLog
from phaseledger.service.partitions.routing import ByPartition
from phaseledger.service.runtime import logs
from phaseledger.service.runtime import tracing as telemetry
from phaseledger.service.runtime.background import in_background
from phaseledger.service.runtime.process import collect_seldom, on_termination
from phaseledger.service.settings import load
from phaseledger.service.streams.hub import Streams

__all__ = ["Components", "create_app", "in_memory", "in_postgres", "routes", "serving"]

SERVICE = "service"
"""The key in the application's state of what handlers work with."""

log = structlog.get_logger("phaseledger.app")


class AppOptions(TypedDict, total=False):
    """What `routes` may be told beside the parts."""

    cached: int
    patience: float
    reveal_seconds: int
    require_if_match: bool
    ready_lag: int
    heartbeat: float
    max_streams: int
    max_streams_per_address: int
    origin: Callable[[Scope], bytes]
    listen: ListenerFactory | None


V1 = (game_routes, lobby, webhooks, reads, events, rules, projections, log_routes, bundle, exports)
"""The parts of the API, in the order of its first release."""
ROUTES: tuple[tuple[str, Sequence[ControllerRouterHandler]], ...] = (
    ("/v1", [handler for part in V1 for handler in part.HANDLERS]),
    ("/", [*projections.HEALTH, *docs.HANDLERS]),
)
"""All operations, by the path that they stand below."""


def routes(
    parts: Components,
    *,
    cached: int = 2_000,
    patience: float = 10.0,
    reveal_seconds: int = 120,
    require_if_match: bool = False,
    ready_lag: int = 0,
    heartbeat: float = 15.0,
    max_streams: int = 2_000,
    max_streams_per_address: int = 256,
    origin: Callable[[Scope], bytes] = origin,
    listen: ListenerFactory | None = None,
) -> Litestar:
    """The application without what is wrapped around it; ``patience`` is for waiting reads."""
    each = ByPartition([partition(number, one) for number, one in enumerate(parts.all(), 1)])
    store = joint_store(parts)
    games = GameService(
        store, cached, patience, reveal_seconds, lambda game: each.of(game).log.tree
    )
    streams = Streams(
        games,
        reveal_seconds,
        heartbeat=heartbeat,
        most=max_streams,
        most_each=max_streams_per_address,
    )
    record, codes = parts.record or MemoryAdminLog(), joint_codes(parts)
    credentials, gate = joint_credentials(parts), Gate(record)
    service = callers.Service(
        games=games,
        credentials=credentials,
        views=joint_views(parts),
        store=store,
        keys=parts.keys,
        reveal_seconds=reveal_seconds,
        partitions=each,
        new_game=new_games(parts, store),
        codes=codes,
        gate=gate,
        streams=streams,
        bundling=asyncio.Semaphore(bundle.AT_ONCE),
        exports=asyncio.Semaphore(exports.AT_ONCE),
        origin=origin,
        require_if_match=require_if_match,
        ready_lag=ready_lag,
    )

    def let_go() -> None:
        """Let everybody go who waits, since the process is about to stop."""
        streams.close()
        games.patience = 0

    @asynccontextmanager
    async def running(app: Litestar) -> AsyncIterator[None]:
        async with AsyncExitStack() as stack:
            await _opened(stack, each)
            stack.push_async_callback(credentials.close)
            await credentials.open()
            stack.push_async_callback(record.close)
            await record.open()
            stack.callback(telemetry.stop)
            await stack.enter_async_context(in_background(gate.watch()))
            await _kept_up(stack, each, parts, app.state)
            stack.push_async_callback(codes.close)
            await codes.open()
            autoplay, deadlines = Autoplay(games), Deadlines(games, reveal_seconds)
            stack.push_async_callback(Clocks(games).close)
            stack.push_async_callback(autoplay.close)
            stack.push_async_callback(deadlines.close)
            await stack.enter_async_context(streams.kept_up())
            stack.enter_context(on_termination(let_go))
            for one in parts.all():
                if one.hear is not None:
                    await stack.enter_async_context(in_background(one.hear(streams)))
                resumed = one.adopt(games, autoplay) if one.adopt else autoplay.resume(one.store)
                await stack.enter_async_context(in_background(resumed))
            await _delivering(stack, each, games)
            if listen is not None:
                await stack.enter_async_context(listen(Operator(service, record, app.state)))
            yield

    @get("/openapi.json", media_type=MediaType.JSON)
    async def description() -> bytes:
        return openapi

    app = Litestar(
        [
            *(Router(path, route_handlers=handlers) for path, handlers in ROUTES),
            Router("/v1", route_handlers=[description]),
        ],
        request_class=StrictRequest,
        before_request=require_exact_parameters,
        request_max_body_size=LARGEST_BODY,
        exception_handlers={Exception: answer},
        dependencies={
            "service": Provide(lambda: service, sync_to_thread=False),
            "viewer": Provide(callers.viewer),
            "seat": Provide(callers.seat),
            "host": Provide(callers.host),
            "caller": Provide(callers.caller),
            "sitting": Provide(callers.sitting),
            "member": Provide(callers.member),
        },
        lifespan=[running],
        openapi_config=None,
        logging_config=None,
    )
    openapi = text(app)
    app.state[SERVICE] = service
    return app


def create_app(
    parts: Components, *, limits: Limits | None = None, **options: Unpack[AppOptions]
) -> ASGIApp:
    """The whole application, with the options of `routes`."""
    inner = routes(parts, **options)
    service: callers.Service = inner.state[SERVICE]
    app = with_prompt_bodies(with_all_methods(with_plain_commands(inner, service)))
    app = with_limits(with_small_heads(with_gate(app, service.gate)), limits)
    return with_request_ids(with_spans(with_access_log(with_security_headers(app))))


def serving() -> ASGIApp:
    """The application of a server process, by the settings in its environment."""
    logs.configure()
    _end_with_parent()
    settings = load(os.environ)
    telemetry.install_provider(telemetry.provider(os.environ))
    app = create_app(
        in_postgres(settings),
        limits=limits(settings),
        cached=settings.cached_games,
        reveal_seconds=settings.reveal_seconds,
        require_if_match=settings.require_if_match,
        ready_lag=settings.ready_lag,
        heartbeat=settings.heartbeat_seconds,
        max_streams=settings.max_streams,
        max_streams_per_address=settings.max_streams_per_address,
        origin=origin_of(settings),
        listen=listener(settings),
    )
    collect_seldom()
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
