"""What the fast path of a command spares: the same commands past the framework, and by its route.

    python benchmarks/command_paths.py [--rounds 20]

One process, the log in memory, no socket: all that differs is the way through the service. Two
people play a classic game in each round; their turns are written plainly and with a charset, in
turn, which leaves the second kind to the framework. Processor time of this process.
"""

import asyncio
import statistics
import sys
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any
from uuid import uuid4

import msgspec
import structlog
from litestar.types import ASGIApp, Message

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from benchmarks.results import Results, arguments, row, show, write
from phaseledger.service.app import create_app
from phaseledger.service.components import in_memory

PLAIN, WITH_CHARSET = b"application/json", b"application/json; charset=utf-8"
PATHS = {"fast path": PLAIN, "framework's route": WITH_CHARSET}
TURNS = 40
Json = dict[str, Any]


@asynccontextmanager
async def started(app: ASGIApp) -> AsyncIterator[None]:
    """Run the application's lifespan around the block."""
    wanted: asyncio.Queue[Message] = asyncio.Queue()
    done: asyncio.Queue[Message] = asyncio.Queue()
    scope: Any = {"type": "lifespan", "asgi": {"version": "3.0"}, "state": {}}
    task = asyncio.create_task(app(scope, wanted.get, done.put))  # type: ignore[arg-type]
    for step in ("lifespan.startup", "lifespan.shutdown"):
        await wanted.put({"type": step})  # type: ignore[arg-type, misc]
        await done.get()
        if step == "lifespan.startup":
            yield
    await task


async def ask(
    app: ASGIApp,
    method: str,
    path: str,
    body: Json | None = None,
    *,
    token: str = "",
    form: bytes = PLAIN,
) -> Json:
    """The body of the answer to one request, which must be granted."""
    content = b"" if body is None else msgspec.json.encode(body)
    headers = [(b"host", b"x"), (b"idempotency-key", uuid4().hex.encode())]
    headers += [(b"authorization", f"Bearer {token}".encode())] * bool(token)
    if body is not None:
        headers += [(b"content-type", form), (b"content-length", str(len(content)).encode())]
    scope: Any = {
        "type": "http",
        "asgi": {"version": "3.0"},
        "http_version": "1.1",
        "scheme": "http",
        "method": method,
        "path": path,
        "raw_path": path.encode(),
        "query_string": b"",
        "root_path": "",
        "headers": headers,
        "client": ("127.0.0.1", 1),
        "server": ("x", 80),
        "state": {},
    }
    messages: list[Any] = [{"type": "http.request", "body": content, "more_body": False}]
    answered: list[Any] = []

    async def receive() -> Any:  # noqa: ANN401 - a message, of one of many types
        return messages.pop() if messages else await asyncio.Event().wait()

    async def send(message: Message) -> None:
        answered.append(message)

    await app(scope, receive, send)
    parts = b"".join(message.get("body", b"") for message in answered)
    if answered[0]["status"] >= 400:
        raise SystemExit(f"{method} {path}: {parts.decode()}")
    answer: Json = msgspec.json.decode(parts)
    return answer


async def played(app: ASGIApp, first: int) -> dict[str, float]:
    """The median of a command in each way, in microseconds, over one game."""
    table = {"ruleset": "classic", "dealer": 1, "seats": [{"kind": "person"}, {"kind": "person"}]}
    opened = await ask(app, "POST", "/v1/games", table)
    game = f"/v1/games/{opened['game']}"
    tokens = [
        (await ask(app, "POST", f"{game}/seats", {"name": name}))["token"] for name in ("Ada", "Bo")
    ]
    await ask(app, "POST", f"{game}/start", token=opened["host_token"])
    times: dict[str, list[int]] = {name: [] for name in PATHS}
    names = list(PATHS)
    for turn in range(first, first + TURNS):
        name = names[turn % 2]
        for token in tokens:
            commands = (await ask(app, "GET", f"{game}/actions", token=token))["commands"]
            while commands:
                kind = "draw" if commands[0]["type"] == "draw" else "discard"
                command = next(command for command in commands if command["type"] == kind)
                began = time.process_time_ns()
                await ask(app, "POST", f"{game}/commands", command, token=token, form=PATHS[name])
                times[name].append(time.process_time_ns() - began)
                commands = (await ask(app, "GET", f"{game}/actions", token=token))["commands"]
    return {name: statistics.median(spent) / 1000 for name, spent in times.items()}


async def measured(rounds: int) -> dict[str, list[float]]:
    """The medians of every round, after one to warm up."""
    app = create_app(in_memory())
    async with started(app):
        figures = [await played(app, number) for number in range(rounds + 1)][1:]
    return {name: [figure[name] for figure in figures] for name in PATHS}


def main() -> int:
    """Measure and print."""
    parser = arguments(__doc__)
    given = parser.parse_args()
    structlog.configure(logger_factory=structlog.ReturnLoggerFactory())
    medians = asyncio.run(measured(2 if given.quick else max(given.rounds, 20)))
    slow, fast = medians["framework's route"], medians["fast path"]
    line = row("a command, framework's route", "us", slow, baseline="fast path", beside=fast)
    print(show(line))
    write(Results("command_paths", [line], {}, []), given.json)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
