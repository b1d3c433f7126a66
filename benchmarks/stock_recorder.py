"""The service over eventsourcing's stock recorder, for comparison: no shared commits, no leaves.

    python -m benchmarks.stock_recorder --port PORT

The settings are those of `phaseledger serve`, by variables; the tables are there already. Every
append, with a receipt or without, is a transaction of the library's; readers are the service's own.
"""

import argparse
import asyncio
import os
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any
from uuid import UUID

from eventsourcing.persistence import IntegrityError, PersistenceError, StoredEvent
from eventsourcing.postgres import PostgresFactory
from granian import Granian
from granian.constants import Interfaces

from phaseledger.replay.formats.signing.keys import load_or_new
from phaseledger.service import app
from phaseledger.service.eventlog.errors import Conflict, explain_outage
from phaseledger.service.eventlog.group_commit import Appended
from phaseledger.service.eventlog.library import recorder_factory
from phaseledger.service.eventlog.migrations import SCHEMA
from phaseledger.service.eventlog.postgres import PostgresStore
from phaseledger.service.eventlog.protocols import require_consecutive
from phaseledger.service.eventlog.rows import Row
from phaseledger.service.settings import keys_folder, load

CONNECTIONS = 16
"""As many as the benchmark's raw INSERTs have, with a thread for each."""


class StockStore(PostgresStore):
    """A store that appends in threads, one transaction for each command."""

    def __init__(
        self,
        dsn: str,
        *,
        schema: str = SCHEMA,
        **options: Any,  # noqa: ANN401 - the store's
    ) -> None:
        super().__init__(dsn, schema=schema, **options)
        self._stock: PostgresFactory = recorder_factory(dsn, schema=schema)
        self._stock.datastore.pool.resize(0, CONNECTIONS)
        self._threads = ThreadPoolExecutor(CONNECTIONS, "stock")

    async def open(self) -> None:
        """Connect; the writer of shared commits is closed, so that whatever needs it is refused."""
        await super().open()
        assert self._writer is not None
        await self._writer.close()
        self._recorder = await asyncio.to_thread(self._stock.application_recorder)

    async def close(self) -> None:
        """Close every connection."""
        await super().close()
        await asyncio.to_thread(self._stock.close)
        self._threads.shutdown()

    async def _append(
        self, game: UUID, rows: Sequence[Row], prev: bytes | None, entry: bytes | None
    ) -> Appended:
        require_consecutive(rows)
        events = [StoredEvent(game, row.version, row.topic, row.state) for row in rows]
        loop = asyncio.get_running_loop()
        try:
            positions = await loop.run_in_executor(
                self._threads, self._recorder.insert_events, events
            )
        except IntegrityError:
            raise Conflict(game, rows[0].version) from None
        except PersistenceError as error:
            raise explain_outage(error) from error
        assert positions
        return Appended(positions[-1])


def serving() -> object:
    """The application of the server process, over that store."""
    app.PostgresStore = StockStore
    return app.serving()


def main() -> None:
    """Serve until stopped."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--port", type=int, required=True)
    port = parser.parse_args().port
    load_or_new(keys_folder(load(os.environ)))
    Granian(
        "benchmarks.stock_recorder:serving",
        factory=True,
        interface=Interfaces.ASGI,
        address="127.0.0.1",
        port=port,
        workers=1,
        websockets=False,
    ).serve()


if __name__ == "__main__":
    main()
