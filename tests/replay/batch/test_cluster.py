"""Work in a Dask cluster: the same results, whoever dies meanwhile, and refusals in words."""

import os
import signal
import socket
import subprocess
import sys
from contextlib import chdir
from pathlib import Path
from typing import Any

import pytest

from phaseledger import __version__
from phaseledger.replay.batch.pool import Workers, in_order
from phaseledger.replay.terminal import UsageError, WorkerLost
from tests.support.children import finished, run
from tests.support.polling import eventually
from tests.support.replay.clusters import Cluster, cluster, run_in, worker
from tests.support.replay.dask_processes import Parent
from tests.support.replay.pool_tasks import nap, perish, refuse, square
from tests.support.replay.processes import ENVIRON
from tests.support.replay.processes import run as call

PHASELEDGER = [sys.executable, "-m", "phaseledger.service.cli.main"]


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


def test_a_result_counts_whose_worker_has_died_since(
    three: Cluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Dask's state of the task is then "lost", though its result is here."""
    from distributed import Client  # as tests/support/replay/clusters.py does

    gather = Client._gather

    async def losing(client: Any, tasks: list[Any], *args: Any, **kwargs: Any) -> Any:
        results = await gather(client, tasks, *args, **kwargs)
        for task in tasks:
            client._handle_lost_data(task.key)
        return results

    monkeypatch.setattr(Client, "_gather", losing)
    with in_order(square, range(9), Workers(cluster=three.address)) as squares:
        assert list(squares) == [number * number for number in range(9)]


@pytest.mark.system
def test_work_that_ends_every_worker_is_given_up(dask: Parent, tmp_path: Path) -> None:
    with (
        cluster(dask, tmp_path, *[__version__] * 5) as running,
        pytest.raises(WorkerLost, match="Several workers"),
        in_order(perish, range(5, 6), Workers(cluster=running.address)) as numbers,
    ):
        list(numbers)


@pytest.mark.system
def test_a_worker_of_another_version_is_refused_when_it_comes(dask: Parent, tmp_path: Path) -> None:
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


def interrupted(*words: str) -> str:
    """What an endless run says that a terminal interrupts: its workers get the signal too."""
    playing = subprocess.Popen(
        [*PHASELEDGER, "simulate", "--games", "100000", *words],
        env=ENVIRON,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    assert playing.stdout
    playing.stdout.readline()
    os.killpg(playing.pid, signal.SIGINT)
    _, printed = finished(playing)
    assert playing.returncode == 130, printed
    assert printed.endswith("Interrupted.\n")
    return printed


def test_an_interrupt_cancels_what_is_queued(three: Cluster) -> None:
    interrupted("--cluster", three.address)
    from distributed import Client  # as tests/support/replay/clusters.py does

    with Client(three.address, set_as_default=False) as client:
        eventually(lambda: not any(client.processing().values()))


@pytest.mark.system
def test_an_interrupt_of_a_terminal_is_the_callers_alone() -> None:
    printed = interrupted("--cluster", "local", "--jobs", "2")
    assert "KeyboardInterrupt" not in printed
    assert "WARNING" not in printed


@pytest.mark.system
def test_a_scheduler_that_ends_amid_the_work_is_reported(
    dask: Parent, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """In our own words, without the libraries' errors."""
    with cluster(dask, tmp_path, __version__) as running:

        def end_scheduler(_: int) -> None:
            running.scheduler.kill()

        workers = Workers(cluster=running.address)
        with (
            pytest.raises(WorkerLost, match="the scheduler has ended or cannot be reached"),
            in_order(nap, range(100_000), workers, end_scheduler) as naps,
        ):
            list(naps)
    assert caplog.records == []


def test_what_answers_and_is_no_scheduler_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """As the port of the dashboard, or one that says nothing."""
    monkeypatch.setattr("phaseledger.replay.batch.cluster.ANSWER", 0.5)
    with socket.create_server(("127.0.0.1", 0)) as silent:
        workers = Workers(cluster=f"tcp://127.0.0.1:{silent.getsockname()[1]}")
        with (
            pytest.raises(UsageError, match="no Dask scheduler answers"),
            in_order(square, range(4), workers),
        ):
            pass


def test_what_cannot_be_done_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    for words, sentence in (
        ("audit games --cluster local", "--cluster, --resume, --checkpoint and"),
        ("audit --all --cluster tcp://10.0.0.1:1", "name one with --database-url"),
        ("simulate --cluster tcp://a:1 --jobs 2", "has workers of its own"),
        ("simulate --cluster tls://127.0.0.1:1", "TLS needs certificates"),
        ("simulate --cluster nonsense://x", "write its scheduler's address as"),
    ):
        refused = call(*words.split())
        assert (refused.returncode, sentence in refused.stderr.decode()) == (2, True), words
    monkeypatch.setitem(sys.modules, "distributed", None)
    refused = call("simulate", "--cluster", "local")
    assert refused.returncode == 2
    assert b"pip install 'phaseledger[cluster]'" in refused.stderr


@pytest.mark.system
def test_a_cluster_of_this_machine_is_started_and_ended() -> None:
    command = [*PHASELEDGER, "simulate", "--games", "2", "--seed", "a", "--option"]
    command += ["variant=n_phases(1)", "--jobs"]
    local = run([*command, "2", "--cluster", "local"], env=ENVIRON)
    assert local.stdout == run([*command, "1"], env=ENVIRON).stdout
    assert "Cluster: 2 threads of workers" in local.stderr
