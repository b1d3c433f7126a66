"""Races for one version of one game, over HTTP and PostgreSQL.

    python benchmarks/races.py [--rounds 2000] [--clients 16] [--servers 2]

Each round is two races. First all clients send the same command for the same version at the same
moment, each under a key of its own: exactly one may win, and the others must be told 412 and the
version that the winner made. Then all of them send the next command under one key: all must get
the same bytes, and the log exactly one command more. The clients are spread over the servers,
processes that share one log and know nothing of one another. Exits with 1 when a race went wrong,
or when the auditor finds something in one of the games.
"""

import argparse
import asyncio
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any, NamedTuple
from uuid import uuid4

import msgspec

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from benchmarks.servers import server, tables
from phaseledger.service.database.embedded import embedded_postgres
from phaseledger.service.database.setup import prepare
from phaseledger.service.settings import Settings

HOST = "127.0.0.1"
ROUNDS_IN_GAME = 50  # a repeat folds its game from the start


class Answer(NamedTuple):
    """What a client got, and how long it took in ms."""

    status: int
    etag: str
    body: bytes
    took: float

    def decoded(self) -> dict[str, Any]:
        """The body's fields."""
        decoded: dict[str, Any] = msgspec.json.decode(self.body)
        return decoded


class Client:
    """One connection, which sends a request when it is told to."""

    def __init__(self, port: int) -> None:
        self.port = port

    async def open(self) -> None:
        """Connect."""
        self.reader, self.writer = await asyncio.open_connection(HOST, self.port)

    async def close(self) -> None:
        """Hang up."""
        self.writer.close()
        await self.writer.wait_closed()

    async def ask(self, method: str, path: str, body: bytes = b"", **headers: str) -> Answer:
        """The whole answer."""
        lines = {
            "Host": HOST,
            "Content-Length": str(len(body)),
            "Content-Type": "application/json",
            **{name.replace("_", "-"): value for name, value in headers.items()},
        }
        head = "".join(f"{name}: {value}\r\n" for name, value in lines.items())
        began = time.perf_counter()
        self.writer.write(f"{method} /v1{path} HTTP/1.1\r\n{head}\r\n".encode() + body)
        first, *rest = (await self.reader.readuntil(b"\r\n\r\n")).decode().splitlines()
        headers = {
            name.lower(): value
            for name, _, value in (line.partition(": ") for line in rest if line)
        }
        content = await self.reader.readexactly(int(headers["content-length"]))
        took = 1000 * (time.perf_counter() - began)
        return Answer(int(first.split()[1]), headers.get("etag", ""), content, took)


def rivals(answers: Sequence[Answer]) -> list[str]:
    """What is wrong with the answers to one command under as many keys as clients."""
    won = [answer for answer in answers if answer.status == 200]
    if len(won) != 1:
        return [f"{len(won)} winners: {sorted(answer.status for answer in answers)}"]
    version, faults = won[0].decoded()["version"], []
    for lost in answers:
        if lost.status == 200:
            continue
        problem = lost.decoded()
        if (lost.status, problem.get("code"), problem.get("version")) != (
            412,
            "stale_version",
            version,
        ):
            faults.append(f"a loser was answered {lost.status} {problem.get('code')}, not 412")
    return faults


def repeats(answers: Sequence[Answer]) -> list[str]:
    """What is wrong with the answers to one command under one key."""
    kinds = {(answer.status, answer.etag, answer.body) for answer in answers}
    if len(kinds) == 1 and answers[0].status == 200:
        return []
    return [f"{len(kinds)} different answers: {sorted(answer.status for answer in answers)}"]


def grown(before: int, rows: Sequence[dict[str, Any]], answered: Answer) -> list[str]:
    """What is wrong with the events that a race has left in the log."""
    decisions = sum("act" in row["data"] for row in rows)
    if decisions != 1 or before + len(rows) != answered.decoded()["version"]:
        return [f"the log has {decisions} commands and {len(rows)} events more"]
    return []


class Tally(NamedTuple):
    """What came out of all rounds."""

    rounds: int
    faults: list[str]
    took: list[float]
    """How long each answer took, in ms."""


class Game:
    """One game under races, whose two seats draw and discard by turns."""

    def __init__(self, clients: Sequence[Client], game: str, tokens: Sequence[str]) -> None:
        self.clients, self.path, self.tokens = clients, f"/games/{game}", tokens
        self.faults: list[str] = []
        self.took: list[float] = []

    async def play(self, rounds: int) -> None:
        """So many rounds, one after the other."""
        look = await self.clients[0].ask("GET", self.path)
        version, seat = look.decoded()["version"], look.decoded()["table"]["waits"][0]["seat"]
        for _ in range(rounds):
            drawn = await self.race(version, seat, b'{"type":"draw"}', one_key=False)
            if drawn is None:
                return
            hand = drawn["table"]["hand"].split()
            card = next(card for card in hand if card != "S")  # a skip would name a target
            body = b'{"type":"discard","cards":"%s"}' % card.encode()
            done = await self.race(drawn["version"], seat, body, one_key=True)
            if done is None:
                return
            version, seat = done["version"], done["table"]["waits"][0]["seat"]

    async def race(
        self, version: int, seat: int, body: bytes, *, one_key: bool
    ) -> dict[str, Any] | None:
        """All at once; what the winner was told, None where the race went wrong."""
        who = {"Authorization": f"Bearer {self.tokens[seat]}", "If_Match": f'"{version}.{seat}"'}
        keys = (
            [str(uuid4())] * len(self.clients) if one_key else map(str, map(_fresh, self.clients))
        )
        answers = await asyncio.gather(
            *(
                client.ask("POST", f"{self.path}/commands", body, Idempotency_Key=key, **who)
                for client, key in zip(self.clients, keys, strict=True)
            )
        )
        self.took += [answer.took for answer in answers]
        faults = repeats(answers) if one_key else rivals(answers)
        if not faults:
            won = next(answer for answer in answers if answer.status == 200)
            # Each server is asked, since each has its own idea of the game.
            for client in {client.port: client for client in self.clients}.values():
                page = await client.ask("GET", f"{self.path}/events?after={version}")
                faults += grown(version, page.decoded()["events"], won)
        self.faults += [f"{self.path} at {version}: {fault}" for fault in faults]
        return None if faults else won.decoded()


def _fresh(_: Client) -> str:
    return str(uuid4())


async def run(ports: Sequence[int], clients: int, rounds: int) -> Tally:
    """The rounds, on as many games as they need."""
    many = [Client(ports[number % len(ports)]) for number in range(clients)]
    for client in many:
        await client.open()
    faults: list[str] = []
    took: list[float] = []
    for begun in range(0, rounds, ROUNDS_IN_GAME):
        ((name, (second, first)),) = await asyncio.to_thread(tables, ports[0], 1)
        look = (await many[0].ask("GET", f"/games/{name}")).decoded()
        seat = look["table"]["waits"][0]["seat"]
        tokens = [first, second] if seat == 0 else [second, first]
        game = Game(many, name, tokens)
        await game.play(min(ROUNDS_IN_GAME, rounds - begun))
        faults += game.faults
        took += game.took
    for client in many:
        await client.close()
    return Tally(rounds, faults, took)


def main() -> int:
    """Race and print; 1 when something went wrong."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=2_000)
    parser.add_argument("--clients", type=int, default=16)
    parser.add_argument("--servers", type=int, default=2)
    given = parser.parse_args()
    data_dir = Path(tempfile.mkdtemp(prefix="pl-"))
    with ExitStack() as stack:
        stack.callback(shutil.rmtree, data_dir)
        settings = Settings(database_url=stack.enter_context(embedded_postgres(data_dir)))
        prepare(settings)
        environment = {
            **{name: text for name, text in os.environ.items() if "PHASELEDGER" not in name},
            "PHASELEDGER_DATABASE_URL": settings.database_url,
            "PHASELEDGER_KEYS_DIR": str(data_dir / "keys"),
            "PHASELEDGER_PUBLISHED_DIR": str(data_dir / "published"),
            "PHASELEDGER_READ_RATE": "0",
            "PHASELEDGER_WRITE_RATE": "0",
        }
        serve = ("-m", "phaseledger.service.cli.main", "serve")
        ports = [
            stack.enter_context(server(serve, environment, "/health/ready")).port
            for _ in range(given.servers)
        ]
        began = time.perf_counter()
        tally = asyncio.run(run(ports, given.clients, given.rounds))
        seconds = time.perf_counter() - began
        audit = subprocess.run(
            [sys.executable, "-m", "phaseledger.service.cli.main", "audit", "--all"],
            env=environment, cwd=ROOT, capture_output=True, text=True, check=False,
        )  # fmt: skip
    print(f"{tally.rounds} rounds of 2 races, {given.clients} clients, {given.servers} servers")
    print(f"{len(tally.faults)} races went wrong; {seconds:.0f} s")
    cuts = statistics.quantiles(tally.took, n=100)
    print(f"an answer took {cuts[49]:.0f} ms (median), {cuts[98]:.0f} ms (99 %)")
    for fault in tally.faults[:20]:
        print(fault)
    print(f"audit: exit code {audit.returncode}: {audit.stdout.strip().splitlines()[-1:]}")
    return 1 if tally.faults or audit.returncode else 0


if __name__ == "__main__":
    sys.exit(main())
