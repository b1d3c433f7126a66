"""The service on a real socket, in a thread of this process."""

import asyncio
import logging
import threading
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import Any, NamedTuple

import httpx2
import pytest
import structlog
from granian.server.embed import Server
from msgspec.structs import replace

from phaseledger.service.api.dependencies import Components
from phaseledger.service.api.limits.rates import Limits
from phaseledger.service.api.stack import Stack
from phaseledger.service.app import create_app, in_postgres
from phaseledger.service.settings import Settings
from tests.support.ports import await_answer, free_port


class Served(NamedTuple):
    """A service in a thread of this process, and what it stands on."""

    url: str
    parts: Components


@pytest.fixture(scope="session", autouse=True)
def quiet_logs() -> None:
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.ERROR))


FREE = Settings(
    read_rate=0,
    write_rate=0,
    lobby_hours=0,
    idle_days=0,
    bots_alone_seconds=0,
    join_guesses=1_000_000,
    player_joins=0,
    player_tables=0,
    ready_lag=0,
)
"""Settings without limits of requests, of tables and of their lives."""


@contextmanager
def serving(
    parts: Components, limits: Limits | None = None, *, at: int = 0, **options: Any
) -> Iterator[Served]:
    """A service over the parts, until the end of the block; ``at`` is its port, 0 any free one."""
    app = create_app(parts, replace(FREE, **{"patience_seconds": 0.3, **options}))
    if limits:
        origins = options.get("allowed_origins", "").split()
        app = Stack(app.app, app.gate, app.shutdown, limits=limits, origins=origins)
    with nullcontext(at) if at else free_port() as port:
        server = Server(
            app,
            port=port,
            interface="asgi",
            log_enabled=False,
            websockets=False,
        )
        loop = asyncio.new_event_loop()
        thread = threading.Thread(target=loop.run_until_complete, args=(server.serve(),))
        thread.start()
        url = f"http://127.0.0.1:{port}"
        try:
            await_answer(f"{url}/health/live")
            yield Served(url, parts)
        finally:
            loop.call_soon_threadsafe(server.stop)
            thread.join()
            loop.close()


@contextmanager
def client_over(parts: Components, **options: Any) -> Iterator[httpx2.Client]:
    """A client of a service over the parts, until the end of the block."""
    with (
        serving(parts, **options) as service,
        httpx2.Client(base_url=f"{service.url}/v1", timeout=None) as client,
    ):
        yield client


def ledger_client(settings: Settings) -> AbstractContextManager[httpx2.Client]:
    """A client of a service over the ledger, until the end of the block."""
    return client_over(in_postgres(settings))
