"""Streams over a real log: commits of other processes, a database that goes away, SIGTERM."""

import signal
import socket
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import httpx2
import psycopg
import pytest

from phaseledger.service.app import in_postgres
from phaseledger.service.settings import Settings
from tests.support.children import finished
from tests.support.ledgers import own_ledger
from tests.support.polling import ENDLESS, eventually
from tests.support.progress import unhurried
from tests.support.service.api_tables import Table, bearer, play_on, started
from tests.support.service.nodes import await_ready
from tests.support.service.processes import launched
from tests.support.service.server import serving
from tests.support.service.stream_reader import (
    SSE,
    StreamEvent,
    folded,
    listening,
    opened_http,
    seqs,
    until,
)

QUEUED = "SELECT pg_notification_queue_usage()"
SOON = 10.0  # seconds: half a second where nothing else runs


@pytest.fixture
def settings(postgres_dsn: str, tmp_path: Path) -> Iterator[Settings]:
    with own_ledger(postgres_dsn, tmp_path, projections=False) as ledger:
        yield ledger


@pytest.fixture
def clients(settings: Settings) -> Iterator[tuple[httpx2.Client, httpx2.Client]]:
    """Clients of two services over one log."""
    with (
        serving(in_postgres(settings)) as service,
        serving(in_postgres(settings)) as other,
        opened_http(service.url) as here,
        opened_http(other.url) as there,
    ):
        yield here, there


def test_what_another_process_commits_is_told_here(clients):
    here, there = clients
    table = started(here)
    away = table._replace(client=there)
    with listening(away, 0) as stream, listening(away) as public:
        view = folded(None, until(stream, table.version()))
        until(public, table.version())
        deltas, late = [], []
        for number in range(20):
            # Now one process writes, now the other.
            play_on(away if number % 3 == 2 else table, 1)
            version, began = table.version(), unhurried()
            events = until(stream, version)
            late.append(unhurried() - began)
            deltas += events
            view = folded(view, events)
            assert view == table.get(seat=0).json()
        assert seqs(deltas) == list(range(seqs(deltas)[0], version + 1))
        assert seqs(until(public, version)) == seqs(deltas)
    assert sorted(late)[len(late) // 2] < SOON, late


def test_a_stream_outlives_its_connection_to_the_log(clients, settings):
    here, there = clients
    table = started(here)
    away = table._replace(client=there)
    with listening(away, 0) as stream:
        until(stream, table.version())
        with psycopg.connect(settings.database_url, autocommit=True) as conn:
            conn.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
                "WHERE query LIKE '%stored_events%' AND pid <> pg_backend_pid()"
            )
        before = table.version()
        play_on(table, 4)
        events = until(stream, table.version())
        assert seqs(events) == list(range(before + 1, table.version() + 1))


def test_without_streams_no_session_keeps_notifications(clients, settings):
    """One that listens and does not read would fill the server's queue for all."""
    here, _ = clients
    table = started(here)
    with listening(table, 0) as stream:
        until(stream, table.version())
    with psycopg.connect(settings.database_url, autocommit=True) as conn:
        ((before,),) = conn.execute(QUEUED).fetchall()
        conn.execute("SELECT pg_notify('stored_events', n::text) FROM generate_series(1, 60000) n")
        eventually(lambda: conn.execute(QUEUED).fetchall(), lambda usage: usage <= [(before,)])


def test_a_process_that_is_to_stop_ends_its_streams_and_stops(settings, port):
    process = launched(settings, port)
    try:
        await_ready(process, port)
        with opened_http(f"http://127.0.0.1:{port}") as client:
            table = started(client)
            rests: list[list[StreamEvent]] = [[], [], []]
            ready = threading.Barrier(len(rests) + 1)
            threads = [
                threading.Thread(target=_listen, args=(table, seat, rest, ready))
                for seat, rest in zip((0, 1, None), rests, strict=True)
            ]
            for thread in threads:
                thread.start()
            ready.wait(ENDLESS)
            with socket.create_connection(("127.0.0.1", port)) as unread:
                path = f"/v1{table.path}/events"
                unread.sendall(f"GET {path} HTTP/1.1\r\nHost: a\r\nAccept: {SSE}\r\n\r\n".encode())
                poll = threading.Thread(target=table.get, kwargs={"at_least": 9_999})
                poll.start()
                time.sleep(0.3)
                began = unhurried()
                process.send_signal(signal.SIGTERM)
                for thread in threads:
                    thread.join()
                told_after = unhurried() - began
                _, output = finished(process)
                took = unhurried() - began
                poll.join()
    finally:
        process.kill()
    assert process.returncode == 0, output.decode()
    assert [(rest[-1].name, rest[-1].data["code"]) for rest in rests] == [
        ("closed", "shutting_down")
    ] * len(rests)
    assert told_after < SOON
    assert took < SOON
    assert b"refused to gracefully stop" not in output
    assert b"Traceback" not in output


def _listen(
    table: Table, seat: int | None, rest: list[StreamEvent], ready: threading.Barrier
) -> None:
    with listening(table, seat) as stream:
        until(stream, table.version())
        ready.wait(ENDLESS)
        rest += [event for event in stream if event.name]


@pytest.mark.system
def test_whoever_was_cut_off_by_a_restart_goes_on(settings, port):
    process = launched(settings, port)
    try:
        await_ready(process, port)
        with opened_http(f"http://127.0.0.1:{port}") as client:
            table = started(client)
            with listening(table, 0) as stream:
                events = until(stream, table.version())
                process.send_signal(signal.SIGTERM)
                rest = list(stream)
            assert rest[-1].data["code"] == "shutting_down"
        finished(process)
        view = folded(None, events)
        process = launched(settings, port)
        await_ready(process, port)
        with opened_http(f"http://127.0.0.1:{port}") as client:
            table = table._replace(client=client)
            play_on(table, 3)
            with listening(table, 0, last=view["version"]) as stream:
                view = folded(view, until(stream, table.version()))
            assert view == table.get(seat=0).json()
            client.post(f"{table.path}/void", json={"reason": "x"}, headers=bearer(table.host))
    finally:
        process.send_signal(signal.SIGTERM)
        finished(process)
