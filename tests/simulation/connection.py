"""Connections to the simulated server, as psycopg shows them, over a network that has weather.

They stand below the service's own subclass of `psycopg.AsyncConnection`, if it has one, so what
that adds to a wait (a deadline) is part of what is simulated.
"""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from contextvars import Context
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, Literal

import psycopg
from psycopg import errors
from psycopg.pq import ConnStatus, TransactionStatus

from tests.simulation.postgres import Result, Session
from tests.simulation.process import Process
from tests.simulation.statements import execute, text_of

if TYPE_CHECKING:
    from tests.simulation.network import Network

CANCEL = 5.0  # seconds that psycopg waits for a cancelled statement
LINGERING = 4.0  # seconds at most for which a session outlives its connection
STATEMENT_TIMEOUT = 10.0
SERVER_VERSION = 180_006

Fate = Literal["arrives", "lost before", "lost after", "stalls before", "stalls after"]


class SimulatedConnection(psycopg.AsyncConnection[tuple[Any, ...]]):
    """A connection to the simulated server."""

    def __init__(
        self, network: "Network", process: Process | None, *, has_timeout: bool = False
    ) -> None:
        self.process = process
        self._network = network
        self._session = Session(network.server, self._dropped, self._notified, process)
        network.server.sessions[self._session] = None
        self._has_timeout = has_timeout
        self._statements = 0
        self._is_closed = False
        self._is_stalled = False
        self._answer: Result | Exception | None = None
        """To the last statement, once it is here."""
        self._waiter: asyncio.Future[None] | None = None
        """Who waits for it."""
        self._word = asyncio.Event()
        self._cancelling = False
        self._lock = asyncio.Lock()

    def __del__(self, _warn: object = None) -> None:
        pass

    # --- as psycopg has it ----------------------------------------------------------------------

    closed = broken = property(lambda self: self._is_closed)
    autocommit = property(lambda _: True)
    connection = property(lambda _: None)
    """Texts of SQL are composed without libpq."""

    @property
    def info(self) -> Any:
        return SimpleNamespace(
            server_version=SERVER_VERSION,
            backend_pid=self._session.pid,
            transaction_status=self._transaction_status,
        )

    @property
    def pgconn(self) -> Any:
        status = ConnStatus.BAD if self._is_closed else ConnStatus.OK
        return SimpleNamespace(transaction_status=self._transaction_status, status=status)

    @property
    def _transaction_status(self) -> TransactionStatus:
        if self._is_closed:
            return TransactionStatus.UNKNOWN
        if self._waiter is not None and self._answer is None:
            return TransactionStatus.ACTIVE
        in_block = self._session.changes is not None
        return TransactionStatus.INTRANS if in_block else TransactionStatus.IDLE

    async def execute(self, query: Any, params: Any = None, **_: Any) -> Any:
        async with self._lock:
            result = await self.wait(self._exchange(text_of(query), params or ()))
        return Cursor(result)

    async def wait(self, gen: Any, *_: Any, **__: Any) -> Any:
        return await gen

    async def commit(self) -> None:
        if self._session.changes is not None:
            await self.wait(self._exchange("COMMIT", ()))

    async def rollback(self) -> None:
        if self._session.changes is not None:
            await self.wait(self._exchange("ROLLBACK", ()))

    @asynccontextmanager
    async def transaction(self, *_: Any, **__: Any) -> AsyncIterator[Any]:
        await self.wait(self._exchange("BEGIN", ()))
        try:
            yield self
        except BaseException:
            if not self._is_closed:
                await self.rollback()
            raise
        else:
            await self.commit()

    async def close(self) -> None:
        if not self._is_closed:
            self._forget()
            self._end_session_in(0.0)

    async def notifies(
        self, *, timeout: float | None = None, stop_after: int | None = None
    ) -> AsyncIterator[Any]:
        async with AsyncExitStack() as stack:
            await stack.enter_async_context(self._lock)
            await self.wait(self._hear(timeout))
            heard = self._word.is_set()
            self._word.clear()
        if heard:
            yield SimpleNamespace(channel="stored_events", payload="")

    async def _hear(self, timeout: float | None) -> None:
        if self._is_closed:
            raise psycopg.OperationalError("the connection is closed")
        if timeout:
            try:
                async with asyncio.timeout(timeout):
                    await self._word.wait()
            except TimeoutError:
                pass
        if self._is_closed:
            raise psycopg.OperationalError("the connection is lost")

    # --- the network ----------------------------------------------------------------------------

    def lose(self) -> None:
        """Cut the connection: who waits for an answer is told; the session may linger."""
        if not self._is_closed:
            self._forget()
            self._end_session_in(self._network.chance.between(0.0, LINGERING))

    def _forget(self) -> None:
        self._is_closed = True
        self._network.connections.pop(self, None)
        self._word.set()
        self._tell(psycopg.OperationalError("server closed the connection unexpectedly"))

    def _end_session_in(self, seconds: float) -> None:
        # The server is no part of the process: its death does not stop this.
        self._network.loop.call_later(seconds, self._session.end, context=Context())

    def _dropped(self) -> None:
        """The server has ended the session; the word of it takes its way, or never comes."""
        if not self._is_stalled:
            delay = self._network.chance.between(0.0, 0.02)
            self._network.loop.call_later(delay, self.lose, context=Context())

    def _notified(self) -> None:
        if not self._is_stalled:
            delay = self._network.latency(self._network.weather(self.process))
            self._network.loop.call_later(delay, self._word.set, context=Context())

    async def _exchange(self, text: str, parameters: Sequence[Any]) -> Result:
        if self._is_closed:
            raise psycopg.OperationalError("the connection is closed")
        loop, network = self._network.loop, self._network
        weather = network.weather(self.process)
        fate = "stalls after" if self._is_stalled else weather.fate(network.chance)
        self._answer, self._cancelling = None, False
        if fate.startswith("stalls"):
            self._is_stalled = True
            if weather.cut_after is not None:
                loop.call_later(weather.cut_after, self.lose, context=Context())
        way = network.latency(weather)
        loop.call_later(way, self._arrive, text, parameters, fate, context=Context())
        self._waiter = loop.create_future()
        try:
            await self._waiter
        except asyncio.CancelledError:
            self._cancelling = True
            if self._answer is None:
                self._waiter = loop.create_future()
                await asyncio.wait([self._waiter], timeout=CANCEL)
            if self._answer is None:
                await self.close()
            raise
        assert self._answer is not None
        if isinstance(self._answer, Exception):
            raise self._answer
        return self._answer

    def _tell(self, answer: Result | Exception) -> None:
        """Let the answer be here, unless there is one already."""
        if self._answer is None:
            self._answer = answer
            if self._waiter is not None and not self._waiter.done():
                self._waiter.set_result(None)

    def _arrive(self, text: str, parameters: Sequence[Any], fate: Fate) -> None:
        """The statement reaches the server, or does not."""
        if fate == "lost before":
            self.lose()
        if fate in ("lost before", "stalls before") or not self._session.is_open:
            if not self._session.is_open and not self._is_stalled:
                self.lose()
            return
        self._network.loop.create_task(
            self._serve(text, parameters, fate), name=f"serve {text[:20]}", context=Context()
        )

    async def _serve(self, text: str, parameters: Sequence[Any], fate: Fate) -> None:
        network = self._network
        answer: Result | Exception
        self._session.turn("active")
        try:
            answer = await self._carry_out(text, parameters)
        except Exception as refused:  # noqa: BLE001 - it is the answer
            answer = refused
        self._session.turn("idle")
        way = network.latency(network.weather(self.process))
        network.loop.call_later(way, self._return, answer, fate, context=Context())

    def _return(self, answer: Result | Exception, fate: Fate) -> None:
        """The answer reaches the client, or does not."""
        if fate == "lost after":
            self.lose()
        if not self._is_stalled:
            self._tell(answer)

    async def _carry_out(self, text: str, parameters: Sequence[Any]) -> Result:
        if self._cancelling:
            raise errors.QueryCanceled("canceling statement due to user request")
        session = self._session
        self._statements += 1
        if self._has_timeout:
            args = (self._end_if_idle, self._statements)
            self._network.loop.call_later(STATEMENT_TIMEOUT, *args, context=Context())
        if text == "BEGIN":
            session.begin()
        elif text == "COMMIT":
            session.commit()
        elif text == "ROLLBACK":
            session.rollback()
        else:
            return await execute(session, text, parameters)
        return Result(None)

    def _end_if_idle(self, statements: int) -> None:
        """End a session that stands idle in its transaction since that statement."""
        if statements == self._statements and self._session.changes is not None:
            self._session.end()
            self._dropped()


class Cursor:
    """What a statement has given."""

    def __init__(self, result: Result) -> None:
        self._rows = result.rows
        self.rowcount = result.count if result.rows is None else len(result.rows)
        self.description = None if result.rows is None else [SimpleNamespace()]

    async def fetchall(self) -> list[tuple[Any, ...]]:
        assert self._rows is not None
        return self._rows

    async def fetchone(self) -> tuple[Any, ...] | None:
        assert self._rows is not None
        return self._rows[0] if self._rows else None
