"""What the HTTP tests share: the service on a real socket, and clients of it."""

from collections.abc import Iterator
from pathlib import Path

import httpx2
import pytest

from phaseledger.service.app import in_postgres
from phaseledger.service.settings import Settings
from tests.support.ledgers import own_ledger
from tests.support.ports import free_port
from tests.support.service.memory_ledger import in_memory
from tests.support.service.operator import Both, running
from tests.support.service.server import Served, quiet_logs, serving

__all__ = ["quiet_logs"]


@pytest.fixture(scope="module")
def served() -> Iterator[Served]:
    with serving(in_memory()) as service:
        yield service


@pytest.fixture
def settings(postgres_dsn: str, tmp_path: Path) -> Iterator[Settings]:
    """A ledger of the test's own."""
    with own_ledger(postgres_dsn, tmp_path) as ledger:
        yield ledger


@pytest.fixture
def port() -> Iterator[int]:
    with free_port() as port:
        yield port


@pytest.fixture
def client(served: Served) -> Iterator[httpx2.Client]:
    with httpx2.Client(base_url=f"{served.url}/v1", timeout=None) as client:
        yield client


@pytest.fixture
def both(settings: Settings) -> Iterator[Both]:
    """The service over a ledger of the test's own, and its operator's listener."""
    with running(in_postgres(settings)) as both:
        yield both
