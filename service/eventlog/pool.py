"""Connection pools for small statements, with one retry on a lost connection."""

from collections.abc import Awaitable, Callable
from time import monotonic
from typing import Any, TypeAlias, TypeVar
from weakref import WeakSet

import psycopg
from psycopg.sql import Composed
from psycopg_pool import AsyncConnectionPool, PoolClosed, PoolTimeout
from typing_extensions import override

from phaseledger.service.eventlog.connection import DEADLINE, PATIENCE, Connection, bounded
from phaseledger.service.eventlog.errors import explain_outage
from phaseledger.service.runtime import metrics
from phaseledger.service.runtime.resource import Resource

Pool: TypeAlias = AsyncConnectionPool[Connection]
T = TypeVar("T")
_pools: WeakSet[Pool] = WeakSet()
"""The pools of this process."""


CONNECTIONS = 6
"""At most, of the pool that a service's small stores share; see `service.database.connections`."""


class Pooled(Resource):
    """A resource over a pool of connections: its own one to a database, which it opens and closes,
    or one that it shares and others open.
    """

    def __init__(self, connections: str | Pool, most: int = CONNECTIONS) -> None:
        self._is_own = isinstance(connections, str)
        self._pool = pool(connections, most) if isinstance(connections, str) else connections

    @override
    async def open(self) -> None:
        if self._is_own:
            await self._pool.open()

    @override
    async def close(self) -> None:
        if self._is_own:
            await self._pool.close()


def pool(
    dsn: str,
    most: int,
    *,
    least: int = 1,
    configure: Callable[[Connection], Awaitable[None]] | None = None,
) -> Pool:
    """A closed pool of ``least`` to ``most`` connections; ``configure`` sees each new one."""
    made = AsyncConnectionPool(
        bounded(dsn),
        connection_class=Connection,
        kwargs={"autocommit": True},
        min_size=least,
        max_size=most,
        timeout=PATIENCE,
        # Short, because its attempts come ever more rarely while a server is away.
        reconnect_timeout=PATIENCE,
        configure=configure,
        open=False,
    )
    _pools.add(made)
    return made


def _total(figure: str) -> float:
    """The sum of a figure of psycopg's statistics over the pools."""
    return sum(pool.get_stats().get(figure, 0) for pool in [*_pools])


def _used() -> float:
    return _total("pool_size") - _total("pool_available")


metrics.POOLED.labels("used").set_function(_used)
metrics.POOLED.labels("idle").set_function(lambda: _total("pool_available"))
metrics.POOL_WAITING.set_function(lambda: _total("requests_waiting"))


async def with_connection(pool: Pool, work: Callable[[Connection], Awaitable[T]]) -> T:
    """What the work gives on a connection; it is done again, once, on another when
    that one is lost or leads to a server that is read-only.

    Raises:
        StoreUnavailable: the database is away, or refuses it.
        psycopg.DataError: the parameters are at fault.

    """
    deadline = monotonic() + DEADLINE
    for last in (False, True):
        try:
            async with pool.connection(max(0.0, min(PATIENCE, deadline - monotonic()))) as conn:
                return await work(conn)
        except (PoolClosed, PoolTimeout) as error:
            raise explain_outage(error) from error
        except psycopg.DataError:
            raise
        except psycopg.Error as error:
            if last or not is_outdated(error):
                raise explain_outage(error) from error
            await pool.drain()  # a server that restarted meanwhile has dropped them all
    raise AssertionError("the second attempt returns or raises")


def is_outdated(error: psycopg.Error) -> bool:
    """Whether another connection may do: this one is lost, or leads to a server that is read-only,
    where another may be primary by now.
    """
    return isinstance(
        error, (psycopg.OperationalError, psycopg.errors.ReadOnlySqlTransaction)
    ) and not isinstance(error, psycopg.errors.QueryCanceled)


async def run(
    pool: Pool,
    statement: Composed,
    parameters: tuple[object, ...] = (),
    *,
    lock: Composed | None = None,
) -> list[tuple[Any, ...]]:
    """The statement's rows, if it has any; ``lock`` is taken before it and held until the commit.

    A statement whose connection is lost is sent again, so it may be carried out twice.

    Raises:
        StoreUnavailable: the database is away, or refuses it.

    """

    async def work(conn: Connection) -> list[tuple[Any, ...]]:
        if lock is None:
            return await _rows(conn, statement, parameters)
        async with conn.transaction():
            await conn.execute(lock)
            return await _rows(conn, statement, parameters)

    try:
        return await with_connection(pool, work)
    except psycopg.DataError as error:
        raise explain_outage(error) from error


async def _rows(
    conn: Connection, statement: Composed, parameters: tuple[object, ...]
) -> list[tuple[Any, ...]]:
    cursor = await conn.execute(statement, parameters, prepare=True)
    return await cursor.fetchall() if cursor.description else []
