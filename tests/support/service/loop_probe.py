"""A probe in event loops: for how long their callbacks hold them, in the thread's own time."""

import gc
import sys
import threading
import time
import traceback
from asyncio import events
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple
from unittest.mock import patch

import psutil

from phaseledger.service.runtime.process import collect_seldom

LONG = 0.02  # seconds after which it is looked at what goes on


class Step(NamedTuple):
    """A callback that held its loop for a while."""

    seconds: float
    """Of the processor, as far as they passed on the clock too: what else runs is not counted."""
    where: str
    """The lines that it was in most often."""


class _Running:
    """A callback that a thread's loop is in."""

    def __init__(self) -> None:
        self.began = time.monotonic()
        self.collecting = 0.0
        """Seconds of the processor that full garbage collections took of it."""
        self.stacks: Counter[str] = Counter()


class Probe:
    """The longest steps of all loops in the process since the last ``reset``."""

    def __init__(self) -> None:
        self.reset()
        self._running: dict[int, _Running] = {}
        """By thread: nothing of one may be counted for another."""

    def reset(self) -> None:
        self.longest, self._stolen = Step(0.0, ""), _stolen()

    @property
    def held(self) -> float:
        """Seconds of the longest step, less what the host of a virtual machine took meanwhile.

        The system counts those as the time of whatever thread it had running.
        """
        return self.longest.seconds - (_stolen() - self._stolen)

    def run(self, handle: events.Handle) -> None:
        """Run the callback as its loop would."""
        thread, running, began = threading.get_ident(), _Running(), time.thread_time()
        self._running[thread] = running
        try:
            _run(handle)
        finally:
            del self._running[thread]
            passed = time.monotonic() - running.began
            seconds = min(time.thread_time() - began, passed) - running.collecting
            if seconds > self.longest.seconds:
                where = "\n".join(line for line, _ in running.stacks.most_common(2))
                self.longest = Step(seconds, where or repr(handle))

    def note_collection(self, phase: str, info: dict[str, int]) -> None:
        """Leave full garbage collections out, which walk through what all tests have made."""
        running = self._running.get(threading.get_ident())
        if info["generation"] == 2 and running is not None:
            running.collecting += time.thread_time() * (1 if phase == "stop" else -1)

    def watch(self, over: threading.Event) -> None:
        """Look now and then where long steps are."""
        while not over.wait(LONG / 4):
            for thread, running in [*self._running.items()]:
                long = time.monotonic() - running.began > LONG
                if long and (frame := sys._current_frames().get(thread)):
                    calls = traceback.extract_stack(frame)[-6:]
                    running.stacks[" < ".join(f"{call.name}:{call.lineno}" for call in calls)] += 1


def _stolen() -> float:
    """Seconds that the host took from all processors so far, where the system tells it (Linux)."""
    return getattr(psutil.cpu_times(), "steal", 0.0)


_run: Any = events.Handle._run


@contextmanager
def probed() -> Iterator[Probe]:
    """Probe the loops that run in the block. The garbage collector runs as seldom as in service."""
    probe, over, thresholds = Probe(), threading.Event(), gc.get_threshold()
    watching = threading.Thread(target=probe.watch, args=(over,))
    watching.start()
    collect_seldom()
    gc.callbacks.append(probe.note_collection)
    try:
        with patch.object(events.Handle, "_run", lambda handle: probe.run(handle)):
            yield probe
    finally:
        gc.callbacks.remove(probe.note_collection)
        gc.set_threshold(*thresholds)
        gc.unfreeze()
        over.set()
        watching.join()
