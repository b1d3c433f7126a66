"""Quotas of several processes over one ledger, shared through PostgreSQL.

Each process counts for itself, and no request waits for what stands here. About once a second a
process adds what it has charged and takes in what all have charged, so beside its quota a caller
gets no more than a second's worth of each further process. While the database is away, every
process goes by what it knows. The tables are unlogged: after a crash of the database, or a
failover, the counts begin anew.
"""

import asyncio
import time
from collections.abc import Sequence
from datetime import datetime

import structlog
from psycopg.sql import SQL, Identifier

from phaseledger.service.eventlog.connection import Connection
from phaseledger.service.eventlog.errors import StoreUnavailable
from phaseledger.service.eventlog.migrations import SCHEMA, Migration
from phaseledger.service.eventlog.side_connection import SideConnection
from phaseledger.service.quotas.open_tables import OpenedTable, OpenTables
from phaseledger.service.quotas.token_buckets import MonotonicClock, RateLimitPolicy

QUOTAS: tuple[Migration, ...] = (
    (
        "quotas/1",
        """
        CREATE UNLOGGED TABLE {schema}.token_buckets (
          policy text,
          key bytea,
          full_at timestamptz NOT NULL,
          PRIMARY KEY (policy, key)
        ) WITH (fillfactor = 50);
        COMMENT ON TABLE {schema}.token_buckets
          IS 'Until when what addresses and tokens have used fills up again; full ones are dropped';

        CREATE UNLOGGED TABLE {schema}.open_tables (
          game uuid PRIMARY KEY,
          address bytea NOT NULL,
          bots_alone boolean NOT NULL,
          closed boolean NOT NULL,
          changed_at timestamptz NOT NULL
        );
        COMMENT ON TABLE {schema}.open_tables
          IS 'Which address has opened a table; those that are closed are dropped';
        CREATE INDEX open_tables_by_change ON {schema}.open_tables (changed_at);
        """,
    ),
)
TABLES = ("token_buckets", "open_tables")
"""The application writes them; others have no business with them, for the addresses' sake."""

EVERY = 1.0  # seconds between exchanges
SECONDS = 5.0  # for one, until its connection is cut
MOST = 5_000  # buckets of a policy in one exchange; the others wait for the next one
PRUNE = 60.0  # seconds between looks for rows that say nothing any more
OVERLAP = 15.0
"""Seconds for which changes are read again, since one that began earlier may be seen later; more
than an exchange lasts.
"""
CLOSED = 600.0  # seconds after which a closed table is known to be so in all processes
ALL = "-infinity"  # before any change

# In the order of the key, so that two processes never wait for one another.
_CHARGE = """
    INSERT INTO {schema}.token_buckets AS bucket (policy, key, full_at)
    SELECT policy, key, now() + seconds * interval '1 second'
    FROM unnest(%s::text[], %s::bytea[], %s::float8[]) AS charge (policy, key, seconds)
    ORDER BY policy, key
    ON CONFLICT (policy, key) DO UPDATE
      SET full_at = greatest(bucket.full_at, now()) + (excluded.full_at - now())
    RETURNING policy, key, extract(epoch FROM full_at - now())::float8
"""
_CHANGE = """
    INSERT INTO {schema}.open_tables AS known (game, address, bots_alone, closed, changed_at)
    SELECT game, address, bots_alone, closed, now()
    FROM unnest(%s::uuid[], %s::bytea[], %s::boolean[], %s::boolean[])
      AS change (game, address, bots_alone, closed)
    ORDER BY game
    ON CONFLICT (game) DO UPDATE SET bots_alone = excluded.bots_alone,
      closed = known.closed OR excluded.closed, changed_at = excluded.changed_at
"""
_CHANGES = """
    SELECT game, address, bots_alone, closed, changed_at FROM {schema}.open_tables
    WHERE changed_at > %s::timestamptz - %s * interval '1 second' ORDER BY changed_at, game
"""
_PRUNE = (
    """
    DELETE FROM {schema}.token_buckets WHERE (policy, key) IN (
      SELECT policy, key FROM {schema}.token_buckets WHERE full_at < now()
      FOR UPDATE SKIP LOCKED)
    """,
    """
    DELETE FROM {schema}.open_tables WHERE game IN (
      SELECT game FROM {schema}.open_tables
      WHERE closed AND changed_at < now() - %s * interval '1 second' FOR UPDATE SKIP LOCKED)
    """,
)

log = structlog.get_logger("phaseledger.quotas")


class QuotaExchange:
    """The exchange of one process: the buckets of its policies, and the tables opened through it.

    The policies' names tell them apart.
    """

    def __init__(
        self,
        dsn: str,
        policies: Sequence[RateLimitPolicy],
        tables: OpenTables,
        *,
        schema: str = SCHEMA,
        clock: MonotonicClock = time.monotonic,
    ) -> None:
        self._connection = SideConnection(dsn)
        self._policies = {policy.name: policy for policy in policies}
        self._tables = tables
        self._clock = clock
        for policy in policies:
            policy.drain(0)  # from now on it notes what is to be told
        tables.drain()
        self._newest: datetime | str = ALL
        """When the last change to a table that is known here was made."""
        name = Identifier(schema)
        self._charge, self._change, self._changes, *self._prune = (
            SQL(text).format(schema=name).as_bytes()
            for text in (_CHARGE, _CHANGE, _CHANGES, *_PRUNE)
        )

    async def run(self) -> None:
        """Exchange once a second, until cancelled; a lost database is waited for."""
        reason, pruned_at = "", self._clock()
        try:
            while True:
                try:
                    await self.exchange()
                    if self._clock() - pruned_at > PRUNE:
                        await self.prune()
                        pruned_at = self._clock()
                    reason = ""
                except StoreUnavailable as lost:
                    if reason != str(lost):
                        log.warning("quotas are not shared: no database", reason=str(lost))
                    reason = str(lost)
                await asyncio.sleep(EVERY)
        finally:
            await self.close()

    async def exchange(self) -> None:
        """Add what was charged and changed here, and take in what others did.

        Raises:
            StoreUnavailable: it is tried again the next time; rather is something counted twice.

        """
        charges = {name: policy.drain(MOST) for name, policy in self._policies.items()}
        changes = self._tables.drain()
        try:
            await self._connection.run(lambda conn: self._exchange(conn, charges, changes), SECONDS)
        except BaseException:
            for name, policy in self._policies.items():
                policy.restore(charges[name])
            self._tables.restore(changes)
            self._newest = ALL  # the server may be another one, without what others told it
            raise

    async def prune(self) -> None:
        """Delete the buckets that are full and the tables that are closed."""

        async def work(conn: Connection) -> None:
            buckets, tables = self._prune
            await conn.execute(buckets)
            await conn.execute(tables, (CLOSED,))

        await self._connection.run(work, SECONDS)

    async def close(self) -> None:
        """Close the connection."""
        await self._connection.close()

    async def _exchange(
        self,
        conn: Connection,
        charges: dict[str, list[tuple[bytes, float]]],
        changes: Sequence[OpenedTable],
    ) -> None:
        rows = [(name, *charge) for name, listed in charges.items() for charge in listed]
        if rows:
            columns = [[*column] for column in zip(*rows, strict=True)]
            cursor = await conn.execute(self._charge, columns, prepare=True)
            now = self._clock()
            for name, key, full_in in await cursor.fetchall():
                self._policies[name].adopt(bytes(key), full_in, now)
        if changes:
            columns = [[*column] for column in zip(*changes, strict=True)]
            await conn.execute(self._change, columns, prepare=True)
        cursor = await conn.execute(self._changes, (self._newest, OVERLAP), prepare=True)
        for game, address, bots_alone, is_closed, changed_at in await cursor.fetchall():
            self._newest = changed_at
            self._tables.adopt(OpenedTable(game, bytes(address), bots_alone, is_closed))
