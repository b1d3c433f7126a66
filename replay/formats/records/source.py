"""Readers of stored events: a file of records, or the event log in PostgreSQL.

The log is read by a SELECT of its own, since an auditor that reads through the audited code proves
little. Files are NDJSON, one stored record a line, one game or many, interleaved or not; the
viewer's form of a finished game (docs/reference/format.md) is checked seal by seal and reduced to
the stored form. A bundle is read for its events.
"""

import sys
from collections.abc import Callable, Container, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from importlib.util import find_spec
from itertools import chain
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, ClassVar, NamedTuple

import msgspec
from msgspec import Struct

from phaseledger.domain.words import Amount, Phrase
from phaseledger.replay.formats.records import bundled
from phaseledger.replay.formats.records.findings import SourceRow
from phaseledger.replay.formats.records.tombstones import archive_file
from phaseledger.replay.formats.records.viewed import stored_form
from phaseledger.replay.formats.sealing import NO_SEALING, SealingError, SealingKeys
from phaseledger.replay.formats.text_files import numbered_lines, unusable_form

if TYPE_CHECKING:
    from psycopg import Connection

LONGEST_LINE = 1 << 20
"""Bytes. The longest event of a game of six is some 3,000 bytes long."""

SCHEMA = "phaseledger"

_EXPORT_HEADER = b'{"export":'
"""The beginning of the header lines in an export of many games; they are skipped, not trusted."""


DISPUTE = b'{"dispute":'
"""The beginning of a dispute file, which `verify` alone reads."""


class SourceError(Exception):
    """A source cannot be read; the message says why, ``exit_code`` is the command line's."""

    exit_code: ClassVar[int]


class StoreUnreachable(SourceError):
    """The store does not answer, or holds no log."""

    exit_code = 3


class UnknownGame(SourceError):
    """The store has no game with that id."""

    exit_code = 4


class DamagedSource(SourceError):
    """The file cannot be read, or is no file of events."""

    exit_code = 5


class UnreadableFile(DamagedSource):
    """The file cannot be opened, or not be read."""


class _Head(Struct):
    """The members of a record that name its game and type."""

    game: str
    type: str


_decode_head = msgspec.json.Decoder(_Head).decode


def read_file(path: str, progress: Callable[[int], None] | None = None) -> Iterator[SourceRow]:
    """The rows of a file (``-``: standard input); ``progress`` gets the bytes of each line.

    Raises:
        DamagedSource: the file cannot be read, or a line is no event; with file and line.

    """
    try:
        with open_input(path) as file:
            yield from read_stream(file, path, progress)
    except IsADirectoryError:
        raise UnreadableFile(
            f"{path}: it is a folder; some commands take one with --all."
        ) from None
    except OSError as error:
        raise UnreadableFile(
            Phrase("evidence.file.unread", title=path, reason=error.strerror or error)
        ) from None
    except ValueError as error:  # a NUL in the name
        raise UnreadableFile(
            Phrase("evidence.file.reason", title=repr(path), fault=error)
        ) from None


def read_stream(
    file: IO[bytes], name: str, progress: Callable[[int], None] | None = None
) -> Iterator[SourceRow]:
    """The rows of an open file, called ``name`` in messages; see `read_file`."""
    keys: dict[str, bytes] = {}
    lines = _lines(file, progress)
    first = next(lines, None)
    if first is None:
        raise DamagedSource(Phrase("evidence.file.empty", title=name))
    lines = chain([first], lines)
    if first[1].startswith(bundled.BEGINS):
        lines = _bundled_lines(lines, name)
    for number, line in lines:
        if not line.startswith(_EXPORT_HEADER):
            yield _row(line, name, number, keys)


def _bundled_lines(lines: Iterator[tuple[int, bytes]], name: str) -> Iterator[tuple[int, bytes]]:
    try:
        yield from bundled.event_lines(lines)
    except RecursionError:
        raise DamagedSource(Phrase("evidence.file.nested", title=name)) from None
    except ValueError as error:
        raise DamagedSource(Phrase("evidence.file.reason", title=repr(name), fault=error)) from None


def _lines(file: IO[bytes], progress: Callable[[int], None] | None) -> Iterator[tuple[int, bytes]]:
    for number, line in numbered_lines(file, LONGEST_LINE):
        if progress:
            progress(len(line))
        yield number, line


def open_input(path: str) -> AbstractContextManager[IO[bytes]]:
    """The file, open for reading; ``-`` is standard input, which stays open.

    Raises:
        DamagedSource: standard input is closed.
        OSError: the file cannot be opened.

    """
    if path != "-":
        return Path(path).open("rb")
    if sys.stdin is None:
        raise DamagedSource("-: standard input is closed.")
    return nullcontext(sys.stdin.buffer)


def _row(line: bytes, path: str, number: int, keys: dict[str, bytes]) -> SourceRow:
    has_newline = line.endswith(b"\n")
    stored = line.removesuffix(b"\n").removesuffix(b"\r") if has_newline else line
    try:
        head = _decode_head(stored)
    except (ValueError, RecursionError) as error:
        raise DamagedSource(
            Phrase("evidence.line", title=path, seq=number, reason=_unreadable_reason(line, error))
        ) from None
    flaw = None
    if b'"sealed":' in stored:
        stored, flaw = stored_form(stored, head.game, head.type, keys)
    return SourceRow(head.game, head.type, stored, number, None, flaw)


def _unreadable_reason(line: bytes, error: Exception) -> str:
    """The reason why a line is no event, in words."""
    if form := unusable_form(line):
        return form
    if line.startswith(DISPUTE):
        return Phrase("evidence.line.dispute")
    if line.startswith(b'{"at":') and b'"sig":' in line and b'"data":' not in line:
        return Phrase("evidence.line.receipts")
    if isinstance(error, UnicodeDecodeError):
        return Phrase("evidence.line.not_utf8")
    if isinstance(error, RecursionError):
        return Phrase("evidence.line.nested")
    if isinstance(error, msgspec.ValidationError):
        return Phrase("evidence.line.no_event", reason=error)
    if len(line) > LONGEST_LINE:
        return Phrase("evidence.line.too_long", count=Amount(LONGEST_LINE))
    if not line.endswith(b"\n") and b"\x00" not in line:
        return Phrase("evidence.line.last_cut", reason=error)
    return Phrase("evidence.line.not_json", reason=error)


def _require_driver() -> None:
    if find_spec("psycopg") is None:
        raise StoreUnreachable(
            "Reading a store needs its driver: pip install 'phaseledger[server]'."
        )


def _check_url(dsn: str) -> None:
    """Check a DSN; raises StoreUnreachable in our own words: the driver's may quote a password."""
    import psycopg
    from psycopg.conninfo import conninfo_to_dict

    try:
        ports = str(conninfo_to_dict(dsn).get("port") or "").split(",")
        readable = "\0" not in dsn and all(port.isdecimal() for port in ports if port)
    except (psycopg.ProgrammingError, UnicodeEncodeError):
        readable = False
    if not readable:
        raise StoreUnreachable("The database URL cannot be read.")


class LogPart(NamedTuple):
    """Some games of a store's log in one snapshot; without games, all of the log."""

    dsn: str
    schema: str
    moment: str
    """Name of an exported PostgreSQL snapshot, valid while its exporter's transaction is open."""
    games: tuple[str, ...]
    sealing: SealingKeys = NO_SEALING
    """The keys that sealed the hidden parts."""


def read_store(
    dsn: str,
    game: str | None = None,
    *,
    schema: str = SCHEMA,
    sealing: SealingKeys = NO_SEALING,
) -> Iterator[SourceRow]:
    """The rows of one game, or of all, game by game, in one snapshot.

    Raises:
        StoreUnreachable: no such address, no connection, no log in the database, or no right to it.
        UnknownGame: the log has no event of that game.

    """
    place = 0
    with snapshot(dsn, schema) as conn:
        games = None if game is None else [game]
        for place, row in enumerate(_rows(conn, schema, games), 1):
            yield _source_row(row, sealing, place)
        file = archive_file(conn, schema, game) if game and not place else ""
    if file:
        raise UnknownGame(f"Game {game} is archived: its events are in the file {file}.")
    if game and not place:
        raise UnknownGame(f"The store has no game {game}.")


def read_part(part: LogPart) -> Iterator[SourceRow]:
    """The rows of the part, game by game; raises as `read_store`."""
    with snapshot(part.dsn, part.schema, part.moment) as conn:
        for row in _rows(conn, part.schema, part.games):
            yield _source_row(row, part.sealing)


def _source_row(row: tuple[Any, ...], sealing: SealingKeys, place: int = 0) -> SourceRow:
    game, version, topic, state, leaf = row
    try:
        stored = sealing.unseal_event(game, version, bytes(state))
    except SealingError as unusable:
        raise StoreUnreachable(str(unusable)) from None
    return SourceRow(str(game), topic, stored, place, version, leaf=leaf)


@contextmanager
def parts_of_store(
    dsn: str,
    schema: str,
    min_events: int,
    max_games: int,
    sealing: SealingKeys = NO_SEALING,
    ends: Container[str] = (),
) -> Iterator[tuple[int, Iterator[tuple[LogPart, int]]]]:
    """The log's number of events, and the log in parts, each with its number of events.

    The last part has no games: it stands for the log as a whole, and has no events of its own.

    Every part before the last with games has at least ``min_events`` events or ``max_games`` games,
    or its last game is one of ``ends``: so a part of an earlier reading with this last game comes
    once more wherever no game was added. All are read in one snapshot, valid within the block, so
    that running games cause no confusion.

    Raises:
        StoreUnreachable: as `read_store`.

    """
    _require_driver()
    from psycopg.sql import SQL, Identifier

    table = Identifier(schema, "stored_events")
    with snapshot(dsn, schema) as conn:
        (moment,) = conn.execute("SELECT pg_export_snapshot()").fetchone() or ("",)
        (total,) = conn.execute(SQL("SELECT count(*) FROM {}").format(table)).fetchone() or (0,)

        part = LogPart(dsn=dsn, schema=schema, moment=moment, games=(), sealing=sealing)

        def parts() -> Iterator[tuple[LogPart, int]]:
            games: list[str] = []
            events = 0
            with conn.cursor("games", binary=True) as cursor:
                query = "SELECT originator_id, count(*) FROM {} GROUP BY 1 ORDER BY 1"
                cursor.execute(SQL(query).format(table))
                for gid, count in cursor:
                    games.append(str(gid))
                    events += count
                    is_full = events >= min_events or len(games) == max_games
                    if is_full or games[-1] in ends:
                        yield part._replace(games=tuple(games)), events
                        games, events = [], 0
            if games:
                yield part._replace(games=tuple(games)), events
            yield part, 0

        yield total, parts()


def _rows(conn: "Connection[Any]", schema: str, games: Sequence[str] | None) -> Iterator[Any]:
    from psycopg.sql import SQL, Identifier

    query = SQL("SELECT originator_id, originator_version, topic, state, leaf FROM {}").format(
        Identifier(schema, "stored_events")
    )
    condition = SQL("") if games is None else SQL(" WHERE originator_id = ANY(%s::uuid[])")
    with conn.cursor("audit", binary=True) as cursor:
        cursor.itersize = 2000
        cursor.execute(
            query + condition + SQL(" ORDER BY originator_id, originator_version"),
            () if games is None else ([*games],),
        )
        yield from cursor


@contextmanager
def snapshot(dsn: str, schema: str, moment: str = "") -> Iterator["Connection[Any]"]:
    """A read-only connection in one snapshot: an exported one, or a new one.

    Raises:
        StoreUnreachable: it cannot be made, or breaks.

    """
    _require_driver()
    import psycopg
    from psycopg.sql import SQL

    _check_url(dsn)
    try:
        with psycopg.connect(dsn, client_encoding="UTF8") as conn:
            conn.isolation_level = psycopg.IsolationLevel.REPEATABLE_READ
            conn.read_only = True
            if moment:
                conn.execute(SQL("SET TRANSACTION SNAPSHOT {}").format(moment))
            yield conn
    except (psycopg.errors.UndefinedTable, psycopg.errors.InvalidSchemaName):
        raise StoreUnreachable(
            f"The database has no log in the schema {schema!r}: run `phaseledger admin migrate`."
        ) from None
    except psycopg.Error as error:
        reason = str(error).strip().partition("\n")[0]
        raise StoreUnreachable(f"The store cannot be read: {reason}") from None
