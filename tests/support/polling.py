"""Waiting for what is to come about: for long, since the machine may be slow or busy, and no longer
than it takes.
"""

import asyncio
import time
from collections.abc import Awaitable, Callable
from typing import TypeVar

T = TypeVar("T")

LONG = 60.0  # seconds; only a failure takes so long


def eventually(
    look: Callable[[], T], holds: Callable[[T], object] = bool, seconds: float = LONG
) -> T:
    """What is seen as soon as that holds of it."""
    deadline = time.monotonic() + seconds
    while not holds(found := look()):
        assert time.monotonic() < deadline, found
        time.sleep(0.02)
    return found


async def comes_about(
    look: Callable[[], Awaitable[T]], holds: Callable[[T], object] = bool, seconds: float = LONG
) -> T:
    """The same without holding up the event loop."""
    deadline = time.monotonic() + seconds
    while not holds(found := await look()):
        assert time.monotonic() < deadline, found
        await asyncio.sleep(0.02)
    return found
