"""Connections of an address: the newest beyond its share are cut, and others find room."""

import os
import socket
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from http.client import HTTPResponse
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from phaseledger.service.api.limits.connections import (
    ConnectionBounds,
    ConnectionGuard,
    _shut_down,
    share,
)
from phaseledger.service.api.requests.client_address import connection_key
from phaseledger.service.runtime.process import allow_descriptors
from phaseledger.service.settings import Settings, most_connections, trusted_proxies
from tests.support.polling import eventually
from tests.support.ports import free_port
from tests.support.service.nodes import await_ready, node

BOUNDS = ConnectionBounds(most_each=40, total=100)  # of which 75 may be taken


@pytest.mark.parametrize(
    ("counts", "most"),
    [
        ([], 40),
        ([10], 40),
        ([60], 40),
        ([40, 35], 40),
        ([500], 40),
        ([500, 5, 5], 40),
        ([60, 60], 37),
        ([40, 30, 10], 35),
        ([30, 30, 30], 25),
        ([1] * 80, 1),
    ],
)
def test_shares(counts: list[int], most: int) -> None:
    assert share(counts, BOUNDS) == most


@given(st.lists(st.integers(1, 300), max_size=60))
def test_what_the_shares_leave_is_within_the_room_or_what_there_was(counts: list[int]) -> None:
    most = share(counts, BOUNDS)
    kept = sum(min(count, most) for count in counts)
    room = BOUNDS.total - BOUNDS.total // 4
    assert 1 <= most <= BOUNDS.most_each
    assert kept <= max(room, len(counts))
    if sum(counts) > room >= len(counts) and most < BOUNDS.most_each:
        cut = sum(max(count - most - 1, 0) for count in counts)
        assert sum(counts) - cut > room, "an address could have kept another one"


@contextmanager
def _accepted(number: int) -> Iterator[list[tuple[socket.socket, socket.socket]]]:
    """Connections to a listener of this process, both ends, the oldest first."""
    with ExitStack() as stack:
        listener = stack.enter_context(socket.create_server(("127.0.0.1", 0)))
        pairs = []
        for _ in range(number):
            client = stack.enter_context(socket.create_connection(listener.getsockname()))
            pairs.append((client, stack.enter_context(listener.accept()[0])))
        yield pairs


def _is_open(client: socket.socket) -> bool:
    client.settimeout(0.05)
    try:
        return client.recv(1) != b""
    except TimeoutError:
        return True
    except ConnectionResetError:
        return False


def test_the_newest_are_cut() -> None:
    guard = ConnectionGuard(ConnectionBounds(3, 100), str.encode, 0)
    with _accepted(2) as old:
        assert guard.look() == 0
        # Files get the lowest free numbers, so the order of these is not that of age.
        with _accepted(4) as new:
            assert guard.look() == 3
            assert [_is_open(client) for client, _ in old] == [True] * 2
            assert sum(_is_open(client) for client, _ in new) == 1
        assert guard.look() == 0


def test_a_number_that_is_another_file_by_then_stays_open_and_alone(tmp_path: Path) -> None:
    """Between the look and the cut the server may close a connection, and open anything."""
    path = tmp_path / "file"
    path.write_bytes(b"x")
    with _accepted(2) as ((client, accepted), (_, other)), path.open("rb") as file:
        descriptors = len(os.listdir("/dev/fd"))  # noqa: PTH208
        peer = client.getsockname()
        assert not _shut_down(file.fileno(), peer)
        assert not _shut_down(other.fileno(), peer)
        assert len(os.listdir("/dev/fd")) == descriptors  # noqa: PTH208
        assert file.read() == b"x"
        assert _is_open(client)
        assert _shut_down(accepted.fileno(), peer)
        assert not _is_open(client)


def test_whose_connections_are_not_counted() -> None:
    proxies = trusted_proxies(Settings(trusted_proxies="127.0.0.1 2001:db8::/32"))
    assert connection_key("127.0.0.1", proxies) is None
    assert connection_key("::ffff:127.0.0.1", proxies) is None
    assert connection_key("127.0.0.2", proxies) == bytes([127, 0, 0, 2])
    assert connection_key("2001:db9::1", proxies) == connection_key("2001:db9::2", proxies)
    guard = ConnectionGuard(ConnectionBounds(1, 100), lambda peer: connection_key(peer, proxies), 0)
    with _accepted(5) as pairs:
        assert guard.look() == 0
        other = pairs[0][1].getsockname()[1]
        assert ConnectionGuard(ConnectionBounds(1, 100), str.encode, other).look() == 0
        assert all(_is_open(client) for client, _ in pairs)


def _asked(connection: socket.socket) -> int:
    """The status of an answer over the connection."""
    connection.settimeout(10)
    connection.sendall(b"GET /health/live HTTP/1.1\r\nHost: x\r\n\r\n")
    response = HTTPResponse(connection)
    response.begin()
    response.read()
    return response.status


def test_one_address_does_not_shut_out_others(settings: Settings) -> None:
    """It opens more connections than the service accepts, and sends nothing."""
    given = {name: getattr(settings, name) for name in ("database_url", "schema", "keys_dir")}
    given |= {"max_streams": "1", "max_streams_per_address": "1"}
    most = most_connections(Settings(max_streams=1))
    allow_descriptors(2 * most)
    with free_port() as port, node(port, given) as process, ExitStack() as stack:
        await_ready(process, port)
        first = stack.enter_context(socket.create_connection(("127.0.0.1", port)))
        assert _asked(first) == 200
        idle = [stack.enter_context(socket.socket()) for _ in range(most + 100)]
        for connection in idle:
            connection.connect(("127.0.0.1", port))
        with socket.create_connection(
            ("127.0.0.1", port), source_address=("127.0.0.2", 0)
        ) as other:
            assert _asked(other) == 200
        assert _asked(first) == 200, "older ones stay"
        assert eventually(lambda: sum(map(_is_closed, idle)) > len(idle) - 512)


def _is_closed(connection: socket.socket) -> bool:
    connection.setblocking(False)
    try:
        return connection.recv(1) == b""
    except BlockingIOError:
        return False
    except ConnectionResetError:
        return True
