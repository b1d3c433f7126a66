"""Games as they were after each of their commands, with a stored snapshot of each point."""

from collections.abc import Sequence
from uuid import UUID

from msgspec.structs import replace
from typing_extensions import override

from phaseledger.domain.commands import Act, LeaveSeat, OpenGame, TakeSeat
from phaseledger.domain.evidence import codec
from phaseledger.domain.terms import Clock, Terms
from phaseledger.service.eventlog.memory import MemoryStore
from phaseledger.service.eventlog.rows import Row, row_of
from phaseledger.service.eventlog.snapshots import ColdGame, StoredSnapshot
from phaseledger.service.games.game import (
    Decision,
    Game,
    Snapshot,
    apply_decisions,
)
from phaseledger.service.games.snapshots import stored_snapshot
from tests.support.table import GAME

ID = UUID(GAME)
TIMED = Terms(clock=Clock(9, grace=1), spectators="round")


class Course:
    """A game as it was after each of its commands."""

    def __init__(self, acts: Sequence[Act]) -> None:
        self.game = Game(ID)
        self.rows: list[Row] = []
        self.stored: list[StoredSnapshot] = []
        self.snapshots: list[Snapshot] = []
        for number, act in enumerate(acts):
            decision = Decision(act, codec.command_id(act.seat, f"key {number}"))
            pending = apply_decisions(self.game.now, [decision])
            self.game.commands.update(pending.versions)
            self.game.become(pending.after)
            self.rows += map(row_of, pending.entries)
            self.snapshots.append(pending.after)
            self.stored.append(stored_snapshot(self.game))


def timed(acts: Sequence[Act]) -> list[Act]:
    """The same decisions at a table with a clock, at which somebody has left before."""
    first, *others = acts
    assert isinstance(first.command, OpenGame)
    left = [
        Act(TakeSeat("somebody", secret="ab" * 32), 0),
        Act(LeaveSeat(), 0),
    ]
    return [replace(first, command=replace(first.command, table=TIMED)), *left, *others]


async def logged(course: Course, snapshot: StoredSnapshot | None = None) -> MemoryStore:
    """A log that has the game, and the snapshot of it."""
    store = MemoryStore()
    await store.append(ID, course.rows)
    if snapshot is not None:
        await store.keep_snapshots([snapshot])
    return store


class Reads(MemoryStore):
    """A log that counts what is asked of it."""

    def __init__(self) -> None:
        super().__init__()
        self.cold: list[ColdGame] = []
        self.others = 0

    @override
    async def read_cold(self, game: UUID, program: bytes) -> ColdGame:
        self.cold.append(await super().read_cold(game, program))
        return self.cold[-1]

    @override
    async def read(self, game: UUID, after: int = 0, limit: int | None = None) -> list[Row]:
        self.others += 1
        return await super().read(game, after, limit)

    @override
    async def head(self, game: UUID) -> int:
        self.others += 1
        return await super().head(game)
