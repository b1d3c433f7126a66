"""A service with the operator's listener beside it."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

import httpx2

from tests.support.ports import free_port
from tests.support.service.api_tables import bearer
from tests.support.service.memory_ledger import in_memory
from tests.support.service.server import serving

TOKEN = "p10a_" + "5e" * 32


ANN = {"actor": "ann", "reason": "a wrong deal"}


def written(keys: str) -> str:
    """The folder of keys, with the operator's token in it."""
    path = Path(keys) / "admin.token"
    path.write_text(f"{TOKEN}\n")
    path.chmod(0o600)
    return keys


class Both(NamedTuple):
    """A client of the service, and one of its operator's listener."""

    api: httpx2.Client
    operator: httpx2.Client

    def record(self) -> list[dict[str, Any]]:
        return self.operator.get("/admin/events").json()["events"]


@contextmanager
def running(parts: Any = None, **options: Any) -> Iterator[Both]:
    with (
        TemporaryDirectory() as keys,
        free_port() as port,
        serving(parts or in_memory(), admin_port=port, keys_dir=written(keys), **options) as served,
        httpx2.Client(base_url=f"{served.url}/v1", timeout=None) as api,
        httpx2.Client(
            base_url=f"http://127.0.0.1:{port}", timeout=None, headers=bearer(TOKEN)
        ) as operator,
    ):
        yield Both(api, operator)
