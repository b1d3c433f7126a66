"""Database setup: the embedded or external server of the settings, with our tables migrated."""

import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

import psycopg
from msgspec.structs import replace
from psycopg.sql import SQL, Identifier

from phaseledger.projections.sql import MIGRATIONS
from phaseledger.replay.records.partitions import PartitionLocation
from phaseledger.service import operations
from phaseledger.service.credentials import postgres
from phaseledger.service.credentials.postgres import SEATS
from phaseledger.service.database import sealing
from phaseledger.service.database.embedded import embedded_postgres
from phaseledger.service.eventlog import write_probe
from phaseledger.service.eventlog.connection import bounded, parameters
from phaseledger.service.eventlog.migrations import (
    Migration,
    SchemaError,
    SchemaOutdated,
    check,
    migrate,
)
from phaseledger.service.eventlog.write_probe import PROBE
from phaseledger.service.lobby import join_codes
from phaseledger.service.lobby.join_codes import CODES
from phaseledger.service.operations import ADMIN
from phaseledger.service.partitions import partition_map
from phaseledger.service.partitions.partition_map import (
    PARTITION,
    PartitionRecord,
    read_partition_record,
    require_at_home,
    require_fitting,
    write_partition_records,
)
from phaseledger.service.quotas import postgres as quotas
from phaseledger.service.quotas.postgres import QUOTAS
from phaseledger.service.settings import Settings, SettingsError, places
from phaseledger.service.transparency.tree_sql import GRANTED, TABLES, TREE
from phaseledger.service.webhooks import sql
from phaseledger.service.webhooks.sql import WEBHOOKS

EXTRA = (*MIGRATIONS, *SEATS, *TREE, *ADMIN, *CODES, *WEBHOOKS, *PROBE, *QUOTAS)
"""The migrations beside the log's own."""
APPEND_TABLES = (*postgres.TABLES, *operations.TABLES, *join_codes.TABLES, *sealing.TABLES)
"""Tables that the application inserts into, and the projections may not read."""


@contextmanager
def connected_settings(settings: Settings, *, watch: bool = False) -> Iterator[Settings]:
    """The settings with the DSN of a running server, during the block.

    Settings without a DSN mean the embedded server, which is started unless it runs, and stopped by
    the last process that leaves; with ``watch`` it is started again when it dies.

    Raises:
        SettingsError: a DSN is malformed.

    """
    dsns = [("database_url", settings.database_url)]
    dsns += [("owner_database_url", settings.owner_database_url)]
    listed = places(settings)
    if settings.partitions:
        dsns += [(f"partition {place.number}", dsn) for place in listed for dsn in place[1:4:2]]
    for name, dsn in dsns:
        try:
            parameters(dsn)
        except ValueError as wrong:  # its sentence does not quote the DSN, password and all
            raise SettingsError(f"{name} is not usable. {wrong}") from None
    if all(place.dsn for place in listed):
        yield settings
        return
    data_dir = Path(settings.data_dir) if settings.data_dir else None
    with embedded_postgres(data_dir, watch=watch) as dsn:
        yield replace(settings, database_url=dsn)


def prepare(settings: Settings, *, migrating: bool = True) -> None:
    """Check the database's tables, and migrate them if they are behind and ``migrating`` is set.

    Of several partitions some may be away, as long as nothing is to be done there.

    Raises:
        SchemaError: the tables are newer than this program, or this role may not make them, or
            they are not those of the partitions that the settings list.

    """
    listed, records, away = places(settings), dict[int, PartitionRecord](), list[int]()
    missing, outage = False, None
    for place in listed:
        try:
            if record := _check_partition(settings, place):
                records[place.number] = record
        except SchemaOutdated:
            if not migrating:
                raise
            missing = True
        except psycopg.OperationalError as error:
            outage, away = error, [*away, place.number]
    if outage and len(away) == len(listed):
        raise outage
    missing = not _fits(settings, records) or missing
    if missing and not migrating:
        raise SchemaError(
            "The partitions do not know of all in the list: run `phaseledger migrate`."
        )
    if missing and away:
        raise SchemaError(
            f"Not all partitions are migrated, and partition {away[0]} does not answer: start its "
            "database, then run `phaseledger migrate`."
        )
    if missing:
        upgrade(settings)


def _check_partition(settings: Settings, place: PartitionLocation) -> PartitionRecord | None:
    """The partition's record, once it has this program's tables and only its own games.

    Raises:
        SchemaError, psycopg.OperationalError: it has not, or does not answer.

    """
    dsn = bounded(place.dsn)  # with bounds on the wait for an answer
    check(dsn, schema=place.schema, extra=_extra(settings))
    record = read_partition_record(dsn, place.schema)
    if settings.partitions and (record is None or record.number == place.number):
        require_at_home(dsn, place.schema, place.number)
    return record


def _fits(settings: Settings, records: Mapping[int, PartitionRecord]) -> bool:
    """Whether all partitions store the full list of members; raises SchemaError for others."""
    listed = places(settings)
    if settings.partitions:
        require_fitting(listed, records)
        return max((len(record.members) for record in records.values()), default=0) == len(listed)
    if records:
        raise SchemaError(
            f"The schema {settings.schema!r} is partition {records[1].number} of a ledger that has "
            f"{len(records[1].members)}: name the file that lists them as PHASELEDGER_PARTITIONS."
        )
    return True


def _extra(settings: Settings) -> tuple[Migration, ...]:
    return (*EXTRA, *PARTITION) if settings.partitions else EXTRA


def upgrade(
    settings: Settings, *, application_role: str | None = None, projection_role: str | None = None
) -> list[str]:
    """Apply the missing migrations as the owner of the tables; returns their names.

    Tokens are issued by the application alone, and the projections may not read them. The tree of
    the public log is written by its functions alone.
    """
    listed, names = places(settings), list[str]()
    for place in listed:
        where = f"partition {place.number}: " if settings.partitions else ""
        applied = _upgrade_partition(place, _extra(settings), application_role, projection_role)
        names += [where + name for name in applied]
    if settings.partitions:
        write_partition_records(listed)
    return names


def _upgrade_partition(
    place: PartitionLocation,
    extra: Sequence[Migration],
    application_role: str | None,
    projection_role: str | None,
) -> list[str]:
    grants = dict.fromkeys(APPEND_TABLES, SQL("GRANT INSERT ON {} TO {}"))
    write = SQL("GRANT INSERT, UPDATE, DELETE ON {} TO {}")
    grants |= dict.fromkeys((*sql.TABLES, *quotas.TABLES), write)
    grants |= dict.fromkeys(postgres.PASSING_TABLES, SQL("GRANT INSERT, DELETE ON {} TO {}"))
    functions = (*GRANTED, *write_probe.GRANTED)
    grants |= dict.fromkeys(functions, SQL("GRANT EXECUTE ON FUNCTION {} TO {}"))
    tables = [*APPEND_TABLES, *TABLES, *sql.TABLES, *postgres.READ_TABLES, *write_probe.TABLES]
    tables += (*quotas.TABLES, *postgres.PASSING_TABLES)
    tables += partition_map.TABLES if extra[-1] in PARTITION else ()
    grants["set_aside_games"] = SQL(
        "GRANT INSERT (game, version, reason), UPDATE (voided_at, voided_by, void_reason) "
        "ON {} TO {}"
    )
    revokes = dict.fromkeys(tables, SQL("REVOKE ALL ON {} FROM {}"))

    def grant(conn: psycopg.Connection) -> None:
        for role, rights in ((application_role, grants), (projection_role, revokes)):
            if role:
                for name, right in rights.items():
                    conn.execute(right.format(Identifier(place.schema, name), Identifier(role)))

    try:
        return migrate(
            place.owning_dsn,
            schema=place.schema,
            extra=extra,
            application_role=application_role,
            projection_role=projection_role,
            grant=grant,
        )
    except psycopg.errors.InsufficientPrivilege as refused:
        raise SchemaError(
            "This database role may not make the tables: give the owner's DSN as "
            "PHASELEDGER_OWNER_DATABASE_URL, or run `phaseledger migrate` with it."
        ) from refused


def to_environment(settings: Settings) -> None:
    """Set the environment variables of the settings, for the processes started from this one."""
    for name in settings.__struct_fields__:
        os.environ[f"PHASELEDGER_{name.upper()}"] = str(getattr(settings, name))
