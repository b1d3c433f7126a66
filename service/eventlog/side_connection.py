"""A connection beside the pools, for small statements of the service about itself.

Each piece of work has a time limit, shorter than the limits of the pools.
"""

import asyncio
from collections.abc import Awaitable, Callable
from typing import TypeVar

import psycopg

from phaseledger.service.eventlog.connection import Connection, connect
from phaseledger.service.eventlog.endpoint import cut
from phaseledger.service.eventlog.errors import explain_outage

T = TypeVar("T")


class SideConnection:
    """One connection, made when it is needed and made again when it is lost."""

    def __init__(self, dsn: str) -> None:
        self._dsn = dsn
        self._lock = asyncio.Lock()
        self._conn: Connection | None = None

    async def run(self, work: Callable[[Connection], Awaitable[T]], seconds: float) -> T:
        """The result of the work on the connection, one piece of work at a time.

        The connection is cut when the work takes longer than ``seconds``.

        Raises:
            StoreUnavailable: the database is away, refuses it, or takes too long.

        """
        async with self._lock:
            try:
                if self._conn is None or self._conn.closed:
                    self._conn = await connect(self._dsn)
                cutting = asyncio.get_running_loop().call_later(seconds, cut, self._conn)
                try:
                    return await work(self._conn)
                finally:
                    cutting.cancel()
            except psycopg.Error as error:
                raise explain_outage(error) from error

    async def close(self) -> None:
        """Close the connection, under whatever work is on it."""
        if self._conn is not None:
            cut(self._conn)
            await self._conn.close()
