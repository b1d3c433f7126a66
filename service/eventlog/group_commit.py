"""The write path of the log: one group-commit writer a process.

Commands that arrive while a commit is under way are sent together as one call of the server's
`append_events`, so the table lock is never held across a round trip and one fsync serves many
commands; each caller is answered after its commit.
"""

import asyncio
import math
import time
from collections.abc import Awaitable, Callable, Sequence
from typing import Any, NamedTuple, TypeAlias
from uuid import UUID

import psycopg
import structlog
from psycopg.conninfo import conninfo_to_dict

from phaseledger.service.eventlog.errors import (
    Conflict,
    StoreFull,
    StoreUnavailable,
    explain_outage,
    outcome_unknown,
    store_closed,
)
from phaseledger.service.eventlog.rows import Row
from phaseledger.service.runtime import metrics
from phaseledger.service.runtime import tracing as telemetry

ROWS_IN_BATCH = 2_000  # bounds how long one batch holds the table lock
PATIENCE = 5.0  # seconds a command in doubt, or a read, waits for a lost database to come back
LOSSES = 3  # connections lost on one batch before it is given up

log = structlog.get_logger("phaseledger.writer")


class PendingAppend(NamedTuple):
    """A command on its way into the log, and the future its caller awaits."""

    game: UUID
    rows: Sequence[Row]
    done: asyncio.Future[int]
    origin: Any = None
    """The span that the command came in."""


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
        self._queue: asyncio.Queue[PendingAppend | None] = asyncio.Queue(queue)
        self._conn: Connection | None = None
        self._task = asyncio.create_task(self._run(), name="group-writer")

    async def append(self, game: UUID, rows: Sequence[Row]) -> int:
        """Queue the command and wait for its commit."""
        if self._task.done():
            raise store_closed()
        done: asyncio.Future[int] = asyncio.get_running_loop().create_future()
        try:
            self._queue.put_nowait(PendingAppend(game, rows, done, telemetry.current_span()))
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
        batch: list[PendingAppend] = []
        try:
            while batch := await self._take():
                try:
                    await self._settle(batch)
                except StoreUnavailable as refusal:
                    _refuse(batch, refusal)
                    await self._hang_up()  # the next batch may find another, better server
                except Exception as bug:  # noqa: BLE001 - the writer outlives what it cannot write
                    log.critical("a batch failed", error=type(bug).__name__)
                    _refuse(batch, outcome_unknown(StoreUnavailable("The writer failed.")))
                    await self._hang_up()
        finally:
            late = [self._queue.get_nowait() for _ in range(self._queue.qsize())]
            _refuse([*batch, *filter(None, late)], store_closed())
            await self._hang_up()

    async def _take(self) -> list[PendingAppend]:
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

    async def _settle(self, batch: Sequence[PendingAppend], lost: int = 0) -> None:
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
                raise explain_outage(error) from error
            if lost == LOSSES:
                raise outcome_unknown(explain_outage(error)) from error
            await self._settle(batch, lost + 1)
        else:
            for waiting, position in zip(batch, positions, strict=True):
                _answer(waiting, position)

    async def _send(self, conn: Connection, batch: Sequence[PendingAppend]) -> list[int]:
        """Return the position of each command's last row, committed."""
        events, began = sum(len(waiting.rows) for waiting in batch), time.perf_counter()
        with telemetry.append_span(len(batch), events, (waiting.origin for waiting in batch)):
            cursor = await conn.execute(
                self._statement,
                (
                    [waiting.game for waiting in batch for _ in waiting.rows],
                    [row.version for waiting in batch for row in waiting.rows],
                    [row.topic for waiting in batch for row in waiting.rows],
                    [row.state for waiting in batch for row in waiting.rows],
                    [row.leaf for waiting in batch for row in waiting.rows],
                ),
                prepare=True,
                binary=True,
            )
        metrics.APPEND_SECONDS.observe(time.perf_counter() - began)
        metrics.BATCH_COMMANDS.observe(len(batch))
        metrics.BATCH_EVENTS.observe(events)
        ((positions,),) = await cursor.fetchall()
        lasts, end = [], -1
        for waiting in batch:
            end += len(waiting.rows)
            lasts.append(positions[end])
        return lasts

    async def _convict(self, waiting: PendingAppend, error: psycopg.Error, lost: int) -> None:
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
                    raise (outcome_unknown(refusal) if lost else refusal) from refusal.__cause__
                await asyncio.sleep(0.1)
            else:
                return self._conn

    async def _hang_up(self) -> None:
        if self._conn is not None:
            await self._conn.close()


def parameters(dsn: str) -> dict[str, Any]:
    """The DSN's connection parameters, over those that this program sets by itself."""
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


def _answer(waiting: PendingAppend, position: int) -> None:
    if not waiting.done.done():  # its caller may have been cancelled meanwhile
        waiting.done.set_result(position)


def _refuse(batch: Sequence[PendingAppend], refusal: StoreUnavailable) -> None:
    for waiting in batch:
        if not waiting.done.done():
            # One each: a shared exception would collect the traceback of every caller.
            waiting.done.set_exception(type(refusal)(str(refusal), refusal.retry_after))
