"""The event log as the service sees it: append a command's events, read a game, follow the log."""

import asyncio
from collections.abc import Sequence
from typing import Protocol, Self
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
    closed,
    explained,
    require_fit,
)
from phaseledger.service.eventlog.group_commit import Connection, GroupWriter, parameters
from phaseledger.service.eventlog.library import GroupRecorder, recorder_factory
from phaseledger.service.eventlog.migrations import SCHEMA, Migration, check
from phaseledger.service.eventlog.reader import FINAL, Notice, Reader
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

QUEUE = 10_000  # commands; at some thousand commits a second, a second or two of waiting


class GameStore(Protocol):
    """What the service needs of the games in an event log, or in several."""

    async def append(self, game: UUID, rows: Sequence[Row]) -> int:
        """Store all rows or none, durably; returns the position of the last one.

        The rows are consecutive and go on from the caller's idea of the game's head. Raises
        Conflict when one of the versions is taken.
        """
        ...

    async def read(self, game: UUID, after: int = 0, limit: int | None = None) -> list[Row]:
        """Return the game's rows with versions above `after`, oldest first."""
        ...

    async def head(self, game: UUID) -> int:
        """Return the game's highest version, 0 when the game is unknown."""
        ...

    async def unfinished(self) -> list[UUID]:
        """Return the games whose last event does not end them, in no particular order."""
        ...


class Store(GameStore, Protocol):
    """One event log."""

    async def tail(self, after: int, limit: int = 1000) -> list[Notice]:
        """Return the log's events with positions above `after`, in log order.

        Nothing with a lower position turns up later.
        """
        ...

    async def leaves(self, after: int, limit: int = 1000) -> list[Notice]:
        """Return what `tail` does; events whose leaf is stored may lack their bytes."""
        ...

    async def position(self) -> int:
        """Return the log's last position, 0 when it is empty."""
        ...

    async def open(self) -> None:
        """Connect; raises StoreUnavailable or SchemaError with a sentence for the operator."""
        ...

    async def close(self) -> None:
        """Store what waits, then let go of everything."""
        ...

    async def __aenter__(self) -> Self: ...
    async def __aexit__(self, *exc: object) -> None: ...


class MemoryStore(Store):
    """A log that is gone with its process: for tests, simulations and the demo."""

    def __init__(self) -> None:
        self._games: dict[UUID, list[Row]] = {}
        self._log: list[Notice] = []

    @override
    async def append(self, game: UUID, rows: Sequence[Row]) -> int:
        _require_consecutive(rows)
        stored = self._games.get(game, [])
        if rows[0].version != len(stored) + 1:
            raise Conflict(game, rows[0].version)
        self._games[game] = [*stored, *rows]
        first = len(self._log) + 1
        self._log += [Notice(position, game, row) for position, row in enumerate(rows, first)]
        return len(self._log)

    @override
    async def read(self, game: UUID, after: int = 0, limit: int | None = None) -> list[Row]:
        return self._games.get(game, [])[after : None if limit is None else after + limit]

    @override
    async def head(self, game: UUID) -> int:
        return len(self._games.get(game, []))

    @override
    async def tail(self, after: int, limit: int = 1000) -> list[Notice]:
        return self._log[after : after + limit]

    @override
    async def leaves(self, after: int, limit: int = 1000) -> list[Notice]:
        return self._log[after : after + limit]

    @override
    async def position(self) -> int:
        return len(self._log)

    @override
    async def unfinished(self) -> list[UUID]:
        return [game for game, rows in self._games.items() if rows[-1].topic not in FINAL]

    @override
    async def open(self) -> None: ...

    @override
    async def close(self) -> None: ...

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *exc: object) -> None: ...


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
            raise explained(error) from error
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
            raise closed()
        events = [StoredEvent(game, row.version, row.topic, row.state) for row in rows]
        try:
            positions = await asyncio.to_thread(self._recorder.insert_events, events)
        except IntegrityError:
            raise Conflict(game, rows[0].version) from None
        except PersistenceError as error:
            raise explained(error) from error
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
            raise explained(error) from error
        return conn


def _require_consecutive(rows: Sequence[Row]) -> None:
    if not rows or rows[0].version < 1:
        raise ValueError("an append holds at least one row, and versions count from 1")
    if any(row.version != version for version, row in enumerate(rows, rows[0].version)):
        raise ValueError("the versions of one append are consecutive")
