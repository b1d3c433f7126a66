"""The imperative shell around the domain: games in memory, their locks, and the write path.

A game is folded once and then kept. Its cached state may accept a command, because the log's
primary key then proves that the cache was current; before a refusal that depends on the state,
and before a read, the log's head is compared, so that several processes over one log answer right.
"""

import asyncio
from collections import OrderedDict
from collections.abc import AsyncIterator, Callable, Collection, Sequence
from uuid import UUID
from weakref import WeakValueDictionary

from domain import codec
from domain.commands import Act, OpenGame, Rejected, Start, TakeSeat
from domain.draft import decision as decided_by
from domain.draft import stamped
from domain.events import Event
from domain.evolve import evolve
from service.game import (
    Answer,
    BadSignature,
    Decision,
    Game,
    KeyReused,
    NoSuchGame,
    Snapshot,
    StaleVersion,
    TableFull,
    decided,
    leaf_of,
    part_id,
    require_genuine,
    sealed_at,
)
from service.store import Conflict, Row, Store, row_of

POLL = 0.5  # seconds between looks at the log while somebody waits for another process's event
PAGE = 500  # events read at a time when a whole game is streamed


Recall = Callable[[Game], Sequence[Decision] | None]
"""The decisions that a known key stands for; None when the key is new. Raises KeyReused."""
Make = Callable[[Game], Sequence[Decision]]
"""The decisions to take in the game's present state."""


class Games:
    """All games of the process. All ``watchers`` are called when one has been written or read.

    ``patience`` is how long a read waits for a version, in seconds.
    """

    def __init__(self, store: Store, cached: int = 2_000, patience: float = 10.0) -> None:
        self.store = store
        self.patience = patience
        self.watchers: list[Callable[[Game], None]] = []
        self._cached = cached
        # The weak map holds whatever is in use, so there is one lock to a game even when more
        # games are busy than the cache keeps.
        self._live: WeakValueDictionary[UUID, Game] = WeakValueDictionary()
        self._recent: OrderedDict[UUID, Game] = OrderedDict()

    # --- reading --------------------------------------------------------------------------------

    async def look(self, game_id: UUID, at_least: int = 0) -> Snapshot:
        """The game as the log has it; waits a while for version ``at_least``, then takes what is.

        Raises:
            NoSuchGame: when there is none, without waiting.

        """
        game, clock = self._game(game_id), asyncio.get_running_loop().time
        deadline = clock() + self.patience
        while True:
            changed = game.changed
            if await self.store.head(game_id) > game.version:
                async with game.lock:
                    await self._catch_up(game)
            now = self._loaded(game)
            left = deadline - clock()
            if now.version >= at_least or now.opened or left <= 0:
                self._tell(game)
                return now
            try:
                await asyncio.wait_for(changed.wait(), min(POLL, left))
            except TimeoutError:
                continue

    async def events(self, game_id: UUID, after: int, limit: int | None) -> AsyncIterator[Row]:
        """The game's rows above version ``after``, a page at a time."""
        while limit is None or limit > 0:
            page = PAGE if limit is None else min(limit, PAGE)
            rows = await self.store.read(game_id, after, page)
            for row in rows:
                yield row
            if len(rows) < page:
                return
            after += page
            limit = None if limit is None else limit - page

    # --- writing --------------------------------------------------------------------------------

    async def open(self, acts: Sequence[Act], game_id: UUID, key: str) -> Answer:
        """Open a table with all that its opener decides at once: bots seated, perhaps the start.

        All are stored or none. The first act opens the game ``game_id``.
        """
        decisions = [Decision(act, part_id(act, key)) for act in acts]
        ids = {decision.cmd for decision in decisions}

        def recall(game: Game) -> Sequence[Decision] | None:
            if decisions[0].cmd not in game.commands or game.now is None:
                return None
            parts = [Act(Start()), *(_sitting(n) for n in range(len(game.now.state.seats)))]
            known = {part_id(act, key) for act in parts} & game.commands.keys()
            if known != ids - {decisions[0].cmd}:
                raise KeyReused
            return decisions

        return await self._write(self._game(game_id), recall, lambda _: decisions)

    async def join(self, game_id: UUID, seat: int | None, command: TakeSeat, key: str) -> Answer:
        """Take the named seat, or the first free one."""

        def sit(number: int) -> Decision:
            return Decision(Act(command, number), codec.command_id(number, key))

        def recall(game: Game) -> Sequence[Decision] | None:
            seats = range(len(self._loaded(game).state.seats))
            known = [sit(n) for n in seats if codec.command_id(n, key) in game.commands]
            if known and seat not in (None, known[0].act.seat):
                raise KeyReused
            return known or None

        def make(game: Game) -> Sequence[Decision]:
            if seat is not None:
                return [sit(seat)]
            state = self._loaded(game).state
            free = [n for n, taken in enumerate(state.seats) if taken is None]
            if not free and state.stage == "lobby":
                raise TableFull
            return [sit(free[0] if free else 0)]

        return await self._write(self._game(game_id), recall, make)

    async def send(
        self, game_id: UUID, act: Act, key: str, versions: Collection[int] | None = None
    ) -> Answer:
        """Decide, store, and answer after the commit; a known key gets its first answer again.

        Raises:
            NoSuchGame, KeyReused: as they say.
            StaleVersion: the game is at none of ``versions``.
            BadSignature: it is signed, but not by its seat, or for another event than the last.
            Rejected: the rules refuse it.
            StoreUnavailable: nothing is known to be stored; the same key may be tried again.

        """
        decision = Decision(act, codec.command_id(act.seat, key))

        def recall(game: Game) -> Sequence[Decision] | None:
            return [decision] if decision.cmd in game.commands else None

        def make(game: Game) -> Sequence[Decision]:
            now = self._loaded(game)
            if versions is not None and now.version not in versions:
                raise StaleVersion(now.version)
            require_genuine(now, act)
            return [decision]

        return await self._write(self._game(game_id), recall, make)

    async def _write(self, game: Game, recall: Recall, make: Make) -> Answer:
        async with game.lock:
            if game.now is None:
                await self._catch_up(game)
            while True:
                known = recall(game)
                if known:
                    return await self._again(game, known)
                try:
                    decisions, before = make(game), game.version
                    after, entries, ends = decided(game.now, decisions)
                except (Rejected, StaleVersion, BadSignature, TableFull):
                    if await self._catch_up(game):
                        continue
                    raise
                rows = [row_of(entry) for entry in entries]
                try:
                    await self.store.append(game.id, rows)
                except Conflict:
                    # Another process was faster, or it was ourselves and the answer was lost.
                    if await self._catch_up(game):
                        continue
                    raise
                break
            game.commands.update(ends)
            game.become(after)
        self._keep(game)
        self._tell(game)
        stored = tuple(entry.stored for entry in entries)
        if len(decisions) > 1:
            before = ends[decisions[-2].cmd]
        return Answer(
            game.id,
            after.version,
            after.state,
            stored,
            after.chain.key,
            decisions[0].act.seat,
            first=entries[before - after.version].stored,
            head=after.chain.head,
        )

    async def _again(self, game: Game, known: Sequence[Decision]) -> Answer:
        """The answer as it was when the key was new."""
        last = game.commands[known[-1].cmd]
        rows = await self.store.read(game.id, 0, last)
        acts, state, first = {}, None, last
        for row in rows:
            record, event = codec.decode(row.topic, row.state)
            state = evolve(state, event)
            if event.act is not None:
                acts[record.cmd] = (row.version, event)
        for decision in known:
            version, event = acts[decision.cmd]
            if not _same(event, decision.act):
                raise KeyReused
            first = min(first, version)
        assert state is not None
        stored = tuple(row.state for row in rows[first - 1 :])
        key = self._loaded(game).chain.key
        begun, _ = acts[known[-1].cmd]
        return Answer(
            game.id,
            last,
            state,
            stored,
            key,
            known[0].act.seat,
            first=rows[begun - 1].state,
            head=leaf_of(stored[-1], key),
        )

    def _tell(self, game: Game) -> None:
        for watch in self.watchers:
            watch(game)

    # --- the cache ------------------------------------------------------------------------------

    def _game(self, game_id: UUID) -> Game:
        game = self._live.get(game_id)
        if game is None:
            game = self._live[game_id] = Game(game_id)
        elif game_id in self._recent:
            self._recent.move_to_end(game_id)
        return game

    def _keep(self, game: Game) -> None:
        self._recent[game.id] = game
        if len(self._recent) > self._cached:
            self._recent.popitem(last=False)

    def _loaded(self, game: Game) -> Snapshot:
        if game.now is None:
            raise NoSuchGame
        return game.now

    async def _catch_up(self, game: Game) -> bool:
        """Take in what the log has beyond the cached version; whether there was anything."""
        rows = await self.store.read(game.id, game.version)
        if not rows:
            return False
        state, key = (game.now.state, game.now.chain.key) if game.now else (None, b"")
        since = game.now.sealed_at if game.now else 0
        for row in rows:
            record, event = codec.decode(row.topic, row.state)
            state = evolve(state, event)
            game.commands[record.cmd] = row.version
            since = sealed_at(since, state, record.at)
        assert state is not None
        key = key or codec.seal_key(state.game, state.server_secret)
        head = leaf_of(rows[-1].state, key)
        chain = codec.Chain(state.game, key, rows[-1].version, head)
        game.become(Snapshot(state, chain, since))
        self._keep(game)
        return True


def _sitting(seat: int) -> Act:
    return Act(TakeSeat(name="-"), seat)


def _same(event: Event, act: Act) -> bool:
    """Whether the event comes from such a decision; secrets of the deal are fresh each time."""
    if isinstance(act.command, OpenGame | TakeSeat):
        return stamped(event, act).act == event.act
    return decided_by(event) == act
