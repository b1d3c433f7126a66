"""Word of the commits of other processes: one follower of the log for all open streams."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from typing import Any
from uuid import UUID

import psycopg
import structlog
from psycopg.sql import SQL, Identifier

from phaseledger.service.eventlog.errors import StoreUnavailable
from phaseledger.service.eventlog.migrations import SCHEMA
from phaseledger.service.streams.hub import Streams

POLL = 1.0  # seconds between looks at the log without word, since a word can be lost
LINGER = 0.01  # seconds for more commits to come, while they come
RETRY = 0.5  # seconds until a lost database is tried again

CommitListener = Callable[[Streams], Awaitable[None]]
"""Tells the streams what other processes write, until it is cancelled."""
Connection = psycopg.AsyncConnection[tuple[Any, ...]]

log = structlog.get_logger("phaseledger.streams")


async def listen_for_commits(dsn: str, streams: Streams, *, schema: str = SCHEMA) -> None:
    """Tell the streams which games went on, for ever.

    A database that goes away is waited for. While no stream is open, nothing is asked of it.
    """
    while True:
        try:
            async with await psycopg.AsyncConnection.connect(dsn, autocommit=True) as conn:
                await conn.execute("LISTEN stored_events")
                while True:
                    await streams.busy.wait()
                    await _hear(conn, streams, schema)
        except (psycopg.Error, StoreUnavailable) as lost:
            log.warning("streams wait for the database", reason=type(lost).__name__)
            await asyncio.sleep(RETRY)


async def _hear(conn: Connection, streams: Streams, schema: str) -> None:
    """Follow the log while some stream is open."""
    position = await _position(conn, schema)
    # What was committed before that position and after a stream began, nobody announces again.
    await streams.look_again()
    while streams.busy.is_set():
        await _word(conn, 0)  # what was announced so far is in the log already
        reached, versions = await _since(conn, schema, position)
        if versions:
            position = reached
            await streams.hear(versions)
            await asyncio.sleep(LINGER)
        else:
            await _word(conn, POLL)


async def _position(conn: Connection, schema: str) -> int:
    select = SQL("SELECT coalesce(max(notification_id), 0) FROM {}")
    cursor = await conn.execute(select.format(Identifier(schema, "stored_events")))
    ((position,),) = await cursor.fetchall()
    return int(position)


async def _since(conn: Connection, schema: str, position: int) -> tuple[int, Mapping[UUID, int]]:
    """The log's new position, and the version of every game that went on."""
    cursor = await conn.execute(
        SQL(
            "SELECT originator_id, max(originator_version), max(notification_id) FROM {} "
            "WHERE notification_id > %s GROUP BY originator_id"
        ).format(Identifier(schema, "stored_events")),
        (position,),
        prepare=True,
    )
    rows = await cursor.fetchall()
    return max((row[2] for row in rows), default=position), {row[0]: row[1] for row in rows}


async def _word(conn: Connection, seconds: float) -> None:
    """Wait at most so long for word of new events, and take all that came."""
    async for _ in conn.notifies(timeout=seconds, stop_after=1):
        pass
