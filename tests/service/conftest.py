"""What the HTTP tests share: the service on a real socket, and clients of it."""

import asyncio
import logging
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import httpx2
import pytest
import structlog
from granian.server.embed import Server

from phaseledger.service.app import Components, create_app, in_memory
from phaseledger.service.settings import Settings
from tests.support.ledgers import prepared
from tests.support.ports import await_answer, free_port


class Served(NamedTuple):
    """A service in a thread of this process, and what it stands on."""

    url: str
    parts: Components


@pytest.fixture(scope="session", autouse=True)
def quiet_logs() -> None:
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.ERROR))


@pytest.fixture(scope="module")
def served() -> Iterator[Served]:
    with serving(in_memory()) as service:
        yield service


@contextmanager
def serving(parts: Components, reveal_seconds: int = 120, **options: Any) -> Iterator[Served]:
    """A service over the parts, until the end of the block."""
    options = {"patience": 0.3, "reveal_seconds": reveal_seconds, **options}
    with free_port() as port:
        server = Server(
            create_app(parts, **options),
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


@pytest.fixture
def settings(postgres_dsn: str, empty_schema: str, tmp_path: Path) -> Settings:
    """A ledger of the test's own."""
    return prepared(postgres_dsn, empty_schema, tmp_path)


@pytest.fixture
def port() -> Iterator[int]:
    with free_port() as port:
        yield port


@pytest.fixture
def client(served: Served) -> Iterator[httpx2.Client]:
    with httpx2.Client(base_url=f"{served.url}/v1", timeout=20) as client:
        yield client
