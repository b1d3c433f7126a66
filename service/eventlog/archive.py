"""The archive: finished games whose events were moved to files, and the tombstones that they left.

Of an archived game the log keeps a tombstone, and for each event its position and its Merkle leaf:
positions stay, the public log's proofs hold, and a read of the game names the file. Only the owner
of the tables can archive, by the functions of `service.eventlog.migrations`.
"""

from collections.abc import Sequence
from typing import Any, LiteralString, NamedTuple
from uuid import UUID

import psycopg

from phaseledger.service.eventlog.connection import within


class Tombstone(NamedTuple):
    """What stays of a finished game whose events were moved to a file."""

    game: UUID
    events: int
    head: bytes
    """The leaf hash of its last event."""
    file: str
    """The file's name, without its folder."""
    sha256: bytes
    hidden: bool
    """Whether strangers are told that there is no such game."""
    at: float
    """When it was archived, in seconds since 1970."""


TOMBSTONE: LiteralString = """
    SELECT events, head, file, sha256, hidden, extract(epoch FROM archived_at)::float8
    FROM {0}.archived_games WHERE game = %s
"""
_ARCHIVE: LiteralString = "SELECT {0}.archive_game(%s, %s::bytea[], %s, %s, %s, %s::json)"
_UNARCHIVE: LiteralString = "SELECT {0}.unarchive_game(%s)"
_PLACES: LiteralString = """
    SELECT originator_version, notification_id, leaf FROM {0}.archived_events
    WHERE originator_id = %s ORDER BY originator_version
"""


class ArchiveFile(NamedTuple):
    """A file that has all of a game's events: its name, without the folder, and its digest."""

    name: str
    sha256: bytes


class ArchivedPlace(NamedTuple):
    """What stays of an archived event: its position in the log, and its leaf hash."""

    position: int
    leaf: bytes


async def archive_game(
    conn: psycopg.AsyncConnection[Any],
    schema: str,
    game: UUID,
    leaves: Sequence[bytes],
    file: ArchiveFile,
    *,
    hidden: bool,
    summary: str,
) -> None:
    """Leave a tombstone in place of the game's events, all at once.

    ``leaves`` has the leaf of each event, in their order; ``summary`` is the game's views as JSON.

    Raises:
        psycopg.IntegrityError: the log has other events of it, or it is archived already.
        psycopg.Error: the database is away, or the role is not the owner's.

    """
    statement = within(schema, _ARCHIVE)
    await conn.execute(statement, (game, list(leaves), *file, hidden, summary))


def tombstone_of(conn: psycopg.Connection[Any], schema: str, game: UUID) -> Tombstone | None:
    """The game's tombstone, None where it is not archived."""
    rows = conn.execute(within(schema, TOMBSTONE), (game,)).fetchall()
    return Tombstone(game, *rows[0]) if rows else None


def archived_places(
    conn: psycopg.Connection[Any], schema: str, game: UUID
) -> dict[int, ArchivedPlace]:
    """What stays of the archived game's events, by their numbers."""
    rows = conn.execute(within(schema, _PLACES), (game,)).fetchall()
    return {version: ArchivedPlace(position, leaf) for version, position, leaf in rows}


def unarchive_game(conn: psycopg.Connection[Any], schema: str, game: UUID) -> None:
    """Remove the tombstone of a game whose events have been inserted where they were.

    Raises:
        psycopg.IntegrityError: not all of its events are there.

    """
    conn.execute(within(schema, _UNARCHIVE), (game,))
