"""The partition map: the identity that each partition stores, checked against the configuration.

A partition is given its number and an identity once, and remembers the identities of all there
were when it was last migrated, in order. So a partition that is listed in another's place, left
out, or another ledger's is detected before anything is read or written.
"""

import asyncio
from collections.abc import Mapping, Sequence
from typing import LiteralString, NamedTuple
from uuid import UUID

import psycopg
from psycopg.sql import SQL, Identifier

from phaseledger.replay.records.partitions import PartitionLocation, foreign_to
from phaseledger.service.eventlog.connection import connected, fitted
from phaseledger.service.eventlog.errors import explain_outage
from phaseledger.service.eventlog.migrations import Migration, SchemaError

PARTITION: tuple[Migration, ...] = (
    (
        "partition/1",
        """
        CREATE TABLE {schema}.partition (
          single boolean PRIMARY KEY DEFAULT true CHECK (single),
          number integer NOT NULL,
          identity uuid NOT NULL DEFAULT gen_random_uuid(),
          members uuid[] NOT NULL DEFAULT '{{}}'
        );
        COMMENT ON COLUMN {schema}.partition.members
          IS 'The identities of all partitions of the ledger, in the order of their numbers';
        """,
    ),
)
TABLES = ("partition",)


class PartitionRecord(NamedTuple):
    """What a partition stores of itself and the ledger."""

    number: int
    identity: UUID
    members: tuple[UUID, ...]


def read_partition_record(dsn: str, schema: str) -> PartitionRecord | None:
    """What the schema stores as a partition; None where it is none yet. Raises psycopg.Error."""
    with connected(dsn) as conn:
        if not is_partition(conn, schema):
            return None
        row = conn.execute(
            SQL("SELECT number, identity, members FROM {}").format(Identifier(schema, "partition"))
        ).fetchone()
    return None if row is None else PartitionRecord(row[0], row[1], tuple(row[2]))


def require_at_home(dsn: str, schema: str, number: int) -> None:
    """Check that the schema has no game whose id names another partition.

    Raises:
        SchemaError: it has one.
        psycopg.Error: it does not answer, or has no log.

    """
    table = Identifier(schema, "stored_events")
    select = SQL("SELECT originator_id FROM {} WHERE originator_id BETWEEN %s AND %s LIMIT 1")
    with connected(dsn) as conn:
        for ends in foreign_to(number):
            for (game,) in conn.execute(select.format(table), ends):
                raise SchemaError(
                    f"The schema {schema!r} that is listed as partition {number} has game {game}, "
                    "which belongs to another one by its id. Games from before there were "
                    "partitions belong to the first: list their schema first."
                )


def is_partition(conn: psycopg.Connection, schema: str) -> bool:
    """Whether the schema belongs to a ledger of several partitions."""
    row = conn.execute("SELECT to_regclass(%s) IS NOT NULL", (f"{schema}.partition",)).fetchone()
    return row == (True,)


def require_fitting(
    places: Sequence[PartitionLocation], records: Mapping[int, PartitionRecord]
) -> None:
    """Check what the partitions that answer store against the file and one another.

    Raises:
        SchemaError: it does not; nothing may be read or written then.

    """
    longest = max((record.members for record in records.values()), key=len, default=())
    if len(longest) > len(places):
        raise SchemaError(
            f"The ledger has {len(longest)} partitions, but the file of partitions lists "
            f"{len(places)}: list all of them, in their order."
        )
    for number, record in sorted(records.items()):
        where = f"The schema {places[number - 1].schema!r} that is listed as partition {number}"
        if record.number != number:
            raise SchemaError(
                f"{where} is partition {record.number}: list the partitions in their order."
            )
        strange = longest[: len(record.members)] != record.members
        if strange or longest[number - 1 : number] not in ((), (record.identity,)):
            raise SchemaError(f"{where} belongs to another ledger: list this one's own.")


def write_partition_records(places: Sequence[PartitionLocation]) -> None:
    """Give new partitions their numbers, and store the list of members in all of them.

    All must answer, and be migrated already.

    Raises:
        SchemaError: they do not fit.
        psycopg.Error: one of them does not answer, or may not be written.

    """
    records: dict[int, PartitionRecord] = {}
    for place in places:
        require_at_home(place.owning_dsn, place.schema, place.number)
        if record := read_partition_record(place.owning_dsn, place.schema):
            records[place.number] = record
    require_fitting(places, records)
    for place in places:
        if place.number not in records:
            # Several nodes may start at once.
            insert = "INSERT INTO {} (number) VALUES (%s) ON CONFLICT DO NOTHING"
            _execute(place, insert, place.number)
            record = read_partition_record(place.owning_dsn, place.schema)
            assert record is not None
            records[place.number] = record
    require_fitting(places, records)
    members = [records[place.number].identity for place in places]
    for place in places:
        if list(records[place.number].members) != members:
            _execute(place, "UPDATE {} SET members = %s::uuid[]", members)


def _execute(place: PartitionLocation, statement: LiteralString, value: object) -> None:
    with psycopg.connect(fitted(place.owning_dsn)) as conn:
        conn.execute(SQL(statement).format(Identifier(place.schema, "partition")), (value,))


async def require_listed(places: Sequence[PartitionLocation], number: int) -> None:
    """Check that a partition is the one listed under the number.

    Raises:
        SchemaError: it is another one.
        StoreUnavailable: it does not answer.

    """
    place = places[number - 1]
    try:
        record = await asyncio.to_thread(read_partition_record, place.dsn, place.schema)
        await asyncio.to_thread(require_at_home, place.dsn, place.schema, number)
    except psycopg.Error as lost:
        raise explain_outage(lost) from lost
    if record is None:
        raise SchemaError(
            f"The schema {place.schema!r} that is listed as partition {number} is none yet: run "
            "`phaseledger migrate`."
        )
    require_fitting(places, {number: record})
