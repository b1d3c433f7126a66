"""Stored snapshots: unfinished games as they were after some event, so that few are folded whole.

A snapshot is a cache, which may be emptied at any time. It names the version and the leaf after
which it holds, and the program that made it. What is read with it begins with the very event that
it names, so whoever reads it can tell whether it is a snapshot of this game's log.

The table is unlogged: it is not in backups, is not copied to standbys, and is empty after a crash
of the server. What it has is sealed, and by that bound to all that it says of itself; without a
sealing key there are no snapshots.
"""

from collections.abc import Awaitable, Callable, Collection, Sequence
from typing import Any, LiteralString, NamedTuple
from uuid import UUID

from psycopg.sql import SQL, Identifier

from phaseledger.replay.records.sealing import SealingKeys
from phaseledger.service.eventlog.batched_reads import BatchedReads
from phaseledger.service.eventlog.rows import Row

FIRST_ROWS = 2_000  # of each game; what a game has beyond them is read by itself

Fetch = Callable[..., Awaitable[list[tuple[Any, ...]]]]
"""Runs a statement with its parameters, and returns its rows."""


class StoredSnapshot(NamedTuple):
    """A game after one of its events, encoded."""

    game: UUID
    version: int
    """The number of that event."""
    leaf: bytes
    """Its leaf."""
    program: bytes
    """The digest of the program that made it: another one may fold the events otherwise."""
    body: bytes


class ColdGame(NamedTuple):
    """What is read of a game that is not in memory.

    The rows begin with the event after which the ``snapshot`` holds, or with the first one.
    """

    snapshot: StoredSnapshot | None
    rows: Sequence[Row]


class ColdRow(NamedTuple):
    """A row of the statement: one of an event, or the snapshot, whose topic is None."""

    game: UUID
    version: int
    topic: str | None
    state: bytes
    leaf: bytes | None


def cold_game(game: UUID, program: bytes, rows: Sequence[ColdRow], keys: SealingKeys) -> ColdGame:
    """What the rows say of the game; their events are sealed still."""
    events = [Row(*row[1:]) for row in rows if row.topic is not None]  # type: ignore[arg-type]
    events.sort(key=lambda row: row.version)
    for _, version, topic, body, leaf in rows:
        if topic is None and leaf is not None:
            snapshot = StoredSnapshot(
                game=game, version=version, leaf=leaf, program=program, body=body
            )
            body = keys.decrypt(body, _context(snapshot)) or b""
            return ColdGame(snapshot._replace(body=body), events)
    return ColdGame(None, events)


def sealed(snapshot: StoredSnapshot, keys: SealingKeys) -> bytes:
    """The snapshot's body under the current key, bound to all else that it says."""
    return keys.encrypt(snapshot.body, _context(snapshot))


def _context(snapshot: StoredSnapshot) -> bytes:
    game, version, leaf, program, _ = snapshot
    return f"phaseledger snapshot\n{game}\n{version}\n{leaf.hex()}\n{program.hex()}".encode()


class ColdReads:
    """Reads of games that are not in memory; those asked for meanwhile go into one statement."""

    def __init__(self, fetch: Fetch, schema: str) -> None:
        tables = {
            "events": SQL("{}.stored_events").format(Identifier(schema)),
            "snapshots": SQL("{}.snapshots").format(Identifier(schema)),
        }
        self._fetch = fetch
        self._read = SQL(_READ).format(**tables).as_bytes()
        self._keep = SQL(_KEEP).format(**tables).as_bytes()
        self._reads = BatchedReads(self._read_batch, "cold reads")

    async def read(self, game: UUID, program: bytes) -> list[ColdRow]:
        """The game's snapshot by that program, if any, and `FIRST_ROWS` events at most from its own
        on, or from the first; in any order.

        Raises:
            StoreUnavailable: the database is away.

        """
        return await self._reads.read((game, program))

    async def keep(
        self, snapshots: Collection[StoredSnapshot], over: Collection[UUID], keys: SealingKeys
    ) -> None:
        """Keep those of which the log has the event, and drop those of games that are over."""
        # In one order, so that processes that keep the same games wait for one another in turn.
        ordered = sorted(snapshots, key=lambda snapshot: snapshot.game)
        rows = [(*snapshot[:4], sealed(snapshot, keys)) for snapshot in ordered]
        columns = [*zip(*rows, strict=True)] or [()] * len(StoredSnapshot._fields)
        await self._fetch(self._keep, sorted(over), *map(list, columns))

    async def _read_batch(
        self, keys: Sequence[tuple[UUID, bytes]]
    ) -> dict[tuple[UUID, bytes], list[ColdRow]]:
        by_game: dict[UUID, list[ColdRow]] = {game: [] for game, _ in keys}
        programs = dict(keys)
        rows = await self._fetch(self._read, [*programs], [*programs.values()], FIRST_ROWS)
        for row in rows:
            by_game[row[0]].append(ColdRow._make(row))
        return {key: by_game[key[0]] for key in keys}


_READ: LiteralString = """
    WITH cold AS MATERIALIZED (
      SELECT game, kept.version, kept.leaf, kept.body
      FROM unnest(%s::uuid[], %s::bytea[]) AS cold (game, program)
      LEFT JOIN {snapshots} AS kept USING (game, program)
    )
    SELECT game, version, NULL::text AS topic, body, leaf FROM cold WHERE version IS NOT NULL
    UNION ALL
    SELECT game, event.* FROM cold, LATERAL (
      SELECT originator_version, topic, state, leaf FROM {events}
      WHERE originator_id = game AND originator_version >= coalesce(version, 1)
      ORDER BY originator_version LIMIT %s
    ) AS event
"""
_KEEP: LiteralString = """
    WITH gone AS (DELETE FROM {snapshots} WHERE game = ANY(%s::uuid[])),
    kept AS (
      INSERT INTO {snapshots} AS old (game, version, leaf, program, body)
      SELECT game, version, fresh.leaf, program, body
      FROM unnest(%s::uuid[], %s::bigint[], %s::bytea[], %s::bytea[], %s::bytea[])
        AS fresh (game, version, leaf, program, body)
      JOIN {events} AS event
        ON originator_id = game AND originator_version = version AND event.leaf = fresh.leaf
      ON CONFLICT (game) DO UPDATE SET version = excluded.version, leaf = excluded.leaf,
        program = excluded.program, body = excluded.body
      WHERE (old.leaf, old.program) IS DISTINCT FROM (excluded.leaf, excluded.program)
      RETURNING 1
    ) SELECT count(*) FROM kept
"""
