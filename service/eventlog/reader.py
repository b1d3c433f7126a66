"""Reads of the log: prepared statements on a few connections, retried once on a lost one."""

import sys
from collections.abc import AsyncIterator, Awaitable, Callable, Collection, Sequence
from typing import Any, LiteralString
from uuid import UUID

from psycopg.sql import SQL, Composable, Identifier, Literal
from typing_extensions import override

from phaseledger.domain.events import TableSealed
from phaseledger.domain.evidence.codec import TOPICS
from phaseledger.replay.formats.sealing import NO_SEALING, SealingError, SealingKeys
from phaseledger.replay.formats.signing.receipts import SignedTree, TreeSignature
from phaseledger.service.eventlog.archive import TOMBSTONE, Tombstone
from phaseledger.service.eventlog.batched_reads import BatchedReads
from phaseledger.service.eventlog.connection import Connection, within
from phaseledger.service.eventlog.errors import GameUnreadable, store_closed
from phaseledger.service.eventlog.migrations import is_newer
from phaseledger.service.eventlog.pool import Pool, pool, with_connection
from phaseledger.service.eventlog.protocols import Store
from phaseledger.service.eventlog.rows import (
    FINAL,
    HEAD,
    DueGame,
    Notice,
    Row,
    UnfinishedGame,
    time_of,
)

READERS = 4  # connections
STALLED = 0.05
"""Seconds after which a look at the heads of games is not waited for by other looks."""
PAGE = 2_000
"""Events read by one statement: taking in more at once would hold the event loop up."""


class Reader(Store):
    """The reading half of a `PostgresStore`; ``configure`` sees each new connection.

    A sealed event is unsealed under the ``sealing`` keys. Every read may raise StoreUnavailable;
    GameUnreadable where the event's key is missing.
    """

    def __init__(
        self,
        dsn: str,
        schema: str,
        configure: Callable[[Connection], Awaitable[None]],
        sealing: SealingKeys = NO_SEALING,
    ) -> None:
        self.sealing = sealing
        self._dsn = dsn
        self._configure = configure
        self._pool: Pool | None = None
        self._is_stale = False
        table = SQL("{}.stored_events").format(Identifier(schema))
        logged = SQL("{}.logged_events").format(Identifier(schema))  # archived ones as well
        self._read = _statement(
            "SELECT originator_version, topic, state, leaf FROM {} WHERE originator_id = %s "
            "AND originator_version > %s ORDER BY originator_version LIMIT %s",
            table,
        )
        self._heads = _statement(
            "SELECT game, (SELECT coalesce(max(originator_version), 0) FROM {} "
            "WHERE originator_id = game) FROM unnest(%s) AS game",
            table,
        )
        self._head = BatchedReads(self._read_heads, "heads", patience=STALLED)
        self._tail = _statement(
            "SELECT notification_id, originator_id, originator_version, topic, state, leaf FROM {} "
            "WHERE notification_id > %s ORDER BY notification_id LIMIT %s",
            table,
        )
        self._leaves = _statement(
            "SELECT notification_id, originator_id, originator_version, topic, "
            "CASE WHEN leaf IS NULL THEN state ELSE '' END, leaf FROM {} "
            "WHERE notification_id > %s ORDER BY notification_id LIMIT %s",
            logged,
        )
        self._position = _statement("SELECT coalesce(max(notification_id), 0) FROM {}", logged)
        self._archived = within(schema, TOMBSTONE).as_bytes()
        self._restorations = _statement(
            "SELECT (1000 * extract(epoch FROM restored_at))::bigint FROM {} ORDER BY epoch",
            SQL("{}.ledger_restorations").format(Identifier(schema)),
        )
        self._migrations = within(schema, "SELECT name FROM {}.migrations").as_bytes()
        self._receipt_tree = (
            SQL(_RECEIPT_TREE)
            .format(events=table, trees=SQL("{}.receipt_trees").format(Identifier(schema)))
            .as_bytes()
        )
        self._place = _statement(
            "SELECT notification_id FROM {} WHERE originator_id = %s AND originator_version = %s",
            table,
        )
        unfinished = {"events": table, "endings": SQL(", ").join(map(Literal, FINAL))}
        self._unfinished = SQL(_UNFINISHED).format(**unfinished).as_bytes()
        # LIMIT 1 keeps PostgreSQL from reading the openings of all games beside these.
        self._unfinished_games = _statement(
            "SELECT game, substring(first.state FOR %s), substring(last.state FOR %s), NOT EXISTS "
            "(SELECT FROM {0} WHERE originator_id = game AND topic = %s) "
            "FROM unnest(%s::uuid[]) AS game CROSS JOIN LATERAL (SELECT state FROM {0} "
            "WHERE originator_id = game AND originator_version = 1 LIMIT 1) AS first "
            "CROSS JOIN LATERAL (SELECT state, topic FROM {0} WHERE originator_id = game "
            "ORDER BY originator_version DESC LIMIT 1) AS last WHERE last.topic <> ALL(%s::text[])",
            table,
        )
        due = SQL("{}.due_games").format(Identifier(schema))
        self._due_games = SQL(_DUE_GAMES).format(due=due, **unfinished).as_bytes()
        self._note_due = SQL(_NOTE_DUE).format(due=due).as_bytes()
        self._opened = _statement(
            "SELECT originator_id FROM {} WHERE notification_id > %s AND notification_id <= %s "
            "AND originator_version = 1",
            table,
        )

    @override
    async def open(self) -> None:
        self._pool = pool(self._dsn, READERS, configure=self._configure)
        await self._pool.open()

    @override
    async def close(self) -> None:
        if self._pool is not None:
            await self._pool.close()

    def renew(self) -> None:
        """Connect anew before the next read; returns at once."""
        self._is_stale = True

    @override
    async def read(self, game: UUID, after: int = 0, limit: int | None = None) -> list[Row]:
        rows: list[Row] = []
        async for page in self._pages(self._read, (game,), after, limit):
            rows += [self._row(game, *row) for row in page]
        return rows

    @override
    async def head(self, game: UUID) -> int:
        return await self._head.read(game)

    @override
    async def tail(self, after: int, limit: int = 1000) -> list[Notice]:
        return await self._notices(self._tail, after, limit)

    @override
    async def leaves(self, after: int, limit: int = 1000) -> list[Notice]:
        return await self._notices(self._leaves, after, limit)

    @override
    async def position(self) -> int:
        ((position,),) = await self._fetch(self._position)
        return int(position)

    @override
    async def unfinished(self) -> list[UUID]:
        return [game for (game,) in await self._fetch(self._unfinished)]

    @override
    async def opened(self, after: int, until: int) -> list[UUID]:
        return [game for (game,) in await self._fetch(self._opened, after, until)]

    @override
    async def unfinished_games(self, games: Collection[UUID]) -> list[UnfinishedGame]:
        parameters = (HEAD, HEAD, TOPICS[TableSealed], [*games], FINAL)
        rows = await self._fetch(self._unfinished_games, *parameters)
        return [
            UnfinishedGame(game, time_of(first), time_of(last), is_lobby)
            for game, first, last, is_lobby in rows
        ]

    @override
    async def due_games(self, overlong: int = 0) -> list[tuple[UUID, int]]:
        rows = await self._fetch(self._due_games, overlong)
        return [(game, due_at) for game, due_at in rows]

    @override
    async def note_due(self, games: Collection[DueGame], over: Collection[UUID] = ()) -> None:
        # In one order, so that processes that note the same games wait for one another in turn.
        columns = [*zip(*sorted(games, key=lambda due: due.game), strict=True)] or [()] * len(
            DueGame._fields
        )
        await self._fetch(self._note_due, sorted(over), *map(list, columns))

    @override
    async def archived(self, game: UUID) -> Tombstone | None:
        rows = await self._fetch(self._archived, game)
        return Tombstone(game, *rows[0]) if rows else None

    @override
    async def is_ahead(self) -> bool:
        return is_newer(name for (name,) in await self._fetch(self._migrations))

    @override
    async def restorations(self, game: UUID) -> list[int]:
        return [at for (at,) in await self._fetch(self._restorations)]

    @override
    async def signature_over(self, game: UUID, version: int, entry: bytes) -> TreeSignature | None:
        for key, sig, joined in await self._fetch(self._receipt_tree, game, version):
            leaves = tuple(joined[start : start + 32] for start in range(0, len(joined), 32))
            if entry in leaves:
                return SignedTree(key, sig, leaves).signatures()[leaves.index(entry)]
        return None

    async def _read_heads(self, games: Sequence[UUID]) -> dict[UUID, int]:
        rows = await self._fetch(self._heads, list(games))
        return {game: int(version) for game, version in rows}

    async def _fetch(self, statement: bytes, *parameters: object) -> list[tuple[Any, ...]]:
        if self._pool is None:
            raise store_closed()

        if self._is_stale:
            self._is_stale = False
            await self._pool.drain()

        async def work(conn: Connection) -> list[tuple[Any, ...]]:
            cursor = await conn.execute(statement, parameters, prepare=True, binary=True)
            return await cursor.fetchall()

        return await with_connection(self._pool, work)

    async def _notices(self, statement: bytes, after: int, limit: int) -> list[Notice]:
        notices: list[Notice] = []
        async for page in self._pages(statement, (), after, limit):
            notices += [
                Notice(position, game, self._row(game, *row)) for position, game, *row in page
            ]
        return notices

    async def _pages(
        self, statement: bytes, parameters: tuple[object, ...], after: int, limit: int | None
    ) -> AsyncIterator[list[tuple[Any, ...]]]:
        """The rows of a statement that are numbered above `after`, page by page."""
        left = sys.maxsize if limit is None else limit
        while left > 0:
            count = min(PAGE, left)
            page = await self._fetch(statement, *parameters, after, count)
            yield page
            if len(page) < count:
                return
            after, left = page[-1][0], left - count

    def _row(self, game: UUID, version: int, topic: str, state: bytes, leaf: bytes | None) -> Row:
        try:
            return Row(version, topic, self.sealing.unseal_event(game, version, state), leaf)
        except SealingError as unusable:
            raise GameUnreadable(str(unusable)) from None

    async def find(self, game: UUID, rows: Sequence[Row]) -> int | None:
        """Return the position of the last of these exact rows, None when they are not stored."""
        if await self.read(game, rows[0].version - 1, len(rows)) != list(rows):
            return None
        ((position,),) = await self._fetch(self._place, game, rows[-1].version)
        return int(position)


_RECEIPT_TREE: LiteralString = """
    SELECT key, signature, leaves
    FROM {events} CROSS JOIN LATERAL (
      SELECT * FROM {trees} WHERE last_position >= notification_id ORDER BY last_position LIMIT 1
    ) AS tree
    WHERE originator_id = %s AND originator_version = %s AND first_position <= notification_id
"""
_UNFINISHED: LiteralString = """
    SELECT originator_id FROM {events} AS opening WHERE originator_version = 1 AND NOT EXISTS (
      SELECT FROM {events} AS ending
      WHERE ending.originator_id = opening.originator_id AND ending.topic IN ({endings})
    )
"""
"""By the two indexes of unfinished/1, so that no game which is over costs a step of its own."""
_DUE_GAMES: LiteralString = """
    SELECT game, due_at FROM (
      SELECT opening.originator_id AS game, CASE
          WHEN due.game IS NULL OR last.originator_version >= nullif(%s::bigint, 0) THEN 0
          ELSE due.due_at
        END AS due_at
      FROM {events} AS opening
      CROSS JOIN LATERAL (
        SELECT originator_version, leaf FROM {events} WHERE originator_id = opening.originator_id
        ORDER BY originator_version DESC LIMIT 1) AS last
      LEFT JOIN {due} AS due ON due.game = opening.originator_id AND due.leaf = last.leaf
      WHERE opening.originator_version = 1 AND NOT EXISTS (
        SELECT FROM {events} AS ending
        WHERE ending.originator_id = opening.originator_id AND ending.topic IN ({endings})
      )
    ) AS unfinished WHERE due_at IS NOT NULL
"""
_NOTE_DUE: LiteralString = """
    WITH gone AS (DELETE FROM {due} WHERE game = ANY(%s::uuid[])),
    noted AS (
      INSERT INTO {due} AS due (game, version, leaf, due_at)
      SELECT * FROM unnest(%s::uuid[], %s::bigint[], %s::bytea[], %s::bigint[])
      ON CONFLICT (game) DO UPDATE
      SET version = excluded.version, leaf = excluded.leaf, due_at = excluded.due_at
      WHERE (due.leaf, due.due_at) IS DISTINCT FROM (excluded.leaf, excluded.due_at)
      RETURNING 1
    ) SELECT count(*) FROM noted
"""


def _statement(text: LiteralString, table: Composable) -> bytes:
    return SQL(text).format(table).as_bytes()
