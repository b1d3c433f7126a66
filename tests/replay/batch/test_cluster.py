"""Work in a Dask cluster: the same results, whoever dies meanwhile, and refusals in words."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, chdir, contextmanager
from pathlib import Path
from typing import NamedTuple

import pytest
from distributed import Client

from phaseledger import __version__
from phaseledger.replay.batch.pool import Workers, in_order
from phaseledger.replay.terminal import UsageError, WorkerLost
from tests.support import forked
from tests.support.children import finished, run
from tests.support.polling import eventually
from tests.support.replay.dask_processes import Parent, Process, dask_parent
from tests.support.replay.pool_tasks import nap, perish, refuse, square
from tests.support.replay.processes import ENVIRON, GOOD

PHASELEDGER = [sys.executable, "-m", "phaseledger.service.cli.main"]


class Cluster(NamedTuple):
    """A scheduler and its workers, each a process of its own on loopback."""

    address: str
    workers: list[Process]


def worker(dask: Parent, address: str, version: str = __version__) -> Process:
    """A worker of one thread that nobody starts anew when it dies."""
    options = ["--nthreads", "1", "--no-nanny", "--no-dashboard", "--host", "127.0.0.1"]
    return dask.fork("worker", version, address, *options)


@pytest.fixture(scope="module")
def dask() -> Iterator[Parent]:
    with dask_parent() as parent:
        yield parent


@contextmanager
def cluster(dask: Parent, folder: Path, *versions: str) -> Iterator[Cluster]:
    """A cluster with workers of these versions, that have come."""
    file = folder / "scheduler.json"
    options = ["--no-dashboard", "--host", "127.0.0.1", "--port", "0", "--scheduler-file"]
    with ExitStack() as stack:
        stack.callback(dask.fork("scheduler", __version__, *options, str(file)).kill)
        eventually(file.exists)
        with Client(scheduler_file=str(file), set_as_default=False) as client:
            address = client.scheduler.address
            workers = [worker(dask, address, version) for version in versions]
            for process in workers:
                stack.callback(process.kill)
            client.wait_for_workers(len(versions))
        yield Cluster(address, workers)


@pytest.fixture(scope="module")
def three(dask: Parent, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    with cluster(dask, tmp_path_factory.mktemp("cluster"), *[__version__] * 3) as running:
        yield running


def run_in(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """A command of the program, run in the folder to its end."""
    pipe = subprocess.PIPE
    process = forked.started(*words, env=ENVIRON, cwd=folder, stdout=pipe, stderr=pipe)
    printed, complaints = (text.decode() for text in finished(process))
    return subprocess.CompletedProcess(process.args, process.returncode, printed, complaints)


def test_results_come_in_order_and_what_a_task_raises_in_its_place(three: Cluster) -> None:
    workers = Workers(cluster=three.address)
    with in_order(square, range(40), workers) as squares:
        assert list(squares) == [number * number for number in range(40)]
    with in_order(refuse, range(10), workers) as numbers:
        assert [next(numbers) for _ in range(5)] == [0, 1, 2, 3, 4]
        with pytest.raises(ValueError, match="five"):
            next(numbers)


def test_a_run_in_a_cluster_has_the_bytes_of_one_process(three: Cluster, tmp_path: Path) -> None:
    games = ["simulate", "--games", "6", "--seed", "cup", "--option", "variant=n_phases(1)"]
    for name, by in (("alone", ["--jobs", "1"]), ("cluster", ["--cluster", three.address])):
        assert run_in(tmp_path, *games, *by, "--out", f"{name}.ndjson").returncode == 0
    assert (tmp_path / "alone.ndjson").read_bytes() == (tmp_path / "cluster.ndjson").read_bytes()
    audit = ["audit", "--all", "alone.ndjson", "cluster.ndjson", "--json"]
    alone = run_in(tmp_path, *audit, "--jobs", "1")
    together = run_in(tmp_path, *audit, "--cluster", three.address)
    assert (alone.returncode, together.returncode) == (0, 0)
    assert alone.stdout == together.stdout
    assert f"with --cluster {three.address}: " in together.stderr
    assert "threads of workers; http://" in together.stderr


def test_the_work_of_a_worker_that_dies_is_done_by_another(dask: Parent, tmp_path: Path) -> None:
    with (
        cluster(dask, tmp_path, *[__version__] * 3) as running,
        in_order(nap, range(60), Workers(cluster=running.address)) as naps,
    ):
        done = [next(naps) for _ in range(5)]
        running.workers[0].kill()
        assert [*done, *naps] == [*range(60)]


def test_work_that_ends_every_worker_is_given_up(dask: Parent, tmp_path: Path) -> None:
    with (
        cluster(dask, tmp_path, *[__version__] * 5) as running,
        pytest.raises(WorkerLost, match="Several workers"),
        in_order(perish, range(5, 6), Workers(cluster=running.address)) as numbers,
    ):
        list(numbers)


def test_a_worker_of_another_version_is_refused(dask: Parent, tmp_path: Path) -> None:
    with cluster(dask, tmp_path, __version__, "0.0.9") as running:
        workers = Workers(cluster=running.address)
        with (
            pytest.raises(UsageError, match=rf"has 0\.0\.9, and this is {__version__}"),
            in_order(square, range(4), workers) as squares,
        ):
            list(squares)


def test_a_worker_of_another_version_that_comes_later_is_refused(
    dask: Parent, tmp_path: Path
) -> None:
    with (
        cluster(dask, tmp_path, __version__) as running,
        in_order(nap, range(100_000), Workers(cluster=running.address)) as naps,
    ):
        assert next(naps) == 0
        late = worker(dask, running.address, "0.0.9")
        with pytest.raises(UsageError, match=rf"has 0\.0\.9, and this is {__version__}"):
            list(naps)
        late.kill()


def test_a_folder_that_workers_do_not_see_is_named(three: Cluster, tmp_path: Path) -> None:
    own = tmp_path / "own"
    own.mkdir()
    workers = Workers(cluster=three.address)
    with chdir(own), in_order(square, range(4), workers) as squares:
        own.rmdir()
        with pytest.raises(UsageError, match=r"no folder .*own, where this is run: No such file"):
            list(squares)


def test_an_interrupt_cancels_what_is_queued(three: Cluster) -> None:
    command = [*PHASELEDGER, "simulate", "--games", "100000", "--cluster", three.address]
    playing = subprocess.Popen(
        command, env=ENVIRON, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert playing.stdout
    playing.stdout.readline()
    playing.send_signal(signal.SIGINT)
    _, printed = finished(playing)
    assert playing.returncode == 130, printed
    assert printed.endswith("Interrupted.\n")
    with Client(three.address, set_as_default=False) as client:
        eventually(lambda: not any(client.processing().values()))


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["audit", str(GOOD), "--cluster", "local"], "--cluster, --checkpoint and --archive go"),
        (["audit", "--all", "--cluster", "tcp://10.0.0.1:1"], "name one with --database-url"),
        (["simulate", "--cluster", "tcp://a:1", "--jobs", "2"], "has workers of its own"),
        (["simulate", "--cluster", "tcp://127.0.0.1:1"], "no Dask scheduler answers"),
        (["simulate", "--cluster", "nonsense://x"], "write its scheduler's address as"),
    ],
)
def test_what_cannot_be_done_is_refused_in_words(
    tmp_path: Path, arguments: list[str], sentence: str
) -> None:
    refused = run_in(tmp_path, *arguments)
    assert refused.returncode == 2
    assert sentence in refused.stderr
    assert "Traceback" not in refused.stderr


def test_without_dask_it_is_said_how_to_get_it(tmp_path: Path) -> None:
    (tmp_path / "distributed.py").write_text("raise ImportError")
    environment = {**ENVIRON, "PYTHONPATH": f"{tmp_path}{os.pathsep}{ENVIRON['PYTHONPATH']}"}
    refused = run([*PHASELEDGER, "simulate", "--cluster", "local"], env=environment)
    assert refused.returncode == 2
    assert "pip install 'phaseledger[cluster]'" in refused.stderr


def test_a_cluster_of_this_machine_is_started_and_ended() -> None:
    command = [*PHASELEDGER, "simulate", "--games", "2", "--seed", "a", "--option"]
    command += ["variant=n_phases(1)", "--jobs"]
    local = run([*command, "2", "--cluster", "local"], env=ENVIRON)
    assert local.stdout == run([*command, "1"], env=ENVIRON).stdout
    assert "Cluster: 2 threads of workers" in local.stderr
