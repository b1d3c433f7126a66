"""Waiting for somebody who waits for a lock of the database."""

import asyncio

import psycopg


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
