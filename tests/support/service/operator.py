"""A service with the operator's listener beside it."""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Event
from typing import Any, NamedTuple

import httpx2
import pytest

from phaseledger.service.api.operator import listener
from tests.support.ports import free_port
from tests.support.service.api_tables import bearer
from tests.support.service.memory_ledger import in_memory
from tests.support.service.server import serving

TOKEN = "p10a_" + "5e" * 32


SILENCE = "phaseledger_loop_silence_seconds"
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


class Held:
    """A service whose loop can be held up, as a game would do that computes without end."""

    def __init__(self, both: Both, loop: asyncio.AbstractEventLoop) -> None:
        self.both = both
        self._loop = loop

    @contextmanager
    def held(self) -> Iterator[None]:
        begun, over = Event(), Event()

        def hold() -> None:
            begun.set()
            over.wait()

        self._loop.call_soon_threadsafe(hold)
        begun.wait()
        try:
            yield
        finally:
            over.set()

    def silence(self) -> float:
        lines = self.both.operator.get("/metrics").text.splitlines()
        return float(next(line for line in lines if line.startswith(SILENCE)).split()[1])


@contextmanager
def holdable(monkeypatch: pytest.MonkeyPatch, parts: Any = None, **options: Any) -> Iterator[Held]:
    """As `running`, and its loop can be held."""
    loops: list[asyncio.AbstractEventLoop] = []

    class Noted(listener.GamesLoop):
        def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
            super().__init__(loop)
            loops.append(loop)

    monkeypatch.setattr(listener, "GamesLoop", Noted)
    with running(parts, **options) as both:
        yield Held(both, *loops)
