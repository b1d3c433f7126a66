"""The service as it is run, over PostgreSQL and a real socket, and its description."""

from collections.abc import Iterator
from typing import Any

import httpx2
import msgspec
import pytest

from phaseledger.service.api.openapi.document import text
from phaseledger.service.app import in_postgres, routes
from phaseledger.service.settings import Settings
from tests.contract.walk import WITNESS
from tests.support.ledgers import own_ledger
from tests.support.service.memory_ledger import in_memory as parts_in_memory
from tests.support.service.oidc_issuer import OidcIssuer
from tests.support.service.server import FREE, Served, quiet_logs, serving
from tests.support.service.signed_in import issuer, oidc_settings

__all__ = ["issuer", "quiet_logs"]


@pytest.fixture(scope="session")
def description() -> dict[str, Any]:
    """The description of the running code."""
    decoded: dict[str, Any] = msgspec.json.decode(text(routes(parts_in_memory(), FREE)))
    return decoded


@pytest.fixture(scope="module")
def settings(
    postgres_dsn: str, tmp_path_factory: pytest.TempPathFactory, issuer: OidcIssuer
) -> Iterator[Settings]:
    """A ledger of its own."""
    folder = tmp_path_factory.mktemp("ledger")
    contact = {"webhook_allow_private": True, "push_contact": "mailto:ops@club.example"}
    options = {"witnesses": str(WITNESS.public), **contact, **oidc_settings(issuer)}
    with own_ledger(postgres_dsn, folder, **options) as ledger:
        yield ledger


@pytest.fixture(scope="module")
def served(settings: Settings) -> Iterator[Served]:
    with serving(in_postgres(settings)) as service:
        yield service


@pytest.fixture
def client(served: Served) -> Iterator[httpx2.Client]:
    with httpx2.Client(base_url=served.url, timeout=None) as client:
        yield client
