"""The event log over eventsourcing's stock recorder: no shared commits and no leaves.

It is what the group writer is compared with, in the contract of a store and in benchmarks. What its
readers do is ours; every append, with a receipt or without, is a transaction of the library's.
"""

import asyncio
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any
from uuid import UUID

from eventsourcing.persistence import IntegrityError, PersistenceError, StoredEvent
from eventsourcing.postgres import PostgresApplicationRecorder, PostgresFactory

from phaseledger.service.eventlog.errors import Conflict, explain_outage
from phaseledger.service.eventlog.group_commit import Appended
from phaseledger.service.eventlog.library import recorder_factory
from phaseledger.service.eventlog.migrations import SCHEMA
from phaseledger.service.eventlog.postgres import PostgresStore
from phaseledger.service.eventlog.protocols import require_consecutive
from phaseledger.service.eventlog.rows import Row

CONNECTIONS = 16
"""As many as the benchmark's raw INSERTs have, with a thread for each."""


class StockStore(PostgresStore):
    """A store that appends in threads, one transaction for each command."""

    def __init__(self, dsn: str, *, schema: str = SCHEMA, **options: Any) -> None:
        super().__init__(dsn, schema=schema, **options)
        self._stock: PostgresFactory = recorder_factory(
            dsn, schema=schema, recorder=PostgresApplicationRecorder
        )
        self._stock.datastore.pool.resize(0, CONNECTIONS)
        self._threads = ThreadPoolExecutor(CONNECTIONS, "stock")

    async def open(self) -> None:
        await super().open()
        assert self._writer is not None
        await self._writer.close()  # so that whatever would go round the recorder is refused
        self._recorder = await asyncio.to_thread(self._stock.application_recorder)

    async def close(self) -> None:
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
