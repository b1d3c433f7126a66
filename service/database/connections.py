"""How many connections a service takes of its database, and whether the server has as many.

A server without room lets the service start and then starves it: a pool that grew while others were
idle keeps its connections for minutes, others never get one, and all that shows is a node that does
not become ready, or ceases to be.
"""

from typing import NamedTuple

import psycopg

from phaseledger.service.eventlog import pool, reader
from phaseledger.service.eventlog.connection import bounded
from phaseledger.service.eventlog.errors import StoreUnfit
from phaseledger.service.readmodels import views
from phaseledger.service.settings import Settings
from phaseledger.service.transparency import tree
from phaseledger.service.webhooks import store as webhooks

POOLS = (
    reader.READERS,
    views.READERS,
    pool.CONNECTIONS,
    webhooks.CONNECTIONS,
    tree.READERS,
)
"""The largest sizes of a service's pools."""
SINGLE = 7
"""Connections of their own: the log's writer, its listener, the projections, the public log's
signer, the look at games that other nodes have left, the ledger's clock with the probe of the
writer, and for a moment the question what has become of an answer that is missing.
"""
MOST = sum(POOLS) + SINGLE
"""The connections that a service takes at most."""
_ROOM = """
SELECT current_setting('max_connections')::int,
  current_setting('superuser_reserved_connections')::int
    + coalesce(current_setting('reserved_connections', true), '0')::int,
  (SELECT CASE WHEN rolsuper THEN -1 ELSE rolconnlimit END FROM pg_roles
    WHERE rolname = current_user),
  (SELECT datconnlimit FROM pg_database WHERE datname = current_database())
"""


class _Room(NamedTuple):
    """What a server allows: all its connections, and those kept for superusers and the like."""

    total: int
    reserved: int
    of_role: int
    of_database: int

    @property
    def free(self) -> int:
        """The connections that a role like ours may have at most."""
        limits = [limit for limit in (self.of_role, self.of_database) if limit >= 0]
        return min(self.total - self.reserved, *limits, self.total)

    def remedy(self) -> str:
        """What the operator has to raise."""
        if self.total - self.reserved < MOST:
            return (
                f"Set max_connections to {MOST + self.reserved} or more, {MOST} more for each "
                "further node, and restart it."
            )
        return f"Raise the CONNECTION LIMIT to {MOST} or more, for each node."

    def __str__(self) -> str:
        words = f"max_connections is {self.total}, of which {self.reserved} are reserved"
        if self.of_role >= 0:
            words += f", and this role may have {self.of_role} (CONNECTION LIMIT)"
        if self.of_database >= 0:
            words += f", and this database may have {self.of_database} (CONNECTION LIMIT)"
        return words


def require_connections(settings: Settings) -> None:
    """Refuse a server that cannot give this service all connections that it may come to need.

    Raises:
        StoreUnfit: there are too few.
        psycopg.OperationalError: the database does not answer.

    """
    with psycopg.connect(bounded(settings.database_url), autocommit=True) as conn:
        row = conn.execute(_ROOM).fetchone()
    assert row is not None
    room = _Room._make(row)
    if room.free < MOST:
        raise StoreUnfit(
            f"The database server has {max(0, room.free)} connections for this service, which "
            f"takes up to {MOST}: {room}. {room.remedy()}"
        )
