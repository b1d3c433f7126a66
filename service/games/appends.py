"""Appends in flight: how long commands of this process have waited for their commit."""

import time
from collections.abc import Iterator
from contextlib import contextmanager


class AppendsInFlight:
    """The appends that have been asked of the log and are not answered yet."""

    def __init__(self) -> None:
        self._began: dict[object, float] = {}

    @contextmanager
    def counted(self) -> Iterator[None]:
        """Count an append during the block."""
        key = object()
        self._began[key] = time.monotonic()
        try:
            yield
        finally:
            del self._began[key]

    def longest(self) -> float:
        """The age of the oldest append in seconds; 0.0 where none waits."""
        first = next(iter(self._began.values()), None)
        return 0.0 if first is None else time.monotonic() - first
