"""The write probe: a trial write that shows whether the log can be written, and stores nothing.

An event needs the log's lock, a commit on the disk of the write-ahead log, and at times a new page
on the disk of the tables. The probe commits a change of one row. Before that it takes the lock,
and a new page for a row, and rolls both back: writers do not wait for its commit, and on a full
disk an UPDATE alone may succeed for hours.
"""

from collections.abc import Awaitable, Callable

from psycopg.sql import SQL, Identifier

from phaseledger.service.eventlog.connection import Connection
from phaseledger.service.eventlog.migrations import SCHEMA, Migration
from phaseledger.service.eventlog.side_connection import SideConnection

SECONDS = 5.0  # for one try, until its connection is cut

PROBE: tuple[Migration, ...] = (
    (
        "probe/3",
        """
        CREATE TABLE IF NOT EXISTS {schema}.write_probe (
          one boolean PRIMARY KEY DEFAULT true CHECK (one),
          tried_at timestamptz NOT NULL DEFAULT clock_timestamp()
        );
        INSERT INTO {schema}.write_probe DEFAULT VALUES ON CONFLICT DO NOTHING;

        -- Never has a row that anybody sees. A filler is larger than half a page and stays in its
        -- row, so that each takes a new page; vacuum gives them back. Unlogged, or each of them
        -- would be in the write-ahead log as well.
        CREATE UNLOGGED TABLE IF NOT EXISTS {schema}.write_probe_pages (filler text NOT NULL)
          WITH (autovacuum_vacuum_threshold = 50, autovacuum_vacuum_scale_factor = 0);
        ALTER TABLE {schema}.write_probe_pages ALTER COLUMN filler SET STORAGE PLAIN;

        CREATE OR REPLACE FUNCTION {schema}.try_write() RETURNS void
        LANGUAGE plpgsql SECURITY DEFINER
        SET search_path = pg_catalog, pg_temp
        SET lock_timeout = '600ms'  -- readiness waits a little longer, and says why
        AS $try$
        BEGIN
          UPDATE {schema}.write_probe SET tried_at = clock_timestamp();
          BEGIN
            LOCK TABLE {schema}.stored_events IN ROW EXCLUSIVE MODE;
            INSERT INTO {schema}.write_probe_pages VALUES (repeat('-', 5000));
            RAISE EXCEPTION USING ERRCODE = 'PL001', MESSAGE = 'there is room';
          EXCEPTION WHEN SQLSTATE 'PL001' THEN
            NULL;
          END;
        END
        $try$;
        REVOKE ALL ON FUNCTION {schema}.try_write() FROM PUBLIC;

        -- Raises each sequence that is behind what is stored, as where the tables were copied
        -- without it. Positions of the log stand in several tables.
        CREATE OR REPLACE FUNCTION {schema}.raise_sequences() RETURNS trigger
        LANGUAGE plpgsql
        SET search_path = pg_catalog, pg_temp
        AS $raise$
        DECLARE
          owned record;
          newest bigint;
          following bigint;
        BEGIN
          FOR owned IN
            SELECT sequence.oid::regclass AS sequence, attrelid::regclass AS of_table, attname
            FROM pg_class AS sequence
            JOIN pg_depend ON objid = sequence.oid AND classid = 'pg_class'::regclass
              AND refclassid = 'pg_class'::regclass AND deptype IN ('a', 'i')
            JOIN pg_attribute ON attrelid = refobjid AND attnum = refobjsubid
            WHERE relkind = 'S' AND relnamespace = '{schema}'::regnamespace
          LOOP
            EXECUTE format('SELECT max(%I) FROM %s', owned.attname, owned.of_table) INTO newest;
            IF owned.of_table = '{schema}.stored_events'::regclass THEN
              newest := greatest(newest,
                (SELECT max(notification_id) FROM {schema}.archived_events),
                (SELECT max(notification_id) FROM {schema}.notification_tracking
                  WHERE application_name = 'projections'),
                (SELECT max(last_position) FROM {schema}.receipt_trees),
                (SELECT max(place) FROM {schema}.restored_games));
            END IF;
            EXECUTE format('SELECT last_value + is_called::int FROM %s', owned.sequence)
              INTO following;
            IF following <= newest THEN
              -- Nobody draws from it meanwhile; whoever did before has raised it.
              EXECUTE format('LOCK TABLE %s IN SHARE ROW EXCLUSIVE MODE', owned.of_table);
              EXECUTE format('SELECT setval(%L, greatest($1, last_value)) FROM %s',
                owned.sequence, owned.sequence) USING newest;
            END IF;
          END LOOP;
          RETURN NULL;
        END
        $raise$;
        CREATE OR REPLACE TRIGGER raised BEFORE UPDATE ON {schema}.write_probe
          FOR EACH STATEMENT EXECUTE FUNCTION {schema}.raise_sequences();
        """,
    ),
)
TABLES = ("write_probe", "write_probe_pages")
"""The tables that the function alone writes."""
GRANTED = ("try_write",)
"""The functions that the application's role may run."""


class WriteProbe:
    """Tries whether the log's database can be written. ``require`` is asked before."""

    def __init__(
        self,
        connection: SideConnection,
        schema: str = SCHEMA,
        require: Callable[[Connection], Awaitable[None]] | None = None,
    ) -> None:
        self._connection = connection
        self._require = require
        self._statement = SQL("SELECT {}()").format(Identifier(schema, "try_write"))

    async def try_write(self) -> None:
        """Commit a write, and raise the sequences that are behind what is stored.

        Raises:
            StoreUnavailable: that was refused, or not answered in time.
            What ``require`` raises.

        """

        async def work(conn: Connection) -> None:
            if self._require is not None:
                await self._require(conn)
            await conn.execute(self._statement)

        await self._connection.run(work, SECONDS)
