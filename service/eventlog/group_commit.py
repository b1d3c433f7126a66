"""Group commit: one writer a process appends the commands in flight in one transaction.

Commands that arrive while a commit is under way are sent together as one call of the server's
`append_events`, so the table lock is never held across a round trip and one fsync serves many
commands; each caller is answered after its commit. Where several of them get a receipt, one
signature over a tree of the receipts' entries is stored with them, in the same transaction.
"""

import asyncio
import time
from collections.abc import Awaitable, Callable, Sequence
from typing import Any, LiteralString, NamedTuple
from uuid import UUID

import psycopg
import structlog
from psycopg.sql import SQL, Identifier

from phaseledger.replay.formats.sealing import NO_SEALING, SealingKeys
from phaseledger.replay.formats.signing.receipts import SignedTree, TreeSignature
from phaseledger.service.eventlog.connection import PATIENCE, Connection
from phaseledger.service.eventlog.errors import (
    Conflict,
    PredecessorMissing,
    StoreFull,
    StoreUnavailable,
    explain_outage,
    outcome_unknown,
    store_closed,
)
from phaseledger.service.eventlog.rows import Row
from phaseledger.service.runtime import metrics, tracing

ROWS_IN_BATCH = 2_000  # bounds how long one batch holds the table lock
LOSSES = 3  # connections lost on one batch before it is given up

log = structlog.get_logger("phaseledger.writer")

_COLUMNS: LiteralString = (
    "%b::uuid[], %b::bigint[], %b::text[], %b::bytea[], %b::bytea[], %b::bytea[]"
)
APPEND = SQL(f"SELECT {{}}.append_events({_COLUMNS})")
APPEND_SIGNED = SQL(f"SELECT {{}}.append_signed_events({_COLUMNS}, %b::text, %b::bytea, %b::bytea)")

SignTree = Callable[[Sequence[bytes]], SignedTree]
"""Signs a tree of two or more receipt entries, given by their leaf hashes."""


class Appended(NamedTuple):
    """What an append has led to."""

    position: int
    """The log position of the last row."""
    signature: TreeSignature | None = None
    """The signature over the receipt entries of the commit; None for one entry or where
    ``recovered``.
    """
    recovered: bool = False
    """Whether an earlier try had stored it, whose answer was lost."""


class PendingAppend(NamedTuple):
    """A command on its way into the log, and the future its caller awaits."""

    game: UUID
    rows: Sequence[Row]
    prev: bytes | None
    """The leaf of the row that they follow."""
    entry: bytes | None
    """The leaf hash of its receipt's entry; None where it gets no receipt."""
    done: asyncio.Future[Appended]
    origin: Any = None
    """The span that the command came in."""


class GroupWriter:
    """The group-commit writer of a process: a queue, a connection, and a task between them."""

    def __init__(
        self,
        connect: Callable[[], Awaitable[Connection]],
        schema: str,
        find: Callable[[UUID, Sequence[Row]], Awaitable[int | None]],
        queue: int,
        sealing: SealingKeys = NO_SEALING,
        sign: SignTree | None = None,
    ) -> None:
        self._sealing = sealing
        self._sign = sign
        self._connect = connect
        self._append_plain = APPEND.format(Identifier(schema)).as_bytes()
        self._append_signed = APPEND_SIGNED.format(Identifier(schema)).as_bytes()
        self._find = find
        self._queue: asyncio.Queue[PendingAppend | None] = asyncio.Queue(queue)
        self._conn: Connection | None = None
        self._is_stale = False
        self._task = asyncio.create_task(self._run(), name="group-writer")

    def renew(self) -> None:
        """Connect anew before the next batch; returns at once."""
        self._is_stale = True

    async def append(
        self, game: UUID, rows: Sequence[Row], prev: bytes | None, entry: bytes | None = None
    ) -> Appended:
        """Queue the command and wait for its commit."""
        if self._task.done():
            raise store_closed()
        done: asyncio.Future[Appended] = asyncio.get_running_loop().create_future()
        try:
            self._queue.put_nowait(
                PendingAppend(
                    game=game,
                    rows=rows,
                    prev=prev,
                    entry=entry,
                    done=done,
                    origin=tracing.current_span(),
                )
            )
        except asyncio.QueueFull:
            raise StoreFull(
                f"{self._queue.maxsize} commands wait for the database already."
            ) from None
        return await done

    async def close(self) -> None:
        """Write the queued commands, then stop."""
        if not self._task.done():
            await self._queue.put(None)
            await self._task

    async def _run(self) -> None:
        batch: list[PendingAppend] = []
        try:
            while batch := await self._next_batch():
                try:
                    await self._write_batch(batch)
                except StoreUnavailable as refusal:
                    _refuse(batch, refusal)
                    await self._disconnect()  # the next batch may find another, better server
                except Exception as bug:  # noqa: BLE001 - the writer outlives what it cannot write
                    log.critical("a batch failed", error=type(bug).__name__)
                    _refuse(batch, outcome_unknown(StoreUnavailable("The writer failed.")))
                    await self._disconnect()
        finally:
            queued = [self._queue.get_nowait() for _ in range(self._queue.qsize())]
            _refuse([*batch, *filter(None, queued)], store_closed())
            await self._disconnect()

    async def _next_batch(self) -> list[PendingAppend]:
        """Wait for a command, and return it with all others queued; empty when the store closes."""
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
            if uncancelled := [waiting for waiting in batch if not waiting.done.cancelled()]:
                return uncancelled
        return []

    async def _write_batch(self, batch: Sequence[PendingAppend], lost: int = 0) -> None:
        """Store the batch and answer its callers.

        `lost` counts the connections lost on it: after the first, it may be stored already.
        """
        conn = await self._connection(lost)
        try:
            appended = await self._send(conn, batch)
        except (psycopg.IntegrityError, psycopg.DataError) as error:
            if len(batch) == 1:
                await self._resolve_refusal(batch[0], error, lost)
                return
            for waiting in batch:
                await self._write_batch([waiting], lost)
        except psycopg.Error as error:
            if not conn.closed:
                refusal = explain_outage(error)
                raise (outcome_unknown(refusal) if lost else refusal) from error
            if lost == LOSSES:
                raise outcome_unknown(explain_outage(error)) from error
            await self._write_batch(batch, lost + 1)
        else:
            for waiting, result in zip(batch, appended, strict=True):
                _answer(waiting, result)

    async def _send(self, conn: Connection, batch: Sequence[PendingAppend]) -> list[Appended]:
        """Return the position of each command's last row, committed, and its signature."""
        events, began = sum(len(waiting.rows) for waiting in batch), time.perf_counter()
        tree = self._signed_tree(batch)
        with tracing.append_span(len(batch), events, (waiting.origin for waiting in batch)):
            parameters: tuple[object, ...] = _columns(batch, self._sealing)
            if tree:
                parameters += (tree.key, tree.sig, b"".join(tree.leaves))
            statement = self._append_signed if tree else self._append_plain
            try:
                cursor = await conn.execute(statement, parameters, prepare=True, binary=True)
            finally:
                metrics.APPEND_SECONDS.observe(time.perf_counter() - began)
        metrics.BATCH_COMMANDS.observe(len(batch))
        metrics.BATCH_EVENTS.observe(events)
        ((positions,),) = await cursor.fetchall()
        signatures = iter(tree.signatures() if tree else ())
        appended, end = [], -1
        for waiting in batch:
            end += len(waiting.rows)
            signature = next(signatures, None) if waiting.entry else None
            appended.append(Appended(positions[end], signature))
        return appended

    def _signed_tree(self, batch: Sequence[PendingAppend]) -> SignedTree | None:
        """The signed tree of the batch's receipt entries; None where there is no second one.

        An entry alone is signed when its receipt is made, and gets the same signature every time.
        """
        leaves = [waiting.entry for waiting in batch if waiting.entry]
        return self._sign(leaves) if self._sign and len(leaves) > 1 else None

    async def _resolve_refusal(
        self, waiting: PendingAppend, error: psycopg.Error, lost: int
    ) -> None:
        """Answer a command that the database refused: by its position if it was stored before."""
        kind = next((kind for refused, kind in _CONFLICTS if isinstance(error, refused)), None)
        if kind is Conflict and lost and (position := await self._find(waiting.game, waiting.rows)):
            # Our own rows: the lost answer was "committed".
            _answer(waiting, Appended(position, recovered=True))
        elif not waiting.done.done():
            refusal = kind(waiting.game, waiting.rows[0].version) if kind else error
            waiting.done.set_exception(refusal)

    async def _connection(self, lost: int) -> Connection:
        if self._is_stale:
            # Before connecting: what is noticed meanwhile asks for yet another connection.
            self._is_stale = False
            await self._disconnect()
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

    async def _disconnect(self) -> None:
        if self._conn is not None:
            await self._conn.close()


_CONFLICTS = (
    (psycopg.errors.UniqueViolation, Conflict),
    (psycopg.errors.ForeignKeyViolation, PredecessorMissing),
)
"""What `append_events` refuses, and what it means."""


def _columns(batch: Sequence[PendingAppend], sealing: SealingKeys) -> tuple[list[Any], ...]:
    """The arguments of `append_events`: games, versions, topics, states, leaves, predecessors."""
    rows = [row for waiting in batch for row in waiting.rows]
    states = [
        sealing.seal_event(waiting.game, row.version, row.state)
        for waiting in batch
        for row in waiting.rows
    ]
    return (
        [waiting.game for waiting in batch for _ in waiting.rows],
        [row.version for row in rows],
        [row.topic for row in rows],
        states,
        [row.leaf for row in rows],
        [prev for waiting in batch for prev in _predecessors(waiting)],
    )


def _predecessors(waiting: PendingAppend) -> list[bytes | None]:
    """The leaf that precedes each row, where it is known."""
    return [waiting.prev, *(row.leaf for row in waiting.rows[:-1])]


def _answer(waiting: PendingAppend, result: Appended) -> None:
    if not waiting.done.done():  # its caller may have been cancelled meanwhile
        waiting.done.set_result(result)


def _refuse(batch: Sequence[PendingAppend], refusal: StoreUnavailable) -> None:
    for waiting in batch:
        if not waiting.done.done():
            # One each: a shared exception would collect the traceback of every caller.
            waiting.done.set_exception(type(refusal)(str(refusal), refusal.retry_after))
