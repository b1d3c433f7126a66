"""The network between processes and the simulated server: weather, and ways to connect."""

import asyncio
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from functools import cache
from typing import Any
from unittest.mock import patch

import psycopg
from psycopg import errors
from psycopg.conninfo import conninfo_to_dict

from phaseledger.service.eventlog import connection as deadlines
from phaseledger.service.eventlog import endpoint, postgres, side_connection
from phaseledger.service.eventlog.connection import ATTEMPT
from phaseledger.service.eventlog.endpoint import Endpoint
from tests.simulation.chance import Chance
from tests.simulation.connection import Fate, SimulatedConnection
from tests.simulation.postgres import Server
from tests.simulation.process import PROCESS, Process

DSN = "postgresql://simulated/ledger"


class Weather:
    """What becomes of messages between a process and the server: probabilities, each.

    A stalled connection swallows every answer and stays open. It is cut after ``cut_after``
    seconds, or never (None), which is what a living proxy does.
    """

    def __init__(self) -> None:
        self.loses_before = 0.0
        self.loses_after = 0.0
        self.stalls = 0.0
        self.refuses = 0.0
        self.slow = 0.0
        self.cut_after: float | None = None

    def fate(self, chance: Chance) -> Fate:
        """What becomes of a statement and its answer."""
        if chance.happens(self.loses_before):
            return "lost before"
        if chance.happens(self.loses_after):
            return "lost after"
        if chance.happens(self.stalls):
            return "stalls after" if chance.happens(0.6) else "stalls before"
        return "arrives"


class Network:
    """All connections to the server."""

    def __init__(self, chance: Chance, server: Server) -> None:
        self.chance = chance
        self.server = server
        self.weathers: dict[str, Weather] = {}
        self.connections: dict[SimulatedConnection, None] = {}

    @property
    def loop(self) -> asyncio.AbstractEventLoop:
        """The one that runs: virtual, or any other."""
        return asyncio.get_running_loop()

    def weather(self, process: Process | None) -> Weather:
        """The weather between that process and the server."""
        return self.weathers.setdefault(process.name if process else "", Weather())

    def latency(self, weather: Weather) -> float:
        """The seconds of one way."""
        if self.chance.happens(weather.slow):
            return self.chance.between(0.05, 1.5)
        return self.chance.between(0.0002, 0.002)

    def cut_all(self, process: Process) -> None:
        """End the connections of a process that is gone."""
        for connection in list(self.connections):
            if connection.process is process:
                connection.lose()

    @contextmanager
    def patched(self) -> Iterator[None]:
        """Let psycopg connect to the simulated server, in whatever class it is asked to."""
        endpoints = dict[Process | None, Endpoint]()

        async def connect(
            cls: type[Any], conninfo: str = "", **options: Any
        ) -> SimulatedConnection:
            return await self._connect(cls, conninfo, options.get("connect_timeout", ATTEMPT))

        def endpoint_at(conninfo: str) -> Endpoint:
            return endpoints.setdefault(PROCESS.get(), Endpoint(conninfo))

        def cut(connection: SimulatedConnection) -> None:
            connection.lose()

        with (
            patch.object(psycopg.AsyncConnection, "connect", classmethod(connect)),
            patch.object(deadlines, "endpoint_at", endpoint_at),
            patch.object(deadlines, "cut", cut),
            patch.object(endpoint, "cut", cut),
            patch.object(side_connection, "cut", cut),
        ):
            yield

    async def _connect(self, cls: type[Any], conninfo: str, timeout: float) -> SimulatedConnection:
        process = PROCESS.get()
        weather = self.weather(process)
        await asyncio.sleep(self.latency(weather))
        if self.chance.happens(weather.stalls):
            await asyncio.sleep(timeout)
            raise errors.ConnectionTimeout("connection timeout expired")
        if self.chance.happens(weather.refuses):
            raise psycopg.OperationalError("connection failed: Connection refused")
        if not self.server.is_up:
            raise errors.CannotConnectNow("the database system is starting up")
        connection = _class_over(cls)(self, process, has_timeout=_has_timeout(conninfo))
        self.connections[connection] = None
        return connection


@cache
def _has_timeout(conninfo: str) -> bool:
    return "statement_timeout" in str(conninfo_to_dict(conninfo).get("options") or "")


_CLASSES: dict[type[Any], type[Any]] = {}


def _class_over(cls: type[Any]) -> type[Any]:
    """The class of connections that has what ``cls`` adds to psycopg's own."""
    if cls is psycopg.AsyncConnection:
        return SimulatedConnection
    if cls not in _CLASSES:
        _CLASSES[cls] = type(f"Simulated{cls.__name__}", (cls, SimulatedConnection), {})
    return _CLASSES[cls]


def opened_without_threads() -> AbstractContextManager[object]:
    """Let the store open without a look at the schema, for which it has a thread and libpq."""
    return patch.object(postgres, "check", lambda *_, **__: None)


@contextmanager
def simulated_postgres() -> Iterator[None]:
    """Let psycopg reach a simulated server in fair weather, on whatever loop."""
    chance = Chance("fair weather")
    with Network(chance, Server(chance)).patched(), opened_without_threads():
        yield
