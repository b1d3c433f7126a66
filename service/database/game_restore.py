"""Restoring a damaged game: events that its log lacks, inserted again from a copy that has them.

Nothing that is there is ever changed: the copy's events have to continue the game's chain exactly,
with those that are there. A game that was archived is put back in the same way, where its leaves
are. It works on the database alone, with the owner's rights.
"""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, LiteralString
from uuid import UUID

import msgspec
import psycopg
from msgspec import Struct
from psycopg.sql import SQL, Identifier

from phaseledger.projections.store import REBUILT
from phaseledger.replay.bundle.reader import read_bundle
from phaseledger.replay.records.sealing import NO_SEALING, SealingKeys
from phaseledger.replay.records.source import (
    DamagedSource,
    UnknownGame,
    read_file,
    read_store,
)
from phaseledger.service.eventlog.archive import (
    ArchivedPlace,
    Tombstone,
    archived_places,
    tombstone_of,
    unarchive_game,
)
from phaseledger.service.eventlog.connection import fitted
from phaseledger.service.eventlog.rows import Row
from phaseledger.service.readmodels.soundness import Damage, Tip, evolved, sound_event

URLS = ("postgresql://", "postgres://")

RestoreConnection = psycopg.Connection[tuple[Any, ...]]


class RestoreRefused(Exception):
    """The game cannot be restored so; the message says why and what to do."""


class _Numbered(Struct):
    seq: int


_number = msgspec.json.Decoder(_Numbered).decode


def read_copy(
    source: str, game: UUID, *, schema: str, sealing: SealingKeys = NO_SEALING
) -> dict[int, Row]:
    """The game's events by their numbers: from a bundle, a file of records, or another store.

    Raises:
        DamagedSource, StoreUnreachable, UnknownGame: it cannot be read, or lacks the game.
        RestoreRefused: it does not have the events as they are stored, since parts are sealed.

    """
    if source.startswith(URLS):
        rows = read_store(source, str(game), schema=schema, sealing=sealing)
        return {
            row.version: Row(row.version, row.topic, row.stored)
            for row in rows
            if row.version is not None
        }
    if _is_bundle(source):
        return dict(_bundle_rows(source, game))
    copy: dict[int, Row] = {}
    for row in read_file(source):
        if row.game == str(game):
            if row.flaw is not None:
                raise DamagedSource(f"{source}:{row.place}: {row.flaw.expected} is wanted here.")
            try:
                number = _number(row.stored).seq
            except msgspec.DecodeError as error:
                raise DamagedSource(f"{source}:{row.place}: {error}.") from None
            copy[number] = Row(number, row.topic, row.stored)
    if not copy:
        raise UnknownGame(f"{source} has no event of game {game}.")
    return copy


def _is_bundle(path: str) -> bool:
    try:
        with Path(path).open("rb") as file:
            return file.read(10) == b'{"bundle":'
    except OSError as error:
        raise DamagedSource(f"{path}: cannot be read: {error.strerror or error}.") from None


def _bundle_rows(path: str, game: UUID) -> Iterator[tuple[int, Row]]:
    bundle = read_bundle(path)
    if bundle.header.game != str(game):
        raise UnknownGame(f"{path} is the bundle of game {bundle.header.game}.")
    for event in bundle.events:
        stored = bundle.stored(event)
        if stored is not None:
            yield event.form.seq, Row(event.form.seq, event.form.type, stored)


def restore_game(
    owner_dsn: str,
    game: UUID,
    copy: Mapping[int, Row],
    *,
    schema: str,
    sealing: SealingKeys = NO_SEALING,
) -> int:
    """Insert the events of the copy that the log lacks; how many there were.

    They get their old positions where the public log proves these, else new ones. The game is then
    to be looked at again by whoever follows the log, and an operator's void of it is lifted. Those
    of an archived game get their own positions, and its tombstone goes.

    Raises:
        RestoreRefused: with the copy's events the game is not whole either.
        psycopg.Error: the database is away, or the role is not the owner's.

    """
    with psycopg.connect(fitted(owner_dsn)) as conn:
        log = _Log(conn, schema, game, sealing)
        if tombstone := tombstone_of(conn, schema, game):
            return _unarchive(log, tombstone, copy)
        missing = _leaves(game, log.rows(), copy)
        if not missing and not log.is_set_aside():
            raise RestoreRefused(f"Game {game} is whole, and not set aside: nothing is to be done.")
        ranked = [(log.rank(leaf), row, leaf) for row, leaf in missing]
        # In the order of their ranks, since each counts those before it.
        for rank, row, leaf in sorted(ranked, key=lambda entry: (entry[0] or NOWHERE, entry[1])):
            if rank is None or not log.insert_at(rank, row, leaf):
                log.insert(row, leaf)
        log.ask_again()
    return len(missing)


def _unarchive(log: "_Log", tombstone: Tombstone, copy: Mapping[int, Row]) -> int:
    """Put the events of an archived game back where they were; how many there are."""
    if not copy:
        raise RestoreRefused(
            f"Game {tombstone.game} is archived: name its file, {tombstone.file}, to put it back."
        )
    if log.views_are_rebuilt():
        raise RestoreRefused("The views are being built anew, and would miss it: restore it then.")
    kept = log.archived_places()
    rows = {number: row for number, row in copy.items() if number in kept}
    restored = _leaves(tombstone.game, {}, rows)
    if [leaf for _, leaf in restored] != [kept[number].leaf for number in sorted(kept)]:
        raise RestoreRefused(
            "The copy does not have the events that were archived: their leaves, which the log has "
            f"still, are others. Name the file {tombstone.file} as it was written."
        )
    for row, leaf in restored:
        log.insert(row, leaf, kept[row.version].position)
    log.unarchive()
    return len(restored)


NOWHERE = (2**63, 0)


class _Log:
    """The log of one game, locked for a transaction of its owner's."""

    def __init__(
        self, conn: RestoreConnection, schema: str, game: UUID, sealing: SealingKeys
    ) -> None:
        self._sealing = sealing
        self._conn = conn
        self._schema = schema
        self._names = {"s": Identifier(schema)}
        self._sequence = f'"{schema}".stored_events_notification_id_seq'
        self._game = game
        conn.execute("SET LOCAL lock_timeout = '10s'")
        # As in `append_events`: commits come in the order of positions, also of the place below.
        self._run("LOCK TABLE {s}.stored_events IN EXCLUSIVE MODE")

    def _run(self, text: LiteralString, *parameters: object) -> list[tuple[Any, ...]]:
        cursor = self._conn.execute(SQL(text).format(**self._names), parameters)
        return cursor.fetchall() if cursor.description else []

    def rows(self) -> dict[int, Row]:
        """The game's rows by their versions."""
        rows = self._run(
            "SELECT originator_version, topic, state, leaf FROM {s}.stored_events "
            "WHERE originator_id = %s",
            self._game,
        )
        unseal = self._sealing.unseal_event
        return {
            version: Row(version, topic, unseal(self._game, version, state), leaf)
            for version, topic, state, leaf in rows
        }

    def archived_places(self) -> dict[int, ArchivedPlace]:
        """What stays of the archived game's events, by their numbers."""
        return archived_places(self._conn, self._schema, self._game)

    def views_are_rebuilt(self) -> bool:
        """Whether somebody builds the views anew; until the transaction ends nobody begins to."""
        rows = self._run(
            "SELECT pg_try_advisory_xact_lock_shared(hashtextextended(%s, 0))",
            f"rebuild {self._schema}",
        )
        return rows != [(True,)]

    def unarchive(self) -> None:
        """Take the tombstone away. A rebuild of the views that was broken off begins anew: it has
        passed the game, and would not find it archived.
        """
        unarchive_game(self._conn, self._schema, self._game)
        self._run("DELETE FROM {s}.notification_tracking WHERE application_name = %s", REBUILT.name)
        self._run("NOTIFY stored_events")

    def is_set_aside(self) -> bool:
        """Whether the views do without the game."""
        return bool(self._run("SELECT game FROM {s}.set_aside_games WHERE game = %s", self._game))

    def rank(self, leaf: bytes) -> tuple[int, int] | None:
        """The place of a leaf in the public log: its tile's first position, its index there."""
        rows = self._run(
            "SELECT first, (position(%s::bytea in hashes) - 1) / 32 FROM {s}.tree_tiles "
            "WHERE level = 0 AND position(%s::bytea in hashes) > 0 ORDER BY first LIMIT 1",
            leaf,
            leaf,
        )
        return rows[0] if rows else None

    def insert(self, row: Row, leaf: bytes, position: int | None = None) -> None:
        """Insert the event at the position; None: at the end of the log."""
        self._run(
            "INSERT INTO {s}.stored_events (originator_id, originator_version, topic, state, "
            "leaf, notification_id) VALUES (%s, %s, %s, %s, %s, coalesce(%s, nextval(%s)))",
            *(self._game, row.version, row.topic),
            self._sealing.seal_event(self._game, row.version, row.state),
            *(leaf, position, self._sequence),
        )

    def insert_at(self, rank: tuple[int, int], row: Row, leaf: bytes) -> bool:
        """Insert the event where the public log has it, so that those after it keep their numbers.

        Whether that could be done: not where the position is taken, or another one is missing.
        """
        first, number = rank
        before = self._run(
            "SELECT notification_id FROM {s}.logged_events WHERE notification_id >= %s "
            "ORDER BY notification_id LIMIT 1 OFFSET %s",
            *(first, max(0, number - 1)),
        )
        position = before[0][0] + 1 if number and before else first
        try:
            with self._conn.transaction():
                self.insert(row, leaf, position)
                if not self._agrees(position, leaf):
                    raise psycopg.Rollback
        except psycopg.errors.UniqueViolation:
            return False
        return self._agrees(position, leaf)

    def _agrees(self, position: int, leaf: bytes) -> bool:
        """Whether every public log of the ledger has the leaf at what is now its number."""
        leaves = self._run(
            "SELECT substr(hashes, 1 + 32 * (SELECT count(*) FROM {s}.logged_events AS before "
            "WHERE before.notification_id >= tile.first AND before.notification_id < %s)::int, 32) "
            "FROM (SELECT DISTINCT ON (log) first, hashes FROM {s}.tree_tiles "
            "WHERE level = 0 AND first <= %s ORDER BY log, first DESC) AS tile "
            "WHERE EXISTS (SELECT FROM {s}.stored_events WHERE notification_id = %s)",
            *(position, position, position),
        )
        return bool(leaves) and all(logged == leaf for (logged,) in leaves)

    def ask_again(self) -> None:
        """Have the game looked at again, as one that ended at a place after all others."""
        self._run(
            "INSERT INTO {s}.restored_games (place, game) VALUES (nextval(%s), %s)",
            *(self._sequence, self._game),
        )
        self._run(
            "UPDATE {s}.set_aside_games SET retry = true, voided_at = NULL, voided_by = NULL, "
            "void_reason = NULL WHERE game = %s",
            self._game,
        )
        self._run("NOTIFY stored_events")


def _leaves(
    game: UUID, present: Mapping[int, Row], copy: Mapping[int, Row]
) -> list[tuple[Row, bytes]]:
    """The missing events with their leaf hashes, once the whole game is seen to be sound."""
    tip: Tip | None = None
    missing: list[tuple[Row, bytes]] = []
    for number in range(1, max([*present, *copy], default=0) + 1):
        row = present.get(number) or copy.get(number)
        if row is None:
            raise RestoreRefused(
                f"Neither the log nor a copy has event {number} as it was stored: name a copy that "
                "has it. The bundle of a game that is not over has its hidden parts sealed."
            )
        try:
            step = sound_event(game, tip, row)
            state = evolved(tip.state if tip else None, number, step.event)
        except Damage as damage:
            raise RestoreRefused(_why(damage, present, copy)) from None
        tip = Tip(number, state, step.key, step.leaf)
        if number not in present:
            missing.append((row, bytes.fromhex(step.leaf)))
    if tip is None:
        raise RestoreRefused("Neither the log nor the copy has an event of this game.")
    return missing


def _why(damage: Damage, present: Mapping[int, Row], copy: Mapping[int, Row]) -> str:
    number = damage.version
    if number in present and number in copy and present[number].state != copy[number].state:
        return (
            f"In the log {damage.reason}. It is there, and nothing that is there is changed: void "
            "the game, or have a superuser delete that row and restore again."
        )
    if number in present:
        return f"In the log {damage.reason}, and it does not fit the events of the copy: void it."
    return f"In the copy {damage.reason}: it is no copy of this game as the log has it."
