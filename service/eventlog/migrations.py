"""Schema migrations: the database objects of the log, made by `phaseledger admin migrate` alone.

Migrations are SQL texts in a fixed order, of each part of the service its own. The first text of a
part makes its objects, and also brings those of release 0.1.0, and of what came until release 0.2,
up to date, whichever of them are there. A released text is never edited: the names recorded in the
`migrations` table say which of them a database has, so a text changed later would simply not be
run. Everything happens in one transaction under an advisory lock, so that several processes that
start together apply each migration once, or none of it.
"""

import re
from collections.abc import Callable, Iterable, Sequence
from itertools import chain
from typing import LiteralString

import psycopg
from psycopg.sql import SQL, Identifier

from phaseledger.service.eventlog.connection import connected, fitted, require_usable, within

SCHEMA = "phaseledger"
SCHEMA_NAME = re.compile(r"[a-z_][a-z0-9_]{0,40}")

Migration = tuple[str, LiteralString]
"""(name, SQL). The name is "<part>/<number>"; in the SQL `{schema}` stands for the quoted name of
the schema, so other braces are doubled. Parts are independent of one another."""

# The shapes of the type and of both tables are eventsourcing 9.5's, so that its own recorders work
# on them (a test compares them with what the library would create). Ours: NOT NULL, the leaf, the
# append function, and the triggers.
LOG: tuple[Migration, ...] = (
    (
        "log/6",
        """
        DO $type$
        BEGIN
          CREATE TYPE {schema}.stored_event_uuid AS
            (originator_id uuid, originator_version bigint, topic text, state bytea);
        EXCEPTION WHEN duplicate_object THEN
          NULL;
        END
        $type$;

        -- leaf: the Merkle leaf hash of the event, for the public log. The first events of release
        -- 0.1.0, and those of the library's own recorders, have none: it follows from their bytes.
        CREATE TABLE IF NOT EXISTS {schema}.stored_events (
          originator_id uuid NOT NULL,
          originator_version bigint NOT NULL,
          topic text NOT NULL,
          state bytea NOT NULL,
          notification_id bigserial,
          leaf bytea CHECK (octet_length(leaf) = 32),
          PRIMARY KEY (originator_id, originator_version)
        ) WITH (
          autovacuum_enabled = true,
          autovacuum_vacuum_threshold = 100000000,
          autovacuum_vacuum_scale_factor = 0.5,
          autovacuum_analyze_threshold = 1000,
          autovacuum_analyze_scale_factor = 0.01
        );
        CREATE UNIQUE INDEX IF NOT EXISTS stored_events_notification_id_idx
          ON {schema}.stored_events (notification_id ASC);

        CREATE TABLE IF NOT EXISTS {schema}.notification_tracking (
          application_name text,
          notification_id bigint,
          PRIMARY KEY (application_name)
        );
        -- eventsourcing's mark of a tracking table that keeps one row for each follower
        INSERT INTO {schema}.notification_tracking VALUES ('__migration__', 1)
          ON CONFLICT DO NOTHING;

        CREATE OR REPLACE FUNCTION {schema}.refuse_edit() RETURNS trigger
        LANGUAGE plpgsql
        AS $refuse$
        BEGIN
          RAISE EXCEPTION 'The event log is append-only: % is refused.', TG_OP
            USING ERRCODE = 'insufficient_privilege';
        END
        $refuse$;

        CREATE TABLE IF NOT EXISTS {schema}.ledger_restorations (
          epoch bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
          restored_at timestamptz NOT NULL DEFAULT now(),
          position bigint NOT NULL,
          log text NOT NULL,
          published bigint NOT NULL,
          voided bigint NOT NULL
        );
        COMMENT ON TABLE {schema}.ledger_restorations
          IS 'Each time that the ledger went on from a backup without what had come after it';

        -- From here on, what is hidden in an event may be sealed: a text in place of an object.
        -- This belongs to the log, so releases that cannot unseal refuse to start on it.
        CREATE TABLE IF NOT EXISTS {schema}.sealing_keys (
          id text PRIMARY KEY CHECK (id ~ '^[0-9a-f]{{8}}$'),
          since timestamptz NOT NULL DEFAULT now()
        );
        COMMENT ON TABLE {schema}.sealing_keys
          IS 'The keys under which something here may be sealed, by their ids: never a key';

        -- Finished games whose events were moved to a file, one row each: the tombstone. hidden:
        -- strangers are told that there is no such game. summary: what the read models say of it,
        -- for the day on which they are built anew.
        CREATE TABLE IF NOT EXISTS {schema}.archived_games (
          game uuid PRIMARY KEY,
          events bigint NOT NULL CHECK (events > 0),
          head bytea NOT NULL CHECK (octet_length(head) = 32),
          file text NOT NULL CHECK (file <> ''),
          sha256 bytea NOT NULL CHECK (octet_length(sha256) = 32),
          hidden boolean NOT NULL,
          summary json NOT NULL,
          archived_at timestamptz NOT NULL DEFAULT now()
        );
        COMMENT ON TABLE {schema}.archived_games
          IS 'Finished games whose events are in a file now, with its digest (SHA-256)';

        -- What stays of each of their events: its place in the log, and its Merkle leaf hash.
        CREATE TABLE IF NOT EXISTS {schema}.archived_events (
          notification_id bigint PRIMARY KEY,
          originator_id uuid NOT NULL REFERENCES {schema}.archived_games,
          originator_version bigint NOT NULL,
          leaf bytea NOT NULL CHECK (octet_length(leaf) = 32),
          UNIQUE (originator_id, originator_version)
        );

        -- Every event that the log has ever had, archived ones without their bytes.
        CREATE OR REPLACE VIEW {schema}.logged_events AS
          SELECT notification_id, originator_id, originator_version, topic, state, leaf
          FROM {schema}.stored_events
          UNION ALL
          SELECT notification_id, originator_id, originator_version, ''::text, ''::bytea, leaf
          FROM {schema}.archived_events;

        -- The one way past it is through the two functions below, for as long as they run.
        CREATE OR REPLACE FUNCTION {schema}.refuse_log_edit() RETURNS trigger
        LANGUAGE plpgsql
        AS $refuse$
        BEGIN
          IF TG_OP = 'DELETE' AND current_setting('phaseledger.archiving', true) = 'yes' THEN
            RETURN NULL;
          END IF;
          RAISE EXCEPTION 'The event log is append-only: % is refused.', TG_OP
            USING ERRCODE = 'insufficient_privilege';
        END
        $refuse$;
        CREATE OR REPLACE TRIGGER append_only
          BEFORE UPDATE OR DELETE OR TRUNCATE ON {schema}.stored_events
          FOR EACH STATEMENT EXECUTE FUNCTION {schema}.refuse_log_edit();
        -- ALWAYS: also in sessions with session_replication_role = replica
        ALTER TABLE {schema}.stored_events ENABLE ALWAYS TRIGGER append_only;
        CREATE OR REPLACE TRIGGER append_only
          BEFORE UPDATE OR DELETE OR TRUNCATE ON {schema}.archived_games
          FOR EACH STATEMENT EXECUTE FUNCTION {schema}.refuse_log_edit();
        ALTER TABLE {schema}.archived_games ENABLE ALWAYS TRIGGER append_only;
        CREATE OR REPLACE TRIGGER append_only
          BEFORE UPDATE OR DELETE OR TRUNCATE ON {schema}.archived_events
          FOR EACH STATEMENT EXECUTE FUNCTION {schema}.refuse_log_edit();
        ALTER TABLE {schema}.archived_events ENABLE ALWAYS TRIGGER append_only;

        -- And no event goes whose place and leaf do not stay, whatever is set.
        CREATE OR REPLACE FUNCTION {schema}.require_archived() RETURNS trigger
        LANGUAGE plpgsql
        SET search_path = pg_catalog, pg_temp
        AS $require$
        BEGIN
          IF EXISTS (
            SELECT FROM gone LEFT JOIN {schema}.archived_events AS kept
              USING (notification_id, originator_id, originator_version)
            WHERE kept.leaf IS NULL OR kept.leaf <> gone.leaf
          ) THEN
            RAISE EXCEPTION 'The event log is append-only: an event that is not archived stays.'
              USING ERRCODE = 'insufficient_privilege';
          END IF;
          RETURN NULL;
        END
        $require$;
        CREATE OR REPLACE TRIGGER archived AFTER DELETE ON {schema}.stored_events
          REFERENCING OLD TABLE AS gone
          FOR EACH STATEMENT EXECUTE FUNCTION {schema}.require_archived();
        ALTER TABLE {schema}.stored_events ENABLE ALWAYS TRIGGER archived;

        -- Leaves a tombstone of the game in place of its events, whose leaves are given in order.
        CREATE OR REPLACE FUNCTION {schema}.archive_game(
          given_game uuid, leaves bytea[], file text, sha256 bytea, hidden boolean, summary json
        ) RETURNS void
        LANGUAGE plpgsql
        SET search_path = pg_catalog, pg_temp
        AS $archive$
        DECLARE
          moved bigint;
        BEGIN
          INSERT INTO {schema}.archived_games (game, events, head, file, sha256, hidden, summary)
            VALUES (given_game, cardinality(leaves), leaves[cardinality(leaves)], file, sha256,
              hidden, summary);
          INSERT INTO {schema}.archived_events
              (notification_id, originator_id, originator_version, leaf)
            SELECT notification_id, originator_id, originator_version, leaves[originator_version]
            FROM {schema}.stored_events WHERE originator_id = given_game;
          GET DIAGNOSTICS moved = ROW_COUNT;
          IF moved <> cardinality(leaves) THEN
            RAISE EXCEPTION 'Game % has % events, and not %.', given_game, moved,
              cardinality(leaves) USING ERRCODE = 'integrity_constraint_violation';
          END IF;
          PERFORM set_config('phaseledger.archiving', 'yes', true);
          DELETE FROM {schema}.stored_events WHERE originator_id = given_game;
          PERFORM set_config('phaseledger.archiving', '', true);
        END
        $archive$;
        REVOKE ALL ON FUNCTION {schema}.archive_game(uuid, bytea[], text, bytea, boolean, json)
          FROM PUBLIC;

        -- Takes the tombstone away again, once all of the game's events are where they were.
        CREATE OR REPLACE FUNCTION {schema}.unarchive_game(given_game uuid) RETURNS void
        LANGUAGE plpgsql
        SET search_path = pg_catalog, pg_temp
        AS $unarchive$
        BEGIN
          IF EXISTS (
            SELECT FROM {schema}.archived_events AS kept LEFT JOIN {schema}.stored_events AS event
              USING (notification_id, originator_id, originator_version)
            WHERE kept.originator_id = given_game
              AND (event.leaf IS NULL OR event.leaf <> kept.leaf)
          ) THEN
            RAISE EXCEPTION 'Not all events of game % are back in the log.', given_game
              USING ERRCODE = 'integrity_constraint_violation';
          END IF;
          PERFORM set_config('phaseledger.archiving', 'yes', true);
          DELETE FROM {schema}.archived_events WHERE originator_id = given_game;
          DELETE FROM {schema}.archived_games WHERE game = given_game;
          PERFORM set_config('phaseledger.archiving', '', true);
        END
        $unarchive$;
        REVOKE ALL ON FUNCTION {schema}.unarchive_game(uuid) FROM PUBLIC;

        -- Appends a batch in one round trip. The lock is held from before the first position is
        -- drawn until the commit, so commits happen in the order of positions and a reader that
        -- remembers its last position misses nothing. Returns the positions in input order, which
        -- go on from the newest one that is stored: no follower would see an event below that.
        -- The event before each has to be there, with the leaf that the new one names: the primary
        -- key proves that a version is not taken, and not that it goes on from what is there, which
        -- may have gone back. A leaf that is not named, or was never stored, is not compared. The
        -- first version of a game that is archived is taken. Index scans only: a plan that was made
        -- while the table was small would read all of it later, under the lock. And one plan for
        -- all calls, since planning each statement anew took as long as the rest of a commit.
        DROP FUNCTION IF EXISTS {schema}.append_events(uuid[], bigint[], text[], bytea[], bytea[]);
        CREATE OR REPLACE FUNCTION {schema}.append_events(
          games uuid[], versions bigint[], topics text[], states bytea[], leaves bytea[],
          prevs bytea[]
        ) RETURNS bigint[]
        LANGUAGE plpgsql SECURITY DEFINER
        SET search_path = pg_catalog, pg_temp
        SET lock_timeout = '5s'
        SET enable_seqscan = off
        SET plan_cache_mode = force_generic_plan
        AS $append$
        DECLARE
          positions bigint[];
          orphan record;
        BEGIN
          LOCK TABLE {schema}.stored_events IN EXCLUSIVE MODE;
          NOTIFY stored_events;
          IF EXISTS (
            SELECT FROM unnest(games, versions) AS given (game, version)
            JOIN {schema}.archived_games USING (game) WHERE version = 1
          ) THEN
            RAISE EXCEPTION 'A game of that id was archived.' USING ERRCODE = 'unique_violation';
          END IF;
          -- Also where a copy of the tables came without its sequence.
          PERFORM setval('{schema}.stored_events_notification_id_seq', newest)
          FROM {schema}.stored_events_notification_id_seq, greatest(
            (SELECT max(notification_id) FROM {schema}.stored_events),
            (SELECT max(notification_id) FROM {schema}.archived_events)
          ) AS newest
          WHERE newest >= last_value + is_called::int;
          WITH placed AS (
            INSERT INTO {schema}.stored_events
              (originator_id, originator_version, topic, state, leaf)
            SELECT game, version, topic, state, leaf
            FROM unnest(games, versions, topics, states, leaves)
              WITH ORDINALITY AS given (game, version, topic, state, leaf, place)
            ORDER BY place
            RETURNING notification_id
          )
          SELECT array_agg(notification_id ORDER BY notification_id) INTO positions FROM placed;
          SELECT game, version INTO orphan
          FROM unnest(games, versions, prevs) AS given (game, version, prev)
          WHERE version > 1 AND (
            SELECT prev IS NULL OR leaf IS NULL OR leaf = prev FROM {schema}.stored_events
            WHERE originator_id = game AND originator_version = version - 1
          ) IS NOT TRUE
          LIMIT 1;
          IF FOUND THEN
            RAISE EXCEPTION 'Event % of game % does not follow what the log has.',
              orphan.version, orphan.game USING ERRCODE = 'foreign_key_violation';
          END IF;
          RETURN positions;
        END
        $append$;
        -- Functions are open to PUBLIC unless closed; this one runs with its owner's rights.
        REVOKE ALL
          ON FUNCTION {schema}.append_events(uuid[], bigint[], text[], bytea[], bytea[], bytea[])
          FROM PUBLIC;

        -- The signatures of commits that several commands share, in which their receipts lead.
        CREATE TABLE IF NOT EXISTS {schema}.receipt_trees (
          last_position bigint PRIMARY KEY,
          first_position bigint NOT NULL,
          key text NOT NULL,
          signature bytea NOT NULL CHECK (octet_length(signature) = 64),
          leaves bytea NOT NULL CHECK (octet_length(leaves) >= 64 AND octet_length(leaves) % 32 = 0)
        );
        COMMENT ON TABLE {schema}.receipt_trees
          IS 'Signatures over the receipt entries of one commit, and the entries'' leaf hashes';
        CREATE OR REPLACE TRIGGER append_only
          BEFORE UPDATE OR DELETE OR TRUNCATE ON {schema}.receipt_trees
          FOR EACH STATEMENT EXECUTE FUNCTION {schema}.refuse_edit();
        ALTER TABLE {schema}.receipt_trees ENABLE ALWAYS TRIGGER append_only;

        -- As `append_events`, with the signature over the receipts of these commands.
        CREATE OR REPLACE FUNCTION {schema}.append_signed_events(
          games uuid[], versions bigint[], topics text[], states bytea[], leaves bytea[],
          prevs bytea[], signer text, signature bytea, entries bytea
        ) RETURNS bigint[]
        LANGUAGE plpgsql SECURITY DEFINER
        SET search_path = pg_catalog, pg_temp
        AS $append$
        DECLARE
          positions bigint[];
        BEGIN
          positions := {schema}.append_events(games, versions, topics, states, leaves, prevs);
          INSERT INTO {schema}.receipt_trees VALUES (
            positions[cardinality(positions)], positions[1], signer, signature, entries
          );
          RETURN positions;
        END
        $append$;
        REVOKE ALL ON FUNCTION {schema}.append_signed_events(
          uuid[], bigint[], text[], bytea[], bytea[], bytea[], text, bytea, bytea) FROM PUBLIC;

        -- When games that are not over next need the service: a cache. A row counts while the
        -- game's last event has its leaf; a game without one is looked at.
        CREATE TABLE IF NOT EXISTS {schema}.due_games (
          game uuid PRIMARY KEY,
          version bigint NOT NULL,
          leaf bytea NOT NULL CHECK (octet_length(leaf) = 32),
          due_at bigint
        );
        COMMENT ON TABLE {schema}.due_games
          IS 'A cache, which may be emptied: when (ms since 1970) a game needs the service next';

        -- Which games are not over, without a step for each that is: openings without an ending.
        CREATE INDEX IF NOT EXISTS stored_events_openings_idx
          ON {schema}.stored_events (originator_id)
          WHERE originator_version = 1;
        CREATE INDEX IF NOT EXISTS stored_events_endings_idx
          ON {schema}.stored_events (originator_id)
          WHERE topic IN ('GameEnded/1', 'GameVoided/1');
        """,
    ),
    (
        "log/7",
        """
        -- From here on, events may be of the kind SeatNamed. A release that does not know it leaves
        -- the games that have one alone, since the log has a migration that is newer than itself.
        SELECT 1
        """,
    ),
)


class SchemaError(Exception):
    """The database's objects do not fit this program; the message says what to do."""


class SchemaOutdated(SchemaError):
    """The database's objects are older than this program, or missing."""


def migrate(
    owner_dsn: str,
    *,
    schema: str = SCHEMA,
    extra: Sequence[Migration] = (),
    grant: Callable[[psycopg.Connection], None] = lambda _: None,
) -> list[str]:
    """Bring the database to this program's schema; returns the names of the migrations applied.

    `extra` are the migrations of other parts, applied after the log's own. `grant` gives roles
    their rights in the same transaction.
    """
    migrations = dict(chain(LOG, extra))
    lock = f"migrate {_valid_name(schema)}"
    with psycopg.connect(fitted(owner_dsn)) as conn:
        require_usable(conn)
        conn.execute("SELECT pg_advisory_xact_lock(hashtextextended(%s, 0))", (lock,))
        conn.execute(
            SQL(
                """
                CREATE SCHEMA IF NOT EXISTS {schema};
                CREATE TABLE IF NOT EXISTS {schema}.migrations (
                  name text PRIMARY KEY,
                  applied_at timestamptz NOT NULL DEFAULT now()
                )
                """
            ).format(schema=Identifier(schema))
        )
        applied = _applied(conn, schema)
        _refuse_newer(applied, migrations)
        missing = [name for name in migrations if name not in applied]
        for name in missing:
            conn.execute(SQL(migrations[name]).format(schema=Identifier(schema)))
            insert = "INSERT INTO {}.migrations (name) VALUES (%s)"
            conn.execute(within(schema, insert), (name,))
        grant(conn)
    return missing


def check(dsn: str, *, schema: str = SCHEMA, extra: Sequence[Migration] = ()) -> None:
    """Raise SchemaError unless the database has exactly what `migrate` would make.

    Only the parts named in LOG and `extra` are compared: a user of the log alone need not know
    which projections share its schema.
    """
    with connected(dsn) as conn:
        require_current(conn, schema, extra)


def require_current(
    conn: psycopg.Connection, schema: str = SCHEMA, extra: Sequence[Migration] = ()
) -> None:
    """As `check`, over a connection."""
    lacking = pending(conn, schema, extra)
    if len(lacking) == len({*LOG, *extra}):
        raise SchemaOutdated(
            f"The database has no schema {schema!r} yet: run `phaseledger admin migrate`."
        )
    if lacking:
        raise SchemaOutdated(
            f"The database's schema {schema!r} is older than this program (it lacks "
            f"{', '.join(lacking)}): run `phaseledger admin migrate`."
        )


def pending(conn: psycopg.Connection, schema: str, extra: Sequence[Migration]) -> list[str]:
    """The names of the migrations that `migrate` would apply.

    Raises:
        StoreUnfit: the server or the database is not fit.
        SchemaError: the schema is newer than this program.

    """
    require_usable(conn)
    names = [name for name, _ in chain(LOG, extra)]
    query, table = "SELECT to_regclass(%s) IS NOT NULL", f"{_valid_name(schema)}.migrations"
    has_table = conn.execute(query, (table,)).fetchone() == (True,)
    applied = _applied(conn, schema) if has_table else set()
    _refuse_newer(applied, names)
    return [name for name in names if name not in applied]


def _valid_name(schema: str) -> str:
    if not SCHEMA_NAME.fullmatch(schema):
        raise ValueError(
            f"{schema!r} is no schema name: use lower-case letters, digits and underscores."
        )
    return schema


def _applied(conn: psycopg.Connection, schema: str) -> set[str]:
    rows = conn.execute(within(schema, "SELECT name FROM {}.migrations"))
    return {name for (name,) in rows}


def _refuse_newer(applied: Iterable[str], names: Iterable[str]) -> None:
    newest = dict(sorted(map(_numbered, names)))
    numbered = ((name, *_numbered(name)) for name in applied)
    newer = sorted(name for name, part, number in numbered if number > newest.get(part, number))
    if newer:
        raise SchemaError(
            f"The database's schema is newer than this program (it has {', '.join(newer)}): "
            "install the release of phaseledger that made it, or a later one."
        )


def is_newer(applied: Iterable[str]) -> bool:
    """Whether the log has one of the migrations of a newer release."""
    newest = _numbered(LOG[-1][0])
    return any(part == newest[0] and number > newest[1] for part, number in map(_numbered, applied))


def _numbered(name: str) -> tuple[str, int]:
    """The part that the migration is of, and its number there."""
    part, _, number = name.partition("/")
    return part, int(number)
