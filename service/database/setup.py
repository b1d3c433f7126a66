"""The database that the settings mean: an embedded server or somebody's own, with our tables."""

import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

import psycopg
from msgspec.structs import replace
from psycopg.conninfo import make_conninfo
from psycopg.sql import SQL, Identifier

from phaseledger.projections.sql import MIGRATIONS
from phaseledger.replay.records.partitions import PartitionLocation
from phaseledger.service import operations as admin
from phaseledger.service.credentials import postgres as seats_postgres
from phaseledger.service.credentials.postgres import SEATS
from phaseledger.service.database.embedded import embedded_postgres
from phaseledger.service.eventlog.group_commit import parameters
from phaseledger.service.eventlog.migrations import (
    Migration,
    SchemaError,
    SchemaOutdated,
    check,
    migrate,
)
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
from phaseledger.service.settings import Settings, SettingsError, places
from phaseledger.service.transparency.tree_sql import GRANTED, TABLES, TREE
from phaseledger.service.webhooks import sql as webhooks_sql
from phaseledger.service.webhooks.sql import WEBHOOKS

EXTRA = (*MIGRATIONS, *SEATS, *TREE, *ADMIN, *CODES, *WEBHOOKS)
"""The migrations beside the log's own."""
APPEND_TABLES = (*seats_postgres.TABLES, *admin.TABLES, *join_codes.TABLES)
"""What the application adds to, and the projections have no business with."""


@contextmanager
def connected_settings(settings: Settings) -> Iterator[Settings]:
    """The settings with a DSN that answers for as long as the block lasts.

    Without one they mean the embedded server, which is started unless it runs, and stopped by the
    last process that leaves.

    Raises:
        SettingsError: a DSN is malformed.

    """
    dsns = [("database_url", settings.database_url)]
    dsns += [("owner_database_url", settings.owner_database_url)]
    listed = places(settings)
    if settings.partitions:
        dsns += [(f"partition {each.number}", dsn) for each in listed for dsn in each[1:4:2]]
    for name, dsn in dsns:
        try:
            parameters(dsn)
        except ValueError as wrong:  # its sentence does not quote the DSN, password and all
            raise SettingsError(f"{name} is not usable. {wrong}") from None
    if all(each.dsn for each in listed):
        yield settings
        return
    with embedded_postgres(Path(settings.data_dir) if settings.data_dir else None) as dsn:
        yield replace(settings, database_url=dsn)


def prepare(settings: Settings, *, migrating: bool = True) -> None:
    """Bring the database to this program's tables, if they are not there already and it may.

    Of several partitions some may be away, as long as nothing is to be done there.

    Raises:
        SchemaError: the tables are newer than this program, or this role may not make them, or
            they are not those of the partitions that the settings list.

    """
    listed, known, away = places(settings), dict[int, PartitionRecord](), list[int]()
    missing, lost = False, None
    for each in listed:
        try:
            if found := _checked(settings, each):
                known[each.number] = found
        except SchemaOutdated:
            if not migrating:
                raise
            missing = True
        except psycopg.OperationalError as error:
            lost, away = error, [*away, each.number]
    if lost and len(away) == len(listed):
        raise lost
    missing = not _fits(settings, known) or missing
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


def _checked(settings: Settings, place: PartitionLocation) -> PartitionRecord | None:
    """What the partition knows of itself, once it has this program's tables and no other's games.

    Raises:
        SchemaError, psycopg.OperationalError: it has not, or does not answer.

    """
    dsn = make_conninfo(**parameters(place.dsn))  # with bounds on the wait for an answer
    check(dsn, schema=place.schema, extra=_extra(settings))
    found = read_partition_record(dsn, place.schema)
    if settings.partitions and (found is None or found.number == place.number):
        require_at_home(dsn, place.schema, place.number)
    return found


def _fits(settings: Settings, known: Mapping[int, PartitionRecord]) -> bool:
    """Whether the partitions know of one another; raises SchemaError where they are others."""
    listed = places(settings)
    if settings.partitions:
        require_fitting(listed, known)
        return max((len(each.members) for each in known.values()), default=0) == len(listed)
    if known:
        raise SchemaError(
            f"The schema {settings.schema!r} is partition {known[1].number} of a ledger that has "
            f"{len(known[1].members)}: name the file that lists them as PHASELEDGER_PARTITIONS."
        )
    return True


def _extra(settings: Settings) -> tuple[Migration, ...]:
    return (*EXTRA, *PARTITION) if settings.partitions else EXTRA


def upgrade(
    settings: Settings, *, application_role: str | None = None, projection_role: str | None = None
) -> list[str]:
    """Apply the missing migrations as the owner of the tables; returns their names.

    Tokens are issued by the application alone, and are no business of the projections. The tree of
    the public log is written by its functions alone.
    """
    listed, done = places(settings), list[str]()
    for each in listed:
        where = f"partition {each.number}: " if settings.partitions else ""
        applied = _upgraded(each, _extra(settings), application_role, projection_role)
        done += [where + name for name in applied]
    if settings.partitions:
        write_partition_records(listed)
    return done


def _upgraded(
    place: PartitionLocation,
    extra: Sequence[Migration],
    application_role: str | None,
    projection_role: str | None,
) -> list[str]:
    grants = dict.fromkeys(APPEND_TABLES, SQL("GRANT INSERT ON {} TO {}"))
    more = SQL("GRANT INSERT, UPDATE, DELETE ON {} TO {}")
    grants |= dict.fromkeys(webhooks_sql.TABLES, more)
    grants |= dict.fromkeys(GRANTED, SQL("GRANT EXECUTE ON FUNCTION {} TO {}"))
    others = [*APPEND_TABLES, *TABLES, *webhooks_sql.TABLES, *seats_postgres.READ_TABLES]
    others += partition_map.TABLES if extra[-1] in PARTITION else ()
    revokes = dict.fromkeys(others, SQL("REVOKE ALL ON {} FROM {}"))

    def grant(conn: psycopg.Connection) -> None:
        for role, rights in ((application_role, grants), (projection_role, revokes)):
            if role:
                for name, right in rights.items():
                    conn.execute(right.format(Identifier(place.schema, name), Identifier(role)))

    try:
        return migrate(
            place.owner_dsn or place.dsn,
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
    """Hand the settings on to the processes started from this one."""
    for name in settings.__struct_fields__:
        os.environ[f"PHASELEDGER_{name.upper()}"] = str(getattr(settings, name))
