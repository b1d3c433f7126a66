"""The start of `phaseledger serve`: what it says, how it is stopped, and what it refuses."""

import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager

import psycopg
import pytest
from psycopg.sql import SQL, Identifier

from phaseledger.service.database.sealing import open_sealing
from phaseledger.service.settings import Settings
from tests.support import children, forked
from tests.support.children import finished
from tests.support.environment import plain_environment
from tests.support.forked import Command
from tests.support.polling import eventually
from tests.support.service.processes import command, launched


@contextmanager
def held_up(settings: Settings, port: int, table: str) -> Iterator[Command]:
    """A service that waits for the table at its start, until the end of the block."""
    open_sealing(settings)
    waiting = "SELECT FROM pg_locks WHERE NOT granted AND relation = %s::regclass"
    with psycopg.connect(settings.database_url) as holder:
        holder.execute(SQL("SET search_path = {}").format(Identifier(settings.schema)))
        holder.execute(SQL("LOCK TABLE {}").format(Identifier(table)))
        process = launched(settings, port)
        eventually(lambda: holder.execute(waiting, (table,)).rowcount)
        yield process


@pytest.mark.parametrize(
    ("table", "number", "code"),
    [
        ("set_aside_games", signal.SIGTERM, 0),
        pytest.param("set_aside_games", signal.SIGINT, 0, marks=pytest.mark.system),
        pytest.param("migrations", signal.SIGINT, 130, marks=pytest.mark.system),
    ],
)
def test_a_service_that_is_stopped_before_it_serves_says_nothing(
    settings, port, table, number, code
):
    """A9."""
    with held_up(settings, port, table) as process:
        process.send_signal(number)
        _, output = finished(process)
    assert (process.returncode, output) == (code, b"")


@pytest.mark.system
def test_a_port_that_is_taken_after_it_was_free_is_one_sentence(settings, port):
    """A9."""
    with socket.socket() as taken:
        with held_up(settings, port, "migrations") as process:
            taken.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            taken.bind(("127.0.0.1", port))
            taken.listen()
        _, output = finished(process)
    assert f"127.0.0.1:{port} cannot be listened on" in output.decode(), output.decode()
    assert (process.returncode, len(output.splitlines())) == (2, 1)


def test_a_worker_that_cannot_start_says_why():
    """A9."""
    start = "from phaseledger.service.cli import serve; serve.serving()"
    wrong = plain_environment() | {"PHASELEDGER_KEYS_DIR": "/dev/null/keys"}
    run = children.run([sys.executable, "-c", start], env=wrong)
    assert (run.returncode, len(run.stderr.splitlines())) == (2, 1), run.stderr
    assert "/dev/null/keys" in run.stderr


def test_what_is_demanded_or_doubtful_at_the_start_is_one_sentence_each(settings):
    """A9. A standby that is missing; an address for others, without a proxy."""
    open_sealing(settings)
    for host, proxies, lines in (
        ("0.0.0.0", "", 3),
        ("0.0.0.0", "10.0.0.1", 2),
        ("localhost", "", 1),
    ):
        more = {"PHASELEDGER_TRUSTED_PROXIES": proxies, "PHASELEDGER_SYNCHRONOUS_STANDBY": "true"}
        run = command(settings, "serve", "--port", "0", "--host", host, **more)
        output = run.stderr.splitlines()
        assert (run.returncode, len(output)) == (3, lines), run.stderr
        assert ("past any proxy" in output[0]) == (lines == 3), run.stderr
        assert "Commits wait for no standby" in output[-1]


@pytest.mark.system
def test_too_few_open_files_are_refused_at_the_start():
    """A13."""
    line = f'ulimit -n 1000; exec "{sys.executable}" -m {forked.MAIN} serve --port 0'
    run = children.run(["bash", "-c", line], env=plain_environment())
    assert (run.returncode, len(run.stderr.splitlines())) == (2, 1), run.stderr
    assert "may have 1000 open files (the hard limit), and needs 3536: raise" in run.stderr
    assert run.stderr.endswith("(ulimit -Hn, LimitNOFILE=, --ulimit nofile=).\n")


@pytest.mark.system
def test_an_interrupt_while_the_program_is_imported_is_no_traceback():
    """A14."""
    start = "from phaseledger.service.cli.entry import main; main()"
    with subprocess.Popen(
        [sys.executable, "-X", "importtime", "-c", start, "serve"], stderr=subprocess.PIPE
    ) as process:
        assert any(b"phaseledger.replay" in line for line in process.stderr)
        process.send_signal(signal.SIGINT)
        output = process.stderr.read()
    assert (process.returncode, b"Traceback" in output) == (130, False), output[-2000:].decode()
