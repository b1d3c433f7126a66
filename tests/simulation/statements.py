"""The statements that the shell sends, as the simulated server carries them out.

Each is found by its text, whatever the schema; `STATEMENTS` is where a new one belongs.
"""

import asyncio
import re
from collections import ChainMap
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Any
from uuid import UUID

from psycopg import errors
from psycopg.sql import Composable

from phaseledger.replay.formats.signing.receipts import SignedTree
from phaseledger.service.eventlog.arrays import Array
from phaseledger.service.eventlog.rows import FINAL
from tests.simulation.ledger_statements import LEDGER
from tests.simulation.postgres import Result, Session
from tests.simulation.tables import LogRow, Tables
from tests.simulation.tree_statements import TREE
from tests.simulation.view_statements import VIEWS


def text_of(statement: str | bytes | Composable) -> str:
    """The statement's text without the schema, and without the spaces that do not matter."""
    if isinstance(statement, Composable):
        statement = statement.as_string(None)
    if isinstance(statement, bytes):
        statement = statement.decode()
    return _normal(statement)


@cache
def _normal(statement: str) -> str:
    return " ".join(statement.replace('"phaseledger".', "").replace('"', "").split())


async def execute(session: Session, statement: str, parameters: Sequence[Any]) -> Result:
    """Carry out a statement. Raises what psycopg does."""
    carry_out = statement_of(statement)
    if carry_out is None:
        session.server.unknown.append(statement)
        raise AssertionError(f"The simulated server does not know this statement: {statement}")
    result: Result = await carry_out(session, *parameters)
    return result


@cache
def statement_of(text: str) -> Callable[..., Any] | None:
    """What carries it out; None where nothing does."""
    return next((function for pattern, function in STATEMENTS if pattern.search(text)), None)


async def _nothing(session: Session, *_: object) -> Result:
    return Result(None)


async def _asynchronous(session: Session) -> Result:
    session.is_flushing = False
    return Result(None)


async def _settings(session: Session) -> Result:
    read_only = "on" if session.server.is_read_only else "off"
    names = ("fsync", "full_page_writes", "synchronous_commit")
    return Result([*((name, "on") for name in names), ("transaction_read_only", read_only)])


async def _in_recovery(session: Session) -> Result:
    return Result([(False,)])


async def _standbys(session: Session) -> Result:
    return Result([(0,)])


async def _lineage(session: Session) -> Result:
    """The cluster, its timeline, the ids of database and table, the restores, the start."""
    server = session.server
    epoch = len(server.tables.restorations)
    return Result([(server.identifier, server.timeline, 5, 16_384, epoch, server.started)])


async def _backend(session: Session) -> Result:
    """The cluster, the start, whether it is a standby, and the session's own process."""
    server = session.server
    return Result([(server.identifier, server.started, False, session.pid)])


async def _activities(session: Session) -> Result:
    return Result([(other.pid, other.state, str(other.since)) for other in session.server.sessions])


async def _listen(session: Session) -> Result:
    session.listens = True
    return Result(None)


async def _unlisten(session: Session) -> Result:
    session.listens = False
    return Result(None)


async def _lock(session: Session, name: str) -> Result:
    owner = session.server.advisory.setdefault(name, session)
    return Result([(owner is session,)])


async def _append_signed(session: Session, *parameters: Any) -> Result:
    """`append_signed_events`: as `_append`, with the signed tree of their receipts."""
    *arrays, key, sig, joined = parameters
    leaves = tuple(joined[start : start + 32] for start in range(0, len(joined), 32))
    return await _append(session, *arrays, tree=SignedTree(key, sig, leaves))


async def _receipt_tree(session: Session, game: UUID, version: int) -> Result:
    tables = session.server.tables
    positions = [row.position for row in tables.games.get(game, []) if row.version == version]
    trees = [tables.receipt_trees[at] for at in positions if at in tables.receipt_trees]
    return Result([(tree.key, tree.sig, b"".join(tree.leaves)) for tree in trees])


async def _append(session: Session, *arrays: Array, tree: SignedTree | None = None) -> Result:
    """`append_events`: all rows or none, in one commit, so that commits are in order."""
    games, versions, topics, *byte_columns = (array.elements for array in arrays)
    states, leaves, prevs = byte_columns
    server = session.server
    if server.is_read_only:
        raise errors.ReadOnlySqlTransaction("cannot execute LOCK TABLE in a read-only transaction")
    rows = [
        LogRow(
            server.draw(), UUID(bytes=game), int.from_bytes(version), topic.decode(), state, leaf
        )
        for game, version, topic, state, leaf in zip(
            games, versions, topics, states, leaves, strict=True
        )
    ]
    if not server.serializes:
        await asyncio.sleep(server._chance.between(0, 0.2))
        if not session.is_open:
            return Result(None)
    new: dict[UUID, dict[int, bytes | None]] = {}
    for row, previous in zip(rows, prevs, strict=True):
        leaves = ChainMap(new.setdefault(row.game, {}), server.tables.leaves.get(row.game, {}))
        if row.version in leaves:
            raise errors.UniqueViolation(
                "duplicate key value violates unique constraint stored_events_pkey"
            )
        if server.predecessors:
            _require_predecessor(row, previous, leaves)
        leaves[row.version] = row.leaf
    server.stored_at.update((row.position, server.now()) for row in rows)
    change = Tables.append if server.serializes else Tables.append_out_of_order
    session.change(change, rows, tree)
    server.appended.set()
    server.notify()
    return Result([([row.position for row in rows],)])


def _require_predecessor(
    row: LogRow, previous: bytes | None, leaves: Mapping[int, bytes | None]
) -> None:
    """See that the row before is there, with that leaf, where both are known."""
    if row.version == 1:
        return
    before = leaves.get(row.version - 1)
    if row.version - 1 not in leaves or (None not in (previous, before) and previous != before):
        raise errors.ForeignKeyViolation(
            f"Event {row.version} of game {row.game} does not follow what the log has."
        )


async def _read(session: Session, game: UUID, after: int, limit: int | None) -> Result:
    rows = session.server.tables.games.get(game, [])
    later = [row[2:] for row in rows if row.version > after]
    return Result(later if limit is None else later[:limit])


async def _heads(session: Session, array: Array) -> Result:
    games = [UUID(bytes=game) for game in array.elements]
    logs = {game: session.server.tables.games.get(game, []) for game in games}
    return Result(
        [(game, max((row.version for row in rows), default=0)) for game, rows in logs.items()]
    )


async def _tail(session: Session, after: int, limit: int) -> Result:
    return Result([tuple(row) for row in session.server.tables.after(after, limit)])


async def _leaves(session: Session, after: int, limit: int) -> Result:
    rows = session.server.tables.after(after, limit)
    return Result([tuple(row) if row.leaf is None else (*row[:4], b"", row.leaf) for row in rows])


async def _position(session: Session) -> Result:
    return Result([(session.server.tables.position,)])


async def _place(session: Session, game: UUID, version: int) -> Result:
    rows = session.server.tables.games.get(game, [])
    return Result([(row.position,) for row in rows if row.version == version])


async def _places(session: Session, game: UUID, versions: Sequence[int]) -> Result:
    rows = session.server.tables.games.get(game, [])
    return Result([(row.position,) for row in rows if row.version in versions])


async def _nothing_archived(_session: Session, _game: UUID | None = None) -> Result:
    return Result([])


async def _unfinished(session: Session) -> Result:
    games = session.server.tables.games.items()
    return Result([(game,) for game, rows in games if rows[-1].topic not in FINAL])


async def _due_games(session: Session, overlong: int) -> Result:
    noted, dues = session.server.tables.due_games, list[tuple[UUID, int]]()
    for game, rows in session.server.tables.games.items():
        leaf, due_at = noted.get(game, (b"", None))
        due_at = due_at if leaf == rows[-1].leaf and not 0 < overlong <= rows[-1].version else 0
        if due_at is not None and rows[-1].topic not in FINAL:
            dues.append((game, due_at))
    return Result(dues)


async def _note_due(
    session: Session, over: Sequence[UUID], games: Sequence[UUID], *columns: Sequence[Any]
) -> Result:
    _, leaves, dues = columns
    pairs = zip(leaves, dues, strict=True)
    session.change(Tables.note_due, over, dict(zip(games, pairs, strict=True)))
    return Result([(len(games),)])


async def _progress(session: Session, after: int) -> Result:
    last = {row.game: row for row in session.server.tables.after(after, 1 << 60)}
    return Result([(game, row.version, row.position) for game, row in last.items()])


async def _unfinished_games(
    session: Session,
    of_first: int,
    of_last: int,
    sealed: str,
    games: Sequence[UUID],
    final: Sequence[str],
) -> Result:
    logs = {game: session.server.tables.games[game] for game in games}
    logs = {game: rows for game, rows in logs.items() if rows[-1].topic not in final}
    return Result(
        [
            (
                game,
                rows[0].state[:of_first],
                rows[-1].state[:of_last],
                all(row.topic != sealed for row in rows),
            )
            for game, rows in logs.items()
        ]
    )


async def _opened(session: Session, after: int, until: int) -> Result:
    rows = session.server.tables.after(after, 1 << 60)
    return Result([(row.game,) for row in rows if row.version == 1 and row.position <= until])


async def _idle(session: Session, after: int, until: int) -> Result:
    last = {row.game: row for row in session.server.tables.after(after, 1 << 60)}
    return Result([(game, row.version) for game, row in last.items() if row.position <= until])


# --- the service about itself ---------------------------------------------------------------------


async def _clock(session: Session) -> Result:
    return Result([(int(session.server.now() * 1_000_000) * 1_000,)])


async def _try_write(session: Session) -> Result:
    session.change(Tables.try_write)
    return Result([(None,)])


_EVENT = "notification_id, originator_id, originator_version, topic"
_OF_EVENTS = "FROM stored_events WHERE"
STATEMENTS: tuple[tuple[re.Pattern[str], Callable[..., Any]], ...] = tuple(
    (re.compile(pattern), function)
    for pattern, function in (
        *TREE,
        *VIEWS,
        *LEDGER,
        (r"^$", _nothing),
        (r"^SET synchronous_commit = off$", _asynchronous),
        (r"^SELECT name, setting FROM pg_settings", _settings),
        (r"^SELECT pg_is_in_recovery\(\)$", _in_recovery),
        (r"^SELECT \(SELECT system_identifier FROM pg_control_system", _lineage),
        (r"^SELECT count\(\*\) FROM pg_stat_replication$", _standbys),
        (r"^SELECT system_identifier, .* FROM pg_control_system\(\)$", _backend),
        (r"^SELECT pid, state, state_change::text FROM pg_stat_activity$", _activities),
        (r"^LISTEN stored_events$", _listen),
        (r"^UNLISTEN stored_events$", _unlisten),
        (r"^LISTEN unfit_views$", _nothing),
        (r"^SELECT pg_try_advisory_lock", _lock),
        (r"^SELECT append_events\(", _append),
        (r"^SELECT append_signed_events\(", _append_signed),
        (r"^SELECT key, signature, leaves FROM stored_events", _receipt_tree),
        (r"^SELECT originator_version, topic, state, leaf FROM stored_events", _read),
        (r"^SELECT game, \(SELECT coalesce\(max\(originator_version\), 0\)", _heads),
        (rf"^SELECT {_EVENT}, state, leaf {_OF_EVENTS} notification_id >", _tail),
        (rf"^SELECT {_EVENT}, CASE WHEN leaf IS NULL", _leaves),
        (r"^SELECT coalesce\(max\(notification_id\), 0\) FROM (stored|logged)_events$", _position),
        (rf"^SELECT notification_id {_OF_EVENTS} .* originator_version = ANY", _places),
        (rf"^SELECT notification_id {_OF_EVENTS} originator_id", _place),
        (r"^SELECT events, head, file, sha256, hidden, .* FROM archived_games", _nothing_archived),
        (r"^SELECT archived.game, archived.summary", _nothing_archived),
        (r"^SELECT game, due_at FROM .* AS unfinished", _due_games),
        (r"^WITH gone AS \(DELETE FROM due_games", _note_due),
        (r"^SELECT originator_id FROM stored_events AS opening", _unfinished),
        (r"^SELECT game, substring\(first.state", _unfinished_games),
        (r"^SELECT originator_id FROM stored_events WHERE notification_id >", _opened),
        (r"^SELECT originator_id, max\(originator_version\) FROM stored_events", _idle),
        (r"^SELECT originator_id, max\(originator_version\), max\(notification_id\)", _progress),
        (r"^SELECT \(extract\(epoch FROM clock_timestamp\(\)\)", _clock),
        (r"^SELECT try_write\(\)$", _try_write),
    )
)
"""What the server knows: the first pattern that is found in a statement's text."""
