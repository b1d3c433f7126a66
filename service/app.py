"""The ASGI application: routes, what they depend on, and what runs beside them."""

import asyncio
import multiprocessing
import os
import threading
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from functools import partial
from typing import NamedTuple, TypedDict, Unpack

import structlog
from litestar import Litestar, MediaType, Router, get
from litestar.di import Provide
from litestar.types import ASGIApp

from projections.store import Views as PostgresViews
from replay.keys import Keyring, fresh_name
from replay.keys import load as load_keys
from replay.notes import SigningKey
from service import callers, logs, routes_bulk, telemetry
from service.admin import Gate, MemoryRecord, PostgresRecord, Record, with_gate
from service.admin_app import Listen, Operator, listener
from service.autoplay import Autoplay
from service.beside import Follow, beside, following, publishing
from service.clocks import Clocks
from service.commits import Hear, hear
from service.cycles import collect_seldom
from service.deadlines import Deadlines
from service.deliveries import Deliveries
from service.description import text
from service.games import Games
from service.join_codes import JoinCodes, MemoryJoinCodes, PostgresJoinCodes
from service.limits import Limits, limits, with_limits
from service.orphans import Adopt, adopt
from service.problems import answer
from service.publisher import PublicLog, Publisher, in_memory_log
from service.routes import WRITES
from service.routes_bulk import BULK
from service.routes_bundle import AT_ONCE, BUNDLE
from service.routes_docs import DOCS
from service.routes_events import EVENTS
from service.routes_lobby import LOBBY
from service.routes_log import LOG
from service.routes_read import READS
from service.routes_rules import RULES
from service.routes_views import HEALTH, VIEWS
from service.routes_webhooks import HOOKS
from service.seats import Credentials, MemoryCredentials, PostgresCredentials
from service.security import with_security_headers
from service.sender import Sender
from service.settings import Settings, keys_folder, load, published_folder, witnesses
from service.shutdown import on_termination
from service.signer import signer
from service.store import MemoryStore, PostgresStore, Store
from service.streams import Streams
from service.telemetry import with_spans
from service.transport import (
    StrictRequest,
    require_single_parameters,
    with_access_log,
    with_all_methods,
    with_prompt_bodies,
    with_request_ids,
)
from service.tree_postgres import PostgresTree
from service.views import MemoryViews, Views
from service.webhooks_store import Webhooks
from service.worker import follow

LARGEST_BODY = 64 * 1024  # bytes
GATE = "gate"
"""The key in the application's state of what says whether commands are taken."""

log = structlog.get_logger("phaseledger.app")


class Parts(NamedTuple):
    """What the service stands on. ``follow`` is None where somebody else keeps the views up."""

    store: Store
    credentials: Credentials
    views: Views
    keys: Keyring
    follow: Follow | None = None
    log: PublicLog | None = None
    """None: in memory."""
    hear: Hear | None = None
    """None where no other process writes to the log."""
    adopt: Adopt | None = None
    """None where no other process plays; else it looks at all games first."""
    record: Record | None = None
    """Of admin actions; None: in memory."""
    codes: JoinCodes | None = None
    """Of private tables; None: in memory."""
    deliveries: Deliveries | None = None
    """Of webhooks; None: there are none."""


def in_memory() -> Parts:
    """Parts that are gone with the process."""
    store = MemoryStore()
    keys = Keyring((SigningKey.new(fresh_name()),))
    return Parts(store, MemoryCredentials(), MemoryViews(store), keys)


def in_postgres(settings: Settings) -> Parts:
    """Parts in the settings' database, which is migrated already."""
    dsn, schema = settings.database_url, settings.schema
    store = PostgresStore(dsn, schema=schema, grouping=settings.grouping, unsafe=settings.unsafe)

    async def keep_up(stop: asyncio.Event) -> None:
        await follow(store, dsn, stop, schema=schema)

    keys = load_keys(keys_folder(settings))
    by = signer(keys, settings.log_origin, published_folder(settings))
    tree = PostgresTree(dsn, by.origin, schema=schema)
    return Parts(
        store,
        PostgresCredentials(dsn, schema=schema, lifetime=86_400 * settings.token_days),
        PostgresViews(dsn, schema),
        keys,
        keep_up if settings.projections else None,
        PublicLog(Publisher(store, tree, by), witnesses(settings)),
        partial(hear, dsn, schema=schema),
        partial(adopt, dsn, schema=schema),
        PostgresRecord(dsn, schema=schema),
        PostgresJoinCodes(dsn, schema=schema),
        Deliveries(
            store,
            Webhooks(dsn, schema=schema),
            Sender(allow_private=settings.webhook_allow_private),
        ),
    )


class Options(TypedDict, total=False):
    """What `routes` may be told beside the parts."""

    cached: int
    patience: float
    reveal_seconds: int
    require_if_match: bool
    ready_lag: int
    heartbeat: float
    max_streams: int
    listen: Listen | None


def routes(
    parts: Parts,
    *,
    cached: int = 2_000,
    patience: float = 10.0,
    reveal_seconds: int = 120,
    require_if_match: bool = False,
    ready_lag: int = 0,
    heartbeat: float = 15.0,
    max_streams: int = 2_000,
    listen: Listen | None = None,
) -> Litestar:
    """The application without what is wrapped around it; ``patience`` is for waiting reads."""
    public = parts.log or in_memory_log(parts.store, parts.keys)
    games = Games(parts.store, cached, patience, reveal_seconds, public.tree)
    streams = Streams(games, reveal_seconds, heartbeat=heartbeat, most=max_streams)
    record, codes = parts.record or MemoryRecord(), parts.codes or MemoryJoinCodes()
    gate = Gate(record)
    service = callers.Service(
        games,
        parts.credentials,
        parts.views,
        parts.store,
        parts.keys,
        reveal_seconds,
        public,
        codes,
        gate,
        streams,
        asyncio.Semaphore(AT_ONCE),
        asyncio.Semaphore(routes_bulk.AT_ONCE),
        parts.deliveries,
        require_if_match,
        ready_lag,
    )

    def part() -> None:
        """Let everybody go who waits, since the process is about to stop."""
        streams.close()
        games.patience = 0

    @asynccontextmanager
    async def running(app: Litestar) -> AsyncIterator[None]:
        async with AsyncExitStack() as stack:
            await stack.enter_async_context(parts.store)
            stack.push_async_callback(parts.credentials.close)
            await parts.credentials.open()
            stack.push_async_callback(record.close)
            await record.open()
            stack.callback(telemetry.stop)
            await stack.enter_async_context(beside(gate.watch()))
            if isinstance(parts.views, PostgresViews):
                await stack.enter_async_context(parts.views)
            stack.push_async_callback(public.tree.close)
            await public.tree.open()
            await stack.enter_async_context(publishing(public.publisher, app.state))
            if parts.follow is not None:
                await stack.enter_async_context(following(parts.follow, app.state))
            stack.push_async_callback(codes.close)
            await codes.open()
            autoplay, deadlines = Autoplay(games), Deadlines(games, reveal_seconds)
            stack.push_async_callback(Clocks(games).close)
            stack.push_async_callback(autoplay.close)
            stack.push_async_callback(deadlines.close)
            await stack.enter_async_context(streams.kept_up())
            stack.enter_context(on_termination(part))
            if parts.hear is not None:
                await stack.enter_async_context(beside(parts.hear(streams)))
            resumed = parts.adopt(games, autoplay) if parts.adopt else autoplay.resume()
            await stack.enter_async_context(beside(resumed))
            if parts.deliveries is not None:
                games.watchers.append(parts.deliveries.wake)
                await stack.enter_async_context(parts.deliveries)
                await stack.enter_async_context(beside(parts.deliveries.run()))
            if listen is not None:
                await stack.enter_async_context(listen(Operator(service, record, app.state)))
            yield

    @get("/openapi.json", media_type=MediaType.JSON)
    async def description() -> bytes:
        return openapi

    written = [*WRITES, *LOBBY, *HOOKS]
    read = [*READS, *EVENTS, *RULES, *VIEWS, *LOG, *BUNDLE, *BULK]
    app = Litestar(
        [Router("/v1", route_handlers=[*written, *read, description]), *HEALTH, *DOCS],
        request_class=StrictRequest,
        before_request=require_single_parameters,
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
    app.state[GATE] = gate
    return app


def create_app(
    parts: Parts, *, limits: Limits | None = None, **options: Unpack[Options]
) -> ASGIApp:
    """The whole application, with the options of `routes`."""
    inner = routes(parts, **options)
    app = with_prompt_bodies(with_all_methods(inner))
    app = with_limits(with_gate(app, inner.state[GATE]), limits)
    return with_request_ids(with_spans(with_access_log(with_security_headers(app))))


def serving() -> ASGIApp:
    """The application of a server process, by the settings in its environment."""
    logs.configure()
    _end_with_parent()
    settings = load(os.environ)
    telemetry.use(telemetry.provider(os.environ))
    app = create_app(
        in_postgres(settings),
        limits=limits(settings),
        cached=settings.cached_games,
        reveal_seconds=settings.reveal_seconds,
        require_if_match=settings.require_if_match,
        ready_lag=settings.ready_lag,
        heartbeat=settings.heartbeat_seconds,
        max_streams=settings.max_streams,
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
