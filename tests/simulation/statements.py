"""The statements that the shell sends, as the simulated server carries them out.

Each is found by its text, whatever the schema; `STATEMENTS` is where a new one belongs.
"""

import asyncio
import re
from collections import ChainMap
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from inspect import isawaitable
from typing import Any
from uuid import UUID

from psycopg import errors
from psycopg.sql import Composable

from phaseledger.replay.formats.signing.receipts import SignedTree
from phaseledger.service.eventlog.migrations import LOG
from phaseledger.service.eventlog.rows import FINAL
from tests.simulation.ledger_statements import LEDGER
from tests.simulation.postgres import Result, Rows, Session
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


async def execute(
    session: Session, statement: str, parameters: Sequence[Any] | Mapping[str, Any]
) -> Result:
    """Carry out a statement. Raises what psycopg does."""
    carry_out = statement_of(statement)
    if carry_out is None:
        session.server.unknown.append(statement)
        raise AssertionError(f"The simulated server does not know this statement: {statement}")
    given = (
        carry_out(session, **parameters)
        if isinstance(parameters, Mapping)
        else carry_out(session, *parameters)
    )
    rows = await given if isawaitable(given) else given
    return rows if isinstance(rows, Result) else Result(rows)


@cache
def statement_of(text: str) -> Callable[..., Any] | None:
    """What carries it out; None where nothing does."""
    return next((function for pattern, function in STATEMENTS if pattern.search(text)), None)


def _settings(session: Session) -> Rows:
    read_only = "on" if session.server.is_read_only else "off"
    names = ("fsync", "full_page_writes", "synchronous_commit")
    return [*((name, "on") for name in names), ("transaction_read_only", read_only)]


def _lineage(session: Session) -> Rows:
    """The cluster, its timeline, the ids of database and table, the restores, the start."""
    server = session.server
    epoch = len(server.tables.restorations)
    return [(server.identifier, server.timeline, 5, 16_384, epoch, server.started)]


def _backend(session: Session) -> Rows:
    """The cluster, the start, whether it is a standby, and the session's own process."""
    return [(session.server.identifier, session.server.started, False, session.pid)]


def _activities(session: Session) -> Rows:
    return [(other.pid, other.state, str(other.since)) for other in session.server.sessions]


def _clock(session: Session) -> Rows:
    return [(int(session.server.now() * 1_000_000) * 1_000,)]


def _lock(session: Session, name: str) -> Rows:
    server = session.server
    owner = server.advisory.setdefault(name, session)
    if owner is session:
        before = server.holders.setdefault(name, session.process)
        server.holders[name] = session.process
        if before is not session.process:
            led = "views" if name.startswith("follow") else "public log"
            server.reached.note(f"another node took the {led} over")
    return [(owner is session,)]


async def _append_signed(session: Session, *parameters: Any) -> Rows | None:
    """`append_signed_events`: as `_append`, with the signed tree of their receipts."""
    *arrays, key, sig, joined = parameters
    leaves = tuple(joined[start : start + 32] for start in range(0, len(joined), 32))
    return await _append(session, *arrays, tree=SignedTree(key, sig, leaves))


def _log(session: Session, game: UUID) -> list[LogRow]:
    return session.server.tables.games.get(game, [])


def _receipt_tree(session: Session, game: UUID, version: int) -> Rows:
    stored = session.server.tables.receipt_trees
    rows = [row for row in _log(session, game) if row.version == version]
    trees = [stored[row.position] for row in rows if row.position in stored]
    return [(tree.key, tree.sig, b"".join(tree.leaves)) for tree in trees]


async def _append(
    session: Session, *columns: list[Any], tree: SignedTree | None = None
) -> Rows | None:
    """`append_events`: all rows or none, in one commit, so that commits are in order."""
    games, versions, topics, states, leaves, prevs = columns
    server = session.server
    if server.is_read_only:
        raise errors.ReadOnlySqlTransaction("cannot execute LOCK TABLE in a read-only transaction")
    server.require_room()
    if server.sequence > server.tables.position:
        server.reached.note("positions were left out")
    rows = [
        LogRow(server.draw(), game, version, topic, state, leaf)
        for game, version, topic, state, leaf in zip(
            games, versions, topics, states, leaves, strict=True
        )
    ]
    if not server.serializes:
        await asyncio.sleep(server._chance.between(0, 0.2))
        if not session.is_open:
            return None
    new: dict[UUID, dict[int, bytes | None]] = {}
    for row, previous in zip(rows, prevs, strict=True):
        leaves = ChainMap(new.setdefault(row.game, {}), server.tables.leaves.get(row.game, {}))
        is_archived = row.version == 1 and row.game in server.tables.archived
        if is_archived or row.version in leaves:
            _note_refused(session, rows, row)
            raise errors.UniqueViolation(
                "duplicate key value violates unique constraint stored_events_pkey"
            )
        if server.predecessors and not _follows(row, previous, leaves):
            _note_refused(session, rows, None)
            raise errors.ForeignKeyViolation(
                f"Event {row.version} of game {row.game} does not follow what the log has."
            )
        leaves[row.version] = row.leaf
    server.reached.see(session.process, rows)
    if tree:
        server.reached.note("commands shared a signature")
    server.stored_at.update((row.position, server.now()) for row in rows)
    change = Tables.append if server.serializes else Tables.append_out_of_order
    session.change(change, rows, tree)
    server.appended.set()
    server.notify()
    return [([row.position for row in rows],)]


def _follows(row: LogRow, previous: bytes | None, leaves: Mapping[int, bytes | None]) -> bool:
    """Whether the row before is there, with that leaf, where both are known."""
    if row.version == 1:
        return True
    before = leaves.get(row.version - 1)
    return row.version - 1 in leaves and (None in (previous, before) or previous == before)


def _note_refused(session: Session, rows: Sequence[LogRow], taken: LogRow | None) -> None:
    """Count what it shows that a commit is refused: a version is taken, or one before is gone."""
    reached = session.server.reached
    if taken is None:
        reached.note("the event that others follow was gone")
    else:
        stored = [row for row in _log(session, taken.game) if row.version == taken.version]
        if stored and stored[0].state != taken.state:
            reached.note("two writers met")
    if len({row.game for row in rows}) > 1:
        reached.note("a batch was rolled back, and stored one by one")


def _read(session: Session, game: UUID, after: int, limit: int | None) -> Rows:
    later = [row[2:] for row in _log(session, game) if row.version > after]
    return later if limit is None else later[:limit]


def _heads(session: Session, games: list[UUID]) -> Rows:
    return [
        (game, max((row.version for row in _log(session, game)), default=0))
        for game in dict.fromkeys(games)
    ]


def _leaves(session: Session, after: int, limit: int) -> Rows:
    rows = session.server.tables.after(after, limit)
    return [tuple(row) if row.leaf is None else (*row[:4], b"", row.leaf) for row in rows]


def _tail(session: Session, after: int, limit: int) -> Rows:
    tables = session.server.tables
    return [row for row in tables.after(after, limit) if row.game not in tables.archived]


def _tombstone(session: Session, game: UUID) -> Rows:
    tombstone = session.server.tables.archived.get(game)
    return [tombstone] if tombstone else []


def _position(session: Session) -> Rows:
    return [(session.server.tables.position,)]


def _place(session: Session, game: UUID, version: int) -> Rows:
    return _places(session, game, [version])


def _places(session: Session, game: UUID, versions: Sequence[int]) -> Rows:
    return [(row.position,) for row in _log(session, game) if row.version in versions]


def _unfinished(session: Session) -> Rows:
    games = session.server.tables.games.items()
    return [(game,) for game, rows in games if rows[-1].topic not in FINAL]


def _due_games(session: Session, overlong: int) -> Rows:
    noted, dues = session.server.tables.due_games, Rows()
    for game, rows in session.server.tables.games.items():
        leaf, due_at = noted.get(game, (b"", None))
        due_at = due_at if leaf == rows[-1].leaf and not 0 < overlong <= rows[-1].version else 0
        if due_at is not None and rows[-1].topic not in FINAL:
            dues.append((game, due_at))
    return dues


def _note_due(
    session: Session, over: Sequence[UUID], games: Sequence[UUID], *columns: Sequence[Any]
) -> Rows:
    _, leaves, dues = columns
    pairs = zip(leaves, dues, strict=True)
    session.change(Tables.note_due, over, dict(zip(games, pairs, strict=True)))
    return [(len(games),)]


def _last(session: Session, after: int) -> dict[UUID, LogRow]:
    """The last row of each game that has one above that position."""
    return {row.game: row for row in session.server.tables.after(after, 1 << 60)}


def _progress(session: Session, after: int) -> Rows:
    last = _last(session, after)
    return [(game, row.version, row.position) for game, row in last.items()]


def _unfinished_games(
    session: Session,
    of_first: int,
    of_last: int,
    sealed: str,
    games: Sequence[UUID],
    final: Sequence[str],
) -> Rows:
    logs = {game: session.server.tables.games[game] for game in games}
    return [
        (
            game,
            rows[0].state[:of_first],
            rows[-1].state[:of_last],
            all(row.topic != sealed for row in rows),
        )
        for game, rows in logs.items()
        if rows[-1].topic not in final
    ]


def _opened(session: Session, after: int, until: int) -> Rows:
    rows = session.server.tables.after(after, 1 << 60)
    return [(row.game,) for row in rows if row.version == 1 and row.position <= until]


def _idle(session: Session, after: int, until: int) -> Rows:
    last = _last(session, after)
    return [(game, row.version) for game, row in last.items() if row.position <= until]


_EVENT = "notification_id, originator_id, originator_version, topic"
_OF_EVENTS = "FROM stored_events WHERE"
STATEMENTS: tuple[tuple[re.Pattern[str], Callable[..., Any]], ...] = tuple(
    (re.compile(pattern), function)
    for pattern, function in (
        *TREE,
        *VIEWS,
        *LEDGER,
        (r"^$", lambda *_: None),
        (r"^SET synchronous_commit = off$", lambda session: setattr(session, "is_flushing", False)),
        (r"^SELECT name, setting FROM pg_settings", _settings),
        (r"^SELECT pg_is_in_recovery\(\)$", lambda _: [(False,)]),
        (r"^SELECT \(SELECT system_identifier FROM pg_control_system", _lineage),
        (r"^SELECT count\(\*\) FROM pg_stat_replication$", lambda _: [(0,)]),
        (r"^SELECT system_identifier, .* FROM pg_control_system\(\)$", _backend),
        (r"^SELECT pid, state, state_change::text FROM pg_stat_activity$", _activities),
        (r"^LISTEN reactions$", lambda *_: None),
        (r"^LISTEN stored_events$", lambda session: setattr(session, "listens", True)),
        (r"^UNLISTEN \*$", lambda session: setattr(session, "listens", False)),
        (r"^LISTEN unfit_views$", lambda *_: None),
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
        (r"^SELECT name FROM migrations$", lambda _: [(name,) for name, _ in LOG]),
        (r"^SELECT events, head, file, sha256, hidden, .* FROM archived_games", _tombstone),
        (r"^SELECT archived.game, archived.summary", lambda *_: []),
        (r"^SELECT game, due_at FROM .* AS unfinished", _due_games),
        (r"^WITH gone AS \(DELETE FROM due_games", _note_due),
        (r"^SELECT originator_id FROM stored_events AS opening", _unfinished),
        (r"^SELECT game, substring\(first.state", _unfinished_games),
        (r"^SELECT originator_id FROM stored_events WHERE notification_id >", _opened),
        (r"^SELECT originator_id, max\(originator_version\) FROM stored_events", _idle),
        (r"^SELECT originator_id, max\(originator_version\), max\(notification_id\)", _progress),
        (r"^SELECT \(extract\(epoch FROM clock_timestamp\(\)\)", _clock),
    )
)
"""What the server knows: the first pattern that is found in a statement's text."""
