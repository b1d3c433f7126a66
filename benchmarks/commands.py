"""Commands per second over HTTP, every command one durable commit.

    python benchmarks/commands.py [--clients N] [--seconds S] [--rounds N] [--no-projections]

Three servers (granian, one worker each): the service with grouped appends, the service with the
stock recorder, and an endpoint that only decodes the command. They take turns in every round; the
figures are medians over the rounds. Uses a throw-away PostgreSQL. Read the ratios.
"""

import argparse
import json
import os
import shutil
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any, NamedTuple
from uuid import uuid4

import httpx2
import psutil

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from service.database import prepare
from service.postgres import embedded_postgres
from service.settings import Settings

GOAL = 3.0  # times the stock recorder's rate
GRANIAN = ("-m", "granian", "--interface", "asgi", "--workers", "1", "--log-level", "warning")
START_UP = 40.0  # seconds


class Target:
    """A server and the load on it."""

    def __init__(
        self, name: str, at: "Server", load: "subprocess.Popen[str]", ready: str = ""
    ) -> None:
        self.name, self.load = name, load
        self.ready = ready and f"http://127.0.0.1:{at.port}{ready}"
        self.processes = [at.process, *at.process.children(recursive=True)]
        self.rounds: list[dict[str, float]] = []

    def play(self, seconds: float) -> dict[str, float]:
        """One round, then a pause until the projections have caught up."""
        assert self.load.stdin is not None
        assert self.load.stdout is not None
        cpu = self.cpu()
        print(seconds, file=self.load.stdin, flush=True)
        line = self.load.stdout.readline()
        if not line:
            raise SystemExit(f"The load on {self.name} has failed.")
        while self.ready and httpx2.get(self.ready).json()["lag"]:
            time.sleep(0.1)
        result: dict[str, float] = json.loads(line)
        result["cost"] = 1e6 * (self.cpu() - cpu) / result["commands"]
        return result

    def cpu(self) -> float:
        """Seconds of processor time that the server's processes have used; not the database's."""
        times = [process.cpu_times() for process in self.processes]
        return sum(each.user + each.system for each in times)

    def median(self, figure: str) -> float:
        """Over the rounds."""
        return statistics.median(each[figure] for each in self.rounds)

    @property
    def rate(self) -> float:
        """Median commands per second."""
        return statistics.median(each["commands"] / each["seconds"] for each in self.rounds)


class Server(NamedTuple):
    """Where it listens, and its first process."""

    port: int
    process: psutil.Process


@contextmanager
def server(arguments: Sequence[str], environment: dict[str, str], path: str) -> Iterator[Server]:
    """A server on a free port, ready."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
    command = [sys.executable, *arguments, "--port", str(port)]
    with tempfile.TemporaryFile() as said:
        process = subprocess.Popen(
            command, cwd=ROOT, env=environment, stdout=said, stderr=said, start_new_session=True
        )
        try:
            deadline = time.monotonic() + START_UP
            while not answers(f"http://127.0.0.1:{port}{path}"):
                if time.monotonic() > deadline or process.poll() is not None:
                    said.seek(0)
                    raise SystemExit(f"No server: {said.read().decode()[-2000:]}")
                time.sleep(0.1)
            yield Server(port, psutil.Process(process.pid))
        finally:
            process.send_signal(signal.SIGTERM)
            process.wait(20)


def answers(url: str) -> bool:
    """Whether anybody is there."""
    try:
        return httpx2.get(url, timeout=2).status_code in (200, 404)
    except httpx2.TransportError:
        return False


def tables(port: int, clients: int) -> list[Any]:
    """Games for two, started: `[game, tokens]` each, the token of the seat that begins last."""
    games = []
    with httpx2.Client(base_url=f"http://127.0.0.1:{port}/v1", timeout=30) as client:
        for _ in range(clients):
            seats = [{"kind": "person"}] * 2
            asked = {"ruleset": "classic", "seats": seats}
            opened = client.post("/games", json=asked).raise_for_status().json()
            path = f"/games/{opened['game']}"
            tokens = [
                client.post(f"{path}/seats", json={"name": f"Seat {seat}", "seat": seat})
                .raise_for_status()
                .json()["token"]
                for seat in range(2)
            ]
            host = {"Authorization": f"Bearer {opened['host_token']}"}
            done = client.post(f"{path}/start", headers=host).raise_for_status().json()
            first = done["table"]["active"]
            games.append([opened["game"], [tokens[1 - first], tokens[first]]])
    return games


@contextmanager
def load(port: int, games: list[Any]) -> Iterator["subprocess.Popen[str]"]:
    """The clients, connected."""
    command = [sys.executable, str(ROOT / "benchmarks" / "load.py"), str(port)]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdin is not None
        print(json.dumps(games), file=process.stdin, flush=True)
        yield process
        process.stdin.close()


def service(
    stack: ExitStack, dsn: str, *, grouping: bool, projections: bool, clients: int
) -> Target:
    """The service in a schema of its own."""
    name = "grouped" if grouping else "stock"
    settings = Settings(database_url=dsn, schema=name)
    prepare(settings)
    plain = {name: text for name, text in os.environ.items() if "PHASELEDGER" not in name}
    environment = {
        **plain,
        "PHASELEDGER_DATABASE_URL": dsn,
        "PHASELEDGER_SCHEMA": name,
        "PHASELEDGER_KEYS_DIR": stack.enter_context(tempfile.TemporaryDirectory()),
        "PHASELEDGER_PUBLISHED_DIR": stack.enter_context(tempfile.TemporaryDirectory()),
        "PHASELEDGER_GROUPING": str(grouping).lower(),
        "PHASELEDGER_WRITE_RATE": "0",  # all clients have one address
        "PHASELEDGER_PROJECTIONS": str(projections).lower(),
    }
    ready = "/health/ready" if projections else "/health/live"
    at = stack.enter_context(server(("-m", "service.cli", "serve"), environment, ready))
    playing = stack.enter_context(load(at.port, tables(at.port, clients)))
    return Target(name, at, playing, ready if projections else "")


def decoder(stack: ExitStack, clients: int) -> Target:
    """The endpoint that only decodes."""
    arguments = (*GRANIAN, "benchmarks.decoder:app")
    at = stack.enter_context(server(arguments, dict(os.environ), "/"))
    games = [[str(uuid4()), ["0" * 77] * 2] for _ in range(clients)]
    return Target("decode-only", at, stack.enter_context(load(at.port, games)))


def main() -> int:
    """Measure and print; 1 when the goal is missed."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--clients", type=int, default=64)
    parser.add_argument("--seconds", type=float, default=5.0, help="each server in each round")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--no-projections", action="store_true", help="leave them to a worker")
    given = parser.parse_args()
    clients, projections = given.clients, not given.no_projections
    data_dir = Path(tempfile.mkdtemp(prefix="pl-"))
    with ExitStack() as stack:
        stack.callback(shutil.rmtree, data_dir)
        dsn = stack.enter_context(embedded_postgres(data_dir))
        grouped, stock = (
            service(stack, dsn, grouping=grouping, projections=projections, clients=clients)
            for grouping in (True, False)
        )
        bare = decoder(stack, clients)
        targets = grouped, stock, bare
        for number in range(given.rounds + 1):
            for target in targets:
                result = target.play(given.seconds if number else 1.0)
                if number:  # the first is for warming up
                    target.rounds.append(result)
    print(f"{clients} clients, {given.rounds} rounds of {given.seconds:g} s each, medians")
    for target in targets:
        rates = [each["commands"] / each["seconds"] for each in target.rounds]
        print(
            f"{target.name:12} {target.rate:8,.0f} commands/s ({min(rates):,.0f} to "
            f"{max(rates):,.0f})   p50 {target.median('p50'):4.0f} ms   "
            f"p99 {target.median('p99'):4.0f} ms   server {target.median('cost'):6,.0f} us   "
            f"clients {1e6 * target.median('cpu') / target.rate:4.0f} us"
        )
    print("us: processor time of the server's (without the database's) and of the clients' process")
    print("    for each command")
    ratio = grouped.rate / stock.rate
    print(f"grouped / stock        {ratio:5.2f}   (goal: {GOAL:g})")
    print(f"grouped / decode-only  {grouped.rate / bare.rate:5.2f}")
    return 0 if ratio >= GOAL else 1


if __name__ == "__main__":
    sys.exit(main())
