"""Waiting for what is to come about: as long as anything moves, and no longer than it takes."""

import asyncio
import time
from collections.abc import Awaitable, Callable
from typing import TypeVar

from tests.support.progress import Stillness

T = TypeVar("T")

LONG = 60.0  # seconds in which nothing moves; only a failure takes so long
ENDLESS = 3600.0  # seconds; for what nobody can interrupt, and which a failed test leaves behind
SHORTEST, LONGEST = 0.02, 1.0  # seconds between two looks, at first and in the end


class Patience:
    """The pauses between looks, until nothing has moved for so many seconds."""

    def __init__(self, seconds: float = LONG) -> None:
        self._seconds = seconds
        self._began = time.monotonic()
        self._stillness: Stillness | None = None

    def pause(self, shown: object = None) -> float:
        """The seconds to wait before the next look, by what the last one has shown.

        Raises:
            AssertionError: nothing moves any more.

        """
        waited = time.monotonic() - self._began
        if waited > LONGEST:  # most waits are over by then, and need no look at processes
            self._stillness = self._stillness or Stillness()
            text = repr(shown)
            moving = None if " at 0x" in text else text  # another object says nothing
            assert self._stillness.seconds(moving) < self._seconds, shown
        return min(LONGEST, max(SHORTEST, waited / 20))


def eventually(
    look: Callable[[], T], holds: Callable[[T], object] = bool, seconds: float = LONG
) -> T:
    """What is seen as soon as that holds of it."""
    patience = Patience(seconds)
    while not holds(value := look()):
        time.sleep(patience.pause(value))
    return value


async def comes_about(
    look: Callable[[], Awaitable[T]], holds: Callable[[T], object] = bool, seconds: float = LONG
) -> T:
    """The same without holding up the event loop."""
    patience = Patience(seconds)
    while not holds(value := await look()):
        await asyncio.sleep(patience.pause(value))
    return value
