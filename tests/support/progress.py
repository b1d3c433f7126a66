"""Time as a wait counts it: a slow or busy machine makes a slow run and not a failure."""

import time
from collections.abc import Callable
from pathlib import Path

import psutil

STEP = 1.0  # seconds of processor time that are a movement; to look again and again costs less
SAMPLE = 10.0  # seconds between two looks at the processes
PRESSURE = Path("/proc/pressure/cpu")
"""How long somebody had to wait for a processor, as Linux counts it."""


class Stillness:
    """How long nothing has moved.

    What moves is the processor time of this process and of all that it has started, the processes
    that there are, and what is shown by whoever waits. A process that waits for its turn on a
    loaded machine moves little by little; one that hangs does not.
    """

    def __init__(self, clock: Callable[[], float] | None = None) -> None:
        self._clock = clock or (lambda: time.monotonic())
        self._process = psutil.Process()
        self._shown: object = None
        self._moved = self._sampled = self._clock()
        self._used = self._processor_times()

    def seconds(self, shown: object = None) -> float:
        """The seconds since the last movement; to show another value than before is one."""
        now = self._clock()
        if shown != self._shown:
            self._shown, self._moved = shown, now
        if now - self._sampled >= SAMPLE:
            self._sampled = now
            used = self._processor_times()
            grown = sum(used.values()) - sum(self._used.values())
            if used.keys() != self._used.keys() or grown >= STEP:
                self._used, self._moved = used, now
        return now - self._moved

    def _processor_times(self) -> dict[int, float]:
        """The seconds used by each process of the tree."""
        seconds = {}
        for process in (self._process, *self._process.children(recursive=True)):
            try:
                times = process.cpu_times()
            except (psutil.NoSuchProcess, psutil.AccessDenied):
                continue
            seconds[process.pid] = times.user + times.system
        return seconds


def unhurried() -> float:
    """A clock in seconds, for what has to be soon: it stands while anybody waits for a processor.

    Where the system does not count that, it is a clock like any other.
    """
    return time.monotonic() - _waited()


def _waited() -> float:
    try:
        counts = PRESSURE.read_text()
    except OSError:
        return 0.0
    return int(counts.partition("total=")[2].split()[0]) / 1e6
