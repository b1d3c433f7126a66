"""The read path: games as their log has them, which may be ahead of what is in memory.

A game is folded once and then cached. Before a read, and before a refusal that depends on the
state, the log's head is compared, so that several processes over one log answer right. A log that
has gone back, as after a failover to a standby that lagged, has a lower head, or lacks the event
that new ones follow: then the game is read anew.
"""

import asyncio
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from uuid import UUID

from phaseledger.service.eventlog.clock import LedgerClock, elapsed_ms
from phaseledger.service.eventlog.errors import of_newer_release
from phaseledger.service.eventlog.protocols import Store
from phaseledger.service.eventlog.rows import Row
from phaseledger.service.games.cache import GameCache
from phaseledger.service.games.errors import GameArchived, LogDamaged
from phaseledger.service.games.game import Game, Snapshot, apply_rows
from phaseledger.service.games.integrity import (
    proven_rows,
    require_chained,
    require_intact,
    seal_key,
)
from phaseledger.service.games.quarantine import Quarantine
from phaseledger.service.readmodels.soundness import Damage, UnknownEvent
from phaseledger.service.runtime.work import beside_loop, idle
from phaseledger.service.transparency.tree import Tree

POLL = 0.5  # seconds between looks at the log while a caller waits for another process's event
SHOWN = 250
"""Milliseconds in which the watchers are called once for all who read the same version."""


def _version(now: Snapshot) -> int:
    return now.version


def _now() -> float:
    """The time of the event loop. Asked by waits alone: CPython 3.11 makes a system call for it."""
    return asyncio.get_running_loop().time()


def _is_shown(game: Game, now: Snapshot) -> bool:
    """Whether the watchers were called for this snapshot within `SHOWN`; else they are to be."""
    at = elapsed_ms()
    if (shown := game.shown) and shown[0] is now and at - shown[1] < SHOWN:
        return True
    game.shown = now, at
    return False


class GameReader:
    """The games of the ``store``, of which ``cached`` are kept whole in memory.

    ``patience`` is how long a read waits for a version, in seconds. What is read is held against
    the ``tree`` of the public log. Time is the ledger's, by its ``clock``. A game in the
    ``quarantine`` is refused. All ``watchers`` are called when a game has been written or read.
    """

    def __init__(
        self,
        store: Store,
        cached: int,
        patience: float,
        tree: Tree | None,
        clock: LedgerClock,
        quarantine: Quarantine,
    ) -> None:
        self.store = store
        self.clock = clock
        self.quarantine = quarantine
        self.patience = patience
        self.watchers: list[Callable[[Game], None]] = []
        self.cache = GameCache(cached, clock)
        self._tree = tree

    def cached(self, game_id: UUID) -> Snapshot | None:
        """The game as it was when this process last looked."""
        game = self.cache.find(game_id)
        return game.now if game else None

    def mark_watched(self, game_id: UUID) -> None:
        """Note that a client follows the game; returns at once."""
        if game := self.cache.find(game_id):
            game.watched_at = elapsed_ms()

    async def look(
        self,
        game_id: UUID,
        at_least: int = 0,
        reach: Callable[[Snapshot], int] = _version,
        *,
        watching: bool = False,
    ) -> Snapshot:
        """The game as the log has it; waits a while for version ``at_least``, then takes what is.

        ``reach`` gives the version that counts; at 0 nothing is waited for. ``watching``: a client
        sees the game, and not the service alone.

        Raises:
            NoSuchGame: there is none; at once.
            GameSetAside: its record is damaged.
            GameArchived: its events have left the log.

        """
        self.quarantine.require_sound(game_id)
        game = self.cache.game(game_id)
        began = _now() if at_least else 0.0
        if watching:
            game.watched_at = elapsed_ms()
        while True:
            changed = game.changed
            with self.suspecting(game_id):
                await self._compare(game)
            if game.now is None:
                await self._require_unarchived(game)
            now = game.loaded()
            reached, left = reach(now), 0.0
            if 0 < reached < at_least and not now.revealed:
                left = began + self.patience - _now()  # a process that stops loses its patience
            if left <= 0:
                if not (watching and _is_shown(game, now)):
                    self._notify(game)
                return now
            if watching:
                self._notify(game)  # what it waits for may begin with that
            idle()
            try:
                async with asyncio.timeout(min(POLL, left)):
                    await changed.wait()
            except TimeoutError:
                continue

    async def past(self, game_id: UUID, version: int) -> Snapshot:
        """The game as it was at a version that it has passed.

        Raises:
            LogDamaged: the log has other events there than were stored.

        """
        with self.suspecting(game_id):
            game = await self._reached(game_id, version)
            past, history = game.past, game.history
            if past and past.version == version:
                return past
            before = past if past and past.version < version else None
            after, head = (before.version, before.chain.head) if before else (0, "")
            rows = (await self._proven(game, after, head))[: version - after]
            now, _ = await beside_loop(lambda: apply_rows(before, rows, self.clock), len(rows))
            if game.history == history:
                game.past = now
            return now

    async def rows(self, game_id: UUID, after: int, last: int) -> Sequence[Row]:
        """The rows above version ``after`` up to ``last``, which the game has reached.

        Raises:
            LogDamaged: the log has other events there than were stored.

        """
        with self.suspecting(game_id):
            rows = await self._proven(await self._reached(game_id, last), after)
        return rows[: last - after]

    @contextmanager
    def suspecting(self, game_id: UUID) -> Iterator[None]:
        """Have the game inspected where what is read of it in the block turns out to be damaged.

        Raises LogDamaged for any damage.
        """
        try:
            yield
        except LogDamaged:
            self.quarantine.suspect(game_id)
            raise
        except Damage as damage:
            self.quarantine.suspect(game_id)
            raise LogDamaged.of(game_id, damage) from damage.__cause__

    async def _reached(self, game_id: UUID, version: int) -> Game:
        """The game in memory, at that version or beyond; raises LogDamaged."""
        game = self.cache.game(game_id)
        if game.version < version or game.history != self.cache.history:
            async with game.lock:
                if game.version < version or game.history != self.cache.history:
                    await self._refresh(game)
        if game.version < version:
            raise LogDamaged(game_id, game.version + 1, "it is gone")
        return game

    async def _proven(self, game: Game, after: int, head: str = "") -> Sequence[Row]:
        """The rows of `proven_rows`; raises GameArchived too."""
        try:
            return await proven_rows(self.store, game, after, head)
        except LogDamaged:
            await self._require_unarchived(game)
            raise

    async def _compare(self, game: Game) -> None:
        """Read what the log has of the game, unless that is what is in memory."""
        if game.now is None:
            async with game.lock:
                if game.now is None:
                    await self._catch_up(game)
                    return
                # The read under the lock may have begun before this look.
        head = await self.store.head(game.id)
        if head != game.version or game.history != self.cache.history:
            async with game.lock:
                await (self._catch_up if head > game.version else self._refresh)(game)

    async def _refresh(self, game: Game) -> bool:
        """Take in what the log has; whether that is something else than what is cached.

        Raises:
            LogDamaged: it is not what was stored, or less than was read from the same history.

        """
        head = await self.store.head(game.id)
        if game.history != self.cache.history:
            game.forget(self.cache.history)
        elif head == game.version:
            return False
        elif head < game.version:
            await self._require_unarchived(game)
            raise LogDamaged(game.id, head + 1, "it is gone")
        await self._catch_up(game)
        return True

    async def _catch_up(self, game: Game) -> bool:
        """Take in what the log has beyond the cached version; whether there was anything.

        Raises:
            LogDamaged: it is not what was stored, so nothing may be signed that rests on it.
            GameUnreadable: it is of a newer release.

        """
        try:
            return await self._read_on(game)
        except (LogDamaged, UnknownEvent) as damage:
            is_unknown = isinstance(damage, UnknownEvent) or damage.is_unknown
            if is_unknown and await self.store.is_ahead():
                raise of_newer_release(game.id) from damage
            raise

    async def _read_on(self, game: Game) -> bool:
        if (before := game.now) is None:
            return await self._load(game)
        rows = await self.store.read(game.id, game.version)
        if game.history != self.cache.history:  # meanwhile, so the rows may be of either
            game.forget(self.cache.history)
            return await self._read_on(game)
        if not rows:
            return False
        chain = before.chain
        await beside_loop(lambda: require_chained(game.id, rows, chain.key, chain.head), len(rows))
        now, ends = await beside_loop(lambda: apply_rows(before, rows, before.clock), len(rows))
        self._take(game, now, ends)
        return True

    async def _load(self, game: Game) -> bool:
        """Fold a game that is not in memory; whether it is in the log.

        Raises:
            LogDamaged: it is not what was stored, so nothing may be signed that rests on it.

        """
        rows = await self.store.read(game.id)
        try:
            loaded = await self._folded(game.id, rows) if rows else None
            await self.quarantine.require_whole(game.id)
        except (LogDamaged, Damage):
            if game.history == self.cache.history:
                raise
            loaded = None
        if game.history != self.cache.history:  # meanwhile, so it may be of either
            game.forget(self.cache.history)
            return await self._load(game)
        if loaded is None:
            return False
        self._take(game, *loaded)
        return True

    async def _folded(self, game: UUID, rows: Sequence[Row]) -> tuple[Snapshot, dict[str, int]]:
        """What `apply_rows` makes of all rows of a game; raises LogDamaged, Damage."""
        await require_intact(self._tree, game, rows, seal_key(game, rows[0]))
        return await beside_loop(lambda: apply_rows(None, rows, self.clock), len(rows))

    def _take(self, game: Game, now: Snapshot, ends: dict[str, int]) -> None:
        game.commands.update(ends)
        game.become(now)
        self.cache.keep(game)

    async def _require_unarchived(self, game: Game) -> None:
        """Raise GameArchived where the log lacks the game's events because they were archived."""
        if tombstone := await self.store.archived(game.id):
            raise GameArchived(tombstone)

    def _notify(self, game: Game) -> None:
        for watch in self.watchers:
            watch(game)
