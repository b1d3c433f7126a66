"""Work over all cores, whose results come in their order and without piling up."""

import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from multiprocessing import active_children, get_context, parent_process
from multiprocessing.connection import wait
from signal import SIG_BLOCK, SIG_SETMASK, SIGINT, pthread_sigmask
from threading import Event, Lock, Thread
from typing import TypeVar

from phaseledger.replay.terminal import WorkerLost

T = TypeVar("T")
R = TypeVar("R")

_AHEAD = 8
"""Results in hand for each process: enough that none idles while a long piece of work ends."""

_ending = Lock()
"""Held to end a pool: whoever waits for it and whoever watches it may do that at once, and what is
closed a second time in that moment might be a file that another thread has just opened."""


def cores() -> int:
    """The processor cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


@contextmanager
def in_order(task: Callable[[T], R], items: Iterable[T], processes: int) -> Iterator[Iterator[R]]:
    """What the task answers for each item, in order; on one process, without another.

    The task, the items and the answers must be picklable: a function of a module, or a partial of
    one. Items are taken from where they come only as results are taken, and what the task raises
    is raised where its result would have come.

    Raises:
        WorkerLost: a process was ended by something else than its work.

    """
    if processes == 1:
        yield map(task, items)
        return
    # Not forked: a progress bar has a thread, whose locks a fork would copy.
    pool = ProcessPoolExecutor(processes, get_context("spawn"), initializer=_begin)
    lost, over = Event(), Event()
    Thread(target=_watch, args=(pool, lost, over), daemon=True).start()
    try:
        yield _windowed(pool, task, items, processes * _AHEAD)
    except BaseException as error:
        over.set()
        _end(pool)  # nobody waits for what its processes are about
        if isinstance(error, BrokenProcessPool) or (isinstance(error, OSError) and lost.is_set()):
            raise WorkerLost(
                "A process that did part of the work was ended from outside, perhaps for lack of "
                "memory. Run the command again, with fewer --jobs."
            ) from None
        raise
    finally:
        over.set()
        pool.shutdown(cancel_futures=True)


def _watch(pool: ProcessPoolExecutor, lost: Event, over: Event) -> None:
    """Let no process of the pool end without the others: they may wait for a lock that it had."""
    while not over.is_set():
        sentinels = [process.sentinel for process in list((pool._processes or {}).values())]  # noqa: SLF001
        if wait(sentinels, 0.2) and not over.is_set():
            lost.set()
            _end(pool)
        elif not sentinels:
            over.wait(0.2)


def _end(pool: ProcessPoolExecutor) -> None:
    """End the pool's processes, and then what they write to.

    One that is ended amid a result leaves a part of it in the pipe. The pool would wait for the
    rest for ever, since it has the end for writing open itself.
    """
    with _ending:
        for process in active_children():
            process.terminate()
        if results := getattr(pool, "_result_queue", None):
            results._writer.close()  # noqa: SLF001


def _begin() -> None:
    """End with the first process, however that ends."""
    parent = parent_process()
    assert parent is not None
    Thread(target=_follow, args=(parent.sentinel,), daemon=True).start()


def _follow(sentinel: int) -> None:
    wait([sentinel])
    os._exit(1)


def _windowed(
    pool: ProcessPoolExecutor, task: Callable[[T], R], items: Iterable[T], ahead: int
) -> Iterator[R]:
    """Unlike the pool's own `map`, which takes all items and keeps all results."""
    waiting: deque[Future[R]] = deque()
    for item in items:
        if len(waiting) == ahead:
            yield waiting.popleft().result()
        before = pthread_sigmask(SIG_BLOCK, {SIGINT})  # as it stays in processes that this starts
        try:
            waiting.append(pool.submit(task, item))
        finally:
            pthread_sigmask(SIG_SETMASK, before)
    while waiting:
        yield waiting.popleft().result()
