"""The commands that run the service; `service.cli` names them and reports their errors."""

import asyncio
import os
import signal
import socket
import sys
from collections.abc import Callable
from contextlib import AsyncExitStack
from functools import partial
from pathlib import Path
from typing import Annotated

import structlog
from cyclopts import Parameter
from granian import Granian
from granian.constants import Interfaces
from granian.log import LogLevels
from rich.console import Console
from rich.progress import Progress

from phaseledger.replay.records.partitions import PartitionLocation
from phaseledger.replay.signing.keys import load_or_new
from phaseledger.service.api.openapi.document import text
from phaseledger.service.api.operator_api import token_of
from phaseledger.service.api.rate_limits import limits
from phaseledger.service.app import routes
from phaseledger.service.components import in_memory, signer_of, store_of
from phaseledger.service.database.setup import connected_settings, prepare, to_environment, upgrade
from phaseledger.service.eventlog.postgres import PostgresStore, StoreUnavailable, StoreUnfit
from phaseledger.service.eventlog.protocols import Store
from phaseledger.service.readmodels.follower import follow
from phaseledger.service.readmodels.follower import rebuild as rebuilt
from phaseledger.service.runtime import logs
from phaseledger.service.runtime.logs import trace
from phaseledger.service.runtime.process import allow_descriptors, collect_seldom
from phaseledger.service.settings import (
    Settings,
    SettingsError,
    admin_token_file,
    keys_folder,
    load,
    places,
    published_folder,
)
from phaseledger.service.settings import witnesses as witnesses_of
from phaseledger.service.transparency.signer import LogSigner, require_unbroken
from phaseledger.service.transparency.tree_postgres import PostgresTree

DatabaseUrl = Annotated[
    str | None, Parameter(help="DSN of a PostgreSQL server, 15 or newer; else an embedded one.")
]
DataDir = Annotated[Path | None, Parameter(help="Where the embedded server keeps its data.")]
Schema = Annotated[str | None, Parameter(help="The schema that holds the tables.")]
Host = Annotated[str | None, Parameter(help="The address to listen on (127.0.0.1).")]
Port = Annotated[int | None, Parameter(help="The port to listen on (8000).")]
Grouping = Annotated[bool | None, Parameter(help="Let commands in flight share commits (yes).")]
Follow = Annotated[
    bool | None, Parameter(help="Keep the projections up here, not in `phaseledger worker` (yes).")
]
Unsafe = Annotated[
    bool | None, Parameter(help="Accept a server set up to lose acknowledged events (no).")
]
Cached = Annotated[int | None, Parameter(help="How many games to keep in memory (2000).")]
KeysDir = Annotated[
    Path | None, Parameter(help="The folder of the keys that sign (`keys` in the data folder).")
]
PublishedDir = Annotated[
    Path | None,
    Parameter(help="Where the last published checkpoint is kept (in the user's state folder)."),
]
RevealSeconds = Annotated[
    int | None, Parameter(help="How long a sealed table waits for its seats' secrets (120).")
]
LogOrigin = Annotated[
    str | None, Parameter(help="What the public log is called (the name of the first key).")
]
Witnesses = Annotated[
    str | None, Parameter(help="Verifier keys of witnesses whose cosignatures are taken.")
]
AdminPort = Annotated[
    int | None, Parameter(help="The port of the operator's listener, on 127.0.0.1 (0: none).")
]
AppRole = Annotated[
    str | None, Parameter(help="A role that may then read, append to the log, and nothing else.")
]
FollowRole = Annotated[
    str | None, Parameter(help="A role that may then write the projections, not the log.")
]

SPARE = 1_024  # connections beside the streams

log = structlog.get_logger("phaseledger")


def _settings(**flags: object) -> Settings:
    return load(os.environ, flags)


def serve(
    *,
    database_url: DatabaseUrl = None,
    data_dir: DataDir = None,
    host: Host = None,
    port: Port = None,
    schema: Schema = None,
    grouping: Grouping = None,
    projections: Follow = None,
    unsafe: Unsafe = None,
    cached_games: Cached = None,
    keys_dir: KeysDir = None,
    reveal_seconds: RevealSeconds = None,
    published_dir: PublishedDir = None,
    log_origin: LogOrigin = None,
    witnesses: Witnesses = None,
    admin_port: AdminPort = None,
) -> None:
    """Serve the HTTP API, with everything it needs in one process.

    Each flag may be given as a variable instead, such as PHASELEDGER_PORT.
    """
    given = _settings(
        database_url=database_url,
        data_dir=data_dir and str(data_dir),
        host=host,
        port=port,
        schema=schema,
        grouping=grouping,
        projections=projections,
        unsafe=unsafe,
        cached_games=cached_games,
        keys_dir=keys_dir and str(keys_dir),
        reveal_seconds=reveal_seconds,
        published_dir=published_dir and str(published_dir),
        log_origin=log_origin,
        witnesses=witnesses,
        admin_port=admin_port,
    )
    witnesses_of(given)
    limits(given)
    _require_free(given.host, given.port)
    folder = keys_folder(given)
    ring, made = load_or_new(folder)
    if made:
        print(f"A key was made: {folder} holds {ring.current.public.id}.", file=sys.stderr)
    by = partial(signer_of, given, ring)
    by(1)
    if not os.access(published := published_folder(given), os.W_OK):
        raise SettingsError(
            f"{published} is not writable: the last published checkpoint goes there. Name another "
            "folder with PHASELEDGER_PUBLISHED_DIR."
        )
    if given.admin_port:
        _require_free(given.admin_host, given.admin_port)
        told = f"Operators: http://{given.admin_host}:{given.admin_port}"
        token_of(given)
        where = "PHASELEDGER_ADMIN_TOKEN" if given.admin_token else str(admin_token_file(given))
        print(f"{told}, with the token in {where}.", file=sys.stderr)
    with connected_settings(given) as settings:
        prepare(settings)
        asyncio.run(_try(settings, by))
        to_environment(settings)
        allow_descriptors(settings.max_streams + SPARE)
        where = f"http://{settings.host}:{settings.port}"
        print(f"phaseledger serves {where}/v1 (stop it with Ctrl-C)", file=sys.stderr)
        Granian(
            "phaseledger.service.app:serving",
            factory=True,
            interface=Interfaces.ASGI,
            address=settings.host,
            port=settings.port,
            workers=1,
            workers_kill_timeout=2,  # a reader that takes nothing would hold the process up
            # The server takes no further connection beyond these, and streams stay open.
            backpressure=settings.max_streams + SPARE,
            websockets=False,
            log_level=LogLevels.warning,
        ).serve()


def _require_free(host: str, port: int) -> None:
    """Refuse an address that cannot be listened on, in words, before anything is started."""
    try:
        family, kind, proto, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        with socket.socket(family, kind, proto) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind(address)
    except OSError as error:
        raise SettingsError(f"{host}:{port} cannot be listened on: {error.strerror}.") from error


async def _try(settings: Settings, by: Callable[[int], LogSigner]) -> None:
    """Open the log once, so that what is wrong with it is said here and not by a worker.

    Of several partitions, those that are away are waited for later.
    """
    listed, away = places(settings), 0
    for number, dsn, schema, *_ in listed:
        try:
            async with PostgresStore(dsn, schema=schema, unsafe=settings.unsafe) as store:
                tree = PostgresTree(dsn, by(number).origin, schema=schema)
                try:
                    await tree.open()
                    await require_unbroken(store, tree, by(number))
                finally:
                    await tree.close()
        except StoreUnavailable as lost:
            away += 1
            if isinstance(lost, StoreUnfit) or away == len(listed):
                raise
            print(f"phaseledger: partition {number} is away: {lost}", file=sys.stderr)


def worker(
    *, database_url: DatabaseUrl = None, data_dir: DataDir = None, schema: Schema = None
) -> None:
    """Follow the log, or each of several, and keep the projections up, until stopped."""
    logs.configure()
    given = _settings(database_url=database_url, data_dir=data_dir and str(data_dir), schema=schema)
    with connected_settings(given) as settings:
        prepare(settings, migrating=False)
        asyncio.run(_follow(settings))


async def _follow(settings: Settings) -> None:
    stop = asyncio.Event()
    for name in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(name, stop.set)
    collect_seldom()

    async def followed(one: PartitionLocation, store: Store) -> None:
        log.info("following the log", partition=one.number)
        try:
            await follow(store, one.dsn, stop, schema=one.schema)
        except Exception as wrong:
            if settings.partitions:  # the other partitions go on until somebody stops this
                log.error("a partition is not followed", partition=one.number, **trace(wrong))  # noqa: TRY400
            raise

    async with AsyncExitStack() as stack:
        stores = [
            (one, await stack.enter_async_context(store_of(settings, one)))
            for one in places(settings)
        ]
        ends = await asyncio.gather(*(followed(*each) for each in stores), return_exceptions=True)
        for end in ends:
            if end is not None:
                raise end
    log.info("stopped")


def migrate(
    *,
    database_url: DatabaseUrl = None,
    data_dir: DataDir = None,
    schema: Schema = None,
    application_role: AppRole = None,
    projection_role: FollowRole = None,
) -> None:
    """Make the tables, or bring them up to this release."""
    given = _settings(database_url=database_url, data_dir=data_dir and str(data_dir), schema=schema)
    with connected_settings(given) as settings:
        applied = upgrade(
            settings, application_role=application_role, projection_role=projection_role
        )
    print("\n".join(applied) or "Everything is there already.")


def rebuild(
    *, database_url: DatabaseUrl = None, data_dir: DataDir = None, schema: Schema = None
) -> None:
    """Empty the projections and fill them again from the log."""
    given = _settings(database_url=database_url, data_dir=data_dir and str(data_dir), schema=schema)
    with connected_settings(given) as settings:
        prepare(settings, migrating=False)
        for one in places(settings):
            reached = asyncio.run(_rebuild(settings, one))
            where = f" of partition {one.number}" if settings.partitions else ""
            print(f"The projections{where} are rebuilt up to log position {reached}.")


async def _rebuild(settings: Settings, place: PartitionLocation) -> int:
    dsn, schema = place.dsn, place.schema
    talk = Console(stderr=True)
    collect_seldom()
    async with PostgresStore(dsn, schema=schema, unsafe=settings.unsafe) as store:
        with Progress(console=talk, disable=not talk.is_terminal) as progress:
            bar = progress.add_task("Events", total=None)
            return await rebuilt(
                store,
                dsn,
                schema=schema,
                progress=lambda done, total: progress.update(bar, completed=done, total=total),
            )


def openapi() -> None:
    """Print the OpenAPI description of the HTTP API."""
    sys.stdout.buffer.write(text(routes(in_memory())))
