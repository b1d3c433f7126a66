"""The event store in memory: gone with its process."""

from collections.abc import Collection, Sequence
from uuid import UUID

from typing_extensions import override

from phaseledger.domain.events import TableSealed
from phaseledger.domain.evidence.codec import TOPICS
from phaseledger.service.eventlog.errors import Conflict, PredecessorMissing
from phaseledger.service.eventlog.protocols import Store, require_consecutive
from phaseledger.service.eventlog.rows import (
    FINAL,
    HEAD,
    DueGame,
    Notice,
    Row,
    UnfinishedGame,
    time_of,
)


class MemoryStore(Store):
    """An event log that is gone with its process."""

    def __init__(self) -> None:
        self._games: dict[UUID, list[Row]] = {}
        self._log: list[Notice] = []
        self._due: dict[UUID, DueGame] = {}

    @override
    async def append(self, game: UUID, rows: Sequence[Row], prev: bytes | None = None) -> int:
        require_consecutive(rows)
        stored, first = self._games.get(game, []), rows[0].version
        if first <= len(stored):
            raise Conflict(game, first)
        leaf = stored[-1].leaf if stored else None
        if first > len(stored) + 1 or (prev and leaf and prev != leaf):
            raise PredecessorMissing(game, first)
        self._games[game] = [*stored, *rows]
        start = len(self._log) + 1
        self._log += [Notice(position, game, row) for position, row in enumerate(rows, start)]
        return len(self._log)

    @override
    async def read(self, game: UUID, after: int = 0, limit: int | None = None) -> list[Row]:
        return self._games.get(game, [])[after : None if limit is None else after + limit]

    @override
    async def head(self, game: UUID) -> int:
        return len(self._games.get(game, []))

    @override
    async def tail(self, after: int, limit: int = 1000) -> list[Notice]:
        return self._log[after : after + limit]

    @override
    async def leaves(self, after: int, limit: int = 1000) -> list[Notice]:
        return self._log[after : after + limit]

    @override
    async def position(self) -> int:
        return len(self._log)

    @override
    async def unfinished(self) -> list[UUID]:
        return [game for game, rows in self._games.items() if rows[-1].topic not in FINAL]

    @override
    async def due_games(self, overlong: int = 0) -> list[tuple[UUID, int]]:
        dues = {game: self._due_at(game, overlong) for game in await self.unfinished()}
        return [(game, due_at) for game, due_at in dues.items() if due_at is not None]

    def _due_at(self, game: UUID, overlong: int) -> int | None:
        noted, last = self._due.get(game), self._games[game][-1]
        if noted is None or noted.leaf != last.leaf or 0 < overlong <= last.version:
            return 0
        return noted.due_at

    @override
    async def note_due(self, games: Collection[DueGame], over: Collection[UUID] = ()) -> None:
        for game in over:
            self._due.pop(game, None)
        self._due.update((noted.game, noted) for noted in games)

    @override
    async def opened(self, after: int, until: int) -> list[UUID]:
        return [notice.game for notice in self._log[after:until] if notice.row.version == 1]

    @override
    async def unfinished_games(self, games: Collection[UUID]) -> list[UnfinishedGame]:
        return [
            UnfinishedGame(
                game=game,
                opened_at=time_of(rows[0].state[:HEAD]),
                updated_at=time_of(rows[-1].state[:HEAD]),
                is_lobby=all(row.topic != TOPICS[TableSealed] for row in rows),
            )
            for game, rows in self._games.items()
            if game in games and rows[-1].topic not in FINAL
        ]
