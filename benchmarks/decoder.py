"""What a command costs without the service: an endpoint that only decodes it, HTTP's own price, and
one that also stores one event, by an INSERT of its own.
"""

import asyncio
import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from itertools import count
from uuid import UUID

import psycopg
from litestar import Litestar, post
from litestar.params import FromPath, JSONBody
from msgspec import Struct

from benchmarks.servers import INSERT
from phaseledger.domain.commands import Play

CONNECTIONS = 16
EVENT = b'{"at":1767225600000,"cmd":"' + b"0" * 573  # bytes, about those of an event
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
    conn = await idle.get()
    try:
        event = (game, next(versions), "CardDrawn/1", EVENT, b"l" * 32)
        await conn.execute(INSERT, event, prepare=True, binary=True)
    finally:
        idle.put_nowait(conn)
    return Decoded(game.version or 0, "" if data is None else "R7")


idle: asyncio.Queue[psycopg.AsyncConnection[tuple[object, ...]]] = asyncio.Queue()


@asynccontextmanager
async def connected(_: Litestar) -> AsyncIterator[None]:
    """Open the connections; each commits by itself."""
    for _number in range(CONNECTIONS):
        conn = await psycopg.AsyncConnection.connect(os.environ["RAW_DSN"], autocommit=True)
        idle.put_nowait(conn)
    yield
    while not idle.empty():
        await idle.get_nowait().close()


app = Litestar([decode], openapi_config=None, logging_config=None)
raw = Litestar([insert], openapi_config=None, logging_config=None, lifespan=[connected])
