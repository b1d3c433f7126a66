"""The Merkle tree of the public log, beside the events.

The tree belongs to a log's name. The holder of its `Writer` extends it; a size that was written has
one root for ever, and is published once it has a note.
"""

from collections.abc import AsyncIterator, Iterable, Mapping
from contextlib import asynccontextmanager
from typing import Any, LiteralString, NamedTuple
from uuid import UUID

import psycopg
from typing_extensions import override

from phaseledger.domain.evidence import merkle
from phaseledger.domain.evidence.tiles import TileName
from phaseledger.service.eventlog.connection import Connection, connect, has_taken, hear, within
from phaseledger.service.eventlog.errors import explain_outage, store_closed
from phaseledger.service.eventlog.migrations import SCHEMA
from phaseledger.service.eventlog.pool import Pool, pool, with_connection
from phaseledger.service.runtime.resource import Resource
from phaseledger.service.transparency import tree_sql
from phaseledger.service.transparency.errors import TreeError

READERS = 2  # connections
TREE_REFUSED = "TR001"
"""SQLSTATE of `extend_tree`."""


class TreeHead(NamedTuple):
    """The tree at one size. ``position`` is its last leaf's in the log."""

    size: int = 0
    root: bytes = merkle.EMPTY
    position: int = 0
    note: str = ""
    """The signed checkpoint with its cosignatures; empty as long as it is not published."""


class Growth(NamedTuple):
    """An extension of a tree: the new head, and every tile that is new or longer than before."""

    head: TreeHead
    tiles: Mapping[TileName, bytes]
    firsts: Mapping[int, int]
    """By number, the log positions at which new tiles of level 0 begin."""


class SignedLog(NamedTuple):
    """A public log of the database, and how many events its newest checkpoint covers."""

    log: str
    size: int
    was_restored: bool
    """Whether it ended with a restore of the ledger."""
    was_closed: bool
    """Whether an operator ended it."""

    @property
    def goes_on(self) -> bool:
        """Whether it has not ended."""
        return not (self.was_restored or self.was_closed)


class Writer:
    """The only writer of a tree, elected by a lock: it writes through the connection that holds the
    lock, and without the lock it can write nothing.
    """

    def __init__(self, conn: Connection, schema: str, log: str) -> None:
        self._conn = conn
        self._schema = schema
        self._log = log

    async def lead(self) -> bool:
        """Whether this is now the writer; others stand by."""
        # One log goes on at a time. Earlier releases take the second lock alone.
        for name in (f"sign {self._schema}", f"sign {self._schema} {self._log}"):
            if not await has_taken(self._conn, name):
                return False
        await self._conn.execute("LISTEN stored_events")
        return True

    async def extend(self, old_size: int, growth: Growth) -> None:
        """Write the growth durably, all of it or nothing.

        Raises:
            TreeError: the tree has another size, or a tile would be changed.

        """
        (size, root, position, _), tiles = growth.head, growth.tiles
        firsts = [growth.firsts.get(n) if not level else None for level, n in tiles]
        try:
            await self._run(
                tree_sql.EXTEND,
                *(self._log, old_size, size, root, position),
                *([level for level, _ in tiles], [number for _, number in tiles]),
                *(list(tiles.values()), firsts),
            )
        except psycopg.Error as error:
            if error.sqlstate == TREE_REFUSED:
                raise TreeError(str(error).partition("\n")[0]) from None
            raise

    async def sign(self, size: int, note: str) -> None:
        """Publish a size under its note."""
        await self._run(tree_sql.SIGN, self._log, size, note)

    async def word(self, seconds: float) -> None:
        """Wait at most so long for a notification of new events."""
        await hear(self._conn, seconds)

    async def _run(self, statement: LiteralString, *arguments: object) -> list[tuple[Any, ...]]:
        cursor = await self._conn.execute(within(self._schema, statement), arguments)
        return await cursor.fetchall()


class Tree(Resource):
    """A log's tree, whose tables `service.transparency.tree_sql` has. Its methods raise
    StoreUnavailable too.
    """

    def __init__(self, dsn: str, log: str, *, schema: str = SCHEMA) -> None:
        self.log = log
        self._schema = schema
        self._dsn = dsn
        self._pool: Pool | None = None

    @override
    async def open(self) -> None:
        self._pool = pool(self._dsn, READERS, least=0)
        await self._pool.open()

    @override
    async def close(self) -> None:
        if self._pool is not None:
            await self._pool.close()

    async def head(self) -> TreeHead:
        """The newest size, published or not; its note without cosignatures."""
        return _head(await self._run(tree_sql.HEAD, self.log)) or TreeHead()

    async def newest(self) -> TreeHead | None:
        """The newest published size."""
        return _head(await self._run(tree_sql.NEWEST, self.log))

    async def published(self, size: int) -> TreeHead | None:
        """The head of that size, if it is published."""
        return _head(await self._run(tree_sql.OF_SIZE, self.log, size))

    async def cosigned(self) -> TreeHead | None:
        """The newest published size that a witness has cosigned."""
        return _head(await self._run(tree_sql.COSIGNED, self.log))

    async def has_ended(self) -> bool:
        """Whether the ledger goes on from a restore under another log's name."""
        return await self._run(tree_sql.HAS_ENDED, self.log) == [(True,)]

    async def signed_logs(self) -> list[SignedLog]:
        """All logs that were ever signed in this database, the one that was signed last first."""
        return [SignedLog(*row) for row in await self._run(tree_sql.SIGNED_LOGS)]

    async def tiles(self, names: Iterable[TileName]) -> dict[TileName, bytes]:
        """The tiles of these names, as far as they exist."""
        requested = list(names)
        levels, numbers = [name.level for name in requested], [name.number for name in requested]
        rows = await self._run(tree_sql.TILES, levels, numbers, self.log)
        return {TileName(level, number): tile for level, number, tile in rows}

    async def first(self, number: int) -> int | None:
        """The log position of the first leaf of a tile of level 0, if there is that tile."""
        rows = await self._run(tree_sql.FIRST, self.log, number)
        return rows[0][0] if rows else None

    async def faulty_tile(self, start: int, stop: int) -> int | None:
        """The first tile of level 0, from number ``start`` to before ``stop``, that is missing, has
        not as many leaves as the newest size says, or the log not as many events; None: all fit.
        """
        rows = await self._run(tree_sql.FAULTY_TILE, self.log, self.log, start, stop)
        return rows[0][0] if rows else None

    async def index(self, game: UUID, seq: int) -> int | None:
        """The leaf index of an event, from 0; None where the tree does not cover it yet."""
        rows = await self._run(tree_sql.INDEX, self.log, self.log, game, seq)
        return int(rows[0][0]) if rows else None

    async def last_within(self, game: UUID, head: TreeHead) -> int:
        """The number of the game's last event that the head covers, 0 if it covers none."""
        ((seq,),) = await self._run(tree_sql.LAST_WITHIN, game, head.position)
        return int(seq)

    async def cosign(self, size: int, key: str, line: str) -> None:
        """Keep a witness's signature line under a published size."""
        await self._run(tree_sql.COSIGN, self.log, size, key, line)

    @asynccontextmanager
    async def writer(self) -> AsyncIterator[Writer]:
        """A candidate for the writer, during the block."""
        try:
            async with await connect(self._dsn) as conn:
                yield Writer(conn, self._schema, self.log)
        except psycopg.Error as error:
            raise explain_outage(error) from error

    async def _run(self, statement: LiteralString, *arguments: object) -> list[tuple[Any, ...]]:
        if self._pool is None:
            raise store_closed()

        async def work(conn: Connection) -> list[tuple[Any, ...]]:
            cursor = await conn.execute(within(self._schema, statement), arguments, binary=True)
            return await cursor.fetchall()

        return await with_connection(self._pool, work)


def _head(rows: list[tuple[Any, ...]]) -> TreeHead | None:
    return TreeHead(*rows[0]) if rows else None
