"""An event loop with virtual time and seeded scheduling: the same seed gives the same schedule.

Time stands still while anything can run, and then jumps to the next timer. Of the callbacks that
are ready, the seed says which runs next. Callbacks belong to a process of the simulation, which may
be paused or killed: those of a killed one never run again, as after ``kill -9``.

(simloop, simloom and seedloop need Python 3.12. detangle 0.1 runs on 3.11, but has one clock for
all, while a node here has its own, and no processes that can be killed.)
"""

import asyncio
import heapq
import secrets
import threading
import time
from asyncio.events import TimerHandle
from collections.abc import Callable, Coroutine, Iterator
from contextlib import ExitStack, contextmanager, suppress
from contextvars import Context
from pathlib import Path
from typing import Any, TypeVar
from unittest.mock import patch
from zlib import crc32

import psycopg_pool.base
import psycopg_pool.pool_async
import psycopg_pool.sched_async

from phaseledger.service.eventlog import clock as ledger_clock
from phaseledger.service.eventlog import pool
from phaseledger.service.readmodels import views
from tests.simulation.chance import Chance
from tests.simulation.postgres import EPOCH
from tests.simulation.process import PROCESS

T = TypeVar("T")

STEPS = 3_000_000  # callbacks; a run that needs more goes round in circles
_MASK = (1 << 64) - 1


class Deadlock(Exception):
    """Nothing can run any more, and no timer is set."""


class Livelock(Exception):
    """More callbacks have run than any sound run has."""


class VirtualLoop(asyncio.BaseEventLoop):
    """The event loop of one simulation.

    ``disorder`` is the probability that another callback runs than the one that was ready first.
    ``digest`` follows from the whole schedule so far.
    """

    def __init__(self, chance: Chance, disorder: float = 1.0) -> None:
        super().__init__()
        self._chance = chance
        self._disorder = disorder
        self._now = 0.0
        self._timers: list[tuple[float, int, TimerHandle]] = []
        self._timers_set = 0
        self.digest = 0
        self.steps = 0
        self._parked: list[asyncio.Handle] = []
        """What processes that were killed would have run."""
        self.ending = False
        """Whether the simulation is over, and what was killed is being cleared away."""

    def time(self) -> float:
        """The seconds since the simulation began."""
        return self._now

    def note(self, *facts: object) -> None:
        """Let the digest depend on the facts too."""
        self.digest = (self.digest * 1_099_511_628_211 ^ crc32(repr(facts).encode())) & _MASK

    def _run_once(self) -> None:
        handle = self._next()
        if handle is None:
            return
        process = handle._context.get(PROCESS)  # type: ignore[attr-defined]
        if process is not None and not self.ending:
            if process.killed:
                self._parked.append(handle)
                return
            if process.paused_until > self._now:
                self._postpone(handle, process.paused_until)
                return
        self.steps += 1
        if self.steps > STEPS:
            raise Livelock(waiting(self))
        handle._run()

    def _next(self) -> asyncio.Handle | None:
        """The handle to run now; None where it was cancelled meanwhile."""
        timers, ready = self._timers, self._ready  # type: ignore[attr-defined]
        while timers and timers[0][2].cancelled():
            heapq.heappop(timers)
        if not ready:
            if not timers:
                raise Deadlock(waiting(self))
            self._now = max(self._now, timers[0][0])
        while timers and timers[0][0] <= self._now:
            ready.append(heapq.heappop(timers)[2])
        chosen = 0
        if len(ready) > 1 and self._chance.happens(self._disorder):
            chosen = self._chance.below(len(ready))
            ready.rotate(-chosen)
        handle: asyncio.Handle = ready.popleft()
        if chosen:
            ready.rotate(chosen)
        step = hash((self._now, chosen, len(ready)))  # of numbers: the same in every process
        self.digest = (self.digest * 1_099_511_628_211 ^ step) & _MASK
        return None if handle.cancelled() else handle

    def _postpone(self, handle: asyncio.Handle, when: float) -> None:
        """Run the handle itself later, so that whoever may cancel it still can."""
        self.call_at(when, self._ready.append, handle, context=Context())  # type: ignore[attr-defined]

    def call_at(  # type: ignore[override]
        self, when: float, callback: Callable[..., object], *args: Any, context: Any = None
    ) -> TimerHandle:
        """Run the callback at that time; of those at one time, the first that was set."""
        timer = TimerHandle(when, callback, args, self, context)
        self._timers_set += 1
        heapq.heappush(self._timers, (when, self._timers_set, timer))
        return timer

    def create_task(
        self, coro: Any, *, name: str | None = None, context: Any = None
    ) -> asyncio.Task[Any]:
        """A task that is named after its work, and not by how many there were before."""
        return super().create_task(
            coro, name=name or getattr(coro, "__qualname__", ""), context=context
        )

    def run_in_executor(  # type: ignore[override]
        self, executor: object, func: Callable[..., T], *args: Any
    ) -> asyncio.Future[T]:
        """Run the function in this thread, a little later: a thread that takes its time."""
        done: asyncio.Future[T] = self.create_future()

        def run() -> None:
            if done.done():
                return
            try:
                done.set_result(func(*args))
            except Exception as error:  # noqa: BLE001 - whoever awaits it gets it
                done.set_exception(error)

        self.call_later(self._chance.between(0.0001, 0.005), run)
        return done

    def call_soon_threadsafe(  # type: ignore[override]
        self, callback: Callable[..., object], *args: Any, context: Any = None
    ) -> asyncio.Handle:
        """There is one thread only."""
        return self.call_soon(callback, *args, context=context)

    def _timer_handle_cancelled(self, handle: TimerHandle) -> None:
        pass

    def clear_away(self) -> None:
        """End all tasks, those of killed processes included."""
        self.ending = True
        self._ready.extend(self._parked)  # type: ignore[attr-defined]
        for _ in range(100):
            tasks = asyncio.all_tasks(self)
            if not tasks:
                break
            for task in tasks:
                task.cancel()
            with suppress(asyncio.CancelledError, Deadlock):
                self.run_until_complete(asyncio.wait(tasks, timeout=1.0))
        self.run_until_complete(self.shutdown_asyncgens())
        self.close()


def waiting(loop: asyncio.AbstractEventLoop) -> str:
    """What waits for what: a line for each task, with the innermost places in the code."""
    lines = []
    for task in asyncio.all_tasks(loop):
        coroutine: Any = task.get_coro()
        places = []
        while coroutine is not None:
            frame = getattr(coroutine, "cr_frame", None) or getattr(coroutine, "ag_frame", None)
            if frame is not None:
                file = Path(frame.f_code.co_filename).name
                places.append(f"{file}:{frame.f_lineno} {frame.f_code.co_name}")
            coroutine = getattr(coroutine, "cr_await", None)
        lines.append(f"  {task.get_name()}: {' > '.join(places[-3:])}")
    return "\n".join(["Tasks that wait:", *sorted(lines)])


# --- clocks and secrets ---------------------------------------------------------------------------


@contextmanager
def virtual_world(loop: VirtualLoop, chance: Chance) -> Iterator[None]:
    """Let this thread's clocks be the loop's, each process with its offset, and secrets the seed's.

    Other threads keep the machine's: those that guard a test against hanging need it.
    """
    owner, real = threading.get_ident(), {name: getattr(time, name) for name in _CLOCKS}

    def seconds() -> float:
        process = PROCESS.get()
        return EPOCH + loop.time() + (process.clock_offset if process else 0.0)

    def elapsed_ns() -> int:
        process = PROCESS.get()
        return int((loop.time() + (process.uptime if process else 0.0)) * 1e9)

    def clock(name: str, of_loop: Callable[[], Any]) -> Callable[[], Any]:
        return lambda: of_loop() if threading.get_ident() == owner else real[name]()

    with ExitStack() as stack:

        def put(target: object, name: str, value: object) -> None:
            stack.enter_context(patch.object(target, name, value))

        put(time, "time", clock("time", seconds))
        put(time, "time_ns", clock("time_ns", lambda: int(seconds() * 1_000_000) * 1_000))
        put(time, "monotonic", clock("monotonic", loop.time))
        put(ledger_clock, "elapsed_ns", elapsed_ns)
        pools = (psycopg_pool.pool_async, psycopg_pool.sched_async, psycopg_pool.base, pool)
        for module in (*pools, views):
            put(module, "monotonic", loop.time)
        put(psycopg_pool.base, "random", chance.unit)
        put(psycopg_pool.base.BasePool, "_num_pool", 0)  # the names of its tasks count pools
        put(secrets, "token_bytes", lambda count=32: chance.bytes(count))
        put(secrets, "token_hex", lambda count=32: chance.bytes(count).hex())
        yield


_CLOCKS = ("time", "time_ns", "monotonic")


def run(loop: VirtualLoop, main: Coroutine[Any, Any, T]) -> T:
    """The result of the coroutine; when it is there, everything else has ended too."""
    asyncio.set_event_loop(loop)
    try:
        return loop.run_until_complete(main)
    finally:
        loop.clear_away()
        asyncio.set_event_loop(None)
