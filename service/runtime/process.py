"""The process: termination signals, the limit of open files, the garbage collector."""

import asyncio
import gc
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType

if sys.platform != "win32":
    import resource


def collect_seldom() -> None:
    """Keep it off what is there by now, for good.

    It would walk through some 100,000 objects of modules and routes, 50 ms each time, while
    requests and events leave few cycles behind.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(10_000, 20, 20)


def allow_descriptors(number: int) -> None:
    """Raise the soft limit on open files towards the number, as far as the hard one allows.

    Many systems begin at 1,024, which a thousand open streams use up.
    """
    if sys.platform != "win32":
        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        wanted = number if hard == resource.RLIM_INFINITY else min(number, hard)
        if soft != resource.RLIM_INFINITY and soft < wanted:
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))


@contextmanager
def on_termination(tell: Callable[[], object]) -> Iterator[None]:
    """Within the block, call ``tell`` in the loop when a signal asks the process to stop.

    The server waits for open answers before it ends the application, so streams would hold it up.
    Its own handlers stay: asyncio's work beside those of the `signal` module. Signals that nobody
    handles are left alone, and so is a loop outside the main thread, which gets none.
    """
    loop = asyncio.get_running_loop()
    numbers = [
        number for number in (signal.SIGINT, signal.SIGTERM) if callable(signal.getsignal(number))
    ]
    if threading.current_thread() is not threading.main_thread():
        numbers = []
    before = {number: signal.getsignal(number) for number in numbers}

    def handle(number: int, frame: FrameType | None) -> None:
        loop.call_soon_threadsafe(tell)
        handler = before[signal.Signals(number)]
        if callable(handler):
            handler(number, frame)

    for number in numbers:
        signal.signal(number, handle)
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
