"""An address of the database, with the connections of this process that were made there.

Behind one address another server may take over while connections to the first live on; and where a
packet was lost on the way, server and client may wait for each other. A new connection shows both:
which server is there, and what its backends do.
"""

import asyncio
import os
import socket
from collections.abc import Mapping
from contextlib import suppress
from typing import Any, NamedTuple
from weakref import WeakKeyDictionary

import psycopg
import structlog

QUESTION = 2  # seconds that the server may take to say what its backends do
_SERVER = """
    SELECT system_identifier, (1000000 * extract(epoch FROM pg_postmaster_start_time()))::bigint,
      pg_is_in_recovery(), pg_backend_pid()
    FROM pg_control_system()
"""
_ACTIVITIES = "SELECT pid, state, state_change::text FROM pg_stat_activity"

log = structlog.get_logger("phaseledger.connections")


class Activity(NamedTuple):
    """What a backend does, as pg_stat_activity has it, and since when."""

    state: str | None
    since: str | None = None

    def is_over(self) -> bool:
        """Whether it has nothing to answer any more, or is gone."""
        return self == GONE or (self.state or "").startswith("idle")


GONE = Activity("gone")


class _Backend(NamedTuple):
    """Who serves a connection: the cluster, when its server was started, and which backend."""

    system: int
    started: int
    pid: int | None
    """None where a pooler is in between, which may have another backend serve it."""

    def is_of(self, other: "_Backend") -> bool:
        """Whether it is a backend of the same server."""
        return self[:2] == other[:2]


class Endpoint:
    """An address of the database, with the connections of this process that were made there."""

    def __init__(self, conninfo: str) -> None:
        self._conninfo = conninfo
        self._backends = WeakKeyDictionary[psycopg.AsyncConnection[Any], _Backend]()
        self._question: asyncio.Task[Mapping[int, Activity] | None] | None = None

    async def take_in(self, conn: psycopg.AsyncConnection[Any]) -> None:
        """Note which server a new connection leads to; the connections to any other are cut.

        A standby replaces no server. Raises psycopg.Error where the server does not answer.
        """
        self._backends[conn], _ = await self._leave_others(conn)

    async def activity(self, conn: psycopg.AsyncConnection[Any]) -> Activity | None:
        """What the server does for that connection; None where it cannot be asked.

        All who ask at a time get one answer.
        """
        if self._question is None or self._question.done():
            self._question = asyncio.create_task(self._ask())
        activities = await asyncio.shield(self._question)
        backend = self._backends.get(conn)
        if activities is None or backend is None or backend.pid is None:
            return None
        return activities.get(backend.pid, GONE)

    async def _ask(self) -> Mapping[int, Activity] | None:
        """What each backend of the server does."""
        try:
            async with await psycopg.AsyncConnection.connect(
                self._conninfo, autocommit=True, connect_timeout=QUESTION
            ) as conn:
                cutting = asyncio.get_running_loop().call_later(QUESTION, cut, conn)
                try:
                    _, is_standby = await self._leave_others(conn)
                    rows = await (await conn.execute(_ACTIVITIES)).fetchall()
                finally:
                    cutting.cancel()
        except psycopg.Error:
            return None
        return None if is_standby else {pid: Activity(*activity) for pid, *activity in rows}

    async def _leave_others(self, conn: psycopg.AsyncConnection[Any]) -> tuple[_Backend, bool]:
        """Cut the connections to other servers than a new one's.

        Returns who serves the new one, and whether its server is a standby.
        """
        ((system, started, is_standby, pid),) = await (await conn.execute(_SERVER)).fetchall()
        backend = _Backend(system, started, pid if pid == conn.info.backend_pid else None)
        old = [other for other, serving in self._backends.items() if not serving.is_of(backend)]
        if old and not is_standby:
            log.warning("another server is there: its predecessor is left", connections=len(old))
            for other in old:
                del self._backends[other]
                cut(other)
        return backend, is_standby


_ENDPOINTS = WeakKeyDictionary[asyncio.AbstractEventLoop, dict[str, Endpoint]]()


def endpoint_at(conninfo: str) -> Endpoint:
    """The endpoint with that address, for all connections of the running loop."""
    endpoints = _ENDPOINTS.setdefault(asyncio.get_running_loop(), {})
    return endpoints.setdefault(conninfo, Endpoint(conninfo))


def cut(conn: psycopg.AsyncConnection[Any] | psycopg.Connection[Any]) -> None:
    """Shut the connection's socket down: a task that waits for an answer sees the connection lost.

    To cancel the task would ask the same server to cancel, and wait for its answer.
    """
    with (
        suppress(OSError, psycopg.OperationalError),  # it is closed already
        socket.socket(fileno=os.dup(conn.pgconn.socket)) as end,
    ):
        end.shutdown(socket.SHUT_RDWR)
