"""A game as the projections write it, by hand, and the views in a real database."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from uuid import UUID

import psycopg
from msgspec.structs import replace

from phaseledger.projections.games import Chapter
from phaseledger.projections.scoreboard import RoundScore, SeatScore
from phaseledger.projections.store import PostgresViews, ViewConnection
from tests.support.table import table

GAME = UUID(int=1, version=4)


@asynccontextmanager
async def opened(dsn: str, schema: str) -> AsyncIterator[tuple[ViewConnection, PostgresViews]]:
    async with (
        await psycopg.AsyncConnection.connect(dsn, autocommit=True) as conn,
        PostgresViews(dsn, schema) as views,
    ):
        yield conn, views


def chapter(version: int = 1, *, position: int = 1, **more: object) -> Chapter:
    state = replace(table(["R1 R2", "B1 B2"], discard="G5"), game=str(GAME))
    begun = Chapter(state, version, position, position, began_at=1000 + position, at=2000 + version)
    return replace(begun, **more)


def score(number: int) -> RoundScore:
    seats = (SeatScore(1, 1, 0, 0, 2), SeatScore(1, 0, 5, 5 * number, 1))
    return RoundScore(number, False, None, seats)
