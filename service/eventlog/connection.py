"""PostgreSQL connections with a time limit on every wait: statement, lock, dead server.

A server may stop answering while its host, or a proxy before it, goes on to acknowledge packets: no
time-out of TCP notices that. So the server is told to give up what takes too long, and what does
not answer even then is cut off here, which every caller already knows as a lost connection.
"""

import asyncio
import math
import os
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any, TypeVar

import psycopg
from psycopg.abc import PQGen
from psycopg.conninfo import conninfo_to_dict, make_conninfo
from typing_extensions import override

PATIENCE = 5.0  # seconds a command in doubt, or a read, waits for a lost database to come back
STATEMENT = 10.0
"""Seconds after which the server cancels a statement, or ends a session idle in a transaction."""
LOCK = 5.0  # seconds that a statement waits for a lock
DEADLINE = STATEMENT + 2
"""Seconds until a connection is cut whose server has neither answered nor cancelled."""

T = TypeVar("T")


class Connection(psycopg.AsyncConnection[tuple[Any, ...]]):
    """A connection that is lost once its server has not answered for `DEADLINE` seconds."""

    @override
    async def wait(self, gen: PQGen[T], *arguments: Any, **options: Any) -> T:
        cutting = asyncio.get_running_loop().call_later(DEADLINE, cut, self)
        try:
            return await super().wait(gen, *arguments, **options)
        finally:
            cutting.cancel()


def cut(conn: psycopg.AsyncConnection[Any] | psycopg.Connection[Any]) -> None:
    """End the connection below its protocol: whoever waits for an answer loses the connection.

    To cancel the waiting task instead would ask the same server to cancel, and wait for that.
    """
    with (
        suppress(OSError, psycopg.OperationalError),  # it is closed already
        socket.socket(fileno=os.dup(conn.pgconn.socket)) as end,
    ):
        end.shutdown(socket.SHUT_RDWR)


async def connect(dsn: str) -> Connection:
    """A connection to the database, in which every statement is a transaction.

    Raises:
        psycopg.OperationalError: it does not answer, or refuses.

    """
    return await Connection.connect(bounded(dsn), autocommit=True)


@contextmanager
def connected(dsn: str) -> Iterator[psycopg.Connection]:
    """A connection for a few small statements, outside of the event loop, in a transaction.

    It is cut `DEADLINE` seconds after it was made. Raises psycopg.Error.
    """
    with psycopg.connect(bounded(dsn)) as conn:
        cutting = threading.Timer(DEADLINE, cut, (conn,))
        cutting.daemon = True
        cutting.start()
        try:
            yield conn
        finally:
            cutting.cancel()


def bounded(dsn: str) -> str:
    """The DSN with this program's defaults, among them the ends of all waits."""
    return make_conninfo(**parameters(dsn))


def parameters(dsn: str) -> dict[str, Any]:
    """The connection parameters of the DSN, which override this program's defaults."""
    try:
        dsn_parameters = conninfo_to_dict(dsn)
    except psycopg.ProgrammingError:
        # Without the cause: it quotes the DSN, password and all.
        raise ValueError(
            "The DSN is not understood: write postgresql://user:password@host:port/database."
        ) from None
    time_outs = {
        "statement_timeout": STATEMENT,
        "lock_timeout": LOCK,
        "idle_in_transaction_session_timeout": STATEMENT,
    }
    options = [f"-c {name}={seconds * 1000:.0f}" for name, seconds in time_outs.items()]
    options += [str(dsn_parameters.get("options") or "")]  # of two, the server takes the later
    return {
        "application_name": "phaseledger",
        "connect_timeout": math.ceil(PATIENCE),
        # A peer that vanished is noticed within seconds, not after the system's quarter hour.
        "tcp_user_timeout": 10_000,
        "keepalives_idle": 10,
        **dsn_parameters,
        "options": " ".join(filter(None, options)),
    }
