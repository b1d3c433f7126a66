"""`phaseledger serve` over its embedded server, of which any process may be killed."""

import os
import signal
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, NamedTuple

import httpx2
import psutil
import pytest

from tests.support import forked
from tests.support.children import finished
from tests.support.crash_campaign import kill_database, postmaster
from tests.support.polling import eventually
from tests.support.ports import free_port
from tests.support.service.api_tables import play_on, started
from tests.support.service.nodes import await_ready

pytestmark = pytest.mark.system


class Run(NamedTuple):
    """A service that runs over its own server."""

    process: subprocess.Popen[bytes]
    port: int
    output: IO[bytes]

    def client(self) -> httpx2.Client:
        return httpx2.Client(base_url=f"http://127.0.0.1:{self.port}/v1", timeout=None)

    def times_logged(self, event: str) -> int:
        """How often it has logged that."""
        self.output.seek(0)
        return self.output.read().decode().count(f'"event":"{event}"')

    def worker(self) -> psutil.Process:
        """The process that answers requests."""
        children = psutil.Process(self.process.pid).children()
        (worker,) = (child for child in children if child.name() != "sh")
        return worker


@contextmanager
def serving(data_dir: Path, port: int) -> Iterator[Run]:
    plain = {name: value for name, value in os.environ.items() if "PHASELEDGER" not in name}
    own = {
        "PHASELEDGER_DATA_DIR": str(data_dir),
        "PHASELEDGER_PUBLISHED_DIR": str(data_dir / "published"),
    }
    with tempfile.TemporaryFile() as output:
        process = forked.started(
            "serve", "--port", port, env=plain | own, stdout=output, stderr=output
        )
        try:
            await_ready(process, port)
            yield Run(process, port, output)
        finally:
            process.terminate()
            finished(process)
            eventually(lambda: not (data_dir / "cluster" / "postmaster.pid").exists())
            output.seek(0)
            print(output.read()[-5000:].decode())


def test_a_database_that_dies_under_the_service_is_started_again(short_dir, port):
    with serving(short_dir, port) as run, run.client() as client:
        table = started(client)
        play_on(table, 4)
        for kill in (kill_database, lambda home: psutil.Process(postmaster(home)).kill()):
            before, version = run.times_logged("the embedded server runs again"), table.version()
            kill(short_dir)
            eventually(lambda n=before: run.times_logged("the embedded server runs again") == n + 1)
            await_ready(run.process, port)
            assert table.version() == version
            play_on(table, 4)
        assert run.times_logged("the embedded server has died") == 2
        run.process.send_signal(signal.SIGTERM)
        finished(run.process)
        assert run.process.returncode == 0
    assert "database system is shut down" in (short_dir / "cluster" / "log").read_text()


@pytest.mark.parametrize("victim", ["supervisor", "worker"])
def test_no_server_is_left_behind_by_a_service_that_was_killed(short_dir, port, victim):
    with serving(short_dir, port) as run, run.client() as client:
        table = started(client)
        play_on(table, 4)
        version = table.version()
        server = psutil.Process(postmaster(short_dir))
        worker = run.worker()
        (run.process if victim == "supervisor" else worker).kill()
        finished(run.process)
        assert run.process.returncode != 0
        eventually(lambda: not worker.is_running() and not server.is_running())
    with free_port() as other, serving(short_dir, other) as run, run.client() as client:
        table = table._replace(client=client)
        assert table.version() == version
        play_on(table, 2)
