"""The ASGI application: routes, what they depend on, and what runs beside them."""

import asyncio
import multiprocessing
import os
import threading
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Any, NamedTuple

import structlog
from litestar import Litestar, MediaType, Router, get
from litestar.datastructures import State
from litestar.di import Provide
from litestar.types import ASGIApp

from projections.store import Views as PostgresViews
from replay.keys import Keyring, fresh_name
from replay.keys import load as load_keys
from replay.notes import SigningKey
from service import callers, logs
from service.autoplay import Autoplay
from service.deadlines import Deadlines
from service.description import text
from service.games import Games
from service.leaves import UnknownLeaf
from service.problems import answer
from service.publisher import PublicLog, Publisher, in_memory_log
from service.routes import WRITES
from service.routes_bundle import BUNDLE
from service.routes_log import LOG
from service.routes_read import READS
from service.routes_rules import RULES
from service.routes_views import HEALTH, STOPPED, UNSIGNED, VIEWS
from service.seats import Credentials, MemoryCredentials, PostgresCredentials
from service.settings import Settings, keys_folder, load, witnesses
from service.signer import SigningRefused, signer
from service.store import MemoryStore, PostgresStore, Store
from service.transport import StrictRequest, with_access_log, with_all_methods
from service.tree import TreeError
from service.tree_postgres import PostgresTree
from service.views import MemoryViews, Views
from service.worker import ProjectionStopped, follow

LARGEST_BODY = 64 * 1024  # bytes

log = structlog.get_logger("phaseledger.app")

Follow = Callable[[asyncio.Event], Awaitable[None]]
"""Keeps the views up with the log until the event is set."""


class Parts(NamedTuple):
    """What the service stands on. ``follow`` is None where somebody else keeps the views up."""

    store: Store
    credentials: Credentials
    views: Views
    keys: Keyring
    follow: Follow | None = None
    log: PublicLog | None = None
    """None: in memory."""


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

    folder = keys_folder(settings)
    keys = load_keys(folder)
    by = signer(keys, settings.log_origin, folder)
    tree = PostgresTree(dsn, by.origin, schema=schema)
    return Parts(
        store,
        PostgresCredentials(dsn, schema=schema),
        PostgresViews(dsn, schema),
        keys,
        keep_up if settings.projections else None,
        PublicLog(Publisher(store, tree, by), witnesses(settings)),
    )


def routes(
    parts: Parts, *, cached: int = 2_000, patience: float = 10.0, reveal_seconds: int = 120
) -> Litestar:
    """The application without what is wrapped around it; ``patience`` is for waiting reads."""
    games = Games(parts.store, cached, patience)
    public = parts.log or in_memory_log(parts.store, parts.keys)
    service = callers.Service(
        games, parts.credentials, parts.views, parts.store, parts.keys, reveal_seconds, public
    )

    @asynccontextmanager
    async def running(app: Litestar) -> AsyncIterator[None]:
        async with AsyncExitStack() as stack:
            await stack.enter_async_context(parts.store)
            stack.push_async_callback(parts.credentials.close)
            await parts.credentials.open()
            if isinstance(parts.views, PostgresViews):
                await stack.enter_async_context(parts.views)
            stack.push_async_callback(public.tree.close)
            await public.tree.open()
            await stack.enter_async_context(_publishing(public.publisher, app.state))
            if parts.follow is not None:
                await stack.enter_async_context(_following(parts.follow, app.state))
            autoplay, deadlines = Autoplay(games), Deadlines(games, reveal_seconds)
            stack.push_async_callback(autoplay.close)
            stack.push_async_callback(deadlines.close)
            await stack.enter_async_context(_beside(autoplay.resume()))
            yield

    @get("/openapi.json", media_type=MediaType.JSON)
    async def description() -> bytes:
        return openapi

    handlers = [*WRITES, *READS, *RULES, *VIEWS, *LOG, *BUNDLE, description]
    app = Litestar(
        [Router("/v1", route_handlers=handlers), *HEALTH],
        request_class=StrictRequest,
        request_max_body_size=LARGEST_BODY,
        exception_handlers={Exception: answer},
        dependencies={
            "service": Provide(lambda: service, sync_to_thread=False),
            "viewer": Provide(callers.viewer),
            "seat": Provide(callers.seat),
            "host": Provide(callers.host),
        },
        lifespan=[running],
        openapi_config=None,
        logging_config=None,
    )
    openapi = text(app)
    return app


def create_app(
    parts: Parts, *, cached: int = 2_000, patience: float = 10.0, reveal_seconds: int = 120
) -> ASGIApp:
    """The whole application."""
    app = routes(parts, cached=cached, patience=patience, reveal_seconds=reveal_seconds)
    return with_access_log(with_all_methods(app))


def serving() -> ASGIApp:
    """The application of a server process, by the settings in its environment."""
    logs.configure()
    _end_with_parent()
    settings = load(os.environ)
    return create_app(
        in_postgres(settings),
        cached=settings.cached_games,
        reveal_seconds=settings.reveal_seconds,
    )


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


@asynccontextmanager
async def _beside(work: Any) -> AsyncIterator[None]:  # noqa: ANN401 - a coroutine
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
async def _following(keep_up: Follow, state: State) -> AsyncIterator[None]:
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
async def _publishing(publisher: Publisher, state: State) -> AsyncIterator[None]:
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
