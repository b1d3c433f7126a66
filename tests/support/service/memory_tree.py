"""The tree of the public log in memory: gone with its process."""

import asyncio
from collections.abc import AsyncIterator, Iterable, Iterator
from contextlib import asynccontextmanager
from uuid import UUID

from phaseledger.domain.evidence.tiles import HASH, WIDTH, TileName
from phaseledger.service.eventlog.protocols import Store
from phaseledger.service.runtime.resource import Resource
from phaseledger.service.transparency.errors import TreeError
from phaseledger.service.transparency.tree import Growth, SignedLog, TreeHead


class MemoryTree(Resource):
    """The tree of a `MemoryStore`, whose positions have no gaps; gone with its process."""

    def __init__(self, store: Store, log: str) -> None:
        self.log = log
        self.store = store
        self.heads = [TreeHead()]
        self.stored_tiles: dict[TileName, bytes] = {}
        self.leader: object = None
        self._cosignatures: dict[tuple[int, str], str] = {}

    def _published_heads(self) -> Iterator[TreeHead]:
        """The published sizes, newest first."""
        for head in reversed(self.heads):
            if head.note:
                cosignatures = sorted(self._cosignatures.items())
                lines = (line for (size, _), line in cosignatures if size == head.size)
                yield head._replace(note=head.note + "".join(lines))

    async def head(self) -> TreeHead:
        return self.heads[-1]

    async def newest(self) -> TreeHead | None:
        return next(self._published_heads(), None)

    async def published(self, size: int) -> TreeHead | None:
        return next((head for head in self._published_heads() if head.size == size), None)

    async def cosigned(self) -> TreeHead | None:
        sizes = {size for size, _ in self._cosignatures}
        return next((head for head in self._published_heads() if head.size in sizes), None)

    async def has_ended(self) -> bool:
        return False

    async def signed_logs(self) -> list[SignedLog]:
        return []

    async def faulty_tile(self, *_: int) -> None:
        return None

    async def tiles(self, names: Iterable[TileName]) -> dict[TileName, bytes]:
        return {name: self.stored_tiles[name] for name in names if name in self.stored_tiles}

    async def first(self, number: int) -> int | None:
        return number * WIDTH + 1 if TileName(0, number) in self.stored_tiles else None

    async def index(self, game: UUID, seq: int) -> int | None:
        for notice in await self.store.tail(0, self.heads[-1].position):
            if (notice.game, notice.row.version) == (game, seq):
                return notice.position - 1
        return None

    async def last_within(self, game: UUID, head: TreeHead) -> int:
        log = await self.store.tail(0, head.position)
        return max((notice.row.version for notice in log if notice.game == game), default=0)

    async def cosign(self, size: int, key: str, line: str) -> None:
        self._cosignatures[size, key] = line

    @asynccontextmanager
    async def writer(self) -> AsyncIterator["_MemoryWriter"]:
        candidate = _MemoryWriter(self)
        try:
            yield candidate
        finally:
            if self.leader is candidate:
                self.leader = None


class _MemoryWriter:
    def __init__(self, tree: MemoryTree) -> None:
        self._tree = tree

    async def lead(self) -> bool:
        if self._tree.leader is None:
            self._tree.leader = self
        return self._tree.leader is self

    async def extend(self, old_size: int, growth: Growth) -> None:
        before, after, stored = self._tree.heads[-1], growth.head, self._tree.stored_tiles
        if before.size != old_size or after.size <= old_size or after.position <= before.position:
            raise TreeError(f"The tree has {before.size:,} leaves: it cannot grow from there.")
        for name, tile in growth.tiles.items():
            if len(tile) <= len(stored.get(name, b"")) or not tile.startswith(
                stored.get(name, b"")
            ):
                raise TreeError("A tile of the tree would be changed.")
        last = max((name for name in growth.tiles if name.level == 0), default=TileName(0, 0))
        if last.number * WIDTH + len(growth.tiles.get(last, b"")) // HASH != after.size:
            raise TreeError("A tile of the tree is missing.")
        stored.update(growth.tiles)
        self._tree.heads.append(after._replace(note=""))

    async def sign(self, size: int, note: str) -> None:
        at = next(i for i, head in enumerate(self._tree.heads) if head.size == size)
        self._tree.heads[at] = self._tree.heads[at]._replace(note=note)

    async def word(self, seconds: float) -> None:
        await asyncio.sleep(seconds)
