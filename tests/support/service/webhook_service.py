"""What tests of webhooks share: a service that may send to this machine, and what a host does."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx2
import pytest

from phaseledger.service.app import in_postgres
from phaseledger.service.settings import Settings
from phaseledger.service.webhooks.delivery import Deliveries
from phaseledger.service.webhooks.sender import Sender
from phaseledger.service.webhooks.store import Webhooks
from tests.support.ledgers import own_ledger
from tests.support.polling import eventually
from tests.support.service.api_tables import Table, bearer
from tests.support.service.server import serving
from tests.support.service.webhook_receiver import Endpoint


@pytest.fixture(scope="module")
def settings(postgres_dsn: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Settings]:
    folder = tmp_path_factory.mktemp("ledger")
    with own_ledger(postgres_dsn, folder, webhook_allow_private=True) as ledger:
        yield ledger


@pytest.fixture
def settings_of_one(postgres_dsn: str, tmp_path: Path) -> Iterator[Settings]:
    """A ledger that no other service serves: any of them would deliver, by its own schedule."""
    with own_ledger(postgres_dsn, tmp_path, webhook_allow_private=True) as ledger:
        yield ledger


def served_with(settings: Settings, **more: Any) -> Any:
    parts = in_postgres(settings)
    hooks = Webhooks(settings.database_url, schema=settings.schema)
    sender = Sender(allow_private=settings.webhook_allow_private)
    return serving(parts._replace(deliveries=Deliveries(parts.store, hooks, sender, **more)))


def register(table: Table, url: str, *types: str, **headers: str) -> dict[str, Any]:
    done = table.client.post(
        f"{table.path}/webhooks",
        json={"url": url, "types": list(types)},
        headers={**bearer(table.host), **headers},
    )
    assert done.status_code == 201, done.text
    hook: dict[str, Any] = done.json()
    assert done.headers["location"] == f"/v1{table.path}/webhooks/{hook['id']}"
    return hook


def ask(table: Table, path: str, method: str = "GET", **more: Any) -> httpx2.Response:
    address = f"{table.path}/webhooks{path}"
    return table.client.request(method, address, headers=bearer(table.host), **more)


def state(table: Table, hook: dict[str, Any]) -> dict[str, Any]:
    """The webhook as its host sees it."""
    shown: dict[str, Any] = ask(table, f"/{hook['id']}").json()
    return shown


def void(table: Table, reason: str = "So.") -> None:
    """Break the game off, of which its webhooks are told."""
    body = {"reason": reason}
    done = table.client.post(f"{table.path}/void", json=body, headers=bearer(table.host))
    assert done.status_code == 200, done.text


def heard(receiver: Endpoint, what: bytes) -> None:
    """Wait until a message came that holds these bytes."""
    eventually(lambda: any(what in request.body for request in receiver.got), bool)


def mover(table: Table) -> tuple[int, int]:
    """The version, and the seat that the game waits for, as the host sees them."""
    view = table.client.get(table.path, headers=bearer(table.host)).json()
    return view["version"], view["table"]["waits"][0]["seat"]
