"""The follower, a catch-up subscription to the log: projects each event once, in log order.

A follower holds an advisory lock; others stand by and take over when it is gone. It listens for
new events and also polls, because a notification can be lost. It writes through
the connection that holds the lock, so a follower that lost the lock can write nothing.

Readers notify it of views that do not fit the log, and it makes these anew. An archived game has no
event in the log; its views come from the summary in its tombstone, once all events are projected.

A game whose record is damaged is set aside in the transaction that moves the position past the
damage, and its later events are passed over; other games go on. After a repair the operator asks
for another look, and the game is projected from its first event.
"""

import asyncio
import logging
from collections.abc import Callable, Sequence
from contextlib import suppress
from itertools import islice
from typing import NamedTuple
from uuid import UUID

import psycopg
from msgspec.structs import replace

from phaseledger.domain.words import Phrase
from phaseledger.projections.games import Chapter, continued, whole
from phaseledger.projections.sql import UNFIT
from phaseledger.projections.store import (
    CURRENT,
    REBUILT,
    Changes,
    Reached,
    SetAsideReason,
    ViewConnection,
    ViewSet,
    ViewsMoved,
    begin_rebuild,
    missing_archived,
    pending,
    places,
    reached,
    swap,
    tracked_position,
    write,
)
from phaseledger.service.eventlog.connection import connect, has_taken
from phaseledger.service.eventlog.errors import (
    GameUnreadable,
    StoreUnavailable,
    explain_outage,
    of_newer_release,
)
from phaseledger.service.eventlog.migrations import SCHEMA
from phaseledger.service.eventlog.protocols import Store
from phaseledger.service.eventlog.rows import Notice, timed_events
from phaseledger.service.readmodels.soundness import (
    Damage,
    Tip,
    UnknownEvent,
    require_sound,
    sound_event,
)
from phaseledger.service.runtime.tasks import wait_unless
from phaseledger.service.runtime.work import beside_loop

POLL = 1.0  # seconds between looks at the log, or at the lock, when nothing wakes the follower
LINGER = 0.02  # seconds between batches: under load, fewer and larger ones
RETRY = 0.5  # seconds before a lost database is tried again
BATCH = 4000  # events
BREATH = 200  # events between two turns for the other tasks of the process
CACHED_STATES = 10_000  # running games whose state is kept, about 7 kB each
UNKNOWN = Reached()
UNWRITABLE = (
    *(psycopg.DataError, psycopg.IntegrityError),
    *(ValueError, TypeError, LookupError, ArithmeticError, AttributeError, AssertionError),
)
"""What refuses the rows of one game's views, and would again."""

log = logging.getLogger("phaseledger.worker")

WAITED_FOR = (
    *(psycopg.OperationalError, psycopg.InterfaceError, StoreUnavailable),
    psycopg.errors.ReadOnlySqlTransaction,
)
"""What is waited for: a database that is away, or may not be written for a while."""

FollowerProgress = Callable[[int, int], None]
"""Called with the log position reached and the one to reach."""


class RebuildRunning(Exception):
    """Another rebuild of these views is at work."""

    def __init__(self, schema: str) -> None:
        super().__init__(
            f"A rebuild of the projections in schema {schema!r} is at work already: wait for its "
            "end, or stop it."
        )


async def follow(
    store: Store,
    dsn: str,
    stop: asyncio.Event,
    *,
    schema: str = SCHEMA,
    until: int | None = None,
    poll: float = POLL,
) -> None:
    """Project the log into the views until ``stop`` is set, or they have reached ``until``.

    A database that goes away is waited for. A game whose record is damaged is set aside, and the
    others go on. Of several followers one works and the others stand by; one that meets an event of
    a newer release leaves the work to another.

    Raises:
        StoreUnavailable: this role may not write the views.
        psycopg.Error: the views are missing.

    """
    follower = _Follower(store, schema)
    while not stop.is_set():
        try:
            async with await connect(dsn) as conn:
                follower.forget()  # another server may have other events
                # Views and position go together, so a crash costs only writing them again.
                await conn.execute("SET synchronous_commit = off")
                leading = False
                while not stop.is_set():
                    position = await tracked_position(conn, schema)
                    if until is not None and position >= until:
                        return
                    leading = leading or await follower.lead(conn)
                    if not leading:
                        await wait_unless(asyncio.sleep(poll), stop)
                        continue
                    # What was announced so far is in the log already.
                    await follower.hear(conn, 0)
                    size = await follower.go_on(conn, position)
                    if size == 0:
                        await wait_unless(follower.hear(conn, poll), stop)
                    elif size < BATCH:
                        await wait_unless(asyncio.sleep(LINGER), stop)
        except GameUnreadable as unreadable:
            log.warning("The projections are left to another: %s", unreadable)
            await wait_unless(asyncio.sleep(2 * poll), stop)  # others look each ``poll``
        except WAITED_FOR as lost:
            log.warning("The projections wait for the database: %s", lost)
            await wait_unless(asyncio.sleep(RETRY), stop)
        except psycopg.errors.InsufficientPrivilege as refused:
            raise explain_outage(refused) from refused


async def rebuild(
    store: Store, dsn: str, *, schema: str = SCHEMA, progress: FollowerProgress | None = None
) -> int:
    """Build the views anew from the log, and then swap them in; returns the position reached.

    They are built in tables of their own, so reads and followers go on with the old ones until
    both are swapped in one transaction. Where the rebuild is broken off, the old ones stay.

    Raises:
        RebuildRunning: another one is at work.
        GameUnreadable: a game is sealed under a key that is not here.
        psycopg.Error: this role may not write the views.

    """
    follower = _Follower(store, schema, REBUILT)
    has_locked = has_begun = False
    while True:
        try:
            async with await connect(dsn) as conn:
                follower.forget()
                await conn.execute("SET synchronous_commit = off")
                if not await has_taken(conn, f"rebuild {schema}"):
                    if not has_locked:
                        raise RebuildRunning(schema)
                    await asyncio.sleep(RETRY)  # until the server has ended the session we lost
                    continue
                has_locked = True
                if not has_begun:
                    await begin_rebuild(conn, schema)
                    has_begun = True
                return await _fill_and_swap(follower, conn, progress)
        except ViewsMoved:
            raise RebuildRunning(schema) from None  # it was begun while the database was away
        except GameUnreadable:
            raise
        except WAITED_FOR as lost:
            log.warning("The rebuild waits for the database: %s", lost)
            await asyncio.sleep(RETRY)


async def _fill_and_swap(
    follower: "_Follower", conn: ViewConnection, progress: FollowerProgress | None
) -> int:
    # Before the games of today, for each is rated after the games that ended before it.
    await follower.take_archived(conn, await tracked_position(conn, follower.schema, REBUILT))
    follower.forget()  # others may be archived meanwhile
    while True:
        position = await tracked_position(conn, follower.schema, REBUILT)
        target = await follower.store.position()
        if progress is not None:
            progress(min(position, target), target)
        if position >= target:
            await follower.take_archived(conn, position)
            if await swap(conn, follower.schema):
                return position
        if await follower.go_on(conn, position) == 0:
            await asyncio.sleep(LINGER)


class _Followed(NamedTuple):
    """A game as it is projected so far."""

    tip: Tip
    chapter: Chapter


class _Batch:
    """Consecutive events, the position folded so far, and what they change in the views."""

    def __init__(
        self, position: int, notices: Sequence[Notice] = (), restored: UUID | None = None
    ) -> None:
        self.notices = notices
        self.restored = restored
        """A set-aside game to be projected from its first event, if it is sound."""
        self.before = position
        self.after = position
        self.reached: dict[UUID, Reached] = {}
        self.followed: dict[UUID, _Followed] = {}
        self.anew: set[UUID] = set()
        self.set_aside: dict[UUID, SetAsideReason] = {}

    def games(self) -> set[UUID]:
        """The games that the batch has events of, and the game that is restored."""
        return {notice.game for notice in self.notices} | (
            {self.restored} if self.restored else set()
        )

    def changes(self) -> Changes:
        """The changes to be written to the views."""
        games = self.followed.items()
        return Changes(
            chapters={game: followed.chapter for game, followed in games},
            leaves={game: bytes.fromhex(followed.tip.leaf) for game, followed in games},
            anew=self.anew,
            set_aside=self.set_aside,
        )


class _Follower:
    def __init__(self, store: Store, schema: str, views: ViewSet = CURRENT) -> None:
        self.store = store
        self.schema = schema
        self._views = views
        self._games: dict[UUID, _Followed] = {}
        """Running games as last projected, least recently changed first."""
        self._last_place = 0
        """The last place at which a game ended, which may be behind the log's last event."""
        self._has_archived = False
        """Whether the views have all archived games."""
        self._unfit: set[UUID] = set()
        """Games whose views a reader has found not to fit the log."""

    def forget(self) -> None:
        """Drop the states of running games and the last place, which may rest on events that are
        gone: others take their positions, and would be passed over.
        """
        self._games.clear()
        self._last_place = 0
        self._has_archived = False

    async def lead(self, conn: ViewConnection) -> bool:
        """Whether this follower is now the writer."""
        if not await has_taken(conn, f"follow {self.schema}"):
            return False
        await conn.execute("LISTEN stored_events")
        await conn.execute(f"LISTEN {UNFIT}")
        return True

    async def hear(self, conn: ViewConnection, seconds: float) -> None:
        """Wait at most so long for a notification of new events or of unfit views, and consume all
        that came.
        """
        async for notice in conn.notifies(timeout=seconds, stop_after=1):
            if notice.channel == UNFIT:
                with suppress(ValueError):  # any role that can connect can notify
                    self._unfit.add(UUID(notice.payload))

    async def go_on(self, conn: ViewConnection, position: int) -> int:
        """Project the batch that follows the position; returns its size."""
        known_place = self._last_place
        notices = await self.store.tail(position, BATCH)
        unfit, self._unfit = self._unfit, set()
        # After the events: a restored game's place is written before the events that follow it.
        self._last_place, restored = await pending(conn, self.schema, self._views)
        try:
            for game in unfit:
                await self._renew(conn, position, game)
            for game in restored:
                await self._project(conn, _Batch(position, restored=game))
            if notices:
                await self._project(conn, _Batch(position, notices))
            elif not self._has_archived:
                await self.take_archived(conn, position)
            elif known_place > position:  # known before the events were read, so none is passed
                await self._put(conn, position, known_place, Changes())
        except ViewsMoved:
            log.warning("The views are not at log position %d any more.", position)
        return len(notices) + len(restored) + len(unfit)

    async def take_archived(self, conn: ViewConnection, position: int) -> None:
        """Write what the tombstones say of archived games that the views lack, once."""
        while not self._has_archived:
            changes = await missing_archived(conn, self.schema, self._views)
            if changes.archived:
                await self._put(conn, position, position, changes)
                ends = (game.ended for game in changes.archived.values())
                self._last_place = max(self._last_place, *ends)
            else:
                self._has_archived = True

    async def _renew(self, conn: ViewConnection, position: int, game: UUID) -> None:
        """Make the views of the game anew, from its log or its tombstone."""
        progress = await reached(conn, self.schema, [game], self._views)
        if progress.get(game, UNKNOWN).is_set_aside:  # any role that can connect can notify
            return
        if await self.store.head(game):
            await self._project(conn, _Batch(position, restored=game))
        else:
            changes = await missing_archived(conn, self.schema, self._views, game)
            await self._put(conn, position, position, changes)

    async def _project(self, conn: ViewConnection, batch: _Batch) -> None:
        batch.reached = await reached(conn, self.schema, batch.games(), self._views)
        if batch.restored is not None:
            try:
                await self._begin_anew(conn, batch, batch.restored)
            except Damage as damage:
                await self._set_aside(batch, batch.restored, damage, None)
        await self._fold(conn, batch)
        await self._write(conn, batch)

    async def _fold(self, conn: ViewConnection, batch: _Batch) -> None:
        for number, notice in enumerate(batch.notices, 1):
            game = notice.game
            if game not in batch.set_aside and not batch.reached.get(game, UNKNOWN).is_set_aside:
                try:
                    await self._take(conn, batch, notice)
                except Damage as damage:
                    await self._set_aside(batch, game, damage, notice.position)
            batch.after = notice.position
            if number % BREATH == 0:
                await asyncio.sleep(0)

    async def _take(self, conn: ViewConnection, batch: _Batch, notice: Notice) -> None:
        """Add the event to its game's chapter; raises Damage."""
        game, row = notice.game, notice.row
        followed = batch.followed.get(game)
        version = followed.tip.version if followed else batch.reached.get(game, UNKNOWN).version
        if row.version != version + 1:
            # A restored game comes once more, or later; one that lost its end may have gone on.
            if row.version > version or game not in batch.anew:
                await self._begin_anew(conn, batch, game)
            return
        if followed is None and version:
            followed = self._games.get(game)
            if followed is None or followed.tip.version != version:
                followed = await self._whole(conn, batch, game, version)
        step = sound_event(game, followed.tip if followed else None, row)
        try:
            before = followed.chapter if followed else None
            chapter = continued(before, notice.position, step.at, step.event)
        except MemoryError:
            raise
        except Exception as cause:
            reason = Phrase("adds.damage.unfit", seq=row.version)
            raise UnknownEvent(row.version, reason) from cause
        tip = Tip(row.version, chapter.state, step.key, step.leaf)
        batch.followed[game] = _Followed(tip, chapter)

    async def _whole(
        self, conn: ViewConnection, batch: _Batch, game: UUID, last: int | None = None
    ) -> _Followed:
        """The game from its first event, up to version ``last``; raises Damage."""
        rows = await self.store.read(game, 0, last)
        tip = await beside_loop(lambda: require_sound(game, rows), len(rows))
        if last and tip.version != last:
            lost = tip.version + 1
            raise Damage(lost, Phrase("adds.damage.missing", seq=lost))
        positions = await places(conn, self.schema, game, 1, tip.version)
        chapter = whole(positions[0], positions[-1], timed_events(rows))
        if batch.reached.get(game, UNKNOWN).is_over:  # the leaderboard has it already
            chapter = replace(chapter, tallies=())
        return _Followed(tip, chapter)

    async def _begin_anew(self, conn: ViewConnection, batch: _Batch, game: UUID) -> None:
        """Take the game with all events that the log has of it; raises Damage."""
        batch.followed[game] = await self._whole(conn, batch, game)
        batch.anew.add(game)

    async def _put(self, conn: ViewConnection, before: int, after: int, changes: Changes) -> None:
        await write(conn, self.schema, before, after, changes, self._views, self.store.sealing)

    async def _write(self, conn: ViewConnection, batch: _Batch) -> None:
        try:
            await self._put(conn, batch.before, batch.after, batch.changes())
        except UNWRITABLE as cause:
            await self._write_singly(conn, batch, cause)
            return
        self._keep(batch)

    async def _write_singly(self, conn: ViewConnection, batch: _Batch, cause: Exception) -> None:
        """Write a batch that the database refuses event by event, to find which of them it is."""
        if len(batch.notices) > 1:
            position = batch.before
            for notice in batch.notices:
                await self._project(conn, _Batch(position, [notice]))
                position = notice.position
            return
        if not batch.followed:
            raise cause
        ((game, (_, chapter)),) = batch.followed.items()
        # Its message may have a part of the row, and so a card.
        log.error("The views of game %s cannot be written: %s.", game, type(cause).__name__)
        refused = _Batch(batch.before)
        refused.after = batch.after
        reason = f"its view after event {chapter.version} cannot be written"
        refused.set_aside[game] = SetAsideReason(chapter.version, reason, batch.after)
        await self._write(conn, refused)

    def _keep(self, batch: _Batch) -> None:
        for game, followed in batch.followed.items():
            self._games.pop(game, None)
            if not followed.tip.state.is_over and game not in batch.set_aside:
                self._games[game] = followed
        for game in list(islice(self._games, max(0, len(self._games) - CACHED_STATES))):
            del self._games[game]

    async def _set_aside(
        self, batch: _Batch, game: UUID, damage: Damage, position: int | None
    ) -> None:
        if isinstance(damage, UnknownEvent) and await self.store.is_ahead():
            raise of_newer_release(game) from damage
        cause = f" ({type(damage.__cause__).__name__})" if damage.__cause__ else ""
        log.error("Game %s is set aside: %s%s.", game, damage.reason, cause)
        batch.set_aside[game] = SetAsideReason(damage.version, damage.reason, position)
