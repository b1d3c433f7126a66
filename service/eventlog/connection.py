"""PostgreSQL connections with a time limit on every wait: statement, lock, dead server.

A server may stop answering while its host, or a proxy, acknowledges packets: no time-out of TCP
notices that. So the server has time limits, and a missing answer is asked for over another
connection. A connection that will get no answer is cut, which callers see as a lost connection.
"""

import asyncio
import logging
import math
import os
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, LiteralString, Self, TypeVar

import psycopg
from psycopg.abc import PQGen
from psycopg.conninfo import conninfo_to_dict, make_conninfo
from psycopg.pq import TransactionStatus
from psycopg.sql import SQL, Composed, Identifier
from typing_extensions import override

from phaseledger.service.eventlog.endpoint import Activity, Endpoint, cut, endpoint_at
from phaseledger.service.eventlog.errors import UTF8, require_fit
from phaseledger.service.runtime.work import spend

PATIENCE = 5.0  # seconds a command in doubt, or a read, waits for a lost database to come back
STATEMENT = 10.0
"""Seconds after which the server cancels a statement, or ends a session idle in a transaction."""
LOCK = 5.0  # seconds that a statement waits for a lock
DEADLINE = STATEMENT + 2
"""Seconds until a connection is cut whose server has neither answered nor cancelled."""
SILENCE = 1.0  # seconds without an answer until the server is asked what has become of it
ARRIVAL = 0.3  # seconds in which an answer that was sent arrives
ATTEMPT = 3.0  # seconds that an attempt to connect may take
SESSION = {
    "DateStyle": "ISO",
    "default_transaction_isolation": "read\\ committed",
    "standard_conforming_strings": "on",  # psycopg writes literals for it
}
"""What is counted on in each session, whatever the server, the role or the DSN would have."""
os.environ.pop("PGDATESTYLE", None)  # libpq would have it come before these
logging.getLogger("psycopg").setLevel(logging.ERROR)  # what it warns of is refused in our words

STATEMENT_WORK = 0.000_1
"""Seconds of the database's work that a statement counts as, and `ROW_WORK` each row of it: that is
known at once, and no more for a caller while others keep the database busy.
"""
ROW_WORK = 0.000_005

T = TypeVar("T")


class Connection(psycopg.AsyncConnection[tuple[Any, ...]]):
    """A connection that is lost once its server owes it no answer, or for `DEADLINE` seconds none.

    Where an answer is missing the server is asked over another connection: a backend that has ended
    the statement, or never began it, will not answer any more.
    """

    endpoint: Endpoint | None = None
    _asked: float | None = None
    """When what is awaited was asked, as the loop counts; None: nothing is."""
    _timer: asyncio.TimerHandle | None = None
    """Of the next look at whether an answer is missing: one a while is cheaper than one a wait."""
    _task: asyncio.Task[None] | None = None
    """Asks for an answer that is missing."""

    @override
    @classmethod
    async def connect(cls, conninfo: str = "", **options: Any) -> Self:
        conn = await super().connect(conninfo, **options)
        reached = endpoint_at(conninfo)
        cutting = asyncio.get_running_loop().call_later(ATTEMPT, cut, conn)
        try:
            await reached.take_in(conn)
        except BaseException:
            await conn.close()
            raise
        finally:
            cutting.cancel()
        conn.endpoint = reached
        return conn

    @override
    async def execute(
        self, *statement: Any, **options: Any
    ) -> psycopg.AsyncCursor[tuple[Any, ...]]:
        cursor = await super().execute(*statement, **options)
        spend(STATEMENT_WORK + ROW_WORK * max(0, cursor.rowcount))
        return cursor

    @override
    async def wait(self, gen: PQGen[T], *arguments: Any, **options: Any) -> T:
        loop = asyncio.get_running_loop()
        self._asked = loop.time()
        if self._timer is None:
            self._timer = loop.call_later(min(SILENCE, DEADLINE), self._look)
        try:
            return await super().wait(gen, *arguments, **options)
        finally:
            self._asked = None

    def _look(self) -> None:
        """See whether an answer is missing, and when to look again."""
        self._timer, asked = None, self._asked
        if asked is None:
            return  # the next wait sets the timer again
        loop = asyncio.get_running_loop()
        remaining = asked + min(SILENCE, DEADLINE) - loop.time()
        if remaining > 0:
            self._timer = loop.call_later(remaining, self._look)
            return
        loop.call_at(asked + DEADLINE, self._give_up, asked)
        if self.endpoint and self.pgconn.transaction_status == TransactionStatus.ACTIVE:
            question = self._question(self.endpoint, asked)
            self._task = loop.create_task(question, name="missing answer")

    def _give_up(self, asked: float) -> None:
        if self._asked == asked:
            cut(self)

    async def _question(self, endpoint: Endpoint, asked: float) -> None:
        """Give up what was asked then, once the server is seen to have nothing to answer."""
        before: Activity | None = None
        while self._asked == asked:
            activity = await endpoint.activity(self)
            is_over = activity is not None and activity.is_over()
            if is_over and activity == before:  # its answer had the time to arrive
                self._give_up(asked)
                return
            before = activity
            await asyncio.sleep(ARRIVAL if is_over or activity is None else SILENCE)


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


def within(schema: str, text: LiteralString) -> Composed:
    """The statement with the quoted name of the schema in the place of ``{}`` or each ``{0}``."""
    return SQL(text).format(Identifier(schema))


async def has_taken(conn: psycopg.AsyncConnection[Any], lock: str) -> bool:
    """Try to take the lock of that name until the connection ends; whether it was free."""
    cursor = await conn.execute("SELECT pg_try_advisory_lock(hashtextextended(%s, 0))", (lock,))
    return await cursor.fetchone() == (True,)


async def last_position(conn: Connection, schema: str) -> int:
    """The position of the newest event of the log."""
    select = SQL("SELECT coalesce(max(notification_id), 0) FROM {}")
    cursor = await conn.execute(select.format(Identifier(schema, "stored_events")))
    ((position,),) = await cursor.fetchall()
    return int(position)


async def hear(conn: Connection, seconds: float) -> Sequence[psycopg.Notify]:
    """Wait at most ``seconds`` for a notification, such as of new events; all that came."""
    return [notice async for notice in conn.notifies(timeout=seconds, stop_after=1)]


def require_usable(conn: psycopg.Connection[Any]) -> None:
    """Raise StoreUnfit for a server that is too old, or a database that is not in UTF-8."""
    encoding = conn.info.parameter_status("server_encoding") or UTF8
    require_fit(conn.info.server_version, {"server_encoding": encoding})


def bounded(dsn: str) -> str:
    """The DSN with this program's defaults, among them the ends of all waits."""
    return make_conninfo(**parameters(dsn))


def fitted(dsn: str) -> str:
    """The DSN with what is counted on in each session, and no ends of waits of ours."""
    own: dict[str, Any] = conninfo_to_dict(dsn)
    options = [str(own.get("options") or ""), *(f"-c {name}={SESSION[name]}" for name in SESSION)]
    return make_conninfo(**own | {"client_encoding": UTF8, "options": " ".join(options).strip()})


def parameters(dsn: str) -> dict[str, Any]:
    """The connection parameters of the DSN, which override the ends of waits."""
    try:
        dsn_parameters = conninfo_to_dict(fitted(dsn))
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
        "connect_timeout": math.ceil(ATTEMPT),
        # A peer that vanished is noticed within seconds, not after the system's quarter hour.
        "tcp_user_timeout": 10_000,
        "keepalives_idle": 10,
        **dsn_parameters,
        "options": " ".join(filter(None, options)),
    }
