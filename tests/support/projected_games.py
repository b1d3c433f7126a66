"""A game as the projections write it, by hand, and the views in a real database."""

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from uuid import UUID

import psycopg
from msgspec.structs import replace
from psycopg.sql import SQL, Identifier
from typing_extensions import override

from phaseledger.projections.games import Chapter
from phaseledger.projections.scoreboard import RoundScore, SeatScore
from phaseledger.projections.store import Changes, ViewConnection
from phaseledger.replay.formats.sealing import SealingKeys
from phaseledger.service.readmodels.views import Views
from tests.support.table import table

GAME = UUID(int=1, version=4)


class PlainEvents(SealingKeys):
    """Keys for all but events, whose bytes in the log are what tests compare."""

    @override
    def seal_event(self, game: object, version: int, stored: bytes) -> bytes:
        return stored


KEYS = PlainEvents([b"k" * 32])
LEAF = b"l" * 32


@asynccontextmanager
async def opened(dsn: str, schema: str) -> AsyncIterator[tuple[ViewConnection, Views]]:
    async with (
        await psycopg.AsyncConnection.connect(dsn, autocommit=True) as conn,
        Views(dsn, schema, keys=KEYS) as views,
    ):
        yield conn, views


def changes(chapters: Mapping[UUID, Chapter]) -> Changes:
    """The changes of these chapters, each after an event with one and the same leaf."""
    return Changes(chapters, dict.fromkeys(chapters, LEAF))


async def log_event(conn: ViewConnection, schema: str, version: int, leaf: bytes = LEAF) -> None:
    """Have the log end with that event of the game."""
    await conn.execute(
        SQL(
            "INSERT INTO {}.stored_events (originator_id, originator_version, topic, state, leaf) "
            "VALUES (%s, %s, 'T', '', %s)"
        ).format(Identifier(schema)),
        (GAME, version, leaf),
    )


def chapter(version: int = 1, *, position: int = 1, **more: object) -> Chapter:
    state = replace(table(["R1 R2", "B1 B2"], discard="G5"), game=str(GAME))
    begun = Chapter(state, version, position, position, began_at=1000 + position, at=2000 + version)
    return replace(begun, **more)


def score(number: int) -> RoundScore:
    seats = (SeatScore(1, 1, 0, 0, 2), SeatScore(1, 0, 5, 5 * number, 1))
    return RoundScore(number, False, None, seats)
