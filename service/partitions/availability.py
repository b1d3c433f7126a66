"""Whether a partition answers, as reads of its views find out: a circuit breaker.

Lists need every partition, so one that is away would keep each of them waiting until its own
patience is over. What is known of it is remembered instead, and asked again in the background.
"""

import asyncio
from collections.abc import Coroutine
from contextvars import Context
from typing import Any, TypeVar

import psycopg
import structlog
from typing_extensions import override

from phaseledger.projections.pages import ViewsUnavailable
from phaseledger.projections.rows import MacKeys
from phaseledger.projections.store import PostgresViews
from phaseledger.service.eventlog.connection import Connection, bounded, connect
from phaseledger.service.runtime.tasks import cancel_and_wait

GRACE = 0.4  # seconds until a read without an answer makes us ask whether the partition is there
PROBE = 0.4  # seconds that this question may take
RETRY = 0.5  # seconds until a partition that is away is asked again

T = TypeVar("T")
log = structlog.get_logger("phaseledger.partitions")


class PartitionViews(PostgresViews):
    """The views of one of several partitions, whose reads fail soon while that is away."""

    def __init__(self, dsn: str, schema: str, number: int, keys: MacKeys) -> None:
        super().__init__(bounded(dsn), schema, Connection, keys)
        self.availability = Availability(dsn, number)

    @override
    async def __aexit__(self, *exc: object) -> None:
        await self.availability.close()
        await super().__aexit__(*exc)

    @override
    async def _fetch(self, name: str, parameters: Any) -> list[tuple[Any, ...]]:
        return await self.availability.bounded(super()._fetch(name, parameters))


class Availability:
    """What is known of a partition.

    A read that is slow is not cut off where the partition answers otherwise: only a new connection
    that is refused, or brings no answer either, tells that it is away.
    """

    def __init__(self, dsn: str, number: int) -> None:
        self._dsn = dsn
        self._number = number
        self._is_away = False
        self._probe: asyncio.Task[bool] | None = None
        self._return: asyncio.Task[None] | None = None
        self._abandoned = set[asyncio.Task[Any]]()

    async def bounded(self, read: Coroutine[Any, Any, T]) -> T:
        """The read's result.

        Raises:
            ViewsUnavailable: the partition is away; within `GRACE` and `PROBE` if that is news.

        """
        if self._is_away:
            read.close()
            raise self._unavailable()
        reading = asyncio.create_task(read)
        try:
            await asyncio.wait([reading], timeout=GRACE)
            if not reading.done() and not await self.answers():
                raise self._unavailable()
            return await reading
        finally:
            if not reading.done():
                # Not waited for: to cancel a statement takes the server that does not answer.
                reading.cancel()
                self._abandoned.add(reading)
                reading.add_done_callback(self._forget)

    async def answers(self) -> bool:
        """Ask whether the partition answers; all who ask at a time get one answer."""
        if self._probe is None or self._probe.done():
            self._probe = asyncio.create_task(self._ask())
        return await asyncio.shield(self._probe)

    async def close(self) -> None:
        """End what goes on in the background."""
        tasks = [self._probe, self._return, *self._abandoned]
        await cancel_and_wait(*(task for task in tasks if task is not None))

    async def _ask(self) -> bool:
        try:
            async with asyncio.timeout(PROBE):
                async with await connect(self._dsn) as conn:
                    await conn.execute("SELECT 1")
        except (TimeoutError, psycopg.Error) as error:
            if not self._is_away:
                self._is_away = True
                reason = str(error) or f"no answer within {PROBE} s"
                log.warning("a partition is away", partition=self._number, reason=reason)
                self._return = asyncio.create_task(self._await_return(), context=Context())
            return False
        if self._is_away:
            self._is_away = False
            log.info("a partition is there", partition=self._number)
        return True

    async def _await_return(self) -> None:
        while not await self.answers():
            await asyncio.sleep(RETRY)

    def _forget(self, task: asyncio.Task[Any]) -> None:
        self._abandoned.discard(task)
        if not task.cancelled():
            task.exception()  # nobody else asks

    def _unavailable(self) -> ViewsUnavailable:
        return ViewsUnavailable(f"Partition {self._number} does not answer.")
