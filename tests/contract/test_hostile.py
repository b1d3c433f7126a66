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
from concurrent.futures import ThreadPoolExecutor
from itertools import repeat
from pathlib import Path
from typing import NamedTuple

import httpx2
import psutil
import pytest

from tests.support.cases import looped
from tests.support.ports import await_answer, free_port
from tests.support.progress import unhurried
from tests.support.service.invalid_bodies import BODIES

ROOT = Path(__file__).parents[2]
SERVER = """
import asyncio, sys
from granian.server.embed import Server
from phaseledger.service.app import create_app
from tests.support.service.server import FREE
from tests.support.service.memory_ledger import in_memory
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


def endless(chunk: bytes) -> Iterator[bytes]:
    while True:
        yield chunk


TRICKLES: list[tuple[bytes, bytes, float]] = [
    (head(JSON, CHUNKED), b"1\r\n \r\n", 0.2),
    (head(JSON, "Content-Length: 60000") + b"{", b" ", 0.05),
    (head(JSON, CHUNKED), b"", 0.05),
]


def test_a_body_that_has_no_end_or_trickles(port: int) -> None:
    endlessly = send(port, head(JSON, CHUNKED), repeat(b"1000\r\n" + b" " * 4096 + b"\r\n"))
    assert (endlessly.status, endlessly.code) == (413, "body_too_large")
    assert endlessly.unhurried < SOON
    with ThreadPoolExecutor(len(TRICKLES)) as threads:
        sent = [threads.submit(send, port, start, repeat(b), wait) for start, b, wait in TRICKLES]
    for answer in (sending.result() for sending in sent):
        assert (answer.status, answer.code) == (408, "body_too_slow")
        assert answer.unhurried < SOON


def test_a_body_in_pieces_is_read_and_may_take_its_time(port: int) -> None:
    """Sixty thousand bytes at 30 kB a second, which is slower than any line that plays games."""
    chunks = [b"%x\r\n%b\r\n" % (len(piece), piece) for piece in (GOOD[:20], GOOD[20:])]
    assert send(port, head(JSON, CHUNKED), iter([*chunks, b"0\r\n\r\n"]), 0.05).status == 201
    body = GOOD + b" " * (60_000 - len(GOOD))
    pieces = [body[at : at + 3000] for at in range(0, len(body), 3000)]
    answer = send(port, head(JSON, f"Content-Length: {len(body)}"), iter(pieces), 0.1)
    assert (answer.status, answer.seconds > 1.9) == (201, True)


NO_SIZE = head(JSON, CHUNKED) + b"zz\r\n{}\r\n0\r\n\r\n"
MEGABYTE = head(JSON, "X-Long: " + "a" * 2**20)
HEADS: list[tuple[bytes, int, str]] = [
    # Read by the service.
    (head(JSON, "X-Long: " + "a" * 70_000), 431, "headers_too_large"),
    (head(JSON, *(f"X-{n}: " + "a" * 900 for n in range(40))), 431, "headers_too_large"),
    (head(JSON, path="/v1/games?" + "a" * 20_000), 414, "address_too_long"),
    (head(JSON, path="/v1/" + "a" * 20_000), 414, "address_too_long"),
    (NO_SIZE, 400, "body_cut_off"),
    # Refused by the server below, in its way.
    (head(JSON, *(f"X-{n}: {n}" for n in range(100))), 431, ""),
    (MEGABYTE, 431, ""),
    (head(JSON, path="/" + "a" * 66_000), 414, ""),
    (b"NONSENSE\r\n\r\n", 400, ""),
    (b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" * 20 + b"\r\n\r\n", 400, ""),
    (head(JSON, "Content-Length: 5", "Content-Length: 6") + b"{}    ", 400, ""),
    (head(JSON, "Content-Length: -1") + b"{}", 400, ""),
    (head(JSON, "Content-Length: " + "9" * 40) + b"{}", 400, ""),
]


@looped(("request_head", "status", "code"), HEADS)
def test_a_flood_before_the_body_is_told_what_is_wrong(
    port: int, request_head: bytes, status: int, code: str
) -> None:
    answer = send(port, request_head)
    assert (answer.status, answer.body and answer.code) == (status, code or b"")
    assert answer.unhurried < SOON


def test_a_large_head_is_read(port: int) -> None:
    body = GOOD + b" " * (90 - len(GOOD))
    length = "Content-Length: 90"
    for request_head, status in (
        (head(JSON, length, *(f"X-{n}: " + "a" * 400 for n in range(70))), 201),
        (head(JSON, length, path="/v1/games?" + "a" * 16_000), 400),  # no 414
    ):
        assert send(port, request_head + body).status == status


def test_memory_stays_where_it_is(server: tuple[int, psutil.Process]) -> None:
    port, process = server
    hostile = {name: whole(body) for name, (body, _, _) in BODIES.items()}
    for name, request in hostile.items():  # whatever is kept for the first time
        answer = send(port, request)
        assert (answer.status, answer.code) == BODIES[name][1:], name
        assert answer.unhurried < SOON, name
    before = process.memory_info().rss
    for _ in range(3):
        for request in (*hostile.values(), MEGABYTE):
            send(port, request)
    assert process.memory_info().rss - before < GROWTH
    assert httpx2.get(f"http://127.0.0.1:{port}/health/live", timeout=None).status_code == 200
