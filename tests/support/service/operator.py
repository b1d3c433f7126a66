"""A service with the operator's listener beside it."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

import httpx2
from msgspec.structs import replace

from phaseledger.service.api.operator.listener import listener
from phaseledger.service.components import in_memory
from phaseledger.service.settings import Settings
from tests.support.ports import free_port
from tests.support.service.api_tables import bearer
from tests.support.service.server import serving

TOKEN = "p10a_" + "5e" * 32


ANN = {"actor": "ann", "reason": "a wrong deal"}


class Both(NamedTuple):
    """A client of the service, and one of its operator's listener."""

    api: httpx2.Client
    operator: httpx2.Client

    def record(self) -> list[dict[str, Any]]:
        return self.operator.get("/admin/events").json()["events"]


@contextmanager
def running(settings: Settings, parts: Any = None, **options: Any) -> Iterator[Both]:
    with (
        free_port() as port,
        serving(
            parts or in_memory(),
            listen=listener(replace(settings, admin_port=port, admin_token=TOKEN)),
            **options,
        ) as served,
        httpx2.Client(base_url=f"{served.url}/v1", timeout=None) as api,
        httpx2.Client(
            base_url=f"http://127.0.0.1:{port}", timeout=None, headers=bearer(TOKEN)
        ) as operator,
    ):
        yield Both(api, operator)
