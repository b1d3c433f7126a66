"""Bytes that no client would send get a precise 4xx within a second, and cost no memory.

The server is granian in a process of its own, and the requests are written on bare sockets.
"""

import json
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import httpx2
import psutil
import pytest

from tests.support.ports import await_answer, free_port
from tests.support.progress import unhurried
from tests.support.service.invalid_bodies import BODIES

ROOT = Path(__file__).parents[2]
SERVER = """
import asyncio, sys
from granian.server.embed import Server
from phaseledger.service.app import create_app
from tests.support.service.server import FREE
from phaseledger.service.app import in_memory
app = create_app(in_memory(), FREE)
asyncio.run(Server(app, port=int(sys.argv[1]), interface="asgi", log_enabled=False,
                   websockets=False).serve())
"""
SOON = 10.0  # seconds: one, and whatever a machine takes that is busy with other tests
GROWTH = 16 * 2**20  # bytes


class Answer(NamedTuple):
    """The first answer on a connection, and after how many seconds it came, by two clocks."""

    status: int
    body: bytes
    seconds: float
    unhurried: float

    @property
    def code(self) -> str:
        """The problem's code."""
        code: str = json.loads(self.body)["code"]
        return code


@pytest.fixture(scope="module")
def server() -> Iterator[tuple[int, psutil.Process]]:
    with free_port() as port:
        process = subprocess.Popen(
            [sys.executable, "-W", "ignore", "-c", SERVER, str(port)],
            cwd=ROOT,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        try:
            await_answer(f"http://127.0.0.1:{port}/health/live")
            yield port, psutil.Process(process.pid)
        finally:
            process.terminate()
            process.wait()


@pytest.fixture
def port(server: tuple[int, psutil.Process]) -> int:
    return server[0]


def head(*lines: str, path: str = "/v1/games") -> bytes:
    """The head of a POST with JSON, without its empty line's end."""
    return "\r\n".join((f"POST {path} HTTP/1.1", "Host: t", *lines, "", "")).encode()


JSON = "Content-Type: application/json"
CHUNKED = "Transfer-Encoding: chunked"


def send(port: int, start: bytes, more: Iterator[bytes] | None = None, pause: float = 0) -> Answer:
    """Write the bytes, and go on with more of them until there is an answer."""
    began, unhurriedly, done = time.monotonic(), unhurried(), threading.Event()
    with socket.create_connection(("127.0.0.1", port), timeout=None) as raw:

        def write() -> None:
            try:
                raw.sendall(start)
                for chunk in more or ():
                    if done.wait(pause):
                        break
                    raw.sendall(chunk)
            except OSError:
                return  # the server has closed it

        writer = threading.Thread(target=write)
        writer.start()
        got = b""
        try:
            while b"\r\n\r\n" not in got or not _is_whole(got):
                received = raw.recv(65_536)
                if not received:
                    break
                got += received
        except ConnectionResetError:
            pass  # after the answer, since the rest was not read
        seconds, unhurriedly = time.monotonic() - began, unhurried() - unhurriedly
        done.set()
        writer.join()
    top, _, body = got.partition(b"\r\n\r\n")
    assert top, "the connection was closed without an answer"
    return Answer(int(top.split()[1]), body, seconds, unhurriedly)


def _is_whole(got: bytes) -> bool:
    top, _, body = got.lower().partition(b"\r\n\r\n")
    length = next(
        (line for line in top.split(b"\r\n") if line.startswith(b"content-length:")), b":0"
    )
    return len(body) >= int(length.partition(b":")[2])


def whole(body: bytes, *lines: str) -> bytes:
    """A request with its body."""
    return head(*(lines or (JSON,)), f"Content-Length: {len(body)}") + body


GOOD = b'{"ruleset":"classic","seats":[{"kind":"person"},{"kind":"bot"}]}'
TYPES = {
    "text": "Content-Type: text/plain",
    "xml": "Content-Type: application/xml",
    "form": "Content-Type: application/x-www-form-urlencoded",
    "none": "X-None: x",
    "latin": "Content-Type: application/json; charset=iso-8859-1",
    "utf-16": 'Content-Type: application/json; charset="UTF-16"',
    "gzip": "Content-Type: application/json\r\nContent-Encoding: gzip",
    "a long one": "Content-Type: application/" + "x" * 5000,
}


def endless(chunk: bytes) -> Iterator[bytes]:
    while True:
        yield chunk


def test_chunks_without_end(port: int) -> None:
    chunk = b"1000\r\n" + b" " * 4096 + b"\r\n"
    answer = send(port, head(JSON, CHUNKED), endless(chunk))
    assert (answer.status, answer.code) == (413, "body_too_large")
    assert answer.unhurried < SOON


@pytest.mark.parametrize(
    ("start", "chunk", "pause"),
    [
        (head(JSON, CHUNKED), b"1\r\n \r\n", 0.2),
        (head(JSON, "Content-Length: 60000") + b"{", b" ", 0.05),
        (head(JSON, CHUNKED), b"", 0.05),
    ],
    ids=["slow chunks", "bytes", "nothing"],
)
def test_a_body_that_trickles(port: int, start: bytes, chunk: bytes, pause: float) -> None:
    answer = send(port, start, endless(chunk), pause)
    assert (answer.status, answer.code) == (408, "body_too_slow")
    assert answer.unhurried < SOON


def test_a_body_in_pieces_is_read(port: int) -> None:
    chunks = [b"%x\r\n%b\r\n" % (len(piece), piece) for piece in (GOOD[:20], GOOD[20:])]
    assert send(port, head(JSON, CHUNKED), iter([*chunks, b"0\r\n\r\n"]), 0.05).status == 201


def test_a_large_body_may_take_its_time(port: int) -> None:
    """Sixty thousand bytes at 30 kB a second, which is slower than any line that plays games."""
    body = GOOD + b" " * (60_000 - len(GOOD))
    pieces = [body[at : at + 3000] for at in range(0, len(body), 3000)]
    answer = send(port, head(JSON, f"Content-Length: {len(body)}"), iter(pieces), 0.1)
    assert answer.status == 201
    assert answer.seconds > 1.9


FLOODS = {
    "a thousand headers": head(JSON, *(f"X-{n}: {n}" for n in range(1000))),
    "a header of a megabyte": head(JSON, "X-Long: " + "a" * 2**20),
    "a path of a megabyte": head(JSON, path="/" + "a" * 2**20),
    "no HTTP": b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" * 20 + b"\r\n\r\n",
    "two lengths": head(JSON, "Content-Length: 5", "Content-Length: 6") + b"{}    ",
    "a length below zero": head(JSON, "Content-Length: -1") + b"{}",
    "a length without end": head(JSON, "Content-Length: " + "9" * 40) + b"{}",
    "a chunk of no size": head(JSON, CHUNKED) + b"zz\r\n{}\r\n0\r\n\r\n",
}


@pytest.mark.parametrize("name", FLOODS)
def test_a_flood_before_the_body(port: int, name: str) -> None:
    answer = send(port, FLOODS[name])
    assert 400 <= answer.status < 500
    assert answer.unhurried < SOON


HEADS = {
    "one header": (head(JSON, "X-Long: " + "a" * 70_000), 431, "headers_too_large"),
    "all headers": (
        head(JSON, *(f"X-{n}: " + "a" * 900 for n in range(40))),
        431,
        "headers_too_large",
    ),
    "the query": (head(JSON, path="/v1/games?" + "a" * 20_000), 414, "address_too_long"),
    "the path": (head(JSON, path="/v1/" + "a" * 20_000), 414, "address_too_long"),
}


@pytest.mark.parametrize("name", HEADS)
def test_too_large_a_head_is_told_what_is_wrong(port: int, name: str) -> None:
    request, status, code = HEADS[name]
    answer = send(port, request)
    assert (answer.status, answer.code) == (status, code)


@pytest.mark.parametrize(
    ("request_head", "status"),
    [
        (head(JSON, "Content-Length: 90", *(f"X-{n}: " + "a" * 400 for n in range(70))), 201),
        (head(JSON, "Content-Length: 90", path="/v1/games?" + "a" * 16_000), 400),  # no 414
    ],
)
def test_a_large_head_is_read(port: int, request_head: bytes, status: int) -> None:
    body = GOOD + b" " * (90 - len(GOOD))
    assert send(port, request_head + body).status == status


BARE = {
    "a hundred headers": (head(JSON, *(f"X-{n}: {n}" for n in range(100))), 431),
    "headers of a megabyte": (head(JSON, "X-Long: " + "a" * 2**20), 431),
    "an address beyond 64 KiB": (head(JSON, path="/" + "a" * 66_000), 414),
    "no HTTP": (b"NONSENSE\r\n\r\n", 400),
}


@pytest.mark.parametrize("name", BARE)
def test_what_the_server_below_refuses_is_as_described(port: int, name: str) -> None:
    request, status = BARE[name]
    answer = send(port, request)
    assert (answer.status, answer.body) == (status, b"")


def test_a_body_that_breaks_off(port: int) -> None:
    answer = send(port, FLOODS["a chunk of no size"])
    assert (answer.status, answer.code) == (400, "body_cut_off")


def test_memory_stays_where_it_is(server: tuple[int, psutil.Process]) -> None:
    port, process = server
    hostile = {name: whole(body) for name, (body, _, _) in BODIES.items()}
    for name, request in hostile.items():  # whatever is kept for the first time
        answer = send(port, request)
        assert (answer.status, answer.code) == BODIES[name][1:], name
        assert answer.unhurried < SOON, name
    before = process.memory_info().rss
    for _ in range(3):
        for request in (*hostile.values(), FLOODS["a header of a megabyte"]):
            send(port, request)
    assert process.memory_info().rss - before < GROWTH
    assert httpx2.get(f"http://127.0.0.1:{port}/health/live", timeout=None).status_code == 200
