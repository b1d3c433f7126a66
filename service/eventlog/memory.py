"""The event store in memory: gone with its process."""

from collections.abc import Sequence
from typing import Self
from uuid import UUID

from typing_extensions import override

from phaseledger.service.eventlog.errors import Conflict
from phaseledger.service.eventlog.protocols import Store, _require_consecutive
from phaseledger.service.eventlog.reader import FINAL, Notice
from phaseledger.service.eventlog.rows import Row


class MemoryStore(Store):
    """A log that is gone with its process: for tests, simulations and the demo."""

    def __init__(self) -> None:
        self._games: dict[UUID, list[Row]] = {}
        self._log: list[Notice] = []

    @override
    async def append(self, game: UUID, rows: Sequence[Row]) -> int:
        _require_consecutive(rows)
        stored = self._games.get(game, [])
        if rows[0].version != len(stored) + 1:
            raise Conflict(game, rows[0].version)
        self._games[game] = [*stored, *rows]
        first = len(self._log) + 1
        self._log += [Notice(position, game, row) for position, row in enumerate(rows, first)]
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
    async def open(self) -> None: ...

    @override
    async def close(self) -> None: ...

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *exc: object) -> None: ...
