"""The event store in PostgreSQL: append a command's events, read a game, follow the log."""

import asyncio
from collections.abc import Sequence
from uuid import UUID

import psycopg
import structlog
from typing_extensions import override

from phaseledger.replay.formats.sealing import NO_SEALING, SealingKeys
from phaseledger.replay.formats.signing.receipts import TreeSignature
from phaseledger.service.eventlog.connection import Connection, bounded, connect
from phaseledger.service.eventlog.continuity import Continuity, lineage_of
from phaseledger.service.eventlog.errors import (
    explain_outage,
    require_fit,
    require_replicated,
    store_closed,
)
from phaseledger.service.eventlog.group_commit import (
    Appended,
    GroupWriter,
    SignTree,
)
from phaseledger.service.eventlog.migrations import SCHEMA, check
from phaseledger.service.eventlog.protocols import QUEUE, require_consecutive
from phaseledger.service.eventlog.reader import Reader
from phaseledger.service.eventlog.rows import Row

log = structlog.get_logger("phaseledger.eventlog")


class PostgresStore(Reader):
    """The log in PostgreSQL, 15 or newer, whose objects `service.eventlog.migrations` has made.

    `unsafe` accepts a server that may lose acknowledged events, `synchronous` none whose commits
    wait for no standby. `continuity` notices a server that
    has gone back. What is hidden is sealed under the last of the `sealing` keys. `sign` signs the
    receipts of one commit at once; None: they are not signed together.
    """

    def __init__(
        self,
        dsn: str,
        *,
        schema: str = SCHEMA,
        unsafe: bool = False,
        synchronous: bool = False,
        continuity: Continuity | None = None,
        sealing: SealingKeys = NO_SEALING,
        sign: SignTree | None = None,
    ) -> None:
        super().__init__(dsn, schema, self._note_lineage, sealing)
        self._sign = sign
        self._conninfo = bounded(dsn)
        self._schema = schema
        self._unsafe = unsafe
        self._synchronous = synchronous
        self._warning = ""
        self._writer: GroupWriter | None = None
        self._continuity = continuity or Continuity()

    @override
    async def open(self) -> None:
        await (await self._connect_fit()).close()
        try:
            await asyncio.to_thread(check, self._conninfo, schema=self._schema)
        except psycopg.Error as error:
            raise explain_outage(error) from error
        await super().open()
        self._writer = GroupWriter(
            self._connect,
            self._schema,
            self.find,
            QUEUE,
            self.sealing,
            self._sign,
        )
        self._continuity.watchers.append(self.renew)

    @override
    async def close(self) -> None:
        if self.renew in self._continuity.watchers:
            self._continuity.watchers.remove(self.renew)
        if self._writer is not None:
            await self._writer.close()
        await super().close()

    @override
    async def append(self, game: UUID, rows: Sequence[Row], prev: bytes | None = None) -> int:
        return (await self._append(game, rows, prev, None)).position

    @override
    async def append_receipted(
        self, game: UUID, rows: Sequence[Row], prev: bytes | None, entry: bytes
    ) -> TreeSignature | None:
        appended = await self._append(game, rows, prev, entry)
        if appended.recovered:
            return await self.signature_over(game, rows[-1].version, entry)
        return appended.signature

    async def _append(
        self, game: UUID, rows: Sequence[Row], prev: bytes | None, entry: bytes | None
    ) -> Appended:
        require_consecutive(rows)
        if self._writer is None:
            raise store_closed()
        return await self._writer.append(game, rows, prev, entry)

    async def _connect(self) -> Connection:
        """Connect to a server that may be written: fit, and with what was published."""
        conn = await self._connect_fit()
        try:
            await self._continuity.admit(await lineage_of(conn, self._schema))
        except BaseException as error:
            await conn.close()
            if isinstance(error, psycopg.Error):
                raise explain_outage(error) from error
            raise
        return conn

    async def _connect_fit(self) -> Connection:
        """Connect to a server that may be written and keeps what it acknowledges."""
        try:
            conn = await connect(self._dsn)
            try:
                cursor = await conn.execute("SELECT name, setting FROM pg_settings")
                settings: dict[str, str] = dict(await cursor.fetchall())
                require_fit(conn.info.server_version, settings, unsafe=self._unsafe)
                cursor = await conn.execute("SELECT count(*) FROM pg_stat_replication")
                ((standbys,),) = await cursor.fetchall()
                self._warn(require_replicated(settings, standbys, synchronous=self._synchronous))
            except BaseException:
                await conn.close()
                raise
        except psycopg.Error as error:
            raise explain_outage(error) from error
        return conn

    def _warn(self, warning: str) -> None:
        if warning and warning != self._warning:
            log.warning("standbys are not waited for", reason=warning)
        self._warning = warning

    @override
    def renew(self) -> None:
        super().renew()
        if self._writer is not None:
            self._writer.renew()

    async def _note_lineage(self, conn: Connection) -> None:
        self._continuity.note(await lineage_of(conn, self._schema))
