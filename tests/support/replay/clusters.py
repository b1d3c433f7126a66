"""Dask clusters on loopback, and commands that are run in a folder."""

import subprocess
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import NamedTuple

from phaseledger import __version__
from tests.support import forked
from tests.support.children import finished
from tests.support.polling import eventually
from tests.support.replay.dask_processes import Parent, Process
from tests.support.replay.processes import ENVIRON


class Cluster(NamedTuple):
    """A scheduler and its workers, each a process of its own on loopback."""

    address: str
    scheduler: Process
    workers: list[Process]


def worker(dask: Parent, address: str, version: str = __version__) -> Process:
    """A worker of one thread that nobody starts anew when it dies."""
    options = ["--nthreads", "1", "--no-nanny", "--no-dashboard", "--host", "127.0.0.1"]
    return dask.fork("worker", version, address, *options)


@contextmanager
def cluster(dask: Parent, folder: Path, *versions: str) -> Iterator[Cluster]:
    """A cluster with workers of these versions, that have come."""
    file = folder / "scheduler.json"
    options = ["--no-dashboard", "--host", "127.0.0.1", "--port", "0", "--scheduler-file"]
    with ExitStack() as stack:
        scheduler = dask.fork("scheduler", __version__, *options, str(file))
        stack.callback(scheduler.kill)
        eventually(file.exists)
        from distributed import Client  # takes 0.3 s, which every process would spend

        with Client(scheduler_file=str(file), set_as_default=False) as client:
            address = client.scheduler.address
            workers = [worker(dask, address, version) for version in versions]
            for process in workers:
                stack.callback(process.kill)
            client.wait_for_workers(len(versions))
        yield Cluster(address, scheduler, workers)


def run_in(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """A command of the program, run in the folder to its end."""
    pipe = subprocess.PIPE
    process = forked.started(*words, env=ENVIRON, cwd=folder, stdout=pipe, stderr=pipe)
    printed, complaints = (text.decode() for text in finished(process))
    return subprocess.CompletedProcess(process.args, process.returncode, printed, complaints)
