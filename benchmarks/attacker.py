"""The attacker of `benchmarks/attacks.py`: its connections, and what it was answered."""

import asyncio
import json
import time
from collections import Counter
from collections.abc import Awaitable, Callable
from typing import Any, NamedTuple, Self

HOST = "127.0.0.1"
CONNECTIONS = 16
PAUSE = 0.02
"""Seconds after a refusal, so that the attacker's own processor is not what is measured."""
PERSON = {"kind": "person"}


class Reply(NamedTuple):
    """An answer; ``body`` is None where it was no JSON."""

    status: int
    body: Any


class Attacker:
    """What all connections of one attack share."""

    def __init__(self, port: int, address: str, seconds: float, url: str) -> None:
        self.port, self.address, self.url = port, address, url
        self.until = time.monotonic() + seconds
        self.answers: Counter[str] = Counter()

    def is_over(self) -> bool:
        """Whether its time is up."""
        return time.monotonic() >= self.until

    async def at_once(
        self, work: Callable[["Connection"], Awaitable[object]], connections: int = CONNECTIONS
    ) -> None:
        """Do the work over and over on all connections, until the time is up."""

        async def on_one() -> None:
            while not self.is_over():
                try:
                    async with Connection(self) as connection:
                        while not self.is_over():
                            await work(connection)
                except (OSError, EOFError, asyncio.IncompleteReadError):
                    self.answers["cut off"] += 1
                    await asyncio.sleep(PAUSE)

        await asyncio.gather(*(on_one() for _ in range(connections)))


class Connection:
    """One kept connection."""

    def __init__(self, attacker: Attacker) -> None:
        self.attacker = attacker

    async def __aenter__(self) -> Self:
        self.reader, self.writer = await asyncio.open_connection(
            HOST, self.attacker.port, local_addr=(self.attacker.address, 0)
        )
        return self

    async def __aexit__(self, *_: object) -> None:
        self.writer.close()

    def send(
        self, method: str, path: str, body: bytes = b"", token: str = "", **headers: str
    ) -> None:
        """Write a request."""
        lines = {
            "Host": HOST,
            "Content-Length": str(len(body)),
            "Content-Type": "application/json",
            **({"Authorization": f"Bearer {token}"} if token else {}),
            **{name.replace("_", "-"): value for name, value in headers.items()},
        }
        head = "".join(f"{name}: {value}\r\n" for name, value in lines.items())
        root = "" if path.startswith("/health") else "/v1"
        self.writer.write(f"{method} {root}{path} HTTP/1.1\r\n{head}\r\n".encode() + body)

    async def ask(
        self, what: str, method: str, path: str, body: object = None, **more: str
    ) -> Reply:
        """The answer, which is counted as one to ``what``; after a refusal a short pause."""
        self.send(method, path, b"" if body is None else json.dumps(body).encode(), **more)
        head = (await self.reader.readuntil(b"\r\n\r\n")).lower()
        status = int(head.split()[1])
        if b"content-length:" not in head:
            raise EOFError
        length = int(head.partition(b"content-length:")[2].split()[0])
        content = await self.reader.readexactly(length)
        self.attacker.answers[f"{status} {what}"] += 1
        if status in (429, 503):
            await asyncio.sleep(PAUSE)
        if b"connection: close" in head:
            raise EOFError
        is_json = b"json" in head and b"ndjson" not in head
        return Reply(status, json.loads(content) if is_json else None)

    async def opened(self, what: str, **table: object) -> Reply:
        """A table is opened."""
        return await self.ask(what, "POST", "/games", table)

    async def people(self, count: int = 2, **table: object) -> tuple[str, list[str], str]:
        """The path of a table whose game has begun, its seats' tokens, and its host's."""
        while True:
            opened = await self.opened("open", seats=[PERSON] * count, **table)
            if opened.status == 201:
                break
            if self.attacker.is_over():
                raise EOFError
        path, host = f"/games/{opened.body['game']}", opened.body["host_token"]
        tokens = []
        for seat in range(count):
            joined = await self.until("join", f"{path}/seats", {"name": f"{seat}", "seat": seat})
            tokens.append(joined.body["token"])
        await self.until("start", f"{path}/start", None, token=host)
        return path, tokens, host

    async def until(self, what: str, path: str, body: object, **more: str) -> Reply:
        """What is answered at last, after refusals."""
        while True:
            reply = await self.ask(what, "POST", path, body, **more)
            if reply.status < 400:
                return reply
            if self.attacker.is_over():
                raise EOFError

    async def draw(self, path: str, tokens: list[str]) -> None:
        """Whoever is asked takes what it can, and keeps it."""
        for token in tokens:
            listed = await self.ask("actions", "GET", f"{path}/actions", token=token)
            if listed.status != 200 or not listed.body["commands"]:
                continue
            wishes = ("draw", "choose", "move", "discard", "pass")
            commands = sorted(
                listed.body["commands"],
                key=lambda command: (*wishes, command["type"]).index(command["type"]),
            )
            await self.ask("command", "POST", f"{path}/commands", commands[0], token=token)
