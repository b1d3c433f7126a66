"""Database setup: the embedded or external server of the settings, with our tables migrated."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psycopg
from msgspec.structs import replace
from psycopg.sql import SQL, Identifier

from phaseledger.projections.sql import MIGRATIONS
from phaseledger.service.applications.store import APPLICATIONS
from phaseledger.service.credentials.store import SEATS
from phaseledger.service.database import rights
from phaseledger.service.database.embedded import embedded_postgres
from phaseledger.service.database.rights import PROJECTIONS, SERVICE
from phaseledger.service.eventlog import migrations
from phaseledger.service.eventlog.connection import bounded, connected, fitted, parameters
from phaseledger.service.eventlog.migrations import (
    Migration,
    SchemaError,
    SchemaOutdated,
    check,
    migrate,
)
from phaseledger.service.eventlog.write_probe import PROBE
from phaseledger.service.lobby.join_codes import CODES
from phaseledger.service.operations import ADMIN
from phaseledger.service.players.store import PLAYERS
from phaseledger.service.settings import NAMES, Settings, SettingsError
from phaseledger.service.signin.store import SESSIONS
from phaseledger.service.transparency.tree_sql import TREE
from phaseledger.service.webhooks.sql import WEBHOOKS

DROPPED: Migration = (
    # As due/1: no earlier release minds it.
    "dropped/1",
    "DROP TABLE IF EXISTS {schema}.token_buckets, {schema}.open_tables, {schema}.snapshots",
)
EXTRA = (
    *MIGRATIONS,
    *SEATS,
    *APPLICATIONS,
    *PLAYERS,
    *SESSIONS,
    *TREE,
    *ADMIN,
    *CODES,
    *WEBHOOKS,
    *PROBE,
    DROPPED,
)
"""The migrations beside the log's own."""


@contextmanager
def connected_settings(settings: Settings, *, watch: bool = False) -> Iterator[Settings]:
    """The settings with the DSN of a running server, during the block.

    Settings without a DSN mean the embedded server, which is started unless it runs, and stopped by
    the last process that leaves; with ``watch`` it is started again when it dies.

    Raises:
        SettingsError: a DSN is malformed.

    """
    try:
        parameters(settings.database_url)
    except ValueError as wrong:  # its sentence does not quote the DSN, password and all
        raise SettingsError(f"database_url is not usable. {wrong}") from None
    if settings.database_url:
        yield settings
        return
    data_dir = Path(settings.data_dir) if settings.data_dir else None
    with embedded_postgres(data_dir, watch=watch) as dsn:
        yield replace(settings, database_url=dsn)


def prepare(settings: Settings, *, migrating: bool = True) -> None:
    """Check the database's tables, and migrate them if they are behind and ``migrating`` is set.

    Raises:
        SchemaError: the tables are newer than this program, this role may not make them, or they
            have another number of a ledger than the settings.
        psycopg.OperationalError: the database does not answer.

    """
    dsn = bounded(settings.database_url)  # with bounds on the wait for an answer
    _require_number(dsn, settings)
    try:
        check(dsn, schema=settings.schema, extra=EXTRA)
    except SchemaOutdated:
        if not migrating:
            raise
        upgrade(settings)


def _require_number(dsn: str, settings: Settings) -> None:
    """Check that tables that were a partition of release 0.1.0 are served under their number.

    Raises:
        SchemaError: they are not.
        psycopg.OperationalError: the database does not answer.

    """
    table = f"{settings.schema}.partition"
    with connected(dsn) as conn:
        if conn.execute("SELECT to_regclass(%s) IS NULL", (table,)).fetchone() == (True,):
            return
        query = SQL("SELECT number, cardinality(members) FROM {}")
        named = Identifier(settings.schema, "partition")
        ((number, members),) = conn.execute(query.format(named)).fetchall()
    if number != settings.ledger:
        raise SchemaError(
            f"The schema {settings.schema!r} was partition {number} of {members}, each of which is "
            f"a ledger of its own now: set PHASELEDGER_LEDGER={number} for it, and run a service "
            "for each of the others (docs/how-to/scale.md, Partitions of release 0.1.0)."
        )


def upgrade(
    settings: Settings, *, application_role: str | None = None, projection_role: str | None = None
) -> list[str]:
    """Apply the missing migrations as the owner of the tables; returns their names.

    The roles must exist already. One that is named for the application alone follows the
    projections too. Roles with rights get them on new tables as well.
    """
    dsn, schema = settings.database_url, settings.schema
    _require_number(dsn, settings)
    alone = set() if projection_role else {PROJECTIONS}
    named = {application_role: {SERVICE, *alone}, projection_role: {PROJECTIONS}}
    if application_role == projection_role:
        named = {application_role: {SERVICE, PROJECTIONS}}
    try:
        with psycopg.connect(fitted(dsn)) as conn:
            roles = rights.granted(conn, schema)
            for role, parts in named.items():
                if role is not None:
                    rights.require_role(conn, role)
                    roles[role] = roles.get(role, set()) | parts

        def grant(conn: psycopg.Connection) -> None:
            # Which raises the sequences that are behind what is stored.
            raised = SQL("UPDATE {} SET tried_at = clock_timestamp()")
            conn.execute(raised.format(Identifier(schema, "write_probe")))
            rights.grant(conn, schema, roles)

        return migrate(dsn, schema=schema, extra=EXTRA, grant=grant)
    except psycopg.errors.InsufficientPrivilege as refused:
        raise SchemaError(
            "This database role may not make the tables: run `phaseledger admin migrate` with the "
            "owner's DSN."
        ) from refused


def pending(settings: Settings) -> list[str]:
    """The migrations that `upgrade` would apply; raises what it would raise before it begins."""
    _require_number(settings.database_url, settings)
    with connected(settings.database_url) as conn:
        return migrations.pending(conn, settings.schema, EXTRA)


def owns_tables(conn: psycopg.Connection, schema: str) -> bool | None:
    """Whether the schema belongs to the role of the connection; None: there is no such schema."""
    query = "SELECT pg_has_role(nspowner, 'USAGE') FROM pg_namespace WHERE nspname = %s"
    row = conn.execute(query, (schema,)).fetchone()
    return None if row is None else bool(row[0])


def require_owner(settings: Settings) -> None:
    """Check that the tables belong to the role of the DSN. Raises SchemaError."""
    with connected(settings.database_url) as conn:
        if owns_tables(conn, settings.schema) is False:
            raise SchemaError(
                f"The database role {conn.info.user!r} does not own the tables, which this takes: "
                "give the owner's DSN as PHASELEDGER_DATABASE_URL."
            )


def require_rights(settings: Settings, *parts: str) -> None:
    """Check that the role may do what the parts take. Raises SchemaError."""
    with connected(settings.database_url) as conn:
        rights.require_rights(conn, settings.schema, parts)


def to_environment(settings: Settings) -> None:
    """Set the environment variables of the settings, for the processes started from this one."""
    for name in NAMES:
        os.environ[f"PHASELEDGER_{name.upper()}"] = str(getattr(settings, name))


def require_reader(settings: Settings) -> None:
    """Check that the role of the DSN may read all that a dump has. Raises SchemaError."""
    query = """
        SELECT FROM pg_class WHERE relnamespace = to_regnamespace(%s) AND CASE relkind
          WHEN 'S' THEN NOT has_sequence_privilege(oid, 'SELECT')
          WHEN 'r' THEN NOT has_table_privilege(oid, 'SELECT') END
    """
    with connected(settings.database_url) as conn:
        if conn.execute(query, (settings.schema,)).rowcount:
            raise SchemaError(
                f"The database role {conn.info.user!r} may not read every table, which a backup "
                "takes: give the owner's DSN as PHASELEDGER_DATABASE_URL, or that of a member of "
                "pg_read_all_data."
            )
