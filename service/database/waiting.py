"""A wait that says what it waits for, and that somebody may end."""

import sys
import threading
import time
from collections.abc import Callable

FIRST = 2.0  # seconds until the wait is told for the first time
AGAIN = 30.0  # seconds until it is told again
PAUSE = 0.1  # seconds between two looks

Say = Callable[[str], None]
"""Takes a sentence for the operator."""


def to_stderr(sentence: str) -> None:
    """Print the sentence like every other of the command line."""
    print(f"phaseledger: {sentence}", file=sys.stderr, flush=True)


class Stopped(Exception):
    """The wait is over because the process stops."""


class Wait:
    """One wait of an operator, however many steps it has.

    After `FIRST` seconds, and every `AGAIN` seconds from there, `say` is told what is waited for.
    """

    def __init__(self, say: Say = to_stderr, stop: threading.Event | None = None) -> None:
        self._say = say
        self._stop = stop or threading.Event()
        self._began = time.monotonic()
        self._next = FIRST

    @property
    def seconds(self) -> float:
        """For how long it goes on."""
        return time.monotonic() - self._began

    def tell(self, subject: Callable[[], str]) -> None:
        """Say what is waited for, when it is time to.

        Raises:
            Stopped: the process stops.

        """
        if self._stop.is_set():
            raise Stopped
        if self.seconds >= self._next:
            self._next = self.seconds + AGAIN
            self._say(f"waiting for {subject()} ({self.seconds:.0f} s so far)")

    def pause(self, subject: Callable[[], str]) -> None:
        """Wait for a moment; raises Stopped like `tell`."""
        self.tell(subject)
        self._stop.wait(PAUSE)
