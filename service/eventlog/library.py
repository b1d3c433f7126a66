"""The log for programs of the eventsourcing library: its recorders work on our tables.

A program that follows the log reads it so (hidden parts are sealed, archived games are elsewhere):

    recorder = recorder_factory(dsn, schema="phaseledger").application_recorder()
    recorder.select_notifications(start=1, limit=100)
"""

import math

from eventsourcing.persistence import ApplicationRecorder
from eventsourcing.postgres import PostgresApplicationRecorder, PostgresFactory
from eventsourcing.utils import get_topic

from phaseledger.service.eventlog.connection import PATIENCE, parameters


def recorder_factory(
    dsn: str,
    *,
    schema: str,
    recorder: type[ApplicationRecorder] = PostgresApplicationRecorder,
) -> PostgresFactory:
    """The library's factory over the log. All settings are given: the environment is not read.

    Its database functions stay off: in that mode the library takes no lock, and readers miss
    committed events.
    """
    factory = PostgresFactory(
        {
            "POSTGRES_DBNAME": "",
            "POSTGRES_HOST": "",
            "POSTGRES_USER": "",
            "POSTGRES_PASSWORD": "",
            "POSTGRES_SCHEMA": schema,
            "POSTGRES_POOL_SIZE": "0",
            "POSTGRES_CONNECT_TIMEOUT": str(math.ceil(PATIENCE)),
            "POSTGRES_ENABLE_DB_FUNCTIONS": "no",
            "CREATE_TABLE": "no",
            "APPLICATION_RECORDER_TOPIC": get_topic(recorder),
        }
    )
    # The library passes on five parameters only; a DSN may hold more (TLS, several hosts).
    kwargs = factory.datastore.pool.kwargs
    assert isinstance(kwargs, dict)
    for name in ("dbname", "host", "port", "user", "password"):
        del kwargs[name]
    kwargs.update(parameters(dsn))
    return factory
