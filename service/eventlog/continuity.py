"""Failover detection: whether the server still has the history that this process has read.

After a failover to a standby that lagged, or a restore, the same address leads to a server that has
gone back: it lacks events that this process has read, acknowledged or signed. Each new connection
shows which history its server has; a change drops what is cached, and is admitted for writing once
the log is seen to be what was published.
"""

from collections.abc import Awaitable, Callable
from typing import LiteralString, NamedTuple

import psycopg
import structlog
from psycopg.sql import SQL, Identifier

from phaseledger.service.eventlog.connection import Connection

log = structlog.get_logger("phaseledger.continuity")


class Lineage(NamedTuple):
    """Which history a server has: two servers with one lineage have no different events."""

    system: int
    """Made with the cluster."""
    timeline: int
    """Another after every promotion."""
    database: int
    table: int
    """Object ids: other ones after a restore into the same cluster."""
    epoch: int
    """How often the ledger has gone on from a restore."""
    started: int
    """When the server was started, in microseconds: it may have been from an older snapshot."""


_LINEAGE: LiteralString = """
    SELECT (SELECT system_identifier FROM pg_control_system()),
      ('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::integer,
      (SELECT oid FROM pg_database WHERE datname = current_database())::bigint,
      {events}::regclass::oid::bigint,
      (SELECT count(*) FROM {restorations}),
      (1000000 * extract(epoch FROM pg_postmaster_start_time()))::bigint
"""


async def lineage_of(conn: Connection, schema: str) -> Lineage:
    """The lineage of the server.

    Raises:
        psycopg.OperationalError: it is a standby, which may be behind what was acknowledged.

    """
    cursor = await conn.execute("SELECT pg_is_in_recovery()")
    if await cursor.fetchone() == (True,):
        raise psycopg.OperationalError("the server is a standby, which may be behind its primary")
    events = Identifier(schema, "stored_events").as_string(conn)
    statement = SQL(_LINEAGE).format(
        events=events, restorations=Identifier(schema, "ledger_restorations")
    )
    cursor = await conn.execute(statement)
    return Lineage._make((await cursor.fetchall())[0])


class Continuity:
    """The lineage of a log as this process knows it, and the callbacks for its changes.

    ``require`` checks the log against what was published, before the first write to each lineage;
    it raises what the write is then refused with.
    """

    def __init__(self, require: Callable[[], Awaitable[None]] | None = None) -> None:
        self.require = require
        self.watchers: list[Callable[[], None]] = []
        """Called when the lineage has changed: what they have cached may never have been."""
        self._current: Lineage | None = None
        self._admitted: Lineage | None = None
        self._doubts = 0

    @property
    def has_gone_back(self) -> bool:
        """Whether the server tells that its log may have lost events, ever: it was promoted, or
        recovered to a point in time, or the ledger has gone on from a restore.
        """
        lineage = self._current
        return lineage is not None and (lineage.timeline > 1 or lineage.epoch > 0)

    def note(self, lineage: Lineage) -> None:
        """Take in the lineage that a new connection shows."""
        before, self._current = self._current, lineage
        if before not in {None, lineage}:
            log.warning("the log is on another server, or was restored", lineage=lineage)
            for forget in self.watchers:
                forget()

    def doubt(self) -> None:
        """Compare the log with what was published before the next write, though nothing tells of
        another lineage; returns at once.
        """
        self._doubts += 1
        self._admitted = None
        for forget in self.watchers:
            forget()

    async def admit(self, lineage: Lineage) -> None:
        """Require that the log of that lineage may be written; raises what ``require`` does."""
        self.note(lineage)
        if lineage != self._admitted:
            doubts = self._doubts
            if self.require is not None:
                await self.require()
            if doubts == self._doubts:  # else it is compared once more, on the next connection
                self._admitted = lineage
