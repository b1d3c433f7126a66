"""SIGTERM: a service answers on, gives its connections back, and ends."""

import os
import signal
import subprocess
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from http.client import HTTPConnection

import httpx2
import psutil
import pytest

from phaseledger.service.settings import Settings
from tests.support import forked
from tests.support.children import finished
from tests.support.polling import eventually
from tests.support.service.api_tables import BOT, Table, bearer, open_table, started
from tests.support.service.nodes import await_ready

ENDLESS = "3600"


@contextmanager
def stopping_service(
    settings: Settings, port: int, seconds: str
) -> Iterator[subprocess.Popen[bytes]]:
    """A service that gives its connections so many seconds."""
    plain = {name: value for name, value in os.environ.items() if "PHASELEDGER" not in name}
    own = {
        f"PHASELEDGER_{name.upper()}": getattr(settings, name)
        for name in ("database_url", "schema", "keys_dir", "published_dir")
    }
    given = plain | own | {"PHASELEDGER_STOP_SECONDS": seconds}
    process = forked.started("serve", "--port", port, env=given, stderr=subprocess.PIPE)
    try:
        await_ready(process, port)
        yield process
        finished(process)
        assert process.returncode == 0
    finally:
        if process.poll() is None:
            process.kill()
            process.wait()


def kept_open(stack: ExitStack, port: int) -> HTTPConnection:
    """A connection on which something was asked already, and which is kept."""
    connection = HTTPConnection("127.0.0.1", port)
    stack.callback(connection.close)
    assert not asked(connection, "GET", "/health/live").will_close
    return connection


def asked(connection: HTTPConnection, method: str, path: str, **headers: str):
    connection.request(method, path, headers=headers)
    response = connection.getresponse()
    response.read()
    return response


def is_stopping(port: int) -> bool:
    answer = httpx2.get(f"http://127.0.0.1:{port}/health/ready", timeout=None)
    return answer.status_code == 503 and answer.json()["checks"]["commands"]["reason"] == "stopping"


def await_stopping(port: int) -> None:
    eventually(lambda: is_stopping(port))


def test_every_kept_connection_is_answered_and_given_back(settings, port):
    """All processes get the signal, as where a container ends, or a systemd unit."""
    with stopping_service(settings, port, ENDLESS) as process, ExitStack() as stack:
        with httpx2.Client(base_url=f"http://127.0.0.1:{port}/v1", timeout=None) as client:
            table = open_table(client)
        connections = [kept_open(stack, port) for _ in range(8)]
        worker = psutil.Process(process.pid).children()[0]
        process.send_signal(signal.SIGTERM)
        worker.send_signal(signal.SIGTERM)
        await_stopping(port)

        starter, *others = connections
        headers = bearer(table.host)
        started = asked(starter, "POST", f"/v1/games/{table.game}/start", **headers)
        assert (started.status, started.will_close) == (200, True)
        for connection in others:
            answer = asked(connection, "GET", "/v1/games")
            assert (answer.status, answer.will_close) == (200, True)
            assert answer.getheader("connection") == "close"
        # It ends as soon as no connection is open, long before its time is over.


@pytest.mark.system
def test_a_connection_on_which_nothing_is_asked_does_not_hold_it_up(settings, port):
    with stopping_service(settings, port, "0.5") as process, ExitStack() as stack:
        kept_open(stack, port)
        process.send_signal(signal.SIGTERM)
        finished(process)


@pytest.mark.system
def test_it_stays_as_long_as_a_connection_is_open(settings, port):
    with stopping_service(settings, port, ENDLESS) as process, ExitStack() as stack:
        first, second = kept_open(stack, port), kept_open(stack, port)
        process.send_signal(signal.SIGTERM)
        await_stopping(port)
        assert asked(first, "GET", "/health/live").will_close
        await_stopping(port)
        assert process.poll() is None
        second.close()


@pytest.mark.system
def test_an_analysis_that_is_being_made_does_not_hold_it_up(settings, port):
    """Its thread, which is in the kernel for seconds at a time, ends with the process."""
    with stopping_service(settings, port, "0") as process:
        with httpx2.Client(base_url=f"http://127.0.0.1:{port}/v1", timeout=None) as client:
            table = Table(client, started(client, [BOT] * 6).game, "", {})
            eventually(lambda: table.get().json()["table"]["stage"] == "ended")
            eventually(lambda: "running" in table.get("/analysis").text)
        process.send_signal(signal.SIGTERM)
        began = time.monotonic()
        finished(process)
        assert time.monotonic() - began < 10
