"""An ordered map over workers, with a bounded number of results in memory.

The workers are processes of this machine or those of a Dask cluster; both are executors.
"""

import os
import sys
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Executor, Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from functools import partial
from multiprocessing import active_children, get_context, parent_process
from multiprocessing.connection import wait
from multiprocessing.context import SpawnContext, SpawnProcess
from multiprocessing.process import BaseProcess
from pathlib import Path
from signal import SIG_BLOCK, SIG_SETMASK, SIGINT, pthread_sigmask
from threading import Event, Lock, Thread
from types import ModuleType
from typing import Any, NamedTuple, TypeVar

from phaseledger import __version__
from phaseledger.replay.batch.cluster import LOCAL, cluster_executor, run_on_worker
from phaseledger.replay.terminal import UsageError, WorkerLost

T = TypeVar("T")
R = TypeVar("R")

_QUEUED = 8
"""Tasks queued for each process: enough that none idles while a long one ends."""
_QUEUED_IN_CLUSTER = 200
"""The least number of tasks queued in a cluster, to which more workers may come."""

_end_lock = Lock()
"""The lock for ending a pool: its user and its watching thread may do so at once, and a descriptor
closed twice might by then be a file that another thread has just opened.
"""


def cores() -> int:
    """The processor cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


class Workers(NamedTuple):
    """The workers: ``processes`` here, or the workers of a cluster."""

    processes: int = 1
    cluster: str = ""
    """The address of a Dask scheduler, or `LOCAL`; empty: there is no cluster."""

    def for_units(self, units: int) -> "Workers":
        """At most as many processes as units of work; without units, no cluster."""
        cluster = self.cluster if units else ""
        return Workers(max(1, min(self.processes, units)), cluster)


def workers_of(jobs: int | None, cluster: str) -> Workers:
    """The workers that ``--jobs`` and ``--cluster`` name.

    Raises:
        UsageError: the jobs are less than 1, or are given for a cluster with workers of its own.

    """
    if jobs is not None and jobs < 1:
        raise UsageError("--jobs counts from 1.")
    if jobs is not None and cluster not in ("", LOCAL):
        raise UsageError(f"--jobs is for this machine, and {cluster} has workers of its own.")
    return Workers(jobs or cores(), cluster)


@contextmanager
def in_order(
    task: Callable[[T], R],
    items: Iterable[T],
    workers: Workers,
    on_result: Callable[[R], None] | None = None,
) -> Iterator[Iterator[R]]:
    """The task's results for the items, in order; for one process in this one, as `map`.

    The task, the items and the results must be picklable: a function of a module, or a partial of
    one. Items are taken only as results are taken (backpressure); an exception of the task is
    raised in place of its result. ``on_result`` gets each result as soon as it is there, perhaps
    before its turn and in another thread.

    Raises:
        WorkerLost: worker processes were ended from outside.
        UsageError: there is no such cluster, or it cannot do this work.

    """
    if workers.cluster:
        with _in_cluster(task, items, workers, on_result) as results:
            yield results
    elif workers.processes == 1:
        yield map(task, items)  # each result is there in its turn
    else:
        with _in_processes(task, items, workers.processes, on_result) as results:
            yield results


@contextmanager
def _in_cluster(
    task: Callable[[T], R],
    items: Iterable[T],
    workers: Workers,
    on_result: Callable[[R], None] | None,
) -> Iterator[Iterator[R]]:
    run = partial(run_on_worker, task, __version__, str(Path.cwd()))
    with cluster_executor(workers.cluster, workers.processes) as cluster:
        ahead = max(_QUEUED_IN_CLUSTER, cluster.threads * _QUEUED)
        yield _bounded_map(cluster.executor, run, items, ahead, on_result, cluster.result)


@contextmanager
def _in_processes(
    task: Callable[[T], R],
    items: Iterable[T],
    processes: int,
    on_result: Callable[[R], None] | None,
) -> Iterator[Iterator[R]]:
    # Not forked: a progress bar has a thread, whose locks a fork would copy.
    context = get_context("spawn") if _is_of_program(task) else _WorkerContext()
    pool = ProcessPoolExecutor(processes, context, initializer=_start_worker)
    worker_lost, finished = Event(), Event()
    Thread(target=_watch_workers, args=(pool, worker_lost, finished), daemon=True).start()
    try:
        yield _bounded_map(pool, task, items, processes * _QUEUED, on_result)
    except BaseException as error:
        finished.set()
        _end_workers(pool)  # their results have no reader
        if isinstance(error, BrokenProcessPool) or (
            isinstance(error, OSError) and worker_lost.is_set()
        ):
            raise WorkerLost(
                "A process that did part of the work was ended from outside, perhaps for lack of "
                "memory. Run the command again, with fewer --jobs."
            ) from None
        raise
    finally:
        finished.set()
        pool.shutdown(cancel_futures=True)


def _is_of_program(task: Callable[..., object]) -> bool:
    """Whether the task is a function of the running program, not of a module."""
    return getattr(getattr(task, "func", task), "__module__", "") == "__main__"


class _WorkerProcess(SpawnProcess):
    """A worker that imports only what its tasks need, not the running program: a command line's
    imports take longer.
    """

    @staticmethod
    def _Popen(process_obj: BaseProcess) -> Any:  # noqa: ANN401, N802 - as the library has it
        program = sys.modules["__main__"]
        sys.modules["__main__"] = ModuleType("__main__")
        try:
            return SpawnProcess._Popen(process_obj)  # noqa: SLF001
        finally:
            sys.modules["__main__"] = program


class _WorkerContext(SpawnContext):
    Process = _WorkerProcess


def _watch_workers(pool: ProcessPoolExecutor, worker_lost: Event, finished: Event) -> None:
    """End all workers once one has ended: the others may wait for a lock that it held."""
    while not finished.is_set():
        sentinels = [process.sentinel for process in list((pool._processes or {}).values())]  # noqa: SLF001
        if wait(sentinels, 0.2) and not finished.is_set():
            worker_lost.set()
            _end_workers(pool)
        elif not sentinels:
            finished.wait(0.2)


def _end_workers(pool: ProcessPoolExecutor) -> None:
    """End the pool's processes, and then close the ends of pipes that only they should hold.

    A worker that is ended amid a result leaves a part of it in the pipe. The pool would wait for
    the rest for ever, since it holds the writing end open itself. Before 3.11.5 the pool also waits
    while it writes a task without a reader (https://github.com/python/cpython/issues/94777).
    """
    with _end_lock:
        for process in active_children():
            process.terminate()
        if results := getattr(pool, "_result_queue", None):
            results._writer.close()  # noqa: SLF001
        if sys.version_info < (3, 11, 5) and (tasks := getattr(pool, "_call_queue", None)):
            tasks._reader.close()  # noqa: SLF001


def _start_worker() -> None:
    """Initialize a worker: it exits as soon as its parent process has ended."""
    parent = parent_process()
    assert parent is not None
    Thread(target=_exit_after, args=(parent.sentinel,), daemon=True).start()


def _exit_after(sentinel: int) -> None:
    wait([sentinel])
    os._exit(1)


def _bounded_map(
    executor: Executor,
    task: Callable[[T], R],
    items: Iterable[T],
    ahead: int,
    on_result: Callable[[R], None] | None,
    result: Callable[[Future[R]], R] = Future.result,
) -> Iterator[R]:
    """Map with at most ``ahead`` tasks queued; an executor's `map` takes all items at once."""
    pending: deque[Future[R]] = deque()
    for item in items:
        if len(pending) == ahead:
            yield result(pending.popleft())
        old_mask = pthread_sigmask(SIG_BLOCK, {SIGINT})  # a process started here inherits it
        try:
            pending.append(executor.submit(task, item))
        finally:
            pthread_sigmask(SIG_SETMASK, old_mask)
        if on_result:
            pending[-1].add_done_callback(partial(_tell_result, on_result))
    while pending:
        yield result(pending.popleft())


def _tell_result(on_result: Callable[[R], None], future: Future[R]) -> None:
    if not future.cancelled() and not future.exception():
        on_result(future.result())
