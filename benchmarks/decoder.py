"""What a request costs without the service: an endpoint that only decodes a command, HTTP's own
price, and one that also stores one event, by an INSERT of its own; each with the framework and as
bare ASGI. Their reads answer with bytes that are always the same; the bare one that stores looks
its game up first, by a SELECT of its own. Loop, server and garbage collector are those of the
service.
"""

import asyncio
import os
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from itertools import count
from typing import Any
from uuid import UUID

import msgspec
import psycopg
from litestar import Litestar, Response, get, post
from litestar.handlers import HTTPRouteHandler
from litestar.params import FromPath, JSONBody
from litestar.types import ASGIApp, Receive, Scope, Send
from msgspec import Struct

from benchmarks.servers import INSERT, SELECT
from phaseledger.domain.commands import Play
from phaseledger.service.runtime.process import collect_seldom

CONNECTIONS = 16
EVENT = b'{"at":1767225600000,"cmd":"' + b"0" * 573  # bytes, about those of an event
VIEW = b'{"game":"' + b"0" * 2_000 + b'"}'
"""About as long as a table of two in play."""
versions = count(1)


class Decoded(Struct):
    """As much as the load needs to go on."""

    version: int
    hand: str


@post("/v1/games/{game:uuid}/commands", status_code=200)
async def decode(game: FromPath[UUID], data: JSONBody[Play]) -> Decoded:
    """Decode and answer."""
    return Decoded(game.version or 0, "" if data is None else "R7")


@post("/v1/games/{game:uuid}/commands", status_code=200)
async def insert(game: FromPath[UUID], data: JSONBody[Play]) -> Decoded:
    """Decode, store one event for good, and answer."""
    await store(game)
    return Decoded(game.version or 0, "" if data is None else "R7")


@get("/v1/games/{game:uuid}")
async def look(game: FromPath[UUID]) -> Response[bytes]:
    """Answer with the same bytes for every game."""
    return Response(VIEW, media_type="application/json")


async def store(game: UUID) -> None:
    """Store one event for good, by an INSERT of its own."""
    conn = await idle.get()
    try:
        event = (game, next(versions), "CardDrawn/1", EVENT, b"l" * 32)
        await conn.execute(INSERT, event, prepare=True, binary=True)
    finally:
        idle.put_nowait(conn)


async def look_up(game: UUID) -> None:
    """Ask for the game's last event by one indexed SELECT."""
    conn = await idle.get()
    try:
        await (await conn.execute(SELECT, (game,), prepare=True, binary=True)).fetchone()
    finally:
        idle.put_nowait(conn)


idle: asyncio.Queue[psycopg.AsyncConnection[tuple[object, ...]]] = asyncio.Queue()


async def connect() -> None:
    """Open the connections; each commits by itself."""
    for _number in range(CONNECTIONS):
        conn = await psycopg.AsyncConnection.connect(os.environ["RAW_DSN"], autocommit=True)
        idle.put_nowait(conn)


async def disconnect() -> None:
    """Close them."""
    while not idle.empty():
        await idle.get_nowait().close()


@asynccontextmanager
async def collecting_seldom(_: Litestar) -> AsyncIterator[None]:
    """Have the garbage collector as the service has it."""
    collect_seldom()
    yield


@asynccontextmanager
async def connected(_: Litestar) -> AsyncIterator[None]:
    """Hold the connections while the application runs."""
    await connect()
    yield
    await disconnect()


def _framed(endpoint: HTTPRouteHandler, *lifespan: Callable[..., Any]) -> Litestar:
    """The endpoint in the framework."""
    return Litestar(
        [endpoint, look],
        openapi_config=None,
        logging_config=None,
        lifespan=[*lifespan, collecting_seldom],
    )


app, raw = _framed(decode), _framed(insert, connected)


_command = msgspec.json.Decoder(Play).decode
_encode = msgspec.json.Encoder().encode


def _bare(*, storing: bool) -> ASGIApp:
    """The same as bare ASGI."""

    async def serve(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await _lifespan(receive, send, storing=storing)
            return
        body = VIEW
        game = UUID(scope["path"].split("/")[3]) if scope["path"] != "/" else UUID(int=0)
        if scope["method"] == "GET" and storing:
            await look_up(game)
        if scope["method"] == "POST":
            sent, size = b"", dict(scope["headers"])[b"content-length"]
            while len(sent) < int(size):  # the server says that it was all in a message of its own
                sent += (await receive())["body"]  # type: ignore[typeddict-item]
            command = _command(sent)
            if storing:
                await store(game)
            body = _encode(Decoded(game.version or 0, "" if command is None else "R7"))
        headers = [
            (b"content-type", b"application/json"),
            (b"content-length", b"%d" % len(body)),
        ]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        await send({"type": "http.response.body", "body": body, "more_body": False})

    return serve


async def _lifespan(receive: Receive, send: Send, *, storing: bool) -> None:
    await receive()
    if storing:
        await connect()
    collect_seldom()
    await send({"type": "lifespan.startup.complete"})
    await receive()
    await disconnect()
    await send({"type": "lifespan.shutdown.complete"})


bare_app = _bare(storing=False)
bare_raw = _bare(storing=True)
