"""The commands that run the service; `service.cli.main` names them and reports their errors."""

import asyncio
import math
import os
import signal
import socket
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import (
    AbstractAsyncContextManager,
    AsyncExitStack,
    asynccontextmanager,
    contextmanager,
)
from functools import partial

import structlog
from granian.constants import Interfaces
from granian.log import LogLevels
from granian.server.mp import MPServer
from typing_extensions import override

from phaseledger.replay.formats.sealing import SealingKeys
from phaseledger.replay.formats.signing.keys import load_or_new
from phaseledger.service.cli.flags import AS_SERVED, AS_SET, ServeFlags, StoreFlags
from phaseledger.service.database.connections import require_connections
from phaseledger.service.database.public_log import signer_of
from phaseledger.service.database.rights import PROJECTIONS, parts_of
from phaseledger.service.database.sealing import open_sealing
from phaseledger.service.database.setup import (
    connected_settings,
    prepare,
    require_rights,
    to_environment,
)
from phaseledger.service.eventlog.postgres import PostgresStore
from phaseledger.service.notices import web_push
from phaseledger.service.readmodels.follower import follow
from phaseledger.service.runtime import logs
from phaseledger.service.runtime.process import allow_descriptors, collect_seldom
from phaseledger.service.settings import (
    Settings,
    SettingsError,
    admin_token_file,
    allowed_origins,
    embedders,
    is_loopback,
    keys_folder,
    load,
    oidc_client,
    operator_token,
    published_folder,
    sealing_folder,
    sealing_keys_of,
    trusted_proxies,
)
from phaseledger.service.settings import witnesses as witnesses_of
from phaseledger.service.transparency.signer import LogSigner, require_unbroken
from phaseledger.service.transparency.tree import Tree

OTHER_FILES = 512
"""Files that are open beside the connections: sockets of the database, of webhooks, pipes."""
CLOSING = 2  # seconds for the last answers

log = structlog.get_logger("phaseledger")


def serve(flags: ServeFlags = AS_SERVED) -> None:
    """Serve the HTTP API, with everything it needs in one process.

    Each flag may be given as a variable instead, such as PHASELEDGER_PORT.
    """
    configuration = flags.settings()
    _require_files(configuration)
    witnesses_of(configuration)
    trusted_proxies(configuration)
    allowed_origins(configuration)
    embedders(configuration)
    oidc_client(configuration)
    _require_free(configuration.host, configuration.port)
    if not (configuration.trusted_proxies or is_loopback(configuration.host)):
        print(
            f"phaseledger: other machines reach {configuration.host} past any proxy, since "
            "PHASELEDGER_TRUSTED_PROXIES names none: nothing here bounds connections and slow "
            "readers, which a proxy as in deploy/ does (docs/how-to/run-it-for-others.md).",
            file=sys.stderr,
        )
    if not configuration.opens_to_everyone:
        print(
            "Only applications open tables here (`phaseledger admin apps create` makes one); "
            "PHASELEDGER_OPENERS=everyone lets everyone.",
            file=sys.stderr,
        )
    folder = keys_folder(configuration)
    ring, is_new = load_or_new(folder)
    if is_new:
        print(f"A key was made: {folder} holds {ring.current.public.id}.", file=sys.stderr)
    signer = signer_of(configuration, ring)
    if configuration.push_contact:
        web_push.load_or_new(folder, configuration.push_contact)
    if not os.access(published := published_folder(configuration), os.W_OK):
        raise SettingsError(
            f"{published} is not writable: the last published checkpoint goes there. Name another "
            "folder with PHASELEDGER_PUBLISHED_DIR."
        )
    if configuration.admin_port:
        _require_free(configuration.admin_host, configuration.admin_port)
        address = http_address(configuration.admin_host, configuration.admin_port)
        operator_token(configuration)
        token_file = admin_token_file(configuration)
        print(f"Operators: {address}, with the token in {token_file}.", file=sys.stderr)
    logs.configure(configuration.log_level)
    with connected_settings(configuration, watch=True) as settings:
        prepare(settings)
        require_rights(settings, *parts_of(settings))
        sealing = _open_sealing(settings)
        require_connections(settings)
        asyncio.run(_require_usable_log(settings, signer, sealing))
        to_environment(settings)
        _require_free(settings.host, settings.port)  # once more: preparing may have taken minutes
        # In the process forked off, these end it until the service has begun: nothing is under way.
        for number in (signal.SIGINT, signal.SIGTERM):
            os.register_at_fork(after_in_child=partial(signal.signal, number, signal.SIG_DFL))
        _Server(
            f"{__name__}:serving",
            factory=True,
            interface=Interfaces.ASGI,
            address=settings.host,
            port=settings.port,
            workers=1,
            # A reader that takes nothing would hold the process up.
            workers_kill_timeout=math.ceil(settings.stop_seconds) + CLOSING,
            # The server takes no further connection beyond these, and streams stay open.
            backpressure=settings.most_connections,
            websockets=False,
            log_level=LogLevels.warning,
            log_dictconfig={"loggers": {"_granian": {"propagate": True}}},
        ).serve()


class _Server(MPServer):
    """The HTTP server, which ends with the exit code of a worker that could not start."""

    @override
    def shutdown(self, exit_code: int = 0) -> None:
        codes = [worker.inner.exitcode or 0 for worker in self.wrks]
        super().shutdown(max(exit_code, *codes))  # type: ignore[no-untyped-call]


def serving() -> object:
    """The application of the worker process, which tells when it serves, or why it does not."""
    from phaseledger.service.app import serving as application

    with _explained():
        return application(_announced)


@asynccontextmanager
async def _announced(lifespan: AbstractAsyncContextManager[None]) -> AsyncIterator[None]:
    # Until the lifespan puts its own in the place, SIGTERM ends even a start that is held up.
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, os._exit, 0)
    settings = load(os.environ)
    async with AsyncExitStack() as stack:
        with _explained():
            await stack.enter_async_context(lifespan)
        address = http_address(settings.host, settings.port)
        print(f"phaseledger serves {address}/v1 (stop it with Ctrl-C)", file=sys.stderr)
        yield


@contextmanager
def _explained() -> Iterator[None]:
    """End the process with one sentence where the block fails for a reason that is no bug."""
    try:
        yield
    except Exception as error:
        from phaseledger.service.cli.main import explanation

        if (outcome := explanation(error)) is None:
            raise
        print(f"phaseledger: {outcome[1]}", file=sys.stderr, flush=True)
        os._exit(outcome[0])


def _open_sealing(settings: Settings) -> SealingKeys:
    """The keys that seal what is hidden; says so where that is new."""
    state, folder = open_sealing(settings), sealing_folder(settings)
    if state.made:
        print(
            f"A key was made: hidden cards and secrets are sealed under {state.made}, in {folder}. "
            "Keep a copy apart from the database: without it no game can be read.",
            file=sys.stderr,
        )
    elif state.refusal:
        print(
            "phaseledger: hidden cards and secrets are stored unsealed, since no key could be "
            f"made: {state.refusal}",
            file=sys.stderr,
        )
    return state.keys


def http_address(host: str, port: int) -> str:
    """The address of a listener; an IPv6 address stands in brackets there (RFC 3986, 3.2.2)."""
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


def is_free(host: str, port: int) -> bool:
    """Whether the address can be listened on."""
    try:
        _require_free(host, port)
    except SettingsError:
        return False
    return True


def _require_free(host: str, port: int) -> None:
    """Raise SettingsError for an address that cannot be listened on, before anything starts."""
    try:
        family, kind, proto, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        with socket.socket(family, kind, proto) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind(address)
    except OSError as error:
        raise SettingsError(f"{host}:{port} cannot be listened on: {error.strerror}.") from error


def _require_files(settings: Settings) -> None:
    """Allow the open files of all connections; raises SettingsError where there may be too few."""
    needed = settings.most_connections + OTHER_FILES
    allowed = allow_descriptors(needed)
    if allowed < needed:
        raise SettingsError(
            f"This process may have {allowed} open files (the hard limit), and needs {needed}: "
            "raise the limit (ulimit -Hn, LimitNOFILE=, --ulimit nofile=)."
        )


async def _require_usable_log(settings: Settings, signer: LogSigner, sealing: SealingKeys) -> None:
    """Open the log once, so that its errors are reported here and not by a worker."""
    dsn, schema = settings.database_url, settings.schema
    async with (
        PostgresStore(
            dsn,
            schema=schema,
            unsafe=settings.unsafe,
            synchronous=settings.synchronous_standby,
            sealing=sealing,
        ) as store,
        Tree(dsn, signer.origin, schema=schema) as tree,
    ):
        await require_unbroken(store, tree, signer)


def worker(flags: StoreFlags = AS_SET) -> None:
    """Follow the log, and keep the projections up, until stopped."""
    configuration = flags.settings()
    logs.configure(configuration.log_level)
    with connected_settings(configuration, watch=True) as settings:
        prepare(settings, migrating=False)
        require_rights(settings, PROJECTIONS)
        asyncio.run(_follow(settings))


async def _follow(settings: Settings) -> None:
    stop = asyncio.Event()
    for signal_number in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(signal_number, stop.set)
    collect_seldom()
    async with PostgresStore(
        settings.database_url,
        schema=settings.schema,
        unsafe=settings.unsafe,
        synchronous=settings.synchronous_standby,
        sealing=sealing_keys_of(settings),
    ) as store:
        log.info("following the log")
        await follow(store, settings.database_url, stop, schema=settings.schema)
    log.info("stopped")
