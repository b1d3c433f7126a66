"""LISTEN/NOTIFY follower of other processes: their commits, and reactions; for all open streams."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from uuid import UUID

import msgspec
import psycopg
import structlog
from psycopg.sql import SQL, Identifier

from phaseledger.service.eventlog.connection import Connection, connect, hear, last_position
from phaseledger.service.eventlog.errors import StoreUnavailable
from phaseledger.service.eventlog.migrations import SCHEMA
from phaseledger.service.streams.hub import Streams
from phaseledger.service.streams.reactions import CHANNEL, notice_in

POLL = 1.0  # seconds between reads of the log without notification, since one can be lost
LINGER = 0.01  # seconds for more commits to come, while they come
RETRY = 0.5  # seconds until a lost database is tried again

CommitListener = Callable[[Streams], Awaitable[None]]
"""Notifies the streams of other processes' commits, until it is cancelled."""

log = structlog.get_logger("phaseledger.streams")


async def listen_for_commits(dsn: str, streams: Streams, *, schema: str = SCHEMA) -> None:
    """Notify the streams of games with new versions, and of reactions, until cancelled.

    A lost database is waited for. While no stream is open, the log is neither read nor listened to:
    a session that listens and does not read fills the server's queue of notifications in the end,
    and then no session can commit one.
    """
    while True:
        try:
            async with await connect(dsn) as conn:
                while True:
                    await streams.busy.wait()
                    await conn.execute("LISTEN stored_events")
                    await conn.execute(SQL("LISTEN {}").format(Identifier(CHANNEL)))
                    await _follow_log(conn, streams, schema)
                    await conn.execute("UNLISTEN *")
        except (psycopg.Error, StoreUnavailable) as lost:
            log.warning("streams wait for the database", reason=type(lost).__name__)
            await asyncio.sleep(RETRY)


async def _follow_log(conn: Connection, streams: Streams, schema: str) -> None:
    """Follow the log while any stream is open."""
    position = await last_position(conn, schema)
    # Commits before that position and after a stream began are not announced again.
    await streams.look_again()
    while streams.busy.is_set():
        await _hear(conn, streams, 0)  # commits announced so far are in the log already
        reached, versions = await _progress_since(conn, schema, position)
        if versions:
            position = reached
            await streams.hear(versions)
            await asyncio.sleep(LINGER)
        else:
            await _hear(conn, streams, POLL)


async def _hear(conn: Connection, streams: Streams, seconds: float) -> None:
    """Wait for notifications, and tell the streams of the reactions among them."""
    for notification in await hear(conn, seconds):
        if notification.channel == CHANNEL:
            try:
                notice = notice_in(notification.payload)
                streams.tell(UUID(notice.game), notice.reacted)
            except (msgspec.DecodeError, ValueError):  # any session of the database may notify
                log.warning("no reaction", size=len(notification.payload))


async def _progress_since(
    conn: Connection, schema: str, position: int
) -> tuple[int, Mapping[UUID, int]]:
    """The log's newest position, and the version of every game with events after ``position``."""
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
