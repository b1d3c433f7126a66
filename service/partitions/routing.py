"""Routing: each call goes to the partition of its game, which has a log of its own.

No call asks two partitions for one game, and no statement names two schemas. With one partition
nothing is routed.
"""

import asyncio
from collections.abc import Awaitable, Callable, Collection, Iterable, Sequence
from contextlib import suppress
from typing import Generic, NamedTuple, Self, TypeVar
from uuid import UUID

import structlog
from typing_extensions import override

from phaseledger.replay.records.partitions import MOST, number_of
from phaseledger.replay.records.sealing import SealingKeys
from phaseledger.replay.signing.receipts import TreeSignature
from phaseledger.service.eventlog.archive import Tombstone
from phaseledger.service.eventlog.clock import LOCAL, LedgerClock
from phaseledger.service.eventlog.continuity import Continuity
from phaseledger.service.eventlog.errors import StoreUnavailable
from phaseledger.service.eventlog.migrations import SchemaError
from phaseledger.service.eventlog.protocols import GameStore, Store
from phaseledger.service.eventlog.reader import DueGame, Notice, UnfinishedGame
from phaseledger.service.eventlog.rows import Row
from phaseledger.service.eventlog.write_probe import WriteProbe
from phaseledger.service.readmodels.views import Views
from phaseledger.service.runtime.tasks import cancel_and_wait
from phaseledger.service.transparency.publisher import PublicLog
from phaseledger.service.webhooks.delivery import Deliveries

FIRST = 10.0  # seconds that a node waits for a partition before it serves without that
RETRY = 1.0  # seconds until a partition that is away is tried again

T = TypeVar("T")
log = structlog.get_logger("phaseledger.partitions")


class ByPartition(Generic[T]):
    """One resource of each partition, in the order of their numbers."""

    def __init__(self, resources: Sequence[T]) -> None:
        self.resources = tuple(resources)

    def of(self, game: UUID) -> T:
        """The resource of the game's partition.

        Raises:
            StoreUnavailable: this node does not know the partition.

        """
        if len(self.resources) == 1:
            return self.resources[0]
        number = number_of(game)
        if not 1 <= number <= MOST:
            return self.resources[0]  # a made-up id, which no partition has or will have
        if number > len(self.resources):
            raise StoreUnavailable(
                f"This node knows {len(self.resources)} partitions, and the game is in number "
                f"{number}: give it the newest file of partitions.",
                retry_after=5,
            )
        return self.resources[number - 1]


class Partition(NamedTuple):
    """The resources of one partition: its log, views, public log and webhooks; and its clock."""

    number: int
    store: Store
    views: Views
    log: PublicLog
    deliveries: Deliveries | None = None
    clock: LedgerClock = LOCAL
    probe: WriteProbe | None = None
    """None where there is no database."""
    continuity: Continuity | None = None
    """None where there is no database."""

    @property
    def has_gone_back(self) -> bool:
        """Whether its log may have lost events, ever, as far as its server tells."""
        return self.continuity is not None and self.continuity.has_gone_back


class PartitionedStore(GameStore):
    """The event stores of all partitions."""

    def __init__(self, stores: ByPartition[Store]) -> None:
        self._stores = stores

    @override
    async def append(self, game: UUID, rows: Sequence[Row], prev: bytes | None = None) -> int:
        return await self._stores.of(game).append(game, rows, prev)

    @override
    async def append_receipted(
        self, game: UUID, rows: Sequence[Row], prev: bytes | None, entry: bytes
    ) -> TreeSignature | None:
        return await self._stores.of(game).append_receipted(game, rows, prev, entry)

    @override
    async def signature_over(self, game: UUID, version: int, entry: bytes) -> TreeSignature | None:
        return await self._stores.of(game).signature_over(game, version, entry)

    @override
    async def read(self, game: UUID, after: int = 0, limit: int | None = None) -> list[Row]:
        return await self._stores.of(game).read(game, after, limit)

    @override
    async def head(self, game: UUID) -> int:
        return await self._stores.of(game).head(game)

    @override
    async def archived(self, game: UUID) -> Tombstone | None:
        return await self._stores.of(game).archived(game)

    @override
    async def restorations(self, game: UUID) -> Sequence[int]:
        return await self._stores.of(game).restorations(game)

    @override
    async def unfinished(self) -> list[UUID]:
        lists = await asyncio.gather(*(store.unfinished() for store in self._stores.resources))
        return [game for games in lists for game in games]

    @override
    async def due_games(self, overlong: int = 0) -> list[tuple[UUID, int]]:
        stores = self._stores.resources
        lists = await asyncio.gather(*(store.due_games(overlong) for store in stores))
        return [due for dues in lists for due in dues]

    @override
    async def note_due(self, games: Collection[DueGame], over: Collection[UUID] = ()) -> None:
        of, stores = self._stores.of, self._stores.resources
        await _all_of(
            store.note_due(
                [due for due in games if of(due.game) is store],
                [game for game in over if of(game) is store],
            )
            for store in stores
        )


async def _all_of(notes: Iterable[Awaitable[None]]) -> None:
    """Await them all: a partition that is away keeps no other one from its notes."""
    for failure in await asyncio.gather(*notes, return_exceptions=True):
        if failure is not None:
            raise failure


class DeferredStore(Store):
    """A partition's event store that is opened in the background; until then it is unavailable.

    ``new_store`` makes it anew for each attempt; ``require_fitting`` raises SchemaError where it is
    another partition's.
    """

    def __init__(
        self,
        number: int,
        new_store: Callable[[], Store],
        require_fitting: Callable[[], Awaitable[None]],
    ) -> None:
        self._number = number
        self._new_store = new_store
        self._require_fitting = require_fitting
        self._store: Store | None = None
        self._attempted = asyncio.Event()
        self._task: asyncio.Task[None] | None = None

    @override
    async def open(self) -> None:
        self._task = asyncio.create_task(self._keep_trying(), name=f"partition {self._number}")
        with suppress(TimeoutError):
            async with asyncio.timeout(FIRST):
                await self._attempted.wait()

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
        last_reason = ""
        while True:
            store = self._new_store()
            try:
                await store.open()
                await self._require_fitting()
            except (StoreUnavailable, SchemaError) as lost:
                with suppress(StoreUnavailable):
                    await store.close()
                if last_reason != str(lost):
                    fields = {"partition": self._number, "reason": str(lost)}
                    log.error("a partition is away", **fields)  # noqa: TRY400
                last_reason = str(lost)
                self._attempted.set()
                await asyncio.sleep(RETRY)
            except BaseException:
                await store.close()
                raise
            else:
                log.info("a partition is there", partition=self._number)
                self._store = store
                self._attempted.set()
                return

    @property
    def sealing(self) -> SealingKeys:  # type: ignore[override]
        """Those of the store."""
        return self._opened().sealing

    def _opened(self) -> Store:
        if self._store is None:
            raise StoreUnavailable(f"Partition {self._number} does not answer.", retry_after=2)
        return self._store

    @override
    async def append(self, game: UUID, rows: Sequence[Row], prev: bytes | None = None) -> int:
        return await self._opened().append(game, rows, prev)

    @override
    async def append_receipted(
        self, game: UUID, rows: Sequence[Row], prev: bytes | None, entry: bytes
    ) -> TreeSignature | None:
        return await self._opened().append_receipted(game, rows, prev, entry)

    @override
    async def signature_over(self, game: UUID, version: int, entry: bytes) -> TreeSignature | None:
        return await self._opened().signature_over(game, version, entry)

    @override
    async def read(self, game: UUID, after: int = 0, limit: int | None = None) -> list[Row]:
        return await self._opened().read(game, after, limit)

    @override
    async def head(self, game: UUID) -> int:
        return await self._opened().head(game)

    @override
    async def tail(self, after: int, limit: int = 1000) -> list[Notice]:
        return await self._opened().tail(after, limit)

    @override
    async def leaves(self, after: int, limit: int = 1000) -> list[Notice]:
        return await self._opened().leaves(after, limit)

    @override
    async def position(self) -> int:
        return await self._opened().position()

    @override
    async def opened(self, after: int, until: int) -> list[UUID]:
        return await self._opened().opened(after, until)

    @override
    async def unfinished_games(self, games: Collection[UUID]) -> list[UnfinishedGame]:
        return await self._opened().unfinished_games(games)

    @override
    async def unfinished(self) -> list[UUID]:
        return await self._opened().unfinished()

    @override
    async def due_games(self, overlong: int = 0) -> list[tuple[UUID, int]]:
        return await self._opened().due_games(overlong)

    @override
    async def note_due(self, games: Collection[DueGame], over: Collection[UUID] = ()) -> None:
        await self._opened().note_due(games, over)

    @override
    async def archived(self, game: UUID) -> Tombstone | None:
        return await self._opened().archived(game)

    @override
    async def restorations(self, game: UUID) -> Sequence[int]:
        return await self._opened().restorations(game)
