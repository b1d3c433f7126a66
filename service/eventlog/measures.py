"""Measures of the ledger in its database: sizes, the newest backup, messages that wait."""

import psycopg.rows

from phaseledger.service.eventlog.connection import Connection, within
from phaseledger.service.eventlog.migrations import SCHEMA
from phaseledger.service.eventlog.side_connection import SideConnection
from phaseledger.service.runtime import metrics

SECONDS = 0.8  # until the connection is cut
FIGURES = {
    "database_bytes": metrics.DATABASE_BYTES,
    "log_bytes": metrics.LOG_BYTES,
    "backed_up": metrics.BACKED_UP,
    "waiting": metrics.WEBHOOKS_WAITING,
    "overdue": metrics.WEBHOOKS_OVERDUE,
}
"""By the column of the statement, the metric that it is told by."""
MEASURE = """
    SELECT pg_database_size(current_database()) AS database_bytes,
      pg_total_relation_size('{0}.stored_events') AS log_bytes,
      (SELECT coalesce(extract(epoch FROM max(at)), 0) FROM {0}.admin_events
        WHERE action = 'back_up' AND details ->> 'sound' = 'yes') AS backed_up,
      count(*) AS waiting, coalesce(extract(epoch FROM
        now() - min(due_at) FILTER (WHERE due_at < now())), 0) AS overdue
    FROM {0}.webhook_deliveries
"""
"""One row, with a column for each of the figures."""


class Measures:
    """Measures the ledger whenever its metrics are asked for."""

    def __init__(self, connection: SideConnection, schema: str = SCHEMA) -> None:
        self._connection = connection
        self._statement = within(schema, MEASURE)

    async def take(self) -> None:
        """Measure, and set the metrics. Raises StoreUnavailable."""

        async def work(conn: Connection) -> dict[str, float]:
            cursor = conn.cursor(row_factory=psycopg.rows.dict_row)
            (row,) = await (await cursor.execute(self._statement)).fetchall()
            return row

        for name, figure in (await self._connection.run(work, SECONDS)).items():
            FIGURES[name].set(float(figure))
