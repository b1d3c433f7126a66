"""A service with a defect on purpose: it answers before the commit.

    python -m tests.support.premature_ack_service PORT

Whatever looks for lost commands counts only once it has found those that this one loses.
"""

import asyncio
import sys
from collections.abc import Sequence
from typing import Any
from uuid import UUID

from granian import Granian
from granian.constants import Interfaces

from phaseledger.service import app, components
from phaseledger.service.eventlog.postgres import PostgresStore
from phaseledger.service.eventlog.protocols import Store
from phaseledger.service.eventlog.rows import Row

LATE = 0.1  # seconds: far too long, so that a kill comes before them on a slow machine too


class EagerStore(PostgresStore):
    """Says yes, and stores the rows a little later; as long as it lives, nobody can tell."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.late: set[asyncio.Task[None]] = set()

    async def append(self, game: UUID, rows: Sequence[Row], prev: bytes | None = None) -> int:
        task = asyncio.create_task(self._append_later(game, rows, prev))
        self.late.add(task)
        task.add_done_callback(self.late.discard)
        return 0

    append_receipted = Store.append_receipted

    async def _append_later(self, game: UUID, rows: Sequence[Row], prev: bytes | None) -> None:
        await asyncio.sleep(LATE)
        await super().append(game, rows, prev)

    async def read(self, game: UUID, after: int = 0, limit: int | None = None) -> list[Row]:
        await asyncio.gather(*self.late)
        return await super().read(game, after, limit)

    async def head(self, game: UUID) -> int:
        await asyncio.gather(*self.late)
        return await super().head(game)


def serving() -> object:
    components.PostgresStore = EagerStore
    return app.serving()


if __name__ == "__main__":
    Granian(
        "tests.support.premature_ack_service:serving",
        factory=True,
        interface=Interfaces.ASGI,
        address="127.0.0.1",
        port=int(sys.argv[1]),
        workers=1,
        websockets=False,
    ).serve()
