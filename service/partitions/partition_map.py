"""What each partition of a ledger knows of itself and of the others, and whether that still fits.

A partition is given its number and an identity once, and remembers the identities of all there
were when it was last migrated, in order. So a partition that is listed in another's place, left
out, or another ledger's is found out before anything is read or written.
"""

import asyncio
from collections.abc import Mapping, Sequence
from typing import LiteralString, NamedTuple
from uuid import UUID

import psycopg
from psycopg.sql import SQL, Identifier

from phaseledger.replay.records.partitions import PartitionLocation, foreign_to
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
    """What a partition knows."""

    number: int
    identity: UUID
    members: tuple[UUID, ...]


def read_partition_record(dsn: str, schema: str) -> PartitionRecord | None:
    """What a partition knows; None where it is none yet. Raises psycopg.Error."""
    with psycopg.connect(dsn, connect_timeout=5) as conn:
        if not is_partition(conn, schema):
            return None
        row = conn.execute(
            SQL("SELECT number, identity, members FROM {}").format(Identifier(schema, "partition"))
        ).fetchone()
    return None if row is None else PartitionRecord(row[0], row[1], tuple(row[2]))


def require_at_home(dsn: str, schema: str, number: int) -> None:
    """See that the schema has no game whose id says that it is in another partition.

    Raises:
        SchemaError: it has one.
        psycopg.Error: it does not answer, or has no log.

    """
    table = Identifier(schema, "stored_events")
    select = SQL("SELECT originator_id FROM {} WHERE originator_id BETWEEN %s AND %s LIMIT 1")
    with psycopg.connect(dsn, connect_timeout=5) as conn:
        for ends in foreign_to(number):
            for (game,) in conn.execute(select.format(table), ends):
                raise SchemaError(
                    f"The schema {schema!r} that is listed as partition {number} has game {game}, "
                    "which belongs to another one by its id. Games from before there were "
                    "partitions belong to the first: list their schema first."
                )


def is_partition(conn: psycopg.Connection, schema: str) -> bool:
    """Whether the schema belongs to a ledger of several partitions."""
    told = conn.execute("SELECT to_regclass(%s) IS NOT NULL", (f"{schema}.partition",)).fetchone()
    return told == (True,)


def require_fitting(
    places: Sequence[PartitionLocation], known: Mapping[int, PartitionRecord]
) -> None:
    """See that what the partitions know, those that answer, fits the file and one another.

    Raises:
        SchemaError: it does not; nothing may be read or written then.

    """
    longest = max((each.members for each in known.values()), key=len, default=())
    if len(longest) > len(places):
        raise SchemaError(
            f"The ledger has {len(longest)} partitions, but the file of partitions lists "
            f"{len(places)}: list all of them, in their order."
        )
    for number, each in sorted(known.items()):
        where = f"The schema {places[number - 1].schema!r} that is listed as partition {number}"
        if each.number != number:
            raise SchemaError(
                f"{where} is partition {each.number}: list the partitions in their order."
            )
        strange = longest[: len(each.members)] != each.members
        if strange or longest[number - 1 : number] not in ((), (each.identity,)):
            raise SchemaError(f"{where} belongs to another ledger: list this one's own.")


def write_partition_records(places: Sequence[PartitionLocation]) -> None:
    """Give the partitions that have none their numbers, and tell all of them of one another.

    All must answer, and be migrated already.

    Raises:
        SchemaError: they do not fit.
        psycopg.Error: one of them does not answer, or may not be written.

    """
    known: dict[int, PartitionRecord] = {}
    for number, dsn, schema, owner_dsn, *_ in places:
        require_at_home(owner_dsn or dsn, schema, number)
        if found := read_partition_record(owner_dsn or dsn, schema):
            known[number] = found
    require_fitting(places, known)
    for place in places:
        if place.number not in known:
            # Several nodes may start at once.
            insert = "INSERT INTO {} (number) VALUES (%s) ON CONFLICT DO NOTHING"
            _run(place, insert, place.number)
            made = read_partition_record(place.owner_dsn or place.dsn, place.schema)
            assert made is not None
            known[place.number] = made
    require_fitting(places, known)
    members = [known[place.number].identity for place in places]
    for place in places:
        if list(known[place.number].members) != members:
            _run(place, "UPDATE {} SET members = %s::uuid[]", members)


def _run(place: PartitionLocation, statement: LiteralString, value: object) -> None:
    with psycopg.connect(place.owner_dsn or place.dsn) as conn:
        conn.execute(SQL(statement).format(Identifier(place.schema, "partition")), (value,))


async def require_listed(places: Sequence[PartitionLocation], number: int) -> None:
    """See that a partition is the one that is listed under the number.

    Raises:
        SchemaError: it is another one.
        StoreUnavailable: it does not answer.

    """
    place = places[number - 1]
    try:
        known = await asyncio.to_thread(read_partition_record, place.dsn, place.schema)
        await asyncio.to_thread(require_at_home, place.dsn, place.schema, number)
    except psycopg.Error as lost:
        raise explain_outage(lost) from lost
    if known is None:
        raise SchemaError(
            f"The schema {place.schema!r} that is listed as partition {number} is none yet: run "
            "`phaseledger migrate`."
        )
    require_fitting(places, {number: known})
