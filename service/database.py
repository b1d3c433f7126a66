"""The database that the settings mean: an embedded server or somebody's own, with our tables."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psycopg
from msgspec.structs import replace
from psycopg.sql import SQL, Identifier

from projections.sql import MIGRATIONS
from service import admin, join_codes, seats, webhooks_sql
from service.admin import ADMIN
from service.join_codes import CODES
from service.postgres import embedded_postgres
from service.recorder import parameters
from service.schema import SchemaError, check, migrate
from service.seats import SEATS
from service.settings import Settings, SettingsError
from service.tree_sql import GRANTED, TABLES, TREE
from service.webhooks_sql import WEBHOOKS

EXTRA = (*MIGRATIONS, *SEATS, *TREE, *ADMIN, *CODES, *WEBHOOKS)
"""The migrations beside the log's own."""
KEPT = (*seats.TABLES, *admin.TABLES, *join_codes.TABLES)
"""What the application adds to, and the projections have no business with."""


@contextmanager
def connected(settings: Settings) -> Iterator[Settings]:
    """The settings with a DSN that answers for as long as the block lasts.

    Without one they mean the embedded server, which is started unless it runs, and stopped by the
    last process that leaves.

    Raises:
        SettingsError: a DSN is malformed.

    """
    for name in ("database_url", "owner_database_url"):
        try:
            parameters(getattr(settings, name))
        except ValueError as wrong:  # its sentence does not quote the DSN, password and all
            raise SettingsError(f"{name} is not usable. {wrong}") from None
    if settings.database_url:
        yield settings
        return
    with embedded_postgres(Path(settings.data_dir) if settings.data_dir else None) as dsn:
        yield replace(settings, database_url=dsn)


def prepare(settings: Settings) -> None:
    """Bring the database to this program's tables, if they are not there already.

    Raises:
        SchemaError: the tables are newer than this program, or this role may not make them.

    """
    try:
        check(settings.database_url, schema=settings.schema, extra=EXTRA)
    except SchemaError:
        upgrade(settings)


def upgrade(
    settings: Settings, *, application_role: str | None = None, projection_role: str | None = None
) -> list[str]:
    """Apply the missing migrations as the owner of the tables; returns their names.

    Tokens are issued by the application alone, and are no business of the projections. The tree of
    the public log is written by its functions alone.
    """
    owner = settings.owner_database_url or settings.database_url
    kept = [Identifier(settings.schema, name) for name in KEPT]
    try:
        applied = migrate(
            owner,
            schema=settings.schema,
            extra=EXTRA,
            application_role=application_role,
            projection_role=projection_role,
        )
        with psycopg.connect(owner) as conn:
            if application_role:
                for table in kept:
                    grant = SQL("GRANT INSERT ON {} TO {}")
                    conn.execute(grant.format(table, Identifier(application_role)))
                for name in webhooks_sql.TABLES:
                    grant = SQL("GRANT INSERT, UPDATE, DELETE ON {} TO {}")
                    table = Identifier(settings.schema, name)
                    conn.execute(grant.format(table, Identifier(application_role)))
                for name in GRANTED:
                    grant = SQL("GRANT EXECUTE ON FUNCTION {} TO {}")
                    function = Identifier(settings.schema, name)
                    conn.execute(grant.format(function, Identifier(application_role)))
            if projection_role:
                revoke = SQL("REVOKE ALL ON {} FROM {}")
                others = (*TABLES, *webhooks_sql.TABLES)
                for each in (*kept, *(Identifier(settings.schema, name) for name in others)):
                    conn.execute(revoke.format(each, Identifier(projection_role)))
    except psycopg.errors.InsufficientPrivilege as refused:
        raise SchemaError(
            "This database role may not make the tables: give the owner's DSN as "
            "PHASELEDGER_OWNER_DATABASE_URL, or run `phaseledger migrate` with it."
        ) from refused
    return applied


def to_environment(settings: Settings) -> None:
    """Hand the settings on to the processes started from this one."""
    for name in settings.__struct_fields__:
        os.environ[f"PHASELEDGER_{name.upper()}"] = str(getattr(settings, name))
