"""Database setup: the embedded or external server of the settings, with our tables migrated."""

import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

import psycopg
from msgspec.structs import replace
from psycopg.sql import SQL, Identifier

from phaseledger.projections.sql import MIGRATIONS
from phaseledger.replay.records.partitions import PartitionLocation
from phaseledger.service.credentials.postgres import SEATS
from phaseledger.service.database.embedded import embedded_postgres
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
from phaseledger.service.partitions import rights
from phaseledger.service.partitions.partition_map import (
    PARTITION,
    PartitionRecord,
    read_partition_record,
    require_at_home,
    require_fitting,
    write_partition_records,
)
from phaseledger.service.partitions.rights import PROJECTIONS, SERVICE
from phaseledger.service.settings import Settings, SettingsError, places
from phaseledger.service.transparency.tree_sql import TREE
from phaseledger.service.webhooks.sql import WEBHOOKS

DROPPED: Migration = (
    # As due/1: no earlier release minds it.
    "dropped/1",
    "DROP TABLE IF EXISTS {schema}.token_buckets, {schema}.open_tables",
)
EXTRA = (*MIGRATIONS, *SEATS, *TREE, *ADMIN, *CODES, *WEBHOOKS, *PROBE, DROPPED)
"""The migrations beside the log's own."""


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

    The roles must exist already. One that is named for the application alone follows the
    projections too. Those that had rights before get them on new tables as well.
    """
    listed, names = places(settings), list[str]()
    alone = set() if projection_role else {PROJECTIONS}
    named = {application_role: {SERVICE, *alone}, projection_role: {PROJECTIONS}}
    if application_role == projection_role:
        named = {application_role: {SERVICE, PROJECTIONS}}
    for place in listed:
        where = f"partition {place.number}: " if settings.partitions else ""
        applied = _upgrade_partition(place, _extra(settings), named)
        names += [where + name for name in applied]
    if settings.partitions:
        write_partition_records(listed)
    return names


def _upgrade_partition(
    place: PartitionLocation, extra: Sequence[Migration], named: Mapping[str | None, set[str]]
) -> list[str]:
    try:
        with psycopg.connect(fitted(place.owning_dsn)) as conn:
            roles = rights.granted(conn, place.schema)
            for role, parts in named.items():
                if role is not None:
                    rights.require_role(conn, role)
                    roles[role] = roles.get(role, set()) | parts

        def grant(conn: psycopg.Connection) -> None:
            # Which raises the sequences that are behind what is stored.
            conn.execute(SQL("SELECT {}()").format(Identifier(place.schema, "try_write")))
            rights.grant(conn, place.schema, roles)

        return migrate(place.owning_dsn, schema=place.schema, extra=extra, grant=grant)
    except psycopg.errors.InsufficientPrivilege as refused:
        raise SchemaError(
            "This database role may not make the tables: give the owner's DSN as "
            "PHASELEDGER_OWNER_DATABASE_URL, or run `phaseledger migrate` with it."
        ) from refused


def require_owner(settings: Settings) -> None:
    """Check that the tables belong to the role of the owner's DSN. Raises SchemaError."""
    query = "SELECT pg_has_role(nspowner, 'USAGE') FROM pg_namespace WHERE nspname = %s"
    for place in places(settings):
        with connected(place.owning_dsn) as conn:
            if conn.execute(query, (place.schema,)).fetchone() == (False,):
                raise SchemaError(
                    f"The database role {conn.info.user!r} does not own the tables, which this "
                    "takes: give the owner's DSN as PHASELEDGER_OWNER_DATABASE_URL."
                )


def require_rights(settings: Settings, *parts: str) -> None:
    """Check that the role may do what the parts take, where it answers. Raises SchemaError."""
    for place in places(settings):
        with suppress(psycopg.OperationalError), connected(place.dsn) as conn:
            rights.require_rights(conn, place.schema, parts)


def to_environment(settings: Settings) -> None:
    """Set the environment variables of the settings, for the processes started from this one."""
    for name in settings.__struct_fields__:
        os.environ[f"PHASELEDGER_{name.upper()}"] = str(getattr(settings, name))
