"""The tree of the public log in PostgreSQL, beside the events."""

from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from typing import Any, LiteralString
from uuid import UUID

import psycopg
from typing_extensions import override

from phaseledger.domain.evidence.tiles import TileName
from phaseledger.service.eventlog.connection import Connection, connect, has_taken, hear, within
from phaseledger.service.eventlog.errors import explain_outage, store_closed
from phaseledger.service.eventlog.migrations import SCHEMA
from phaseledger.service.eventlog.pool import Pool, pool, with_connection
from phaseledger.service.transparency import tree_sql
from phaseledger.service.transparency.errors import TreeError
from phaseledger.service.transparency.tree import Growth, SignedLog, Tree, TreeHead, Writer

READERS = 2  # connections
TREE_REFUSED = "TR001"
"""SQLSTATE of `extend_tree`."""


class PostgresTree(Tree):
    """A log's tree in PostgreSQL, whose tables `service.transparency.tree_sql` has."""

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

    @override
    async def head(self) -> TreeHead:
        return _head(await self._run(tree_sql.HEAD, self.log)) or TreeHead()

    @override
    async def newest(self) -> TreeHead | None:
        return _head(await self._run(tree_sql.NEWEST, self.log))

    @override
    async def published(self, size: int) -> TreeHead | None:
        return _head(await self._run(tree_sql.OF_SIZE, self.log, size))

    @override
    async def cosigned(self) -> TreeHead | None:
        return _head(await self._run(tree_sql.COSIGNED, self.log))

    @override
    async def has_ended(self) -> bool:
        return await self._run(tree_sql.HAS_ENDED, self.log) == [(True,)]

    @override
    async def signed_logs(self) -> list[SignedLog]:
        return [SignedLog(*row) for row in await self._run(tree_sql.SIGNED_LOGS)]

    @override
    async def tiles(self, names: Iterable[TileName]) -> dict[TileName, bytes]:
        requested = list(names)
        levels, numbers = [name.level for name in requested], [name.number for name in requested]
        rows = await self._run(tree_sql.TILES, levels, numbers, self.log)
        return {TileName(level, number): tile for level, number, tile in rows}

    @override
    async def first(self, number: int) -> int | None:
        rows = await self._run(tree_sql.FIRST, self.log, number)
        return rows[0][0] if rows else None

    @override
    async def faulty_tile(self, start: int, stop: int) -> int | None:
        rows = await self._run(tree_sql.FAULTY_TILE, self.log, self.log, start, stop)
        return rows[0][0] if rows else None

    @override
    async def index(self, game: UUID, seq: int) -> int | None:
        rows = await self._run(tree_sql.INDEX, self.log, self.log, game, seq)
        return int(rows[0][0]) if rows else None

    @override
    async def last_within(self, game: UUID, head: TreeHead) -> int:
        ((seq,),) = await self._run(tree_sql.LAST_WITHIN, game, head.position)
        return int(seq)

    @override
    async def cosign(self, size: int, key: str, line: str) -> None:
        await self._run(tree_sql.COSIGN, self.log, size, key, line)

    @override
    @asynccontextmanager
    async def writer(self) -> AsyncIterator[Writer]:
        """Raises StoreUnavailable where the database cannot be reached, here and in the block."""
        try:
            async with await connect(self._dsn) as conn:
                yield _PostgresWriter(conn, self._schema, self.log)
        except psycopg.Error as error:
            raise explain_outage(error) from error

    async def _run(self, statement: LiteralString, *arguments: object) -> list[tuple[Any, ...]]:
        if self._pool is None:
            raise store_closed()

        async def work(conn: Connection) -> list[tuple[Any, ...]]:
            cursor = await conn.execute(within(self._schema, statement), arguments, binary=True)
            return await cursor.fetchall()

        return await with_connection(self._pool, work)


class _PostgresWriter(Writer):
    """Writes through the connection that holds the lock: without the lock it can write nothing."""

    def __init__(self, conn: Connection, schema: str, log: str) -> None:
        self._conn = conn
        self._schema = schema
        self._log = log

    @override
    async def lead(self) -> bool:
        # One log goes on at a time. Earlier releases take the second lock alone.
        for name in (f"sign {self._schema}", f"sign {self._schema} {self._log}"):
            if not await has_taken(self._conn, name):
                return False
        await self._conn.execute("LISTEN stored_events")
        return True

    @override
    async def extend(self, old_size: int, growth: Growth) -> None:
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

    @override
    async def sign(self, size: int, note: str) -> None:
        await self._run(tree_sql.SIGN, self._log, size, note)

    @override
    async def word(self, seconds: float) -> None:
        await hear(self._conn, seconds)

    async def _run(self, statement: LiteralString, *arguments: object) -> list[tuple[Any, ...]]:
        cursor = await self._conn.execute(within(self._schema, statement), arguments)
        return await cursor.fetchall()


def _head(rows: list[tuple[Any, ...]]) -> TreeHead | None:
    return TreeHead(*rows[0]) if rows else None
