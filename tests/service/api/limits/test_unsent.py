"""Unsent bytes: of an answer that is not read the system takes a little only."""

import socket
from pathlib import Path

import pytest

from phaseledger.service.api.limits.unsent import UNSENT, limit_unsent
from phaseledger.service.settings import Settings
from tests.support.polling import eventually
from tests.support.ports import free_port
from tests.support.service.nodes import await_ready, node

OPTION = (socket.IPPROTO_TCP, socket.TCP_NOTSENT_LOWAT)
RECEIVED = 16 * 1024  # bytes that the reader's system takes, more or less


@pytest.mark.parametrize("listens", [True, False])
def test_what_a_listener_accepts_has_its_limit(listens: bool) -> None:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        if listens:
            listener.listen()
        port = listener.getsockname()[1]
        assert limit_unsent(port) == 1
        listener.listen()
        with socket.create_connection(("127.0.0.1", port)) as client:
            accepted, _ = listener.accept()
            with accepted:
                assert accepted.getsockopt(*OPTION) == UNSENT
                assert client.getsockopt(*OPTION) != UNSENT
                assert limit_unsent(port) == 1, "connections are no listeners"
                assert limit_unsent(client.getsockname()[1]) == 0


def _queued(port: int, peer: int) -> int:
    """The bytes that the system holds of what was sent from the port to the peer's."""
    for line in Path("/proc/net/tcp").read_text().splitlines()[1:]:
        _, local, remote, _, queues, *_ = line.split()
        if (local[9:], remote[9:]) == (f"{port:04X}", f"{peer:04X}"):
            return int(queues.partition(":")[0], 16)
    return 0


@pytest.mark.skipif(not Path("/proc/net/tcp").exists(), reason="only Linux lists its queues")
def test_an_answer_that_is_not_read_takes_little(settings: Settings) -> None:
    given = {name: getattr(settings, name) for name in ("database_url", "schema", "keys_dir")}
    request = b"GET /v1/openapi.json HTTP/1.1\r\nHost: x\r\n\r\n"
    with free_port() as port, node(port, given) as process, socket.socket() as reader:
        await_ready(process, port)
        reader.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, RECEIVED)
        reader.connect(("127.0.0.1", port))
        for _ in range(8):  # one answer is taken after the other
            reader.sendall(request)
        peer = reader.getsockname()[1]
        assert eventually(lambda: _queued(port, peer) >= UNSENT // 2)
        held = [_queued(port, peer) for _ in range(100)]
        assert max(held) <= 2 * UNSENT
        head = reader.recv(1_024)
        assert head.startswith(b"HTTP/1.1 200"), head
