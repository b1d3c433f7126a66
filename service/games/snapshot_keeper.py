"""Keeping of stored snapshots: of games that leave memory, and of long ones now and then.

They are stored beside the commands, many together and a second later at most; of a game that has
gone on by then, the last one.
"""

import asyncio
from collections.abc import Iterable
from uuid import UUID

import structlog

from phaseledger.service.eventlog.errors import StoreUnavailable
from phaseledger.service.eventlog.protocols import Store
from phaseledger.service.eventlog.snapshots import StoredSnapshot
from phaseledger.service.games.game import Game
from phaseledger.service.games.snapshots import stored_snapshot
from phaseledger.service.runtime.tasks import cancel_and_wait

TAIL = 8
"""Events after its stored snapshot that a game which leaves memory may have: to read and fold so
many again takes no longer than to store them.
"""
LONG_TAIL = 64
"""The same for a game that stays: so much is folded again after a crash of its process."""
EVERY = 1.0  # seconds between two statements that store snapshots
AT_ONCE = 200  # snapshots stored by one statement
WAITING = 10_000  # snapshots that wait to be stored; more are left out

log = structlog.get_logger("phaseledger.snapshots")


class SnapshotKeeper:
    """Stores snapshots of the games of one process."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._waiting: dict[UUID, StoredSnapshot] = {}
        self._over: set[UUID] = set()
        self._task: asyncio.Task[None] | None = None

    def note(self, game: Game) -> None:
        """Have the game stored if its tail is long; returns at once."""
        if game.version - game.stored_version >= LONG_TAIL and not game.is_over:
            self._put(game, stored_snapshot(game))
        elif game.stored_version and game.is_over:
            self._waiting.pop(game.id, None)
            self._over.add(game.id)
            game.stored_version = 0
            self._begin()

    def evict(self, game: Game, snapshot: StoredSnapshot) -> None:
        """Have the game stored, since it leaves memory, if its tail is not short; returns at once.

        The ``snapshot`` is that of its newest version.
        """
        if snapshot.version - game.stored_version >= TAIL and not game.is_over:
            self._put(game, snapshot)

    async def keep_all(self, games: Iterable[Game]) -> None:
        """Store all games whose tails are not short, and wait for it: the process stops."""
        for game in games:
            if game.now is not None:
                self.evict(game, stored_snapshot(game))
        await self.flush()

    async def flush(self) -> None:
        """Store all that wait for it, or drop them all where the store is away: it is a cache."""
        while self._waiting or self._over:
            batch = [self._waiting.pop(game) for game in [*self._waiting][:AT_ONCE]]
            over, self._over = self._over, set()
            try:
                await self._store.keep_snapshots(batch, over)
            except StoreUnavailable as away:
                dropped = len(batch) + len(self._waiting)
                self._waiting.clear()
                log.warning("snapshots are not stored", games=dropped, reason=str(away))

    async def close(self) -> None:
        """Store nothing any more."""
        await cancel_and_wait(*filter(None, (self._task,)))

    def _put(self, game: Game, snapshot: StoredSnapshot) -> None:
        if len(self._waiting) < WAITING:
            self._waiting[game.id] = snapshot
            game.stored_version = snapshot.version
            self._begin()

    def _begin(self) -> None:
        if self._task is None or self._task.done():
            self._task = asyncio.create_task(self._run(), name="snapshots")

    async def _run(self) -> None:
        while self._waiting or self._over:
            await asyncio.sleep(EVERY)
            await self.flush()
