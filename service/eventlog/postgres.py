"""The event log as the service sees it: append a command's events, read a game, follow the log."""

import asyncio
from collections.abc import Sequence
from typing import Self
from uuid import UUID

import psycopg
from eventsourcing.persistence import (
    ApplicationRecorder,
    IntegrityError,
    PersistenceError,
    StoredEvent,
)
from eventsourcing.postgres import PostgresFactory
from psycopg.conninfo import make_conninfo
from typing_extensions import override

from phaseledger.service.eventlog.errors import (
    Conflict,
    StoreFull,
    StoreUnavailable,
    StoreUnfit,
    explain_outage,
    require_fit,
    store_closed,
)
from phaseledger.service.eventlog.group_commit import Connection, GroupWriter, parameters
from phaseledger.service.eventlog.library import GroupRecorder, recorder_factory
from phaseledger.service.eventlog.memory import MemoryStore
from phaseledger.service.eventlog.migrations import SCHEMA, Migration, check
from phaseledger.service.eventlog.protocols import QUEUE, GameStore, Store, _require_consecutive
from phaseledger.service.eventlog.reader import Notice, Reader
from phaseledger.service.eventlog.rows import Row, row_of

__all__ = [
    "Conflict",
    "GameStore",
    "MemoryStore",
    "Notice",
    "PostgresStore",
    "Row",
    "Store",
    "StoreFull",
    "StoreUnavailable",
    "StoreUnfit",
    "row_of",
]


class PostgresStore(Store):
    """The log in PostgreSQL, 15 or newer, whose objects `service.schema` has made.

    `grouping=False` appends with the library's stock recorder in threads, for comparison; it stores
    no leaves. `unsafe`
    accepts a server that may lose acknowledged events. `queue` bounds the commands that wait.
    """

    def __init__(
        self,
        dsn: str,
        *,
        schema: str = SCHEMA,
        extra: Sequence[Migration] = (),
        grouping: bool = True,
        unsafe: bool = False,
        queue: int = QUEUE,
    ) -> None:
        self._conninfo = make_conninfo(**parameters(dsn))
        self._schema = schema
        self._extra = extra
        self._grouping = grouping
        self._unsafe = unsafe
        self._bound = queue
        self._factory: PostgresFactory | None = None
        self._recorder: ApplicationRecorder | None = None
        self._writer: GroupWriter | None = None
        self._reader = Reader(self._conninfo, schema)

    @override
    async def open(self) -> None:
        await (await self._connect()).close()
        self._factory = recorder_factory(
            self._conninfo, schema=self._schema, grouping=self._grouping
        )
        try:
            await asyncio.to_thread(check, self._conninfo, schema=self._schema, extra=self._extra)
            self._recorder = await asyncio.to_thread(self._factory.application_recorder)
        except (psycopg.Error, PersistenceError) as error:
            raise explain_outage(error) from error
        await self._reader.open()
        if isinstance(self._recorder, GroupRecorder):
            self._writer = GroupWriter(
                self._connect, self._recorder.append_statement, self._reader.find, self._bound
            )

    @override
    async def close(self) -> None:
        if self._writer is not None:
            await self._writer.close()
        await self._reader.close()
        if self._factory is not None:
            await asyncio.to_thread(self._factory.close)

    async def __aenter__(self) -> Self:
        try:
            await self.open()
        except BaseException:
            await self.close()
            raise
        return self

    async def __aexit__(self, *exc: object) -> None:
        await self.close()

    @override
    async def append(self, game: UUID, rows: Sequence[Row]) -> int:
        _require_consecutive(rows)
        if self._writer is not None:
            return await self._writer.append(game, rows)
        if self._recorder is None:
            raise store_closed()
        events = [StoredEvent(game, row.version, row.topic, row.state) for row in rows]
        try:
            positions = await asyncio.to_thread(self._recorder.insert_events, events)
        except IntegrityError:
            raise Conflict(game, rows[0].version) from None
        except PersistenceError as error:
            raise explain_outage(error) from error
        assert positions
        return positions[-1]

    @override
    async def read(self, game: UUID, after: int = 0, limit: int | None = None) -> list[Row]:
        return await self._reader.read(game, after, limit)

    @override
    async def head(self, game: UUID) -> int:
        return await self._reader.head(game)

    @override
    async def tail(self, after: int, limit: int = 1000) -> list[Notice]:
        return await self._reader.tail(after, limit)

    @override
    async def leaves(self, after: int, limit: int = 1000) -> list[Notice]:
        return await self._reader.leaves(after, limit)

    @override
    async def position(self) -> int:
        return await self._reader.position()

    @override
    async def unfinished(self) -> list[UUID]:
        return await self._reader.unfinished()

    async def _connect(self) -> Connection:
        """Connect to a server that may be written and keeps what it acknowledges."""
        try:
            conn = await psycopg.AsyncConnection.connect(self._conninfo, autocommit=True)
            try:
                cursor = await conn.execute("SELECT name, setting FROM pg_settings")
                settings: dict[str, str] = dict(await cursor.fetchall())
                require_fit(conn.info.server_version, settings, unsafe=self._unsafe)
            except BaseException:
                await conn.close()
                raise
        except psycopg.Error as error:
            raise explain_outage(error) from error
        return conn
