"""The ledger's clock: the database's time, estimated between comparisons, the same on all nodes.

A node's own clock may be wrong by a day. So the database's `clock_timestamp()` is compared with the
node's elapsed time, which no command sets; this gives the time between two comparisons.
"""

import asyncio
import time
from contextlib import suppress
from typing import NamedTuple

import structlog
from typing_extensions import override

from phaseledger.service.eventlog.connection import Connection
from phaseledger.service.eventlog.errors import LedgerTimeUnknown, StoreUnavailable
from phaseledger.service.eventlog.side_connection import SideConnection
from phaseledger.service.runtime.logs import trace
from phaseledger.service.runtime.resource import Resource
from phaseledger.service.runtime.tasks import cancel_and_wait

EVERY = 3.0  # seconds between comparisons
RETRY = 0.5  # seconds until a database that did not say its time is asked again
TRIES = 5  # questions in one comparison, of which the one answered fastest counts
SECONDS = 2.0  # for one comparison; what takes longer says little about the time
FIRST = 2.0  # seconds that a node waits for its first comparison before it goes on
KNOWN = 30.0  # seconds after a comparison in which the time is known well enough to decide by it

_MS = 1_000_000  # nanoseconds
_ASK = "SELECT (extract(epoch FROM clock_timestamp()) * 1000000)::bigint * 1000"

log = structlog.get_logger("phaseledger.clock")


def elapsed_ns() -> int:
    """Nanoseconds since a fixed moment, independent of settings of the node's clock.

    Suspension of the machine counts where the system has CLOCK_BOOTTIME.
    """
    boot_time = getattr(time, "CLOCK_BOOTTIME", None)
    return time.monotonic_ns() if boot_time is None else time.clock_gettime_ns(boot_time)


def elapsed_ms() -> int:
    """The elapsed time since a fixed moment, in milliseconds."""
    return elapsed_ns() // _MS


def wall_ms() -> int:
    """The time by the node's own clock, in milliseconds since 1970."""
    return time.time_ns() // _MS


class LedgerClock(Resource):
    """The clock of one ledger, in ms since 1970: the node's own where no database has another."""

    def now(self) -> int:
        """The ledger's time, to decide by it.

        Raises:
            LedgerTimeUnknown: the database has not said its time for a while.

        """
        return wall_ms()

    def estimate(self) -> int:
        """The ledger's time as well as it is known.

        Raises:
            StoreUnavailable: the database has never said its time.

        """
        return wall_ms()

    def skew(self) -> int | None:
        """By how many ms the node's own clock is ahead of the ledger's; None: not known."""
        return 0


LOCAL = LedgerClock()


class _Comparison(NamedTuple):
    """The result of one comparison. Times are in nanoseconds."""

    at: int
    """When it was made, as `elapsed_ns` counts."""
    ahead: int
    """By how much the database's time is ahead of what `elapsed_ns` counts."""
    doubt: int
    """The possible error: half of the way to the server and back."""


class DatabaseClock(LedgerClock):
    """The clock of a ledger's database, as this node knows it without asking at every command."""

    def __init__(self, connection: SideConnection) -> None:
        self._connection = connection
        self._last: _Comparison | None = None
        self._tried = asyncio.Event()
        self._task: asyncio.Task[None] | None = None

    @override
    def now(self) -> int:
        last = self._last
        if last is None or elapsed_ns() - last.at > KNOWN * 1e9:
            raise LedgerTimeUnknown("The database has not said for a while what time it is.")
        return self.estimate()

    @override
    def estimate(self) -> int:
        if self._last is None:
            raise StoreUnavailable("The database has not said yet what time it is.")
        return (elapsed_ns() + self._last.ahead) // _MS

    @override
    def skew(self) -> int | None:
        try:
            return wall_ms() - self.now()
        except LedgerTimeUnknown:
            return None

    @override
    async def open(self) -> None:
        self._task = asyncio.create_task(self._keep_time(), name="ledger clock")
        with suppress(TimeoutError):
            async with asyncio.timeout(FIRST):
                await self._tried.wait()

    @override
    async def close(self) -> None:
        await self._connection.close()
        if self._task is not None:
            await cancel_and_wait(self._task)

    async def _keep_time(self) -> None:
        reason = ""
        while True:
            pause = RETRY
            try:
                self._last = await self._connection.run(_compared, SECONDS)
            except StoreUnavailable as lost:
                if reason != str(lost):
                    log.warning("the ledger's clock waits for the database", reason=str(lost))
                reason = str(lost)
            except Exception as bug:  # noqa: BLE001 - without a clock no time-out would ever come
                log.critical("the ledger's clock was not read", **trace(bug))
            else:
                reason, pause = "", EVERY
            self._tried.set()
            await asyncio.sleep(pause)


async def _compared(conn: Connection) -> _Comparison:
    """The comparison of several that has the least doubt."""
    comparisons: list[_Comparison] = []
    for _ in range(TRIES):
        asked = elapsed_ns()
        cursor = await conn.execute(_ASK, prepare=True)
        ((answer,),) = await cursor.fetchall()
        answered = elapsed_ns()
        doubt = (answered - asked) // 2
        comparisons.append(_Comparison(answered, int(answer) - asked - doubt, doubt))
    return min(comparisons, key=lambda comparison: comparison.doubt)
