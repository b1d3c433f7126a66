"""A request names the host that it is for once, whichever version of HTTP it is written in."""

import json
import socket

import pytest

from tests.support.cases import looped
from tests.support.service.http2 import status_over_http2
from tests.support.service.memory_ledger import in_memory
from tests.support.service.server import serving

LIVE, GAMES = "/health/live", "/v1/games"


@pytest.fixture(scope="module")
def address():
    with serving(in_memory()) as served:
        host, port = served.url.removeprefix("http://").split(":")
        yield host, int(port)


def answered(address: tuple[str, int], request: bytes) -> bytes:
    """All that the server answers until it closes the connection."""
    with socket.create_connection(address) as raw:
        raw.sendall(request)
        return b"".join(iter(lambda: raw.recv(65_536), b""))


def written(path: str, *lines: str, version: str = "1.1") -> bytes:
    return "\r\n".join((f"GET {path} HTTP/{version}", *lines, "Connection: close", "", "")).encode()


@looped(
    ("path", "lines"),
    [
        (LIVE, ()),
        (GAMES, ("Host:",)),
        ("/nothing", ("Host: a", "Host: b")),
        ("/metrics", ("Host: a", "Host: a")),
        (GAMES, ("Host: a", "host:")),
    ],
)
def test_a_request_that_names_no_host_or_two_is_refused(address, path, lines):
    head, _, body = answered(address, written(path, *lines)).partition(b"\r\n\r\n")
    assert head.split()[1] == b"400"
    assert b"application/problem+json" in head
    assert b"x-request-id" in head
    assert json.loads(body)["code"] == "bad_host"


def test_a_refused_command_is_not_carried_out(address):
    body = b'{"ruleset":"classic","seats":[{"kind":"bot"},{"kind":"bot"}]}'
    lines = (
        f"POST {GAMES} HTTP/1.1",
        "Content-Type: application/json",
        f"Content-Length: {len(body)}",
        "Connection: close",
        "Host: t",
    )
    sizes = []
    for more in ((), ("Host: u",), ()):
        answered(address, "\r\n".join((*lines, *more, "", "")).encode() + body)
        listed = answered(address, written(GAMES, "Host: t")).partition(b"\r\n\r\n")[2]
        sizes.append(len(json.loads(listed)["games"]))
    assert sizes == [1, 1, 2]


@looped(
    ("lines", "version", "status"),
    [
        *(
            ((f"Host: {host}",), "1.1", b"200")
            for host in ("t", "127.0.0.1", "127.0.0.1:8000", "[::1]:8000", "10.1.2.3")
        ),
        ((), "1.0", b"200"),
        (("Host: a", "Host: b"), "1.0", b"400"),
    ],
)
def test_a_request_that_names_one_host_is_answered(address, lines, version, status):
    """HTTP/1.0 needs none."""
    assert answered(address, written(LIVE, *lines, version=version)).split()[1] == status


# --- HTTP/2, whose host is the pseudo-header :authority (RFC 9113, 8.3.1) -------------------------


@looped(
    ("hosts", "status"),
    [
        ([(b":authority", b"a.example")], 200),
        ([(b"host", b"a.example")], 200),
        ([], 400),
        ([(b"host", b"a.example"), (b"host", b"b.example")], 400),
    ],
)
def test_http_2_names_its_host_as_the_authority(address, hosts, status):
    with socket.create_connection(address) as raw:
        assert status_over_http2(raw, LIVE, *hosts) == status
