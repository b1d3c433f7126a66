"""A few connections to the database for small statements, with one more try on a lost one."""

from typing import Any, TypeAlias

import psycopg
from psycopg.sql import Composed
from psycopg_pool import AsyncConnectionPool, PoolClosed, PoolTimeout

from phaseledger.service.eventlog.errors import explain_outage
from phaseledger.service.eventlog.group_commit import PATIENCE, Connection

Pool: TypeAlias = AsyncConnectionPool[Connection]


def pool(dsn: str, most: int) -> Pool:
    """At most so many connections, once it is opened."""
    return AsyncConnectionPool(
        dsn,
        kwargs={"autocommit": True},
        min_size=1,
        max_size=most,
        timeout=PATIENCE,
        reconnect_timeout=PATIENCE,
        open=False,
    )


async def run(
    pool: Pool,
    statement: Composed,
    parameters: tuple[object, ...] = (),
    *,
    lock: Composed | None = None,
) -> list[tuple[Any, ...]]:
    """The statement's rows, if it has any; where there is a lock, it is held until the commit.

    A statement whose connection is lost is sent again, so it may be carried out twice.

    Raises:
        StoreUnavailable: the database is away, or refuses it.

    """
    for last in (False, True):
        try:
            async with pool.connection() as conn:
                if lock is None:
                    return await _rows(conn, statement, parameters)
                async with conn.transaction():
                    await conn.execute(lock)
                    return await _rows(conn, statement, parameters)
        except (PoolClosed, PoolTimeout) as error:
            raise explain_outage(error) from error
        except psycopg.Error as error:
            if last or not isinstance(error, psycopg.OperationalError):
                raise explain_outage(error) from error
            await pool.check()  # a server restarted meanwhile has dropped them all
    raise AssertionError("the second attempt returns or raises")


async def _rows(
    conn: Connection, statement: Composed, parameters: tuple[object, ...]
) -> list[tuple[Any, ...]]:
    cursor = await conn.execute(statement, parameters, prepare=True)
    return await cursor.fetchall() if cursor.description else []
