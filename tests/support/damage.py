"""Damage to a log, as a superuser can do it with the triggers turned off."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from uuid import UUID

import msgspec
import psycopg
from psycopg.sql import SQL, Identifier

from phaseledger.service.eventlog.rows import Row

encode = msgspec.json.Encoder(order="sorted").encode


def damage(dsn: str, schema: str, statement: str, *parameters: object) -> int:
    """Run the statement, in which ``{}`` is the log; how many rows it has changed."""
    table = Identifier(schema, "stored_events")
    with psycopg.connect(dsn) as conn:
        conn.execute(SQL("ALTER TABLE {} DISABLE TRIGGER USER").format(table))
        changed = conn.execute(SQL(statement).format(table), parameters).rowcount
        conn.execute(SQL("ALTER TABLE {} ENABLE ALWAYS TRIGGER append_only").format(table))
    return changed


def without(dsn: str, schema: str, game: UUID, *versions: int) -> None:
    """Delete events of a game."""
    statement = "DELETE FROM {} WHERE originator_id = %s AND originator_version = ANY(%s)"
    assert damage(dsn, schema, statement, game, list(versions)) == len(versions)


def with_rows(dsn: str, schema: str, game: UUID, rows: Sequence[Row]) -> None:
    """Insert events of a game, whatever is there before them."""
    insert = SQL(
        "INSERT INTO {} (originator_id, originator_version, topic, state, leaf) "
        "VALUES (%s, %s, %s, %s, %s)"
    ).format(Identifier(schema, "stored_events"))
    with psycopg.connect(dsn) as conn, conn.cursor() as cursor:
        cursor.executemany(insert, [(game, *row) for row in rows])


def with_bytes(dsn: str, schema: str, game: UUID, version: int, state: bytes) -> None:
    """Replace an event's bytes; its leaf stays."""
    statement = "UPDATE {} SET state = %s WHERE originator_id = %s AND originator_version = %s"
    assert damage(dsn, schema, statement, state, game, version) == 1


def stored_rows(dsn: str, schema: str, game: UUID) -> list[tuple[int, Row]]:
    """The game's rows as they are, each behind its position, in the order of their versions."""
    with psycopg.connect(dsn) as conn:
        query = SQL(
            "SELECT notification_id, originator_version, topic, state, leaf FROM {} "
            "WHERE originator_id = %s ORDER BY originator_version"
        ).format(Identifier(schema, "stored_events"))
        return [(position, Row._make(row)) for position, *row in conn.execute(query, (game,))]


@contextmanager
def restored(dsn: str, schema: str, *tables: str) -> Iterator[None]:
    """Tables that are after the block as they were before it; what others refer to comes first."""
    named = [(Identifier(schema, table), Identifier(f"{table}_before")) for table in tables]
    with psycopg.connect(dsn, autocommit=True) as conn:
        for table, before in named:
            conn.execute(SQL("CREATE TEMPORARY TABLE {} AS TABLE {}").format(before, table))
        yield
        for table, _ in reversed(named):
            conn.execute(SQL("ALTER TABLE {} DISABLE TRIGGER USER").format(table))
            conn.execute(SQL("DELETE FROM {}").format(table))
        for table, before in named:
            conn.execute(
                SQL("INSERT INTO {} OVERRIDING SYSTEM VALUE TABLE {}").format(table, before)
            )


def chained_elsewhere(row: Row) -> Row:
    """The event after another one than its predecessor, otherwise whole; it has no leaf."""
    tree = {**msgspec.json.decode(row.state), "prev": "5e" * 32}
    return row._replace(state=encode(tree), leaf=None)
