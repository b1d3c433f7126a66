"""The workers of a Dask cluster as an executor, for work beyond one machine.

Each worker must have the same version of the program, and see the named files under the same names,
as in a shared folder. Dask gives the work of a worker that dies to another one.
"""

import asyncio
import logging
import os
import re
from collections.abc import Callable, Iterator
from concurrent.futures import CancelledError, Executor, Future, wait
from contextlib import ExitStack, contextmanager, suppress
from multiprocessing import resource_tracker
from signal import SIG_BLOCK, SIG_SETMASK, SIGINT, pthread_sigmask
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar
from weakref import WeakSet

from phaseledger import __version__
from phaseledger.replay.terminal import UsageError, WorkerLost, tell

if TYPE_CHECKING:
    from distributed import Client, LocalCluster
    from distributed import Future as DaskFuture
    from distributed.comm.core import Comm

LOCAL = "local"
"""The address that stands for a cluster of its own on this machine."""
ANSWER = 10
"""Seconds that a scheduler has to answer."""
LOOK = 1
"""Seconds between two looks at the connection to the scheduler while a result is waited for."""
_LOOPBACK = "127.0.0.1"
_ADDRESS = re.compile(r"((tcp|tls)://)?[^/\s]+:\d{1,5}")

T = TypeVar("T")
R = TypeVar("R")


class _DaskExecutor(Executor):
    """The workers of a cluster.

    Dask has an executor too, which reads the state of a task once more when its result is here. If
    the worker has died between the two, the state is "lost", and the result is taken for an error.
    """

    def __init__(self, client: "Client") -> None:
        self._client = client
        self._tasks: WeakSet[DaskFuture[Any]] = WeakSet()

    def submit(self, fn: Callable[..., R], /, *args: object, **kwargs: object) -> "Future[R]":
        task = self._client.submit(fn, *args, pure=False, **kwargs)
        self._tasks.add(task)
        loop: Any = self._client.loop  # Tornado's, around one of asyncio
        return asyncio.run_coroutine_threadsafe(task._result(), loop.asyncio_loop)  # noqa: SLF001

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Cancel the tasks whose results have no reader any more."""
        self._client.cancel([*self._tasks])


class ClusterExecutor(NamedTuple):
    """An executor, how many tasks its workers run at once, and its connection to the scheduler."""

    executor: Executor
    threads: int
    connection: "Comm"

    def result(self, future: "Future[R]") -> R:
        """Wait for the result of a task.

        Dask never settles a future whose result was ready when the scheduler ended, but not
        fetched: the connection that is lost ends the wait.

        Raises:
            CancelledError: the scheduler has ended; else what the task raises.

        """
        while not wait([future], LOOK).done:
            if self.connection.closed():
                raise CancelledError
        return future.result()


def _close(client: "Client") -> None:
    """Close the client; amid its attempt to reconnect to a lost scheduler that fails at times."""
    with suppress(RuntimeError):
        client.close()


@contextmanager
def cluster_executor(address: str, processes: int) -> Iterator[ClusterExecutor]:
    """An executor of the cluster whose scheduler has that address, as in ``tcp://10.0.0.1:8786``.

    `LOCAL` starts one with ``processes`` workers, which ends with the block.

    Raises:
        UsageError: Dask is not installed, no scheduler answers there, or a worker is of another
            version.
        WorkerLost: the same work has ended several workers, or the scheduler has ended.

    """
    if address != LOCAL and not _ADDRESS.fullmatch(address):
        raise UsageError(
            f"--cluster {address}: write its scheduler's address as tcp://HOST:8786, or `local`."
        )
    try:
        from distributed import Client, KilledWorker
        from distributed.client import ClosedClientError
        from distributed.comm.core import CommClosedError
    except ImportError:
        raise UsageError("--cluster needs Dask: pip install 'phaseledger[cluster]'.") from None
    with ExitStack() as stack:
        # The death of a worker or scheduler is reported in our own words; a cancellation amid an
        # answer, by Ctrl-C too, in none.
        for logger in ("distributed", "distributed.client", "tornado.application"):
            logging.getLogger(logger).setLevel(logging.CRITICAL)
        scheduler: LocalCluster | str = address
        if address == LOCAL:
            scheduler = stack.enter_context(_local_cluster(processes))
        try:
            if scheduler == address:
                asyncio.run(_require_scheduler(address))
            client = Client(scheduler, timeout=ANSWER, set_as_default=False)
        except OSError:
            raise UsageError(
                f"--cluster {address}: no Dask scheduler answers there within {ANSWER} seconds."
            ) from None
        stack.callback(_close, client)
        _require_this_version(client, address)
        threads = sum(client.nthreads().values())
        named = "1 thread" if threads == 1 else f"{threads} threads"
        tell(f"Cluster: {named} of workers; {client.dashboard_link} shows their work.")
        executor = _DaskExecutor(client)
        try:
            assert client.scheduler_comm is not None
            yield ClusterExecutor(executor, threads, client.scheduler_comm.comm)
        except KilledWorker:
            raise WorkerLost(
                "Several workers of the cluster ended while they did the same part of the work, "
                "perhaps for lack of memory."
            ) from None
        except (CancelledError, ClosedClientError, CommClosedError):
            raise WorkerLost(
                f"--cluster {address}: the scheduler has ended or cannot be reached any more, and "
                "the work that it had is lost. Run the command again once there is one."
            ) from None
        finally:
            with suppress(ClosedClientError):
                executor.shutdown()


def _local_cluster(processes: int) -> "LocalCluster":
    from distributed import LocalCluster

    # Ctrl-C goes to all processes of a terminal, but is for the caller, who ends the workers. They
    # inherit this mask. Starting the tracker would clear the mask, so the tracker starts before.
    resource_tracker.ensure_running()
    old_mask = pthread_sigmask(SIG_BLOCK, {SIGINT})
    try:
        return LocalCluster(
            n_workers=processes,
            threads_per_worker=1,
            host=_LOOPBACK,
            dashboard_address=f"{_LOOPBACK}:0",
            silence_logs=logging.CRITICAL,  # of the workers too
        )
    finally:
        pthread_sigmask(SIG_SETMASK, old_mask)


async def _require_scheduler(address: str) -> None:
    """Require that a Dask scheduler answers: for anything else a client would wait for ever.

    Raises:
        OSError: no answer.
        UsageError: no certificates are named for TLS.

    """
    from distributed import Security
    from distributed.comm.core import connect

    security = Security().get_connection_args("client")
    if address.startswith("tls:") and not security.get("ssl_context"):
        raise UsageError(
            f"--cluster {address}: TLS needs certificates, which Dask's settings name "
            "(https://distributed.dask.org/en/stable/tls.html)."
        )
    async with asyncio.timeout(ANSWER):
        comm = await connect(address, timeout=ANSWER, **security)
    comm.abort()


def _require_this_version(client: "Client", address: str) -> None:
    """Wait for a worker, and require that all have this version; raises UsageError."""
    if not client.nthreads():
        tell(f"--cluster {address}: waiting for a worker to come ...")
        client.wait_for_workers(1)
    # By value, since a worker need not have this module.
    versions = client.run(lambda: __import__("phaseledger").__version__, on_error="return")
    for worker, version in sorted(versions.items()):
        if version != __version__:
            release = "no phaseledger" if isinstance(version, BaseException) else version
            raise UsageError(
                f"--cluster {address}: the worker {worker} has {release}, and this is "
                f"{__version__}: only the same version makes the same bytes."
            )


def run_on_worker(task: Callable[[T], R], version: str, folder: str, item: T) -> R:
    """Run the task in a worker, under the caller's version and in the caller's folder.

    Raises:
        UsageError: the worker, which may have joined late, has another version, or no such folder.

    """
    if version != __version__:
        raise UsageError(f"A worker of the cluster has {__version__}, and this is {version}.")
    try:
        os.chdir(folder)
    except OSError as error:
        raise UsageError(
            f"A worker of the cluster has no folder {folder}, where this is run: {error.strerror}. "
            "Run it in a folder that all of them share."
        ) from None
    return task(item)
