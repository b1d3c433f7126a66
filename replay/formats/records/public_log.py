"""Reader of a store's public log: its trees, as they are stored beside the events.

Each SELECT is of its own, as in `source`, and sees the same snapshot.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, LiteralString, NamedTuple

from phaseledger.domain.events import GameOpened
from phaseledger.domain.evidence import codec
from phaseledger.domain.evidence.tiles import TileName
from phaseledger.replay.formats.records.source import LogPart, StoreUnreachable, snapshot
from phaseledger.replay.formats.sealing import SealingError, SealingKeys

if TYPE_CHECKING:
    from psycopg import Connection


class LoggedEvent(NamedTuple):
    """An event's place in the store's log. Positions grow, and may have gaps."""

    position: int
    game: str
    version: int
    leaf: bytes
    """The event's stored leaf hash; else computed. Empty where neither can be had."""


class StoredTombstone(NamedTuple):
    """The remains of a game whose events were moved to a file."""

    game: str
    events: int
    head: bytes
    """The leaf hash of the game's last event."""
    file: str
    sha256: bytes
    in_log: int
    """The number of the game's events in the log: 0, unless it was tampered with."""


class StoredTile(NamedTuple):
    """A tile of level 0: its hashes, joined, and the position of its first leaf."""

    number: int
    hashes: bytes
    first: int


class StoredHead(NamedTuple):
    """A former size of the tree; ``note`` is empty where the size was not published."""

    size: int
    root: bytes
    position: int
    note: str


class PublicLogReader:
    """The trees of a store, and its events in the order in which they are leaves."""

    def __init__(self, conn: "Connection[Any]", schema: str, sealing: SealingKeys) -> None:
        self._conn = conn
        self._schema = schema
        self._sealing = sealing
        self._keys: dict[str, bytes] = {}

    def logs(self) -> list[str]:
        """The names of all public logs that the store has a tree of."""
        if not self._has("tree_tiles"):
            return []
        query: LiteralString = (
            "SELECT log FROM {s}.tree_tiles UNION SELECT log FROM {s}.checkpoints"
        )
        return sorted(name for (name,) in self._rows(query))

    def ended(self) -> set[str]:
        """The logs that ended when the ledger went on from a restore."""
        if not self._has("ledger_restorations"):
            return set()
        return {log for (log,) in self._rows("SELECT log FROM {s}.ledger_restorations")}

    def heads(self, log: str) -> list[StoredHead]:
        """The newest size, the newest that is published, and the newest that is cosigned."""
        newest: LiteralString = (
            "SELECT size, root, position, coalesce(note, '') FROM {s}.checkpoints WHERE log = %s "
        )
        last: LiteralString = "ORDER BY size DESC LIMIT 1"
        cosigned: LiteralString = "AND size IN (SELECT size FROM {s}.cosignatures WHERE log = %s) "
        rows = [
            *self._rows(newest + last, log),
            *self._rows(newest + "AND note IS NOT NULL " + last, log),
            *self._rows(newest + cosigned + last, log, log),
        ]
        return sorted({StoredHead(*row) for row in rows})

    def tiles(self, log: str) -> Iterator[StoredTile]:
        """The tiles with the leaves, from the left; positions are 0 where none is stored."""
        with self._conn.cursor("tiles", binary=True) as cursor:
            cursor.itersize = 64
            query = (
                "SELECT number, hashes, coalesce(first, 0) FROM {s}.tree_tiles "
                "WHERE log = %s AND level = 0 ORDER BY number"
            )
            yield from map(StoredTile._make, cursor.execute(self._in(query), (log,)))

    def upper_tiles(self, log: str) -> dict[TileName, bytes]:
        """The tiles above level 0, a 256th of all leaves."""
        rows = self._rows(
            "SELECT level, number, hashes FROM {s}.tree_tiles WHERE log = %s AND level > 0", log
        )
        return {TileName(level, number): hashes for level, number, hashes in rows}

    def tombstones(self) -> Iterator[StoredTombstone]:
        """The archived games."""
        if self._has("archived_games"):
            query: LiteralString = (
                "SELECT game::text, events, head, file, sha256, (SELECT count(*) "
                "FROM {s}.stored_events WHERE originator_id = game) FROM {s}.archived_games "
                "ORDER BY game"
            )
            yield from map(StoredTombstone._make, self._rows(query))

    def archived_leaves(self, game: str) -> dict[int, bytes]:
        """The leaves of an archived game's events, by their numbers."""
        query: LiteralString = (
            "SELECT originator_version, leaf FROM {s}.archived_events WHERE originator_id = %s"
        )
        return dict(self._rows(query, game))

    def events(self) -> Iterator[LoggedEvent]:
        """All events, in the order of their positions, archived ones as well."""
        table = "logged_events" if self._has("logged_events") else "stored_events"
        with self._conn.cursor("log", binary=True) as cursor:
            cursor.itersize = 4096
            query: LiteralString = (
                "SELECT notification_id, originator_id, originator_version, leaf, "
                "CASE WHEN leaf IS NULL THEN state END FROM {s}.{table} ORDER BY notification_id"
            )
            for position, game, version, leaf, state in cursor.execute(self._in(query, table)):
                stored = leaf if state is None else self._leaf(str(game), version, bytes(state))
                yield LoggedEvent(position, str(game), version, stored)

    def _leaf(self, game: str, version: int, state: bytes) -> bytes:
        """The leaf of an event whose leaf is not stored; empty where it cannot be computed."""
        try:
            state = self._sealing.unseal_event(game, version, state)
            key = self._key(game) if b'"hidden":' in state else b""
            return bytes.fromhex(codec.leaf_hash(codec.redact(state, key, None, opened=False)))
        except SealingError as unusable:
            raise StoreUnreachable(str(unusable)) from None
        except (ValueError, TypeError, LookupError, AttributeError, RecursionError):
            return b""

    def _key(self, game: str) -> bytes:
        if game not in self._keys:
            ((topic, state),) = self._rows(
                "SELECT topic, state FROM {s}.stored_events "
                "WHERE originator_id = %s AND originator_version = 1",
                game,
            )
            opened = codec.decode_event(topic, self._sealing.unseal_event(game, 1, bytes(state)))
            if not isinstance(opened, GameOpened):
                raise ValueError("the game's first event does not open it")
            self._keys[game] = codec.new_chain(opened).key
        return self._keys[game]

    def _has(self, table: str) -> bool:
        """Whether the store has the table, which older stores lack."""
        query: LiteralString = "SELECT to_regclass(%s) IS NOT NULL"
        return self._rows(query, f'"{self._schema}".{table}') == [(True,)]

    def _rows(self, query: LiteralString, *parameters: object) -> list[tuple[Any, ...]]:
        with self._conn.cursor(binary=True) as cursor:
            return cursor.execute(self._in(query), parameters).fetchall()

    def _in(self, query: LiteralString, table: str = "stored_events") -> Any:  # noqa: ANN401 - the driver's
        from psycopg.sql import SQL, Identifier

        return SQL(query).format(s=Identifier(self._schema), table=Identifier(table))


@contextmanager
def public_log(part: LogPart) -> Iterator[PublicLogReader]:
    """The store's public log, in the part's snapshot.

    Raises:
        StoreUnreachable: the store cannot be read, or its tables are older than this program.

    """
    with snapshot(part.dsn, part.schema, part.moment) as conn:
        yield PublicLogReader(conn, part.schema, part.sealing)
