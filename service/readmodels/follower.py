"""Following the log: each event goes into the views exactly once, in log order.

A follower holds an advisory lock; others stand by and take over when it is gone. It listens for
new events and also looks by itself now and then, because a wake-up can be lost. It writes through
the connection that holds the lock, so a follower that lost the lock can write nothing.
"""

import asyncio
import logging
from collections.abc import Callable, Sequence
from itertools import islice
from uuid import UUID

import psycopg

from phaseledger.domain.evidence.codec import UnreadableEvent, decode, decode_event
from phaseledger.domain.evolve import fold
from phaseledger.domain.state import State
from phaseledger.projections.games import Chapter, advance, begin
from phaseledger.projections.store import Connection, Moved, reset, tracked_position, write
from phaseledger.service.eventlog.migrations import SCHEMA
from phaseledger.service.eventlog.postgres import Notice, StoreUnavailable
from phaseledger.service.eventlog.protocols import Store
from phaseledger.service.runtime.tasks import wait_unless

POLL = 1.0  # seconds between looks at the log, or at the lock, when nothing wakes the follower
LINGER = 0.02  # seconds between batches: under load, fewer and larger ones
RETRY = 0.5  # seconds before a lost database is tried again
BATCH = 4000  # events
BREATH = 200  # events between two turns for the other tasks of the process
CACHED_STATES = 10_000  # running games whose state is kept, about 7 kB each

log = logging.getLogger("phaseledger.worker")

Progress = Callable[[int, int], None]
"""Called with the log position reached and the one to reach."""


class ProjectionStopped(Exception):
    """An event that cannot be projected. The views stand right before it and stay there."""

    def __init__(self, notice: Notice, cause: Exception) -> None:
        super().__init__(
            f"The projections stopped at event {notice.row.version} of game {notice.game} "
            f"({notice.row.topic[:60]!r}, log position {notice.position}): "
            f"{type(cause).__name__}: {cause}"
        )
        self.notice = notice


async def follow(
    store: Store,
    dsn: str,
    stop: asyncio.Event,
    *,
    schema: str = SCHEMA,
    until: int | None = None,
    progress: Progress | None = None,
    poll: float = POLL,
) -> None:
    """Keep the views up with the log until ``stop`` is set, or they have reached ``until``.

    A database that goes away is waited for. Of several followers one works and the others stand
    by. ``progress`` is called only where ``until`` says how far to go.

    Raises:
        ProjectionStopped: an event cannot be projected; what precedes it is written.
        psycopg.Error: the views are missing, or this role may not write them.

    """
    follower = _Follower(store, schema)
    while not stop.is_set():
        try:
            async with await psycopg.AsyncConnection.connect(dsn, autocommit=True) as conn:
                # Views and position go together, so a crash costs only writing them again.
                await conn.execute("SET synchronous_commit = off")
                leading = False
                while not stop.is_set():
                    position = await tracked_position(conn, schema)
                    if until is not None and progress is not None:
                        progress(min(position, until), until)
                    if until is not None and position >= until:
                        return
                    leading = leading or await follower.lead(conn)
                    if not leading:
                        await wait_unless(asyncio.sleep(poll), stop)
                        continue
                    # What was announced so far is in the log already.
                    await _word(conn, 0)
                    size = await follower.go_on(conn, position)
                    if size == 0:
                        await wait_unless(_word(conn, poll), stop)
                    elif size < BATCH:
                        await wait_unless(asyncio.sleep(LINGER), stop)
        except (psycopg.OperationalError, psycopg.InterfaceError, StoreUnavailable) as lost:
            log.warning("The projections wait for the database: %s", lost)
            await wait_unless(asyncio.sleep(RETRY), stop)


async def rebuild(
    store: Store, dsn: str, *, schema: str = SCHEMA, progress: Progress | None = None
) -> int:
    """Empty the views and write them again from the log; returns the position reached.

    Where a follower is at work already, it does the writing, and this only watches.

    Raises:
        ProjectionStopped: an event cannot be projected.
        psycopg.Error: the database cannot be reached, or this role may not write the views.

    """
    target = await store.position()
    async with await psycopg.AsyncConnection.connect(dsn, autocommit=True) as conn:
        await reset(conn, schema)
    await follow(store, dsn, asyncio.Event(), schema=schema, until=target, progress=progress)
    return target


class _Batch:
    """Consecutive events, how far they were taken in, and what they did to their games."""

    def __init__(self, position: int, notices: Sequence[Notice]) -> None:
        self.notices = notices
        self.before = position
        self.after = position
        self.chapters: dict[UUID, Chapter] = {}


class _Follower:
    def __init__(self, store: Store, schema: str) -> None:
        self._store = store
        self._schema = schema
        self._games: dict[UUID, tuple[int, State]] = {}
        """Version and state of running games, those longest without an event first."""

    async def lead(self, conn: Connection) -> bool:
        """Whether this follower is now the one that writes."""
        cursor = await conn.execute(
            "SELECT pg_try_advisory_lock(hashtextextended(%s, 0))", (f"follow {self._schema}",)
        )
        if await cursor.fetchone() != (True,):
            return False
        await conn.execute("LISTEN stored_events")
        return True

    async def go_on(self, conn: Connection, position: int) -> int:
        """Project the batch that follows the position; returns its size."""
        notices = await self._store.tail(position, BATCH)
        try:
            await self._project(conn, _Batch(position, notices))
        except Moved:
            log.warning("The views are not at log position %d any more.", position)
        return len(notices)

    async def _project(self, conn: Connection, batch: _Batch) -> None:
        try:
            await self._take_in(batch)
        except ProjectionStopped:
            await self._write(conn, batch)
            raise
        await self._write(conn, batch)

    async def _take_in(self, batch: _Batch) -> None:
        for number, notice in enumerate(batch.notices, 1):
            game, (version, topic, stored, _) = notice.game, notice.row
            chapter = batch.chapters.get(game)
            before = None if chapter else await self._state(notice)
            if chapter and chapter.version != version - 1:
                raise _hole(notice)
            try:
                record, event = decode(topic, stored)
                batch.chapters[game] = (
                    advance(chapter, notice.position, record.at, event)
                    if chapter
                    else begin(before, version, notice.position, record.at, event)
                )
            except Exception as cause:
                raise ProjectionStopped(notice, cause) from cause
            batch.after = notice.position
            if number % BREATH == 0:
                await asyncio.sleep(0)

    async def _state(self, notice: Notice) -> State | None:
        """The event's game before it; None where the event is its first."""
        past = notice.row.version - 1
        if past == 0:
            return None
        version, state = self._games.get(notice.game, (0, None))
        if version == past:
            return state
        rows = await self._store.read(notice.game, 0, past)
        if len(rows) != past or rows[-1].version != past:
            raise _hole(notice)
        try:
            return fold(decode_event(row.topic, row.state) for row in rows)
        except Exception as cause:
            raise ProjectionStopped(notice, cause) from cause

    async def _write(self, conn: Connection, batch: _Batch) -> None:
        if not batch.chapters:
            return
        try:
            await write(conn, self._schema, batch.before, batch.after, batch.chapters)
        except (psycopg.DataError, psycopg.IntegrityError) as cause:
            if len(batch.notices) == 1:
                raise ProjectionStopped(batch.notices[0], cause) from cause
            position = batch.before
            for notice in batch.notices:  # one by one, to find which of them it is
                await self._project(conn, _Batch(position, [notice]))
                position = notice.position
            return
        self._keep(batch.chapters)

    def _keep(self, chapters: dict[UUID, Chapter]) -> None:
        for game, chapter in chapters.items():
            self._games.pop(game, None)
            if chapter.state.stage not in ("ended", "voided"):
                self._games[game] = (chapter.version, chapter.state)
        for game in list(islice(self._games, max(0, len(self._games) - CACHED_STATES))):
            del self._games[game]


def _hole(notice: Notice) -> ProjectionStopped:
    missing = UnreadableEvent("the log lacks some of the events before it")
    return ProjectionStopped(notice, missing)


async def _word(conn: Connection, seconds: float) -> None:
    """Wait at most so long for word of new events, and take all that came."""
    async for _ in conn.notifies(timeout=seconds, stop_after=1):
        pass
