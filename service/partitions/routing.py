"""The partitions of a ledger side by side, each with its own log, and whatever goes by the game.

Nothing here asks two partitions for one game, and no statement names two schemas. Where there is
one partition, none of this stands in the way of it.
"""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from typing import Generic, NamedTuple, Self, TypeVar
from uuid import UUID

import structlog
from typing_extensions import override

from phaseledger.replay.records.partitions import MOST, number_of
from phaseledger.service.eventlog.errors import StoreUnavailable
from phaseledger.service.eventlog.migrations import SchemaError
from phaseledger.service.eventlog.protocols import GameStore, Store
from phaseledger.service.eventlog.reader import Notice
from phaseledger.service.eventlog.rows import Row
from phaseledger.service.readmodels.views import Views
from phaseledger.service.runtime.tasks import cancel_and_wait
from phaseledger.service.transparency.publisher import PublicLog
from phaseledger.service.webhooks.delivery import Deliveries

FIRST = 10.0  # seconds that a node waits for a partition before it serves without that
RETRY = 1.0  # seconds until a partition that is away is tried again

T = TypeVar("T")
log = structlog.get_logger("phaseledger.partitions")


class ByPartition(Generic[T]):
    """One thing of each partition, by the numbers of these."""

    def __init__(self, each: Sequence[T]) -> None:
        self.each = tuple(each)

    def of(self, game: UUID) -> T:
        """That of the partition which has the game, if there is the game.

        Raises:
            StoreUnavailable: this node does not know the partition.

        """
        if len(self.each) == 1:
            return self.each[0]
        number = number_of(game)
        if not 1 <= number <= MOST:
            return self.each[0]  # whoever made that id up: no partition has or will have it
        if number > len(self.each):
            raise StoreUnavailable(
                f"This node knows {len(self.each)} partitions, and the game is in number {number}: "
                "give it the newest file of partitions.",
                retry_after=5,
            )
        return self.each[number - 1]


class Partition(NamedTuple):
    """What the service stands on in one partition."""

    number: int
    store: Store
    views: Views
    log: PublicLog
    deliveries: Deliveries | None = None


class PartitionedStore(GameStore):
    """The games of all partitions."""

    def __init__(self, stores: ByPartition[Store]) -> None:
        self._stores = stores

    @override
    async def append(self, game: UUID, rows: Sequence[Row]) -> int:
        return await self._stores.of(game).append(game, rows)

    @override
    async def read(self, game: UUID, after: int = 0, limit: int | None = None) -> list[Row]:
        return await self._stores.of(game).read(game, after, limit)

    @override
    async def head(self, game: UUID) -> int:
        return await self._stores.of(game).head(game)

    @override
    async def unfinished(self) -> list[UUID]:
        found = await asyncio.gather(*(each.unfinished() for each in self._stores.each))
        return [game for games in found for game in games]


class DeferredStore(Store):
    """A partition's log that need not be there yet: until it is, it is unavailable.

    ``made`` makes it anew for each attempt; ``fits`` raises SchemaError where it is another
    partition's.
    """

    def __init__(
        self, number: int, made: Callable[[], Store], fits: Callable[[], Awaitable[None]]
    ) -> None:
        self._number = number
        self._made = made
        self._fits = fits
        self._store: Store | None = None
        self._tried = asyncio.Event()
        self._task: asyncio.Task[None] | None = None

    @override
    async def open(self) -> None:
        self._task = asyncio.create_task(self._keep_trying(), name=f"partition {self._number}")
        with suppress(TimeoutError):
            async with asyncio.timeout(FIRST):
                await self._tried.wait()

    @override
    async def close(self) -> None:
        if self._task is not None:
            await cancel_and_wait(self._task)
        if self._store is not None:
            await self._store.close()

    async def __aenter__(self) -> Self:
        await self.open()
        return self

    async def __aexit__(self, *exc: object) -> None:
        await self.close()

    async def _keep_trying(self) -> None:
        said = ""
        while True:
            store = self._made()
            try:
                await store.open()
                await self._fits()
            except (StoreUnavailable, SchemaError) as lost:
                with suppress(StoreUnavailable):
                    await store.close()
                if said != str(lost):
                    told = {"partition": self._number, "reason": str(lost)}
                    log.error("a partition is away", **told)  # noqa: TRY400
                said = str(lost)
                self._tried.set()
                await asyncio.sleep(RETRY)
            except BaseException:
                await store.close()
                raise
            else:
                log.info("a partition is there", partition=self._number)
                self._store = store
                self._tried.set()
                return

    def _there(self) -> Store:
        if self._store is None:
            raise StoreUnavailable(f"Partition {self._number} does not answer.", retry_after=2)
        return self._store

    @override
    async def append(self, game: UUID, rows: Sequence[Row]) -> int:
        return await self._there().append(game, rows)

    @override
    async def read(self, game: UUID, after: int = 0, limit: int | None = None) -> list[Row]:
        return await self._there().read(game, after, limit)

    @override
    async def head(self, game: UUID) -> int:
        return await self._there().head(game)

    @override
    async def tail(self, after: int, limit: int = 1000) -> list[Notice]:
        return await self._there().tail(after, limit)

    @override
    async def leaves(self, after: int, limit: int = 1000) -> list[Notice]:
        return await self._there().leaves(after, limit)

    @override
    async def position(self) -> int:
        return await self._there().position()

    @override
    async def unfinished(self) -> list[UUID]:
        return await self._there().unfinished()
