"""Waiting for somebody who waits for a lock of the database."""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager

import psycopg
from psycopg.sql import SQL, Identifier


async def until_blocked(dsn: str) -> int:
    """Return the id of the server process that waits for the lock."""
    async with await psycopg.AsyncConnection.connect(dsn, autocommit=True) as conn:
        while True:
            cursor = await conn.execute(
                "SELECT pid FROM pg_stat_activity "
                "WHERE wait_event_type = 'Lock' AND application_name = 'phaseledger'"
            )
            if row := await cursor.fetchone():
                return int(row[0])
            await asyncio.sleep(0.01)


@contextmanager
def locked_log(dsn: str, schema: str) -> Iterator[psycopg.Connection]:
    """Hold the log's lock, so that the writer's commit waits."""
    with psycopg.connect(dsn) as conn:
        conn.execute(
            SQL("LOCK TABLE {}.stored_events IN EXCLUSIVE MODE").format(Identifier(schema))
        )
        yield conn
