"""Archiving finished games: their evidence into files, and their events out of the log.

Of each game the bundle is written, as `GET /v1/games/{id}/bundle` gives it, made durable, read
again and verified. Only then do its events leave the log, in one transaction that leaves a
tombstone. So a run that is killed at any moment has lost nothing, and is simply repeated. It works
on the database and the keys, with the owner's rights.
"""

import hashlib
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, LiteralString, NamedTuple
from uuid import UUID

import psycopg
from msgspec import Struct

from phaseledger.projections.archive import ArchivedGame, summary, text_of
from phaseledger.projections.games import whole
from phaseledger.replay.formats import files
from phaseledger.replay.formats.bundle.reader import read_bundle
from phaseledger.replay.formats.bundle.writer import TooLong
from phaseledger.replay.formats.records.source import DamagedSource
from phaseledger.replay.formats.signing.keys import Keyring, load
from phaseledger.service.database.public_log import origin_of
from phaseledger.service.eventlog.archive import ArchiveFile, archive_game
from phaseledger.service.eventlog.connection import fitted, has_taken, within
from phaseledger.service.eventlog.postgres import PostgresStore
from phaseledger.service.eventlog.rows import Row, timed_events
from phaseledger.service.games.bundles import bundle_of
from phaseledger.service.games.errors import LogDamaged
from phaseledger.service.games.game import Snapshot, apply_rows
from phaseledger.service.games.integrity import require_chained, seal_key
from phaseledger.service.settings import (
    Settings,
    SettingsError,
    keys_folder,
    sealing_keys_of,
    witnesses,
)
from phaseledger.service.transparency import proofs
from phaseledger.service.transparency.errors import TreeError
from phaseledger.service.transparency.tree import Tree
from phaseledger.verify import verify

ArchiveConnection = psycopg.AsyncConnection[tuple[Any, ...]]
ArchiveProgress = Callable[[int], None]
"""Called with the number of games that were dealt with since the last call."""
PAGE = 200  # games looked up at a time

_DUE: LiteralString = """
    SELECT game, ended FROM {0}.games AS games
    WHERE finished_at <= (1000 * extract(epoch FROM now()))::bigint - %s AND ended > %s
      AND NOT EXISTS (SELECT FROM {0}.set_aside_games AS aside WHERE aside.game = games.game)
      AND NOT EXISTS (SELECT FROM {0}.archived_games AS archived WHERE archived.game = games.game)
    ORDER BY ended LIMIT %s
"""
_PLACES: LiteralString = """
    SELECT min(notification_id), max(notification_id) FROM {0}.stored_events
    WHERE originator_id = %s
"""
# In the transaction that archives: no rebuild of the views is at work, which would miss the events;
# views and webhooks have taken them in.
_UNREAD: LiteralString = """
    SELECT pg_try_advisory_xact_lock_shared(hashtextextended(%(rebuild)s, 0)),
      EXISTS (
        SELECT FROM {0}.games
        WHERE game = %(game)s AND finished_at IS NOT NULL AND version = %(events)s
      ),
      NOT EXISTS (
        SELECT FROM {0}.webhooks WHERE disabled_at IS NULL AND (game = %(game)s OR application
          = (SELECT application FROM {0}.application_tables WHERE game = %(game)s))
      )
        OR (SELECT position FROM {0}.webhook_position) >= %(last)s
        AND NOT EXISTS (SELECT FROM {0}.webhook_games WHERE game = %(game)s AND stale)
"""
_DAY = 24 * 3_600_000  # milliseconds


class MovedGame(Struct, frozen=True):
    """A game that was archived, and the name of its file in the folder."""

    game: UUID
    file: str
    events: int


class KeptGame(Struct, frozen=True):
    """A game that is old enough, and stays in the log all the same."""

    game: UUID
    reason: str


class ArchiveRun(Struct, frozen=True):
    """The result of a run."""

    archived: tuple[MovedGame, ...]
    kept: tuple[KeptGame, ...]


class NotArchived(Exception):
    """A game is not archived; the message says why, without its id."""


class _Log(NamedTuple):
    """The log, open: its events, its tree, and a connection of its owner's."""

    schema: str
    store: PostgresStore
    tree: Tree
    conn: ArchiveConnection


def file_name(game: UUID) -> str:
    """The name of the file that a game is archived in."""
    return f"{game}.bundle.ndjson"


async def archive_games(
    settings: Settings, folder: Path, days: float, progress: ArchiveProgress = lambda _: None
) -> ArchiveRun:
    """Archive all games that have been over for that number of days, each in a file of the folder.

    A game that is unsound, not published, or not taken into the views yet, stays where it is, with
    the reason.

    Raises:
        SettingsError: another run is at work, or the folder cannot be written.
        KeysError, SealingError: the keys cannot be used.
        StoreUnavailable, psycopg.Error: the database is away, or the role is not the owner's.

    """
    keys = load(keys_folder(settings))
    moved: list[MovedGame] = []
    kept: list[KeptGame] = []
    _make(folder)
    async with _opened(settings, keys) as log:
        async for game in _due(log, days):
            try:
                moved.append(await _archive(settings, keys, log, folder, game))
            except NotArchived as refused:
                kept.append(KeptGame(game, str(refused)))
            progress(1)
        if moved:
            # Its own vacuum waits for what never comes in a log that is only appended to.
            await log.conn.execute(within(log.schema, "VACUUM {0}.stored_events"))
    return ArchiveRun(tuple(moved), tuple(kept))


def _make(folder: Path) -> None:
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise SettingsError(f"{folder}: cannot be made: {error.strerror or error}.") from None


@asynccontextmanager
async def _opened(settings: Settings, keys: Keyring) -> AsyncIterator[_Log]:
    """The log, which no other run archives meanwhile."""
    dsn, schema = settings.database_url, settings.schema
    sealing = sealing_keys_of(settings)
    async with (
        PostgresStore(dsn, schema=schema, unsafe=settings.unsafe, sealing=sealing) as store,
        await psycopg.AsyncConnection.connect(fitted(dsn), autocommit=True) as conn,
        Tree(dsn, origin_of(settings, keys), schema=schema) as tree,
    ):
        if not await has_taken(conn, f"archive {schema}"):
            raise SettingsError("Another run archives games already: wait for its end.")
        yield _Log(schema, store, tree, conn)


async def _due(log: _Log, days: float) -> AsyncIterator[UUID]:
    """The games that are old enough, in the order of their ends."""
    place = 0
    while True:
        cursor = await log.conn.execute(within(log.schema, _DUE), (int(days * _DAY), place, PAGE))
        rows = await cursor.fetchall()
        for game, _ in rows:
            yield game
        if len(rows) < PAGE:
            return
        place = rows[-1][1]


async def _archive(
    settings: Settings, keys: Keyring, log: _Log, folder: Path, game: UUID
) -> MovedGame:
    """Archive one game; raises NotArchived."""
    rows = await log.store.read(game)
    try:
        leaves, now = _whole(game, rows)
        if not await _is_published(log, game, now.version):
            raise NotArchived("its last events are in no published checkpoint of this log yet")
        bundle = await bundle_of(log.store, log.tree, keys, witnesses(settings), game, now)
    except (LogDamaged, TreeError, TooLong) as unsound:
        raise NotArchived(str(unsound).rstrip(".")) from None
    file = _written(folder, game, bundle, rows)
    await _move(log, game, rows, leaves, file, now)
    return MovedGame(game, file.name, len(rows))


def _whole(game: UUID, rows: list[Row]) -> tuple[list[bytes], Snapshot]:
    """The game's leaves and its last state; raises LogDamaged, NotArchived."""
    if not rows or rows[0].version != 1:
        raise LogDamaged(game, 1, "it is gone")
    leaves = require_chained(game, rows, seal_key(game, rows[0]))
    now, _ = apply_rows(None, rows)
    if not now.revealed:
        raise NotArchived("it is not over, though the views say so")
    return [bytes.fromhex(leaf) for leaf in leaves], now


async def _is_published(log: _Log, game: UUID, last: int) -> bool:
    """Whether a bundle would prove that the public log has all of the game."""
    evidence = await proofs.evidence(log.tree, game, last)
    return evidence is not None and evidence.inclusions[-1].seq == last


def _written(folder: Path, game: UUID, bundle: bytes, rows: list[Row]) -> ArchiveFile:
    """The game's file, durable, and seen to have the very events; raises NotArchived."""
    path = folder / file_name(game)
    try:
        files.write(path, bundle.decode(), 0o600)
        sha256 = hashlib.sha256(path.read_bytes()).digest()
        written = read_bundle(str(path))
    except OSError as error:
        raise SettingsError(f"{path}: cannot be written: {error.strerror or error}.") from None
    except DamagedSource as damage:
        raise NotArchived(f"its file is not what was written: {damage}") from None
    if [written.stored(event) for event in written.events] != [row.state for row in rows]:
        raise NotArchived("its file does not have the very events that the log has")
    (examined,) = verify([written])
    if examined.judgement.conclusion != "sound":
        codes = ", ".join(sorted({problem.code for problem in examined.judgement.problems}))
        raise NotArchived(f"its bundle is not sound ({codes})")
    return ArchiveFile(path.name, sha256)


async def _move(
    log: _Log, game: UUID, rows: list[Row], leaves: list[bytes], file: ArchiveFile, now: Snapshot
) -> None:
    """Move the events out of the log; raises NotArchived."""
    terms = now.state.terms
    try:
        async with log.conn.transaction():
            summarized = await _summary(log, game, rows)
            await _require_read(log, game, summarized)
            await archive_game(
                log.conn,
                log.schema,
                game,
                leaves,
                file,
                hidden=terms.private and terms.spectators == "none",
                summary=text_of(summarized),
            )
    except psycopg.IntegrityError as changed:
        raise NotArchived(f"the log has other events of it by now: {changed}".strip()) from None


async def _summary(log: _Log, game: UUID, rows: list[Row]) -> ArchivedGame:
    cursor = await log.conn.execute(within(log.schema, _PLACES), (game,))
    ((first, last),) = await cursor.fetchall()
    return summary(whole(first, last, timed_events(rows)))


async def _require_read(log: _Log, game: UUID, summarized: ArchivedGame) -> None:
    """Require that views and webhooks have read the game's events; raises NotArchived."""
    parameters = {
        "rebuild": f"rebuild {log.schema}",
        "game": game,
        "events": summarized.entry.version,
        "last": summarized.ended,
    }
    cursor = await log.conn.execute(within(log.schema, _UNREAD), parameters)
    ((may_move, is_viewed, is_told),) = await cursor.fetchall()
    if not may_move:
        raise NotArchived("the views are being built anew: archive it afterwards")
    if not is_viewed:
        raise NotArchived("the views do not have it to its end yet")
    if not is_told:
        raise NotArchived("its webhooks have not been told of all of it yet")
