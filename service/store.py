"""The event log as the service sees it: append a command's events, read a game, follow the log.

The write path is one group-commit writer a process. Commands that arrive while a commit is under
way are sent together as one call of the server's `append_events`, so the table lock is never held
across a round trip and one fsync serves many commands; each caller is answered after its commit.
"""

import asyncio
import math
from collections.abc import Awaitable, Callable, Sequence
from typing import Any, LiteralString, NamedTuple, Protocol, Self, TypeAlias
from uuid import UUID

import psycopg
from eventsourcing.persistence import (
    ApplicationRecorder,
    IntegrityError,
    PersistenceError,
    StoredEvent,
)
from eventsourcing.postgres import (
    PostgresApplicationRecorder,
    PostgresDatastore,
    PostgresFactory,
)
from eventsourcing.utils import get_topic
from psycopg.conninfo import conninfo_to_dict, make_conninfo
from psycopg.sql import SQL, Composable, Identifier
from psycopg_pool import AsyncConnectionPool, PoolClosed, PoolTimeout
from typing_extensions import override

from service.schema import SCHEMA, Migration, check

OLDEST_SERVER = 15
QUEUE = 10_000  # commands; at some thousand commits a second, a second or two of waiting
ROWS_IN_BATCH = 2_000  # bounds how long one batch holds the table lock
PATIENCE = 5.0  # seconds a command in doubt, or a read, waits for a lost database to come back
LOSSES = 3  # connections lost on one batch before it is given up
READERS = 4  # connections
DURABLE = ("fsync", "full_page_writes", "synchronous_commit")


class Row(NamedTuple):
    """One event as stored; versions count from 1 within their game."""

    version: int
    topic: str
    state: bytes


class Notice(NamedTuple):
    """One event of the log. Positions grow in log order; numbers may be left out."""

    position: int
    game: UUID
    row: Row


class Conflict(Exception):
    """Somebody else has already written this version of the game."""

    def __init__(self, game: UUID, version: int) -> None:
        super().__init__(f"Version {version} of game {game} is already taken.")
        self.game = game
        self.version = version


class StoreUnavailable(Exception):
    """The log cannot be read or written now; the message is a sentence for the operator.

    `retry_after` is in seconds.
    """

    def __init__(self, message: str, retry_after: int = 1) -> None:
        super().__init__(message)
        self.retry_after = retry_after


class StoreFull(StoreUnavailable):
    """Too many commands wait already, or the disk is full. Nothing was stored."""


class StoreUnfit(StoreUnavailable):
    """The server must not hold a log as it is: too old, or set up to lose what it acknowledged."""


class Store(Protocol):
    """What the service needs of an event log."""

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

    async def tail(self, after: int, limit: int = 1000) -> list[Notice]:
        """Return the log's events with positions above `after`, in log order.

        Nothing with a lower position turns up later.
        """
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
    async def position(self) -> int:
        return len(self._log)

    @override
    async def open(self) -> None: ...

    @override
    async def close(self) -> None: ...

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *exc: object) -> None: ...


class GroupRecorder(PostgresApplicationRecorder):
    """eventsourcing's recorder, appending through the server function instead of four statements.

    It writes what the stock recorder writes, in the same order under the same lock, so both may
    be used on one table.
    """

    def __init__(
        self, datastore: PostgresDatastore, *, events_table_name: str = "stored_events"
    ) -> None:
        super().__init__(datastore, events_table_name=events_table_name)
        if datastore.enable_db_functions:
            # In that mode the library takes no lock, and readers miss committed events.
            raise ValueError("enable_db_functions must stay off")
        # Composed once: the library composes SQL at every call, a good part of its time.
        self.append_statement = (
            SQL("SELECT {}.append_events(%b::uuid[], %b::bigint[], %b::text[], %b::bytea[])")
            .format(Identifier(datastore.schema))
            .as_bytes()
        )

    @override
    def insert_events(
        self,
        stored_events: Sequence[StoredEvent],
        **_: Any,
    ) -> Sequence[int] | None:
        """Append in one round trip. Never tried again: a lost answer may follow a commit."""
        if not stored_events:
            return []
        with self.datastore.get_connection() as conn, conn.cursor() as cursor:
            cursor.execute(
                self.append_statement,
                (
                    [event.originator_id for event in stored_events],
                    [event.originator_version for event in stored_events],
                    [event.topic for event in stored_events],
                    [event.state for event in stored_events],
                ),
                prepare=True,
            )
            row = cursor.fetchone()
        assert row is not None
        return list(row["append_events"])


class Waiting(NamedTuple):
    """A command on its way into the log, and the future its caller awaits."""

    game: UUID
    rows: Sequence[Row]
    done: asyncio.Future[int]


Connection: TypeAlias = psycopg.AsyncConnection[tuple[Any, ...]]


class GroupWriter:
    """The process's one writer: a queue, a connection, and a task between them."""

    def __init__(
        self,
        connect: Callable[[], Awaitable[Connection]],
        statement: bytes,
        find: Callable[[UUID, Sequence[Row]], Awaitable[int | None]],
        queue: int,
    ) -> None:
        self._connect = connect
        self._statement = statement
        self._find = find
        self._queue: asyncio.Queue[Waiting | None] = asyncio.Queue(queue)
        self._conn: Connection | None = None
        self._task = asyncio.create_task(self._run(), name="group-writer")

    async def append(self, game: UUID, rows: Sequence[Row]) -> int:
        """Queue the command and wait for its commit."""
        if self._task.done():
            raise _closed()
        done: asyncio.Future[int] = asyncio.get_running_loop().create_future()
        try:
            self._queue.put_nowait(Waiting(game, rows, done))
        except asyncio.QueueFull:
            raise StoreFull(
                f"{self._queue.maxsize} commands wait for the database already."
            ) from None
        return await done

    async def close(self) -> None:
        """Write what waits, then stop."""
        if not self._task.done():
            await self._queue.put(None)
            await self._task

    async def _run(self) -> None:
        batch: list[Waiting] = []
        try:
            while batch := await self._take():
                try:
                    await self._settle(batch)
                except StoreUnavailable as refusal:
                    _refuse(batch, refusal)
                    await self._hang_up()  # the next batch may find another, better server
        finally:
            late = [self._queue.get_nowait() for _ in range(self._queue.qsize())]
            _refuse([*batch, *filter(None, late)], _closed())
            await self._hang_up()

    async def _take(self) -> list[Waiting]:
        """Wait for a command and take along all that wait; nothing when the store closes."""
        while (first := await self._queue.get()) is not None:
            # One turn of the loop: those just answered may come with their next command.
            await asyncio.sleep(0)
            batch, rows = [first], len(first.rows)
            while rows < ROWS_IN_BATCH and not self._queue.empty():
                following = self._queue.get_nowait()
                if following is None:
                    self._queue.put_nowait(None)
                    break
                batch.append(following)
                rows += len(following.rows)
            if wanted := [waiting for waiting in batch if not waiting.done.cancelled()]:
                return wanted
        return []

    async def _settle(self, batch: Sequence[Waiting], lost: int = 0) -> None:
        """Store the batch and answer its members.

        `lost` counts the connections lost on it: from the first, it may be stored already.
        """
        conn = await self._connection(lost)
        try:
            positions = await self._send(conn, batch)
        except (psycopg.IntegrityError, psycopg.DataError) as error:
            if len(batch) == 1:
                await self._convict(batch[0], error, lost)
                return
            for waiting in batch:
                await self._settle([waiting], lost)
        except psycopg.Error as error:
            if not conn.closed:
                raise _explained(error) from error
            if lost == LOSSES:
                raise _in_doubt(_explained(error)) from error
            await self._settle(batch, lost + 1)
        else:
            for waiting, position in zip(batch, positions, strict=True):
                _answer(waiting, position)

    async def _send(self, conn: Connection, batch: Sequence[Waiting]) -> list[int]:
        """Return the position of each command's last row, committed."""
        cursor = await conn.execute(
            self._statement,
            (
                [waiting.game for waiting in batch for _ in waiting.rows],
                [row.version for waiting in batch for row in waiting.rows],
                [row.topic for waiting in batch for row in waiting.rows],
                [row.state for waiting in batch for row in waiting.rows],
            ),
            prepare=True,
            binary=True,
        )
        ((positions,),) = await cursor.fetchall()
        lasts, end = [], -1
        for waiting in batch:
            end += len(waiting.rows)
            lasts.append(positions[end])
        return lasts

    async def _convict(self, waiting: Waiting, error: psycopg.Error, lost: int) -> None:
        taken = isinstance(error, psycopg.errors.UniqueViolation)
        if taken and lost and (position := await self._find(waiting.game, waiting.rows)):
            _answer(waiting, position)  # our own rows: the lost answer was "committed"
        elif not waiting.done.done():
            conflict = Conflict(waiting.game, waiting.rows[0].version)
            waiting.done.set_exception(conflict if taken else error)

    async def _connection(self, lost: int) -> Connection:
        if self._conn is not None and not self._conn.closed:
            return self._conn
        clock = asyncio.get_running_loop().time
        deadline = clock() + (PATIENCE if lost else 0)
        while True:
            try:
                self._conn = await self._connect()
            except StoreUnavailable as refusal:
                if clock() >= deadline:
                    raise (_in_doubt(refusal) if lost else refusal) from refusal.__cause__
                await asyncio.sleep(0.1)
            else:
                return self._conn

    async def _hang_up(self) -> None:
        if self._conn is not None:
            await self._conn.close()


class PostgresStore(Store):
    """The log in PostgreSQL, 15 or newer, whose objects `service.schema` has made.

    `grouping=False` appends with the library's stock recorder in threads, for comparison. `unsafe`
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
        self._parameters = _parameters(dsn)
        self._conninfo = make_conninfo(**self._parameters)
        self._schema = schema
        self._extra = extra
        self._grouping = grouping
        self._unsafe = unsafe
        self._bound = queue
        self._factory: PostgresFactory | None = None
        self._recorder: ApplicationRecorder | None = None
        self._writer: GroupWriter | None = None
        self._pool: AsyncConnectionPool[Connection] | None = None
        table = SQL("{}.stored_events").format(Identifier(schema))
        self._read = _statement(
            "SELECT originator_version, topic, state FROM {} WHERE originator_id = %s "
            "AND originator_version > %s ORDER BY originator_version LIMIT %s",
            table,
        )
        self._head = _statement(
            "SELECT coalesce(max(originator_version), 0) FROM {} WHERE originator_id = %s", table
        )
        self._tail = _statement(
            "SELECT notification_id, originator_id, originator_version, topic, state FROM {} "
            "WHERE notification_id > %s ORDER BY notification_id LIMIT %s",
            table,
        )
        self._position = _statement("SELECT coalesce(max(notification_id), 0) FROM {}", table)
        self._place = _statement(
            "SELECT notification_id FROM {} WHERE originator_id = %s AND originator_version = %s",
            table,
        )

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
            raise _explained(error) from error
        self._pool = AsyncConnectionPool(
            self._conninfo,
            kwargs={"autocommit": True},
            min_size=1,
            max_size=READERS,
            timeout=PATIENCE,
            # Short, because its attempts come ever more rarely while a server is away.
            reconnect_timeout=PATIENCE,
            open=False,
        )
        await self._pool.open()
        if isinstance(self._recorder, GroupRecorder):
            self._writer = GroupWriter(
                self._connect, self._recorder.append_statement, self._find, self._bound
            )

    @override
    async def close(self) -> None:
        if self._writer is not None:
            await self._writer.close()
        if self._pool is not None:
            await self._pool.close()
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
            raise _closed()
        events = [StoredEvent(game, row.version, row.topic, row.state) for row in rows]
        try:
            positions = await asyncio.to_thread(self._recorder.insert_events, events)
        except IntegrityError:
            raise Conflict(game, rows[0].version) from None
        except PersistenceError as error:
            raise _explained(error) from error
        assert positions
        return positions[-1]

    @override
    async def read(self, game: UUID, after: int = 0, limit: int | None = None) -> list[Row]:
        return [Row._make(row) for row in await self._fetch(self._read, game, after, limit)]

    @override
    async def head(self, game: UUID) -> int:
        ((version,),) = await self._fetch(self._head, game)
        return int(version)

    @override
    async def tail(self, after: int, limit: int = 1000) -> list[Notice]:
        rows = await self._fetch(self._tail, after, limit)
        return [Notice(position, game, Row._make(row)) for position, game, *row in rows]

    @override
    async def position(self) -> int:
        ((position,),) = await self._fetch(self._position)
        return int(position)

    async def _fetch(self, statement: bytes, *parameters: object) -> list[tuple[Any, ...]]:
        if self._pool is None:
            raise _closed()
        for last in (False, True):
            try:
                async with self._pool.connection() as conn:
                    cursor = await conn.execute(statement, parameters, prepare=True, binary=True)
                    return await cursor.fetchall()
            except (PoolClosed, PoolTimeout) as error:
                raise _explained(error) from error
            except psycopg.Error as error:
                if last or not isinstance(error, psycopg.OperationalError):
                    raise _explained(error) from error
                await self._pool.check()  # a server restarted meanwhile has dropped them all
        raise AssertionError("the second attempt returns or raises")

    async def _find(self, game: UUID, rows: Sequence[Row]) -> int | None:
        """Return the position of the last of these very rows, None when they are not stored."""
        if await self.read(game, rows[0].version - 1, len(rows)) != list(rows):
            return None
        ((position,),) = await self._fetch(self._place, game, rows[-1].version)
        return int(position)

    async def _connect(self) -> Connection:
        """Connect to a server that may be written and keeps what it acknowledges."""
        try:
            conn = await psycopg.AsyncConnection.connect(self._conninfo, autocommit=True)
            try:
                cursor = await conn.execute("SELECT name, setting FROM pg_settings")
                self._require_fit(conn.info.server_version, dict(await cursor.fetchall()))
            except BaseException:
                await conn.close()
                raise
        except psycopg.Error as error:
            raise _explained(error) from error
        return conn

    def _require_fit(self, server_version: int, settings: dict[str, str]) -> None:
        if server_version < OLDEST_SERVER * 10_000:
            raise StoreUnfit(
                f"The server is PostgreSQL {server_version // 10_000}; phaseledger needs "
                f"{OLDEST_SERVER} or newer."
            )
        loose = [name for name in DURABLE if settings.get(name) == "off"]
        if loose and not self._unsafe:
            raise StoreUnfit(
                f"The server runs with {' and '.join(f'{name}=off' for name in loose)}, so a crash "
                "may lose acknowledged events: turn it on (or accept the loss with the unsafe "
                "option)."
            )
        if settings.get("transaction_read_only") == "on":
            raise StoreUnavailable(
                "The database is read-only: connect to the primary server.", retry_after=5
            )


def recorder_factory(dsn: str, *, schema: str = SCHEMA, grouping: bool = True) -> PostgresFactory:
    """Return eventsourcing's factory for this log; its `application_recorder()` is ours.

    All settings are given here: what stands in the process environment plays no part.
    """
    parameters = _parameters(dsn)
    env = {
        "POSTGRES_DBNAME": "",
        "POSTGRES_HOST": "",
        "POSTGRES_USER": "",
        "POSTGRES_PASSWORD": "",
        "POSTGRES_SCHEMA": schema,
        "POSTGRES_POOL_SIZE": "0",
        "POSTGRES_CONNECT_TIMEOUT": str(math.ceil(PATIENCE)),
        "POSTGRES_ENABLE_DB_FUNCTIONS": "no",
        "CREATE_TABLE": "no",
    }
    if grouping:
        env["APPLICATION_RECORDER_TOPIC"] = get_topic(GroupRecorder)
    factory = PostgresFactory(env)
    # The library passes on five parameters only; a DSN may hold more (TLS, several hosts).
    kwargs = factory.datastore.pool.kwargs
    assert isinstance(kwargs, dict)
    for name in ("dbname", "host", "port", "user", "password"):
        del kwargs[name]
    kwargs.update(parameters)
    return factory


# By SQLSTATE, or its class: what an operator can do, and after how many seconds to come back.
_REMEDIES: dict[str, tuple[str, int]] = {
    "08": ("The connection to the database is lost.", 1),
    "25006": ("The database is read-only: connect to the primary server.", 5),
    "3F000": ("The database has no such schema: run `phaseledger migrate`.", 60),
    "42": ("The database's schema does not fit this program: run `phaseledger migrate`.", 60),
    "42501": (
        "The database role may not do this: run `phaseledger migrate` with the role's name.",
        60,
    ),
    "53100": ("The database's disk is full: make room; nothing was stored.", 30),
    "53300": ("The database has no free connection: raise its max_connections.", 5),
    "53": ("The database is short of memory or another resource.", 10),
    "55P03": ("The log is locked by another session: end it, or wait.", 5),
    "57P": ("The database is starting or stopping.", 2),
}


def _explained(error: Exception) -> StoreUnavailable:
    """Say in a sentence what is wrong and what to do. libpq's messages hold no password."""
    cause = error.__cause__ if isinstance(error, PersistenceError) and error.__cause__ else error
    state = getattr(cause, "sqlstate", None) or ""
    said = str(cause).strip().partition("\n")[0]
    for length in (5, 3, 2):
        if state and state[:length] in _REMEDIES:
            remedy, retry_after = _REMEDIES[state[:length]]
            kind = StoreFull if state == "53100" else StoreUnavailable
            return kind(f"{remedy} It says: {said}", retry_after)
    return StoreUnavailable(
        f"The database does not answer: check that it runs and that the DSN is right. ({said})", 2
    )


def _in_doubt(refusal: StoreUnavailable) -> StoreUnavailable:
    return type(refusal)(
        f"{refusal} Whether the command was stored is not known: send it again with the same key.",
        refusal.retry_after,
    )


def _closed() -> StoreUnavailable:
    return StoreUnavailable("The store is closed.", retry_after=5)


def _answer(waiting: Waiting, position: int) -> None:
    if not waiting.done.done():  # its caller may have been cancelled meanwhile
        waiting.done.set_result(position)


def _refuse(batch: Sequence[Waiting], refusal: StoreUnavailable) -> None:
    for waiting in batch:
        if not waiting.done.done():
            # One each: a shared exception would collect the traceback of every caller.
            waiting.done.set_exception(type(refusal)(str(refusal), refusal.retry_after))


def _require_consecutive(rows: Sequence[Row]) -> None:
    if not rows or rows[0].version < 1:
        raise ValueError("an append holds at least one row, and versions count from 1")
    if any(row.version != version for version, row in enumerate(rows, rows[0].version)):
        raise ValueError("the versions of one append are consecutive")


def _statement(text: LiteralString, table: Composable) -> bytes:
    return SQL(text).format(table).as_bytes()


def _parameters(dsn: str) -> dict[str, Any]:
    try:
        given = conninfo_to_dict(dsn)
    except psycopg.ProgrammingError:
        # Without the cause: it quotes the DSN, password and all.
        raise ValueError(
            "The DSN is not understood: write postgresql://user:password@host:port/database."
        ) from None
    return {
        "application_name": "phaseledger",
        "connect_timeout": math.ceil(PATIENCE),
        # A peer that vanished is noticed within seconds, not after the system's quarter hour.
        "tcp_user_timeout": 10_000,
        "keepalives_idle": 10,
    } | given
