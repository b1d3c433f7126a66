"""The process: termination signals, the limit of open files, the garbage collector."""

import asyncio
import gc
import signal
import sys
import threading
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import TypeAlias

if sys.platform != "win32":
    import resource

Linger: TypeAlias = Callable[[], Coroutine[None, None, None]]
"""Waits until the process may stop."""


@contextmanager
def on_termination(callback: Callable[[], object], linger: Linger) -> Iterator[None]:
    """Within the block, call back in the event loop when a signal asks the process to stop.

    The server waits for open answers before it ends the application, so streams would hold it up.
    Its own handlers stay: asyncio's work beside those of the `signal` module. But after SIGTERM,
    the usual request to stop, the server gets its signal only when ``linger`` is over, and as
    SIGINT. Signals without a handler are left alone, and so is a loop outside the main thread,
    which gets none.
    """
    interrupt, terminate = signal.getsignal(signal.SIGINT), signal.getsignal(signal.SIGTERM)
    if not callable(interrupt) or threading.current_thread() is not threading.main_thread():
        yield
        return
    loop, stopping = asyncio.get_running_loop(), _Stopping(callback, linger)

    def handle(number: int, frame: FrameType | None) -> None:
        loop.call_soon_threadsafe(callback)
        interrupt(number, frame)

    signal.signal(signal.SIGINT, handle)
    if callable(terminate):
        # In the place of the server's, and for good: its own cannot be had back.
        loop.add_signal_handler(signal.SIGTERM, stopping.begin)
    try:
        yield
    finally:
        stopping.end()
        signal.signal(signal.SIGINT, interrupt)


class _Stopping:
    """The state between SIGTERM and the server's own signal to stop."""

    def __init__(self, callback: Callable[[], object], linger: Linger) -> None:
        self._callback = callback
        self._linger = linger
        self._task: asyncio.Task[None] | None = None
        self._is_over = False

    def begin(self) -> None:
        """Carry out a SIGTERM, once."""
        if self._task is None and not self._is_over:
            self._callback()
            self._task = asyncio.create_task(self._stop())

    def end(self) -> None:
        """Send no more signals."""
        self._is_over = True
        if self._task is not None:
            self._task.cancel()

    async def _stop(self) -> None:
        try:
            await self._linger()
        finally:
            if not self._is_over:
                signal.raise_signal(signal.SIGINT)


def allow_descriptors(number: int) -> int:
    """Raise the soft limit of open files to the number; how many of these the hard limit allows.

    Many systems begin at 1,024, which a thousand open streams use up.
    """
    limit = number
    if sys.platform != "win32":
        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        limit = number if hard == resource.RLIM_INFINITY else min(number, hard)
        if soft != resource.RLIM_INFINITY and soft < limit:
            resource.setrlimit(resource.RLIMIT_NOFILE, (limit, hard))
    return limit


def collect_seldom() -> None:
    """Freeze the objects made so far, so that the garbage collector skips them, and run it seldom.

    It would walk through some 100,000 objects of modules and routes, 50 ms each time, while
    requests and events leave few cycles behind. But it walks through the young ones in small parts,
    as all threads wait meanwhile: 5,000 at once took up to 7 ms, and the next generation 13 ms, by
    CPython 3.11 at load 6 to 12.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(1_000, 5, 500)


def switch_often() -> None:
    """Have computing threads give the interpreter up often, since the event loop wants it.

    By default a thread may keep it for 5 ms each time that the loop has work, which a request has
    several times.
    """
    sys.setswitchinterval(0.000_5)
