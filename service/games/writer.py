"""The write path around the pure domain: decide, append, answer after the commit.

A game's cached state may accept a command, because the log's primary key then proves that the cache
was current. A refusal that depends on the state is given once the log's head was compared.
"""

import asyncio
import time
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager
from uuid import UUID

from msgspec.structs import replace

from phaseledger.domain.commands import Act, Rejected, Start, TakeSeat
from phaseledger.domain.decide import step
from phaseledger.domain.evidence import codec
from phaseledger.domain.state import State
from phaseledger.service.eventlog.clock import LOCAL, LedgerClock
from phaseledger.service.eventlog.errors import Conflict, PredecessorMissing, StoreUnavailable
from phaseledger.service.eventlog.protocols import Store
from phaseledger.service.eventlog.rows import row_of
from phaseledger.service.games import command_metrics
from phaseledger.service.games.bounds import ENDING, UNBOUNDED, EventBounds
from phaseledger.service.games.errors import (
    Denied,
    GameArchived,
    KeyReused,
    LogDamaged,
    NoSuchGame,
)
from phaseledger.service.games.game import (
    Answer,
    Decision,
    Game,
    PendingCommit,
    Snapshot,
    apply_decisions,
    part_id,
    require_genuine,
    require_own,
    require_version,
    spellings,
)
from phaseledger.service.games.idempotency import repeated_answer
from phaseledger.service.games.openings import completed
from phaseledger.service.games.quarantine import Quarantine
from phaseledger.service.games.reader import POLL, GameReader
from phaseledger.service.quotas.open_tables import OpenTables
from phaseledger.service.runtime.work import spend
from phaseledger.service.schemas.versions import KnownVersion
from phaseledger.service.transparency.tree import Tree

EVENT_WORK = 0.000_1
"""Seconds of work that an event counts as which is stored: writer and database do it for it."""

Recall = Callable[[Game], Sequence[Decision] | None]
"""The decisions that a known key stands for; None when the key is new. Raises KeyReused."""
Make = Callable[[Game], Sequence[Decision]]
"""The decisions to take in the game's present state."""


class AppendsInFlight:
    """The appends of this process that the log has not answered."""

    def __init__(self) -> None:
        self._began: dict[object, float] = {}

    @contextmanager
    def counted(self) -> Iterator[None]:
        """Count an append during the block."""
        key = object()
        self._began[key] = time.monotonic()
        try:
            yield
        finally:
            del self._began[key]

    def longest(self) -> float:
        """The age of the oldest append in seconds; 0.0 where none waits."""
        first = next(iter(self._began.values()), None)
        return 0.0 if first is None else time.monotonic() - first


class GameService(GameReader):
    """All games of the process, to be read and written.

    ``reveal_seconds`` is the wait for secrets that a start records (0: none). ``bounds``
    limit the events of a lobby, ``tables`` the events by their opener's address. The other
    arguments are `GameReader`'s.
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
        super().__init__(store, cached, patience, tree, clock, quarantine or Quarantine(store))
        self.reveal_seconds = reveal_seconds
        self.bounds = bounds
        self.tables = tables or OpenTables()
        self.appends = AppendsInFlight()
        self._looking: set[asyncio.Task[None]] = set()

    async def open(self, acts: Sequence[Act], game_id: UUID, key: str) -> Answer:
        """Open a table with all that its opener decides at once: bots seated, perhaps the start.

        All are stored or none. The first act opens ``game_id``, which follows from the key.

        Raises:
            KeyReused: the key has opened the game with other acts.

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
        at: int = 0,
    ) -> Answer:
        """Decide, store, and answer after the commit; a known key gets its first answer again.

        ``since`` is the version that began the caller's sitting. Without ``repeats`` a known key
        is not looked for. ``at`` is the least time of the events, in ms since 1970.

        Raises:
            NoSuchGame: the log has no event of the game.
            KeyReused: the key is another command's.
            StaleVersion: the game is at none of ``versions``.
            Denied: ``require`` raises it, or the key belongs to a later sitting of the seat.
            BadSignature: the signature is not the seat's over this command and the last event.
            Rejected: the rules refuse the command.
            TooManyEvents: the address that opened the table has used up its quota.
            StoreUnavailable: the outcome is not known; the same key may be tried again.

        """
        ids = [codec.command_id(act.seat, text) for text in spellings(key)]
        kind = str(act.command.__struct_config__.tag)

        def recall(game: Game) -> Sequence[Decision] | None:
            cmd = next((cmd for cmd in ids if repeats and cmd in game.commands), None)
            if cmd is None:
                return None
            if since is not None and act.seat is not None:
                require_own(game.loaded(), act.seat, since, game.commands[cmd])
            return [Decision(act, cmd)]

        def make(game: Game) -> Sequence[Decision]:
            now = game.loaded()
            # Before the version: a caller who has lost the seat is not told to look again.
            if require is not None:
                require(now)
            require_version(now, versions)
            require_genuine(now, act)
            return [Decision(self._timed(act, now.state), ids[0], at)]

        return await self.write(game_id, recall, make, kind)

    async def try_out(
        self,
        game_id: UUID,
        act: Act,
        versions: Collection[KnownVersion] | None,
        require: Callable[[Snapshot], None],
    ) -> Snapshot:
        """Decide the command on the game as the log has it, and store nothing; returns that game.

        Raises what `send` raises before it stores.
        """
        now = await self.look(game_id, watching=True)
        require(now)
        require_version(now, versions)
        require_genuine(now, act)
        step(now.state, act)
        return now

    def _timed(self, act: Act, state: State) -> Act:
        """The act; a start that leaves secrets due gets the time for them."""
        if isinstance(act.command, Start) and any(s and not s.secret for s in state.seats):
            return replace(act, command=Start(reveal_seconds=self.reveal_seconds))
        return act

    async def write(self, game_id: UUID, recall: Recall, make: Make, kind: str) -> Answer:
        """Answer the decisions that ``recall`` finds, or take and store those of ``make``."""
        with command_metrics.command(kind) as outcome:
            self.quarantine.require_sound(game_id)
            game = self.cache.game(game_id)
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
            if game.history != self.cache.history:
                game.forget(self.cache.history)
            if game.now is None:
                await self._catch_up(game)
            while True:
                if repeated := recall(game):
                    outcome.repeated = True
                    return await self._repeated(game, repeated)
                pending = await self._decide(game, make)
                if pending and (answer := await self._append(game, pending)):
                    break
        self.cache.keep(game)
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

        Raises what ``make`` and the rules raise.
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
            # The events may be stored all the same; then a bot or a clock has to be woken.
            self._look_for(game.id, rows[-1].version)
            raise
        except PredecessorMissing:
            if game.history == self.cache.history:
                await self._require_unarchived(game)
                raise LogDamaged(game.id, rows[0].version - 1, "it is gone") from None
            await self._refresh(game)
            return None
        except Conflict:
            # Another process was faster, or this one was and the answer was lost.
            if await self._catch_up(game):
                return None
            await self._require_unarchived(game)
            raise
        game.commands.update(pending.versions)
        game.become(pending.after, rows)
        self.tables.charge(game.id, len(rows))
        return pending.answer(game.id, receipted, signature)

    def _look_for(self, game_id: UUID, version: int) -> None:
        """Look in the background whether the log gets that version after all."""
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
                return  # the next read of the game raises it
            else:
                return
            await asyncio.sleep(POLL)
