"""Word of the process's end while answers are still open."""

import asyncio
import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType


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
