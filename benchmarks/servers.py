"""Servers to measure, and the load on them: each in processes of its own."""

import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager, nullcontext
from pathlib import Path
from typing import Any, NamedTuple
from uuid import uuid4

import httpx2
import psutil
import psycopg

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from phaseledger.service.database.embedded import embedded_postgres
from phaseledger.service.database.setup import prepare
from phaseledger.service.settings import Settings

GRANIAN = ("-m", "granian", "--interface", "asgi", "--workers", "1", "--log-level", "warning")
SERVE = ("-m", "phaseledger.service.cli.main", "serve")
START_UP = 40.0  # seconds
CONNECTIONS = 400  # to PostgreSQL, for several services at once


@contextmanager
def throw_away(slowed: AbstractContextManager[object] | None = None) -> Iterator[str]:
    """The DSN of a PostgreSQL that is gone after the block; ``slowed`` is around its start."""
    data_dir = Path(tempfile.mkdtemp(prefix="pl-"))
    with ExitStack() as stack:
        stack.callback(shutil.rmtree, data_dir)
        with embedded_postgres(data_dir) as dsn, psycopg.connect(dsn, autocommit=True) as conn:
            conn.execute(f"ALTER SYSTEM SET max_connections = {CONNECTIONS}")
        with slowed or nullcontext():
            dsn = stack.enter_context(embedded_postgres(data_dir))
        yield dsn


class Server(NamedTuple):
    """Where it listens, and its first process."""

    port: int
    process: psutil.Process

    def processes(self) -> list[psutil.Process]:
        """All that serve."""
        return [self.process, *self.process.children(recursive=True)]


def free_port() -> int:
    """A port of loopback that nothing listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


@contextmanager
def server(arguments: Sequence[str], environment: dict[str, str], path: str) -> Iterator[Server]:
    """A server on a free port, ready."""
    port = free_port()
    command = [sys.executable, *arguments, "--port", str(port)]
    with tempfile.TemporaryFile() as output:
        process = subprocess.Popen(
            command, cwd=ROOT, env=environment, stdout=output, stderr=output, start_new_session=True
        )
        try:
            deadline = time.monotonic() + START_UP
            while not answers(f"http://127.0.0.1:{port}{path}"):
                if time.monotonic() > deadline or process.poll() is not None:
                    output.seek(0)
                    raise SystemExit(f"No server: {output.read().decode()[-2000:]}")
                time.sleep(0.02)
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
def load(games: Sequence[Any]) -> Iterator["subprocess.Popen[str]"]:
    """The clients, connected; games are `[port, game, tokens]`."""
    command = [sys.executable, str(ROOT / "benchmarks" / "load.py")]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdin is not None
        print(json.dumps(games), file=process.stdin, flush=True)
        yield process
        process.stdin.close()


class Round(NamedTuple):
    """What one round came to."""

    rate: float
    """Answers a second."""
    p50: float
    """Milliseconds, like p99."""
    p99: float
    cost: float
    """Processor time of the servers for each answer, in microseconds; not the database's."""
    clients: float
    """That of the clients."""
    database: float
    """That of PostgreSQL; 0 where there is none."""


class Target:
    """Servers and the clients that load them."""

    def __init__(
        self, at: Sequence[Server], playing: "subprocess.Popen[str]", ready: str, dsn: str = ""
    ) -> None:
        self._load = playing
        self._database = _postmaster(dsn) if dsn else None
        self.refused = 0
        self._ready = [f"http://127.0.0.1:{server.port}{ready}" for server in at if ready]
        self._processes = [process for server in at for process in server.processes()]

    def play(self, clients: int, seconds: float, *, reading: bool = False) -> Round:
        """One round, then a pause until the projections have caught up."""
        assert self._load.stdin is not None
        assert self._load.stdout is not None
        cpu, asked = self.cpu(), [clients, seconds, reading]
        database = self.database_cpu()
        print(json.dumps(asked), file=self._load.stdin, flush=True)
        line = self._load.stdout.readline()
        if not line:
            raise SystemExit("The load has failed.")
        for url in self._ready:
            while httpx2.get(url).json()["lag"]:
                time.sleep(0.05)
        figures = json.loads(line)
        self.refused = figures["refused"]
        answers, cost = figures["answers"], 1e6 * (self.cpu() - cpu) / figures["answers"]
        own = 1e6 * figures["cpu"] / answers
        return Round(
            rate=answers / figures["seconds"],
            p50=figures["p50"],
            p99=figures["p99"],
            cost=cost,
            clients=own,
            database=1e6 * (self.database_cpu() - database) / answers,
        )

    def cpu(self) -> float:
        """Seconds of processor time that the servers' processes have used; not the database's."""
        return sum(map(_seconds, self._processes))

    def database_cpu(self) -> float:
        """Those of PostgreSQL's processes, for whomever they work."""
        if self._database is None:
            return 0.0
        return sum(map(_seconds, [self._database, *self._database.children()]))


def _seconds(process: psutil.Process) -> float:
    """Processor time; 0 of a process that has just ended."""
    try:
        spent = process.cpu_times()
    except psutil.NoSuchProcess:
        return 0.0
    return spent.user + spent.system


def _postmaster(dsn: str) -> psutil.Process:
    """PostgreSQL's first process, which runs on this machine."""
    with psycopg.connect(dsn) as conn:
        ((pid,),) = conn.execute("SELECT pg_backend_pid()").fetchall()
        process = psutil.Process(pid).parent()
    assert process is not None
    return process


def service_environment(stack: ExitStack, dsn: str, schema: str, **settings: str) -> dict[str, str]:
    """The environment of a service with fresh tables in a schema of its own."""
    prepare(Settings(database_url=dsn, schema=schema))
    plain = {name: text for name, text in os.environ.items() if "PHASELEDGER" not in name}
    settings = {
        "database_url": dsn,
        "schema": schema,
        "keys_dir": stack.enter_context(tempfile.TemporaryDirectory()),
        "published_dir": stack.enter_context(tempfile.TemporaryDirectory()),
        "write_rate": "0",  # all clients have one address
        "read_rate": "0",
        **settings,
    }
    return {**plain, **{f"PHASELEDGER_{name.upper()}": text for name, text in settings.items()}}


def service(
    stack: ExitStack,
    dsn: str,
    schema: str,
    clients: int,
    *,
    workers: int = 1,
    program: tuple[str, ...] = SERVE,
    **settings: str,
) -> Target:
    """So many processes of the service over one log; each game is played at one of them."""
    environment = service_environment(stack, dsn, schema, **settings)
    ready = "/health/ready" if settings.get("projections") != "false" else "/health/live"
    at = [stack.enter_context(server(program, environment, ready)) for _ in range(workers)]
    games = [[at[n % workers].port, *game] for n, game in enumerate(tables(at[0].port, clients))]
    lagging = ready if "ready" in ready else ""
    return Target(at, stack.enter_context(load(games)), lagging, dsn)


def bare(stack: ExitStack, app: str, clients: int, dsn: str = "") -> Target:
    """An endpoint of `benchmarks/decoder.py`; with a ``dsn`` one that stores, in `RAW`."""
    environment = {**os.environ, "RAW_DSN": dsn}
    arguments = (*GRANIAN, f"benchmarks.decoder:{app}")
    at = stack.enter_context(server(arguments, environment, "/"))
    games = [[at.port, str(uuid4()), ["0" * 77] * 2] for _ in range(clients)]
    return Target([at], stack.enter_context(load(games)), "", dsn)


RAW = """
    DROP SCHEMA IF EXISTS raw CASCADE;
    CREATE SCHEMA raw;
    CREATE TABLE raw.stored_events (
      originator_id uuid NOT NULL, originator_version bigint NOT NULL, topic text NOT NULL,
      state bytea NOT NULL, notification_id bigserial, leaf bytea,
      PRIMARY KEY (originator_id, originator_version)
    );
    CREATE UNIQUE INDEX ON raw.stored_events (notification_id)
"""
"""The log's table without its triggers."""
INSERT = b"""
    INSERT INTO raw.stored_events (originator_id, originator_version, topic, state, leaf)
    VALUES (%b, %b, %b, %b, %b)
"""
SELECT = b"SELECT max(originator_version) FROM raw.stored_events WHERE originator_id = %b"
"""The last event of a game, by the primary key."""
