"""The game service: games in memory, their locks, and the write path around the pure domain.

A game is folded once and then kept. Its cached state may accept a command, because the log's
primary key then proves that the cache was current; before a refusal that depends on the state,
and before a read, the log's head is compared, so that several processes over one log answer right.
A log that has gone back, as after a failover to a standby that lagged, lacks the event that the new
ones follow, or has a lower head: then the game is read anew.
"""

import asyncio
from collections import OrderedDict
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager
from uuid import UUID
from weakref import WeakValueDictionary

from msgspec.structs import replace

from phaseledger.domain.commands import Act, Rejected, Start, TakeSeat
from phaseledger.domain.decide import step
from phaseledger.domain.evidence import codec
from phaseledger.domain.state import State
from phaseledger.service.eventlog.clock import LOCAL, LedgerClock, elapsed_ms
from phaseledger.service.eventlog.errors import Conflict, PredecessorMissing, StoreUnavailable
from phaseledger.service.eventlog.protocols import Store
from phaseledger.service.eventlog.rows import Row, row_of
from phaseledger.service.games import command_metrics
from phaseledger.service.games.appends import AppendsInFlight
from phaseledger.service.games.bounds import ENDING, UNBOUNDED, EventBounds
from phaseledger.service.games.command_ids import CommandPerhapsOlder
from phaseledger.service.games.errors import (
    Denied,
    GameArchived,
    KeyReused,
    LogDamaged,
    NoSuchGame,
    StaleVersion,
)
from phaseledger.service.games.game import (
    Answer,
    Decision,
    Game,
    PendingCommit,
    Snapshot,
    apply_decisions,
    apply_rows,
    part_id,
    require_genuine,
    require_own,
    spellings,
)
from phaseledger.service.games.idempotency import repeated_answer
from phaseledger.service.games.integrity import (
    ProvenRows,
    proven_rows,
    require_chained,
)
from phaseledger.service.games.loading import load, load_earlier
from phaseledger.service.games.milestones import Milestones
from phaseledger.service.games.openings import completed
from phaseledger.service.games.packed_games import PackedGames
from phaseledger.service.games.quarantine import Quarantine
from phaseledger.service.games.snapshot_keeper import SnapshotKeeper
from phaseledger.service.games.snapshots import stored_snapshot
from phaseledger.service.games.view import EncodedViews
from phaseledger.service.quotas.open_tables import OpenTables
from phaseledger.service.readmodels.chapters import Chapters
from phaseledger.service.readmodels.soundness import Damage
from phaseledger.service.runtime.work import beside_loop, idle, spend
from phaseledger.service.schemas.versions import KnownVersion
from phaseledger.service.transparency.tree import Tree

EVENT_WORK = 0.000_1
"""Seconds of work that an event counts as which is stored: writer and database do it for it."""
POLL = 0.5  # seconds between looks at the log while somebody waits for another process's event
SHOWN = 250
"""Milliseconds in which the watchers are called once for all who read the same version."""

Recall = Callable[[Game], Sequence[Decision] | None]
"""The decisions that a known key stands for; None when the key is new. Raises KeyReused."""
Make = Callable[[Game], Sequence[Decision]]
"""The decisions to take in the game's present state."""


def _version(now: Snapshot) -> int:
    return now.version


def _now() -> float:
    """The time of the event loop, for whoever waits: with CPython 3.11 it takes a system call."""
    return asyncio.get_running_loop().time()


def _is_shown(game: Game, now: Snapshot) -> bool:
    """Whether the watchers were called just before for somebody who read the same; else they are
    about to be.
    """
    at = elapsed_ms()
    if (shown := game.shown) and shown[0] is now and at - shown[1] < SHOWN:
        return True
    game.shown = now, at
    return False


class GameService:
    """All games of the process. All ``watchers`` are called when one has been written or read.

    ``patience`` is how long a read waits for a version, ``reveal_seconds`` how long a sealed table
    says that it waits for its seats' secrets (0: it does not say), both in seconds. What is read
    is held against the ``tree`` of the public log. Time is the ledger's, by its ``clock``. A game
    in the ``quarantine`` is refused. No lobby grows beyond its ``bounds``, and no game while the
    quota of its opener's address is used up, as ``tables`` know it.
    """

    def __init__(
        self,
        store: Store,
        *,
        cached: int = 2_000,
        patience: float = 10.0,
        reveal_seconds: int = 0,
        tree: Tree | None = None,
        clock: LedgerClock = LOCAL,
        quarantine: Quarantine | None = None,
        bounds: EventBounds = UNBOUNDED,
        tables: OpenTables | None = None,
    ) -> None:
        self.store = store
        self.tables = tables or OpenTables()
        self.clock = clock
        self.appends = AppendsInFlight()
        self.quarantine = quarantine or Quarantine(store)
        self.bounds = bounds
        self.patience = patience
        self.reveal_seconds = reveal_seconds
        self._tree = tree
        self.watchers: list[Callable[[Game], None]] = []
        self._cached = cached
        # The weak map holds whatever is in use, so there is one lock to a game even when more
        # games are busy than the cache keeps.
        self._live: WeakValueDictionary[UUID, Game] = WeakValueDictionary()
        self._recent: OrderedDict[UUID, Game] = OrderedDict()
        self.encoded_views = EncodedViews()
        self.chapters = Chapters(self.rows)
        self.snapshots = SnapshotKeeper(store)
        self.watchers.append(self.snapshots.note)
        self._packed = PackedGames(cached)
        self._history = 0
        """Which history of the log is read now; what was read from another may never have been."""
        self._looking: set[asyncio.Task[None]] = set()

    # --- reading --------------------------------------------------------------------------------

    def distrust(self) -> None:
        """Read every game anew before it is used again: the log may have gone back."""
        self._history += 1
        self._packed.clear()

    def cached(self, game_id: UUID) -> Snapshot | None:
        """The game as it was when this process last looked."""
        game = self._live.get(game_id)
        return game.now if game else None

    async def look(
        self,
        game_id: UUID,
        at_least: int = 0,
        reach: Callable[[Snapshot], int] = _version,
        *,
        watching: bool = False,
    ) -> Snapshot:
        """The game as the log has it; waits a while for version ``at_least``, then takes what is.

        What counts as the version is for ``reach`` to say; at 0 nothing is waited for. ``watching``
        says that somebody sees it, and not only the service itself.

        Raises NoSuchGame when there is none, without waiting; GameSetAside when it is damaged,
        GameArchived when it is in the log no more.
        """
        self.quarantine.require_sound(game_id)
        game = self._game(game_id)
        began = _now() if at_least else 0.0
        if watching:
            game.watched_at = elapsed_ms()
        while True:
            changed = game.changed
            with self.suspecting(game_id):
                await self._compare(game)
            if game.now is None:
                await self._require_unarchived(game)
            now = self._loaded(game)
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

    async def _compare(self, game: Game) -> None:
        """Read what the log has of the game, unless that is what is in memory."""
        if game.now is None:
            async with game.lock:
                if game.now is None:
                    await self._catch_up(game)
                    return
                # Whoever had the lock may have read before this look began.
        head = await self.store.head(game.id)
        if head != game.version or game.history != self._history:
            async with game.lock:
                await (self._catch_up if head > game.version else self._refresh)(game)

    def mark_watched(self, game_id: UUID) -> None:
        """Note that somebody follows the game; returns at once."""
        if game := self._live.get(game_id):
            game.watched_at = elapsed_ms()

    async def past(self, game_id: UUID, version: int) -> Snapshot:
        """The game as it was at a version that it has passed.

        Raises:
            LogDamaged: the log has other events there than were stored.

        """
        with self.suspecting(game_id):
            game = await self._reached(game_id, version)
            if game.past is None or game.past.version != version:
                before, rows = await self._proven(game, version, version)
                number = before.version if before else 0
                game.past = (
                    before
                    if before and number == version
                    else apply_rows(before, rows[: version - number], self.clock)[0]
                )
            return game.past

    async def rows(self, game_id: UUID, after: int, last: int) -> Sequence[Row]:
        """The rows above version ``after`` up to ``last``, which the game has reached.

        They are what was stored: they lead from one state that is known to another.

        Raises:
            LogDamaged: the log has other events there than were stored.

        """
        proven = await self.stretch(game_id, after, last)
        return proven.above(after)

    async def stretch(self, game_id: UUID, after: int, last: int) -> ProvenRows:
        """The rows up to ``last``, which the game has reached, from a snapshot that is at hand near
        version ``after``, or before it.

        Raises:
            LogDamaged: the log has other events there than were stored.

        """
        with self.suspecting(game_id):
            before, rows = await self._proven(await self._reached(game_id, last), after, last)
        return ProvenRows(before, rows[: last - (before.version if before else 0)])

    async def _reached(self, game_id: UUID, version: int) -> Game:
        """The game in memory, at that version or beyond; raises LogDamaged."""
        game = self._game(game_id)
        if game.version < version or game.history != self._history:
            async with game.lock:
                if game.version < version or game.history != self._history:
                    await self._refresh(game)
        if game.version < version:
            raise LogDamaged(game_id, game.version + 1, "it is gone")
        return game

    async def _proven(self, game: Game, after: int, last: int) -> ProvenRows:
        """The rows of `proven_rows`; raises GameArchived too."""
        try:
            if game.base is not None and after < game.base.version:
                await self._read_earlier(game)
            return await proven_rows(self.store, game, after, last)
        except LogDamaged:
            await self._require_unarchived(game)
            raise

    # --- writing --------------------------------------------------------------------------------

    async def open(self, acts: Sequence[Act], game_id: UUID, key: str) -> Answer:
        """Open a table with all that its opener decides at once: bots seated, perhaps the start.

        All are stored or none. The first act opens the game ``game_id``, which belongs to the key;
        so a game that was opened with something else that the key tells of is a KeyReused.
        """
        decisions = [Decision(act, part_id(type(act.command), act.seat, key)) for act in acts]
        ids = {decision.cmd for decision in decisions}

        def recall(game: Game) -> Sequence[Decision] | None:
            if game.now is None:
                return None
            if decisions[0].cmd not in game.commands:
                raise KeyReused
            seats = range(len(game.now.state.seats))
            parts = {part_id(Start, None, key), *(part_id(TakeSeat, seat, key) for seat in seats)}
            if {part for part in parts if part in game.commands} != ids - {decisions[0].cmd}:
                raise KeyReused
            return decisions

        def make(_: Game) -> Sequence[Decision]:
            commands = (decision.cmd for decision in decisions)
            return [*map(Decision, completed(acts), commands)]

        return await self.write(game_id, recall, make, "open_game")

    async def send(
        self,
        game_id: UUID,
        act: Act,
        key: str,
        versions: Collection[KnownVersion] | None = None,
        require: Callable[[Snapshot], None] | None = None,
        since: int | None = None,
        repeats: bool = True,
    ) -> Answer:
        """Decide, store, and answer after the commit; a known key gets its first answer again.

        ``since`` is the version that began the sitting of who speaks. Who names ``versions`` and
        wants no answer again (not ``repeats``) is spared reading the whole game for it.

        Raises:
            NoSuchGame, KeyReused: as they say.
            StaleVersion: the game is at none of ``versions``.
            Denied: ``require`` raises it, or the key is of whoever had the seat afterwards.
            BadSignature: it is signed, but not by its seat, or for another event than the last.
            Rejected: the rules refuse it.
            TooManyEvents: the address that opened the table has used up its quota.
            StoreUnavailable: nothing is known to be stored; the same key may be tried again.

        """
        ids = [codec.command_id(act.seat, text) for text in spellings(key)]
        kind = str(act.command.__struct_config__.tag)

        def recall(game: Game) -> Sequence[Decision] | None:
            cmd = next((cmd for cmd in ids if repeats and cmd in game.commands), None)
            if cmd is None:
                return None
            if since is not None and act.seat is not None:
                require_own(self._loaded(game), act.seat, since, game.commands[cmd])
            return [Decision(act, cmd)]

        def make(game: Game) -> Sequence[Decision]:
            now = self._loaded(game)
            # Whoever has no seat any more is told that, and not to look at the game again.
            if require is not None:
                require(now)
            head = now.chain.head
            if versions is not None and not any(v.fits(now.version, head) for v in versions):
                raise StaleVersion(now.version)
            require_genuine(now, act)
            return [Decision(self._timed(act, now.state), ids[0])]

        return await self.write(game_id, recall, make, kind)

    async def try_out(
        self,
        game_id: UUID,
        act: Act,
        versions: Collection[KnownVersion] | None,
        require: Callable[[Snapshot], None],
    ) -> Snapshot:
        """Decide the command on the game as the log has it, and store nothing; returns that game.

        Raises:
            what `send` does, but for what storing brings about.

        """
        now = await self.look(game_id, watching=True)
        require(now)
        if versions is not None and not any(
            version.fits(now.version, now.chain.head) for version in versions
        ):
            raise StaleVersion(now.version)
        require_genuine(now, act)
        step(now.state, act)
        return now

    def _timed(self, act: Act, state: State) -> Act:
        """The decision; a start that leaves secrets due says how long there is time for them."""
        if isinstance(act.command, Start) and any(s and not s.secret for s in state.seats):
            return replace(act, command=Start(reveal_seconds=self.reveal_seconds))
        return act

    async def write(self, game_id: UUID, recall: Recall, make: Make, kind: str) -> Answer:
        """Take the decisions that ``make`` makes, or answer those known that ``recall`` finds."""
        with command_metrics.command(kind) as outcome:
            self.quarantine.require_sound(game_id)
            game = self._game(game_id)
            try:
                with self.suspecting(game_id):
                    return await self._written(game, recall, make, outcome)
            except NoSuchGame:
                await self._require_unarchived(game)
                raise

    async def _written(
        self, game: Game, recall: Recall, make: Make, outcome: command_metrics.CommandOutcome
    ) -> Answer:
        """Recall the answer, or decide and append; anew whenever the cache was behind the log."""
        async with game.lock:
            if game.history != self._history:
                game.forget(self._history)
            if game.now is None:
                await self._catch_up(game)
            while True:
                try:
                    repeated = recall(game)
                except CommandPerhapsOlder:
                    await self._read_earlier(game)
                    continue
                if repeated:
                    outcome.repeated = True
                    return await self._repeated(game, repeated)
                pending = await self._decide(game, make)
                if pending and (answer := await self._append(game, pending)):
                    break
        self._keep(game)
        self._notify(game)
        return answer

    async def _repeated(self, game: Game, decisions: Sequence[Decision]) -> Answer:
        try:
            return await repeated_answer(self.store, game, decisions)
        except LogDamaged:
            await self._require_unarchived(game)
            raise

    async def _decide(self, game: Game, make: Make) -> PendingCommit | None:
        """The pending result of the decisions; None where they were refused on a stale cache.

        Raises:
            what ``make`` and the rules do.

        """
        try:
            decisions = make(game)
            self.bounds.require_room(game.now, decisions)
            if not isinstance(decisions[0].act.command, ENDING):
                self.tables.require_events(game.id)
            return apply_decisions(game.now, decisions, self.clock)
        except (Rejected, Denied):
            if await self._refresh(game):
                return None
            raise

    async def _append(self, game: Game, pending: PendingCommit) -> Answer | None:
        """The answer, once the events are stored; None where the cache was behind the log."""
        rows = [row_of(entry) for entry in pending.entries]
        prev = bytes.fromhex(game.now.chain.head) if game.now else None
        receipted = pending.receipt_entry()
        try:
            with self.appends.counted():
                signature = await self.store.append_receipted(
                    game.id, rows, prev, receipted.tree_leaf()
                )
            spend(len(rows) * EVENT_WORK)
        except asyncio.CancelledError:
            # It may be stored all the same, and then a bot or a clock has to be woken.
            self._look_for(game.id, rows[-1].version)
            raise
        except PredecessorMissing:
            if game.history == self._history:
                await self._require_unarchived(game)
                raise LogDamaged(game.id, rows[0].version - 1, "it is gone") from None
            await self._refresh(game)
            return None
        except Conflict:
            # Another process was faster, or it was ourselves and the answer was lost.
            if await self._catch_up(game):
                return None
            await self._require_unarchived(game)
            raise
        game.commands.update(pending.versions)
        game.become(pending.after, rows)
        self.tables.charge(game.id, len(rows))
        return pending.answer(game.id, receipted, signature)

    def _look_for(self, game_id: UUID, version: int) -> None:
        """Look, beside whoever asks, whether the log gets that version after all."""
        task = asyncio.create_task(self._look_until(game_id, version), name=f"look for {game_id}")
        self._looking.add(task)
        task.add_done_callback(self._looking.discard)

    async def _look_until(self, game_id: UUID, version: int) -> None:
        clock = asyncio.get_running_loop().time
        until = clock() + self.patience
        while self.patience > 0:  # a process that stops loses it
            try:
                await self.look(game_id, version)
            except NoSuchGame:  # perhaps its opening is on its way
                if clock() > until:
                    return
            except StoreUnavailable:
                until = clock() + self.patience
            except (LogDamaged, GameArchived):
                return  # whoever asks for the game is told
            else:
                return
            await asyncio.sleep(POLL)

    def _notify(self, game: Game) -> None:
        for watch in self.watchers:
            watch(game)

    # --- the cache ------------------------------------------------------------------------------

    def _game(self, game_id: UUID) -> Game:
        game = self._live.get(game_id)
        if game is None:
            game = self._live[game_id] = Game(game_id)
            game.history = self._history
            if unpacked := self._packed.unpack(game_id, self.clock):
                game.begin(unpacked.now, unpacked.commands, unpacked.stored_version)
                self._keep(game)
        elif game_id in self._recent:
            self._recent.move_to_end(game_id)
        return game

    def _keep(self, game: Game) -> None:
        self._recent[game.id] = game
        if len(self._recent) > self._cached:
            _, left = self._recent.popitem(last=False)
            if left.now is not None:
                snapshot = stored_snapshot(left)
                self.snapshots.evict(left, snapshot)
                if left.history == self._history:  # else it may be of events that are gone
                    self._packed.pack(left, snapshot)

    async def keep_all(self) -> None:
        """Store snapshots of what is in memory, for the process that comes after this one."""
        await self.snapshots.keep_all([*self._recent.values()])

    def _loaded(self, game: Game) -> Snapshot:
        if game.now is None:
            raise NoSuchGame
        return game.now

    async def _require_unarchived(self, game: Game) -> None:
        """Raise GameArchived where the log lacks the game's events because they were archived."""
        if tombstone := await self.store.archived(game.id):
            raise GameArchived(tombstone)

    async def _refresh(self, game: Game) -> bool:
        """Take in what the log has; whether that is something else than what is cached.

        Raises:
            LogDamaged: it is not what was stored, or less than was read from the same history.

        """
        head = await self.store.head(game.id)
        if game.history != self._history:
            game.forget(self._history)
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

        """
        if (before := game.now) is None:
            return await self._load(game)
        rows = await self.store.read(game.id, game.version)
        if game.history != self._history:  # meanwhile, so the rows may be of either
            game.forget(self._history)
            return await self._catch_up(game)
        if not rows:
            return False
        chain = before.chain
        await beside_loop(lambda: require_chained(game.id, rows, chain.key, chain.head), len(rows))
        passed = Milestones[Snapshot]()
        now, ends = await beside_loop(
            lambda: apply_rows(before, rows, before.clock, passed.pass_by), len(rows)
        )
        for snapshot in passed:  # here, since the thread outlives a request that is given up
            game.milestones.pass_by(snapshot)
        game.commands.update(ends)
        game.become(now)
        self._keep(game)
        return True

    async def _load(self, game: Game) -> bool:
        """Read a game that is not in memory, from its stored snapshot on; whether it is there.

        Raises:
            LogDamaged: it is not what was stored, so nothing may be signed that rests on it.

        """
        try:
            loaded = await load(
                self.store, self._tree, game.id, self.clock, self._packed.head(game.id)
            )
            await self.quarantine.require_whole(game.id)
        except (LogDamaged, Damage):
            if game.history == self._history:
                raise
            loaded = None
        if game.history != self._history:  # meanwhile, so it may be of either
            game.forget(self._history)
            return await self._load(game)
        if loaded is None:
            return False
        if loaded.base is not None:
            game.begin(loaded.base, loaded.marks, loaded.base.version)
        for snapshot in loaded.passed:
            game.milestones.pass_by(snapshot)
        game.commands.update(loaded.ends)
        game.become(loaded.now)
        self._keep(game)
        return True

    async def _read_earlier(self, game: Game) -> None:
        """Read what led to the stored snapshot that the game was read from.

        Raises:
            LogDamaged: the log has something else than led to it.

        """
        if (base := game.base) is None:
            return
        try:
            earlier = await load_earlier(self.store, self._tree, game.id, base)
        except LogDamaged:
            await self._require_unarchived(game)
            raise
        if game.base is base:  # nobody else has read it meanwhile, and it is the same history
            game.fill(earlier.passed, earlier.ends)
