"""The way back of an archived game: the events of its file, inserted where they were.

Their bytes have the leaves that the log has kept. It works on the database, with its owner's
rights, while services are at work or not.
"""

from uuid import UUID

import psycopg

from phaseledger.projections.store import REBUILT
from phaseledger.replay.formats.bundle.reader import read_bundle
from phaseledger.replay.formats.records.source import DamagedSource, UnknownGame
from phaseledger.service.eventlog.archive import archived_places, tombstone_of, unarchive_game
from phaseledger.service.eventlog.connection import fitted, within
from phaseledger.service.eventlog.rows import Row
from phaseledger.service.games.errors import LogDamaged
from phaseledger.service.games.game import leaf_of
from phaseledger.service.games.integrity import seal_key
from phaseledger.service.readmodels.follower import RebuildRunning
from phaseledger.service.settings import Settings, sealing_keys_of


def unarchive(settings: Settings, game: UUID, file: str) -> int:
    """Put the events of an archived game back, and take its tombstone away; returns their number.

    Raises:
        UnknownGame: it is not archived.
        DamagedSource: the file cannot be read, or has other events than those archived.
        RebuildRunning: views are built anew, and would miss the events.
        psycopg.Error: the database is away, or the role is not the owner's.

    """
    schema, sealing = settings.schema, sealing_keys_of(settings)
    with psycopg.connect(fitted(settings.database_url)) as conn:
        conn.execute("SET LOCAL lock_timeout = '10s'")
        # As in `append_events`: commits come in the order of positions.
        conn.execute(within(schema, "LOCK TABLE {0}.stored_events IN EXCLUSIVE MODE"))
        if not (tombstone := tombstone_of(conn, schema, game)):
            raise UnknownGame(f"No game {game} is archived.")
        lock = "SELECT pg_try_advisory_xact_lock_shared(hashtextextended(%s, 0))"
        if conn.execute(lock, (f"rebuild {schema}",)).fetchone() != (True,):
            raise RebuildRunning(schema)
        rows, places = _rows(file), archived_places(conn, schema, game)
        if _leaves(game, rows) != [places[number].leaf for number in sorted(places)]:
            raise DamagedSource(
                f"{file} does not have the events that were archived: name {tombstone.file} as it "
                "was written."
            )
        insert = within(
            schema,
            "INSERT INTO {0}.stored_events (originator_id, originator_version, topic, state, leaf, "
            "notification_id) VALUES (%s, %s, %s, %s, %s, %s)",
        )
        for row in rows:
            position, leaf = places[row.version]
            sealed = sealing.seal_event(game, row.version, row.state)
            conn.execute(insert, (game, row.version, row.topic, sealed, leaf, position))
        unarchive_game(conn, schema, game)
        # A rebuild that was broken off has passed the game, and begins anew.
        forget = "DELETE FROM {0}.notification_tracking WHERE application_name = %s"
        conn.execute(within(schema, forget), (REBUILT.name,))
        conn.execute("NOTIFY stored_events")
    return len(rows)


def _rows(file: str) -> list[Row]:
    """The events of a bundle as they are stored; raises DamagedSource."""
    bundle = read_bundle(file)
    return [
        Row(event.form.seq, event.form.type, stored)
        for event in bundle.events
        if (stored := bundle.stored(event)) is not None
    ]


def _leaves(game: UUID, rows: list[Row]) -> list[bytes]:
    """The Merkle leaves of the events; empty where the first does not open the game."""
    try:
        key = seal_key(game, rows[0])
    except (LogDamaged, IndexError):
        return []
    return [bytes.fromhex(leaf_of(row.state, key)) for row in rows]
