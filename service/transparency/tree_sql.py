"""The tables of the public log, and the functions that alone may write them, as SQL.

Every row has the log's name, so that a log started anew under another one has a tree of its own
beside what is left of the old one. ``{schema}`` stands for the quoted name of the schema.
"""

from phaseledger.service.eventlog.migrations import Migration

TREE: tuple[Migration, ...] = (
    (
        "tree/1",
        """
        -- Tiles of the Merkle tree (domain/evidence/tiles.py). first: the log position of a tile's
        -- first leaf, for the tiles of level 0, since positions have gaps.
        CREATE TABLE {schema}.tree_tiles (
          log text COLLATE "C",
          level smallint,
          number bigint,
          hashes bytea NOT NULL CHECK (
            octet_length(hashes) BETWEEN 32 AND 8192 AND octet_length(hashes) % 32 = 0
          ),
          first bigint,
          PRIMARY KEY (log, level, number)
        );
        CREATE UNIQUE INDEX tree_tiles_by_position ON {schema}.tree_tiles (log, first)
          WHERE level = 0;

        -- Every size that the tree has had, and its one root; position: of the last leaf. Without a
        -- note it is not published.
        CREATE TABLE {schema}.checkpoints (
          log text COLLATE "C",
          size bigint CHECK (size > 0),
          root bytea NOT NULL CHECK (octet_length(root) = 32),
          position bigint NOT NULL,
          note text,
          at timestamptz NOT NULL DEFAULT now(),
          PRIMARY KEY (log, size)
        );

        -- Signature lines of witnesses under the checkpoint's text.
        CREATE TABLE {schema}.cosignatures (
          log text COLLATE "C",
          size bigint,
          key text COLLATE "C",
          line text NOT NULL,
          at timestamptz NOT NULL DEFAULT now(),
          PRIMARY KEY (log, size, key),
          FOREIGN KEY (log, size) REFERENCES {schema}.checkpoints
        );

        CREATE TRIGGER kept BEFORE DELETE OR TRUNCATE ON {schema}.tree_tiles
          FOR EACH STATEMENT EXECUTE FUNCTION {schema}.refuse_edit();
        CREATE TRIGGER kept BEFORE DELETE OR TRUNCATE ON {schema}.checkpoints
          FOR EACH STATEMENT EXECUTE FUNCTION {schema}.refuse_edit();

        -- Lets the tree grow from one size to the next, tiles and root in one transaction.
        CREATE FUNCTION {schema}.extend_tree(
          given_log text, old_size bigint, new_size bigint, new_root bytea, new_position bigint,
          levels smallint[], numbers bigint[], tiles bytea[], firsts bigint[]
        ) RETURNS void
        LANGUAGE plpgsql SECURITY DEFINER
        SET search_path = pg_catalog, pg_temp
        SET lock_timeout = '10s'
        AS $extend$
        DECLARE
          before record;
          written bigint;
          leaves bigint;
        BEGIN
          LOCK TABLE {schema}.checkpoints IN SHARE ROW EXCLUSIVE MODE;
          SELECT c.size, c.position INTO before FROM {schema}.checkpoints AS c
            WHERE c.log = given_log ORDER BY c.size DESC LIMIT 1;
          IF coalesce(before.size, 0) <> old_size
             OR new_size <= old_size OR new_position <= coalesce(before.position, 0) THEN
            RAISE EXCEPTION 'The tree has % leaves: it cannot grow from % to %.',
              coalesce(before.size, 0), old_size, new_size USING ERRCODE = 'TR001';
          END IF;
          -- A tile is only ever made longer, and so a full one stays as it is.
          INSERT INTO {schema}.tree_tiles AS t (log, level, number, hashes, first)
            SELECT given_log, given.* FROM unnest(levels, numbers, tiles, firsts) AS given
            ON CONFLICT (log, level, number) DO UPDATE SET hashes = excluded.hashes
            WHERE octet_length(excluded.hashes) > octet_length(t.hashes)
              AND substr(excluded.hashes, 1, octet_length(t.hashes)) = t.hashes;
          GET DIAGNOSTICS written = ROW_COUNT;
          SELECT t.number * 256 + octet_length(t.hashes) / 32 INTO leaves
            FROM {schema}.tree_tiles AS t
            WHERE t.log = given_log AND t.level = 0 ORDER BY t.number DESC LIMIT 1;
          IF written <> cardinality(tiles) OR leaves IS DISTINCT FROM new_size THEN
            RAISE EXCEPTION 'A tile of the tree would be changed, or is missing.'
              USING ERRCODE = 'TR001';
          END IF;
          INSERT INTO {schema}.checkpoints (log, size, root, position)
            VALUES (given_log, new_size, new_root, new_position);
        END
        $extend$;

        -- Keeps the signed note of a size. The root stays; signatures change with the keys.
        CREATE FUNCTION {schema}.sign_checkpoint(given_log text, given_size bigint, given_note text)
        RETURNS void
        LANGUAGE sql SECURITY DEFINER
        SET search_path = pg_catalog, pg_temp
        BEGIN ATOMIC
          UPDATE {schema}.checkpoints SET note = given_note
            WHERE log = given_log AND size = given_size;
        END;

        CREATE FUNCTION {schema}.cosign_checkpoint(
          given_log text, given_size bigint, given_key text, given_line text
        ) RETURNS void
        LANGUAGE sql SECURITY DEFINER
        SET search_path = pg_catalog, pg_temp
        BEGIN ATOMIC
          INSERT INTO {schema}.cosignatures (log, size, key, line)
            VALUES (given_log, given_size, given_key, given_line)
            ON CONFLICT (log, size, key) DO UPDATE SET line = excluded.line, at = now();
        END;

        REVOKE ALL ON FUNCTION {schema}.extend_tree(
          text, bigint, bigint, bytea, bigint, smallint[], bigint[], bytea[], bigint[]
        ) FROM PUBLIC;
        REVOKE ALL ON FUNCTION {schema}.sign_checkpoint(text, bigint, text) FROM PUBLIC;
        REVOKE ALL ON FUNCTION {schema}.cosign_checkpoint(text, bigint, text, text) FROM PUBLIC;
        """,
    ),
)

GRANTED = ("extend_tree", "sign_checkpoint", "cosign_checkpoint")
"""The functions that the application's role may run."""
TABLES = ("tree_tiles", "checkpoints", "cosignatures")
"""The tables that only these functions may write."""

EXTEND = (
    "SELECT {}.extend_tree(%s, %s, %s, %s, %s, "
    "%s::smallint[], %s::bigint[], %s::bytea[], %s::bigint[])"
)
SIGN = "SELECT {}.sign_checkpoint(%s, %s, %s)"
COSIGN = "SELECT {}.cosign_checkpoint(%s, %s, %s, %s)"

HEAD = (
    "SELECT size, root, position, coalesce(note, '') FROM {}.checkpoints "
    "WHERE log = %s ORDER BY size DESC LIMIT 1"
)
_SIGNED = (
    "SELECT c.size, c.root, c.position, c.note || coalesce((SELECT string_agg(s.line, '' "
    "ORDER BY s.key) FROM {0}.cosignatures AS s WHERE s.log = c.log AND s.size = c.size), '') "
    "FROM {0}.checkpoints AS c WHERE c.log = %s AND c.note IS NOT NULL "
)
NEWEST = _SIGNED + "ORDER BY c.size DESC LIMIT 1"
OF_SIZE = _SIGNED + "AND c.size = %s"
_WITNESSED = "(SELECT max(s.size) FROM {0}.cosignatures AS s WHERE s.log = c.log)"
COSIGNED = _SIGNED + "AND c.size = " + _WITNESSED
HAS_ENDED = "SELECT EXISTS (SELECT FROM {}.ledger_restorations WHERE log = %s)"
# From log to log by the primary key, since there may be a row for every two seconds of years.
SIGNED_LOGS = (
    "WITH RECURSIVE logs AS ((SELECT log FROM {0}.checkpoints ORDER BY log LIMIT 1) "
    "UNION ALL SELECT (SELECT c.log FROM {0}.checkpoints AS c WHERE c.log > logs.log "
    "ORDER BY c.log LIMIT 1) FROM logs WHERE logs.log IS NOT NULL) "
    "SELECT logs.log, newest.size, "
    "EXISTS (SELECT FROM {0}.ledger_restorations AS r WHERE r.log = logs.log), "
    "EXISTS (SELECT FROM {0}.admin_events AS a "
    "WHERE a.action = 'end_log' AND a.details ->> 'log' = logs.log) "
    "FROM logs, LATERAL (SELECT c.size, c.at FROM {0}.checkpoints AS c "
    "WHERE c.log = logs.log AND c.note IS NOT NULL ORDER BY c.size DESC LIMIT 1) AS newest "
    "ORDER BY newest.at DESC"
)
TILES = (
    "SELECT level, number, hashes FROM {}.tree_tiles JOIN unnest(%s::smallint[], %s::bigint[]) "
    "AS wanted (level, number) USING (level, number) WHERE log = %s"
)
FIRST = "SELECT first FROM {}.tree_tiles WHERE log = %s AND level = 0 AND number = %s"

# All of one moment, since the tree grows meanwhile. A tile behind the newest size is at fault too.
FAULTY_TILE = (
    "WITH newest AS (SELECT coalesce(max(size), 0) AS size, max(position) AS position "
    "FROM (SELECT size, position FROM {0}.checkpoints WHERE log = %s "
    "ORDER BY size DESC LIMIT 1) AS head), "
    "tiles AS NOT MATERIALIZED (SELECT number, first, octet_length(hashes) / 32 AS leaves "
    "FROM {0}.tree_tiles WHERE log = %s AND level = 0) "
    "SELECT number FROM newest CROSS JOIN LATERAL generate_series(%s::bigint, least(%s::bigint, "
    "greatest((size + 255) / 256, (SELECT max(number) + 1 FROM tiles))) - 1) AS number "
    "LEFT JOIN tiles USING (number) CROSS JOIN LATERAL ("
    "SELECT count(*) AS events FROM {0}.logged_events WHERE notification_id >= tiles.first "
    "AND notification_id < coalesce((SELECT later.first FROM tiles AS later "
    "WHERE later.number = tiles.number + 1), position + 1)) AS logged "
    "WHERE leaves IS DISTINCT FROM least(256, size - 256 * number) OR events <> leaves "
    "ORDER BY number LIMIT 1"
)

# The tile is found by its first position, the place in it by counting 256 events at most.
INDEX = (
    "SELECT tile.number * 256 + (SELECT count(*) FROM {0}.logged_events AS before "
    "WHERE before.notification_id >= tile.first "
    "AND before.notification_id < event.notification_id) "
    "FROM {0}.logged_events AS event, LATERAL (SELECT number, first FROM {0}.tree_tiles "
    "WHERE log = %s AND level = 0 AND first <= event.notification_id "
    "ORDER BY first DESC LIMIT 1) AS tile "
    "WHERE event.notification_id <= (SELECT position FROM {0}.checkpoints WHERE log = %s "
    "ORDER BY size DESC LIMIT 1) "
    "AND event.originator_id = %s AND event.originator_version = %s"
)
LAST_WITHIN = (
    "SELECT coalesce(max(originator_version), 0) FROM {}.logged_events "
    "WHERE originator_id = %s AND notification_id <= %s"
)
