"""The bridge to the eventsourcing library: its recorder over our group commit."""

import math
from collections.abc import Sequence
from typing import Any, LiteralString

from eventsourcing.persistence import StoredEvent
from eventsourcing.postgres import PostgresApplicationRecorder, PostgresDatastore, PostgresFactory
from eventsourcing.utils import get_topic
from psycopg.sql import SQL, Identifier
from typing_extensions import override

from phaseledger.service.eventlog.connection import PATIENCE, parameters
from phaseledger.service.eventlog.migrations import SCHEMA


class GroupRecorder(PostgresApplicationRecorder):
    """eventsourcing's recorder, appending through the server function instead of four statements.

    It writes what the stock recorder writes, in the same order under the same lock, so both may be
    used on one table; neither knows leaves. The service takes its statements alone, and the
    library's own tests of a recorder call `insert_events`.
    """

    def __init__(
        self, datastore: PostgresDatastore, *, events_table_name: str = "stored_events"
    ) -> None:
        super().__init__(datastore, events_table_name=events_table_name)
        if datastore.enable_db_functions:
            # In that mode the library takes no lock, and readers miss committed events.
            raise ValueError("enable_db_functions must stay off")
        # Composed once: the library composes SQL at every call, a good part of its time.
        columns = "%b::uuid[], %b::bigint[], %b::text[], %b::bytea[], %b::bytea[], %b::bytea[]"
        plain: LiteralString = f"SELECT {{}}.append_events({columns})"
        signed: LiteralString = (
            f"SELECT {{}}.append_signed_events({columns}, %b::text, %b::bytea, %b::bytea)"
        )
        schema = Identifier(datastore.schema)
        self.append_statement = SQL(plain).format(schema).as_bytes()
        self.append_signed_statement = SQL(signed).format(schema).as_bytes()

    @override
    def insert_events(
        self,
        stored_events: Sequence[StoredEvent],
        **_: Any,
    ) -> Sequence[int] | None:
        """Append in one round trip. Never tried again: a lost answer may follow a commit."""
        if not stored_events:
            return []
        with self.datastore.get_connection() as conn, conn.cursor() as cursor:
            cursor.execute(
                self.append_statement,
                (
                    [event.originator_id for event in stored_events],
                    [event.originator_version for event in stored_events],
                    [event.topic for event in stored_events],
                    [event.state for event in stored_events],
                    [None for _ in stored_events],
                    [None for _ in stored_events],
                ),
                prepare=True,
            )
            row = cursor.fetchone()
        assert row is not None
        return list(row["append_events"])


def recorder_factory(
    dsn: str, *, schema: str = SCHEMA, recorder: type[PostgresApplicationRecorder] | None = None
) -> PostgresFactory:
    """Return eventsourcing's factory for this log; its recorder is ours, unless another is named.

    All settings are given here: the process environment is not read.
    """
    env = {
        "POSTGRES_DBNAME": "",
        "POSTGRES_HOST": "",
        "POSTGRES_USER": "",
        "POSTGRES_PASSWORD": "",
        "POSTGRES_SCHEMA": schema,
        "POSTGRES_POOL_SIZE": "0",
        "POSTGRES_CONNECT_TIMEOUT": str(math.ceil(PATIENCE)),
        "POSTGRES_ENABLE_DB_FUNCTIONS": "no",
        "CREATE_TABLE": "no",
    }
    env["APPLICATION_RECORDER_TOPIC"] = get_topic(recorder or GroupRecorder)
    factory = PostgresFactory(env)
    # The library passes on five parameters only; a DSN may hold more (TLS, several hosts).
    kwargs = factory.datastore.pool.kwargs
    assert isinstance(kwargs, dict)
    for name in ("dbname", "host", "port", "user", "password"):
        del kwargs[name]
    kwargs.update(parameters(dsn))
    return factory
