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

from phaseledger.service.runtime.process import collect_seldom

LONG = 0.02  # seconds after which it is looked at what goes on


class Step(NamedTuple):
    """A callback that held its loop for a while."""

    seconds: float
    """Of the processor: what else the machine does is not counted."""
    where: str
    """The lines that it was in most often."""


class Probe:
    """The longest steps of all loops in the process since the last ``reset``."""

    def __init__(self) -> None:
        self.longest = Step(0.0, "")
        self._began: dict[int, float] = {}
        self._collected = 0.0
        self._seen: Counter[str] = Counter()

    def reset(self) -> None:
        self.longest = Step(0.0, "")

    def run(self, handle: events.Handle) -> None:
        """Run the callback as its loop would."""
        thread, began = threading.get_ident(), time.thread_time()
        self._began[thread], self._collected = time.monotonic(), 0.0
        try:
            _run(handle)
        finally:
            del self._began[thread]
            seconds = time.thread_time() - began - self._collected
            if seconds > self.longest.seconds:
                where = "\n".join(line for line, _ in self._seen.most_common(2))
                self.longest = Step(seconds, where or repr(handle))
            self._seen.clear()

    def note_collection(self, phase: str, info: dict[str, int]) -> None:
        """Leave full garbage collections out, which walk through what all tests have made."""
        if info["generation"] == 2 and threading.get_ident() in self._began:
            self._collected += time.thread_time() * (1 if phase == "stop" else -1)

    def watch(self, over: threading.Event) -> None:
        """Look now and then where long steps are."""
        while not over.wait(LONG / 4):
            for thread, began in [*self._began.items()]:
                if time.monotonic() - began > LONG and (frame := sys._current_frames().get(thread)):
                    calls = traceback.extract_stack(frame)[-6:]
                    self._seen[" < ".join(f"{call.name}:{call.lineno}" for call in calls)] += 1


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
