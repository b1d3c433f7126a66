"""How soon a commit reaches a thousand open streams, and what they cost the commands.

    python benchmarks/streams.py [--streams 1000] [--seconds 20] [--rate 20] [--stuck 20]

One `phaseledger serve` of its own over an embedded PostgreSQL; this process is all of its clients.
First the streams are spread over tables of four, one for each seat; then all of them watch one
table. In both cases some connections more take nothing at all. A delivery is measured from the
event's own time, which is read before its commit, to the moment the client has the bytes.
"""

import argparse
import asyncio
import json
import os
import random
import re
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

HOST = "127.0.0.1"
AT = re.compile(rb'"at":(\d+)')
ASKED = re.compile(rb"event: asked\ndata: (.*)\n")
SEATS = 4
WARM = 2.0  # seconds

Answer = tuple[int, dict[str, Any]]


@dataclass
class Seat:
    """A seat, its token, and the commands that its stream last said it may send."""

    game: str
    token: str
    asked: dict[str, Any] = field(default_factory=dict)


class Listener(asyncio.Protocol):
    """A client with one stream, whose deliveries it notes."""

    def __init__(self, game: str, seat: Seat | None, deliveries: list[float]) -> None:
        self.game, self.seat, self.deliveries = game, seat, deliveries
        self.waits = b""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Ask for the stream."""
        assert isinstance(transport, asyncio.Transport)
        transport.write(_wish(self.game, self.seat.token if self.seat else ""))
        self.transport = transport

    def data_received(self, data: bytes) -> None:
        """Note when the last event of each delta came."""
        now = 1000 * time.time()
        *whole, self.waits = (self.waits + data).split(b"\n\n")
        for frame in whole:
            if b"event: events" in frame:
                self.deliveries.append(now - max(map(int, AT.findall(frame))))
            elif self.seat and (asked := ASKED.search(frame + b"\n")):
                self.seat.asked = json.loads(asked[1])


def _wish(game: str, token: str) -> bytes:
    bearer = f"Authorization: Bearer {token}\r\n" if token else ""
    return (
        f"GET /v1/games/{game}/events HTTP/1.1\r\nHost: {HOST}\r\nAccept: text/event-stream\r\n"
        f"{bearer}\r\n"
    ).encode()


class Caller:
    """One kept connection for requests."""

    async def open(self, port: int) -> "Caller":
        """Connect."""
        self.reader, self.writer = await asyncio.open_connection(HOST, port)
        return self

    async def post(self, path: str, body: Any = None, token: str = "") -> Answer:  # noqa: ANN401
        """The answer to a request."""
        text = b"" if body is None else json.dumps(body).encode()
        bearer = f"Authorization: Bearer {token}\r\n" if token else ""
        kind = "Content-Type: application/json\r\n" if text else ""
        head = f"POST /v1{path} HTTP/1.1\r\nHost: {HOST}\r\n{bearer}{kind}"
        self.writer.write(f"{head}Content-Length: {len(text)}\r\n\r\n".encode() + text)
        answer = await self.reader.readuntil(b"\r\n\r\n")
        length = int(answer.lower().partition(b"content-length:")[2].split()[0])
        return int(answer.split()[1]), json.loads(await self.reader.readexactly(length))


async def table(caller: Caller) -> list[Seat]:
    """The seats of a table that has started."""
    seats = [{"kind": "person"}] * SEATS
    _, opened = await caller.post("/games", {"ruleset": "classic", "seats": seats})
    path = f"/games/{opened['game']}"
    joined = [(await caller.post(f"{path}/seats", {"name": f"P{n}"}))[1] for n in range(SEATS)]
    status, _ = await caller.post(f"{path}/start", token=opened["host_token"])
    assert status == 200
    return [Seat(opened["game"], answer["token"]) for answer in joined]


async def play(caller: Caller, seats: Sequence[Seat], rate: float, seconds: float) -> list[float]:
    """Send so many commands a second, spread over the tables; their latencies in ms."""
    chance, latencies = random.Random(1), []
    end = time.perf_counter() + seconds
    while time.perf_counter() < end:
        began = time.perf_counter()
        ready = [seat for seat in seats if seat.asked]
        if ready:
            seat = chance.choice(ready)
            command, seat.asked = chance.choice(seat.asked["commands"]), {}
            status, answer = await caller.post(f"/games/{seat.game}/commands", command, seat.token)
            assert status == 200, answer
            latencies.append(1000 * (time.perf_counter() - began))
        await asyncio.sleep(max(0.0, began + 1 / rate - time.perf_counter()))
    return latencies


def stuck(port: int, game: str) -> socket.socket:
    """A stream whose reader takes nothing."""
    sock = socket.socket()
    sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    sock.connect((HOST, port))
    sock.sendall(_wish(game, ""))
    return sock


def summary(name: str, latencies: list[float]) -> str:
    """One line: how many, median, 99th percentile, longest."""
    cuts = statistics.quantiles(latencies, n=100)
    figures = f"p50 {cuts[49]:7.1f}   p99 {cuts[98]:7.1f}   max {max(latencies):7.1f} ms"
    return f"{name:<34} {len(latencies):>8}   {figures}"


async def measure(name: str, port: int, given: argparse.Namespace, *, spread: bool) -> None:
    """Open the streams, play, and print what was measured."""
    caller = await Caller().open(port)
    wanted = given.streams // SEATS if spread else 1
    seats = [seat for _ in range(wanted) for seat in await table(caller)]
    deliveries: list[float] = []
    loop, rate = asyncio.get_running_loop(), given.rate if spread else given.rate / 10
    listeners = [Listener(seat.game, seat, deliveries) for seat in seats]
    listeners += [
        Listener(seats[0].game, None, deliveries) for _ in range(given.streams - len(seats))
    ]
    first = [listener for listener in listeners if listener.seat][: 8 * SEATS]
    for listener in first:
        await loop.create_connection(lambda listener=listener: listener, HOST, port)  # type: ignore[misc]
    await asyncio.sleep(WARM)
    alone = await play(
        caller, [listener.seat for listener in first if listener.seat], rate, given.seconds / 4
    )
    for listener in listeners:
        if listener not in first:
            await loop.create_connection(lambda listener=listener: listener, HOST, port)  # type: ignore[misc]
    held = [stuck(port, seats[n % len(seats)].game) for n in range(given.stuck)]
    await asyncio.sleep(WARM)
    deliveries.clear()
    commands = await play(caller, seats, rate, given.seconds)
    await asyncio.sleep(WARM / 2)
    print(f"{name}: {given.streams} streams and {given.stuck} that take nothing")
    print(summary("  delivery", deliveries))
    print(summary("  command", commands))
    print(summary("  command, few streams", alone), flush=True)
    for listener in listeners:
        listener.transport.close()
    for sock in held:
        sock.close()


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind((HOST, 0))
        return int(probe.getsockname()[1])


async def _ready(port: int) -> None:
    for _ in range(300):
        try:
            await Caller().open(port)
        except OSError:
            await asyncio.sleep(0.1)
        else:
            return


async def main(given: argparse.Namespace) -> None:
    """Measure both cases, then stop the service with all streams open."""
    port = _free_port()
    with tempfile.TemporaryDirectory(prefix="pl-") as folder:
        service = subprocess.Popen(
            [sys.executable, "-m", "phaseledger.service.cli.main", "serve"],
            env={
                **{name: text for name, text in os.environ.items() if "PHASELEDGER" not in name},
                "PHASELEDGER_DATA_DIR": folder,
                "PHASELEDGER_PORT": str(port),
                "PHASELEDGER_READ_RATE": "0",
                "PHASELEDGER_WORK_RATE": "0",
                "PHASELEDGER_TABLES_PER_ADDRESS": "0",
                "PHASELEDGER_BOT_GAMES_PER_ADDRESS": "0",
                "PHASELEDGER_MAX_STREAMS_PER_ADDRESS": "100000",
                "PHASELEDGER_WRITE_RATE": "0",
            },
            stderr=subprocess.DEVNULL,
        )
        try:
            await _ready(port)
            await measure("tables of four", port, given, spread=True)
            await asyncio.sleep(WARM)
            await measure("one table", port, given, spread=False)
            caller = await Caller().open(port)
            (seat, *_) = await table(caller)
            loop = asyncio.get_running_loop()
            for _ in range(given.streams):
                await loop.create_connection(lambda: Listener(seat.game, None, []), HOST, port)
            await asyncio.sleep(WARM)
            began = time.perf_counter()
            service.send_signal(signal.SIGTERM)
            await asyncio.to_thread(service.wait, 20)
            took = time.perf_counter() - began
            print(f"SIGTERM with {given.streams} streams open: ended after {took:.2f} s")
        finally:
            service.kill()


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--streams", type=int, default=1000)
    parser.add_argument("--seconds", type=float, default=20)
    parser.add_argument("--rate", type=float, default=20, help="commands a second")
    parser.add_argument("--stuck", type=int, default=20)
    asyncio.run(main(parser.parse_args()))
