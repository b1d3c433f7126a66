"""Games in a real log, a follower of it, and whether the views say what the games do."""

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from functools import cache
from uuid import UUID

import psycopg
from psycopg.sql import SQL, Identifier, Literal

from phaseledger.domain.state import State
from phaseledger.projections.games import PublicTable, table
from phaseledger.projections.scoreboard import Player, ranked
from phaseledger.service.eventlog.postgres import PostgresStore
from phaseledger.service.eventlog.protocols import Store
from phaseledger.service.eventlog.rows import Row
from phaseledger.service.readmodels.follower import follow, rebuild
from phaseledger.service.readmodels.views import Views
from tests.support.polling import comes_about
from tests.support.projected_games import KEYS
from tests.support.projection_logs import dump, game_id, played, player


@cache
def games() -> dict[UUID, tuple[State, list[Row]]]:
    """Three whole games, two of them of players, and one that was broken off in the middle."""
    people = (player(0), player(1))
    made = {game_id(n): played(n, bot="", names=people) for n in (1, 3)}
    made |= {game_id(n): played(n, seats) for n, seats in ((2, 3), (4, 4))}
    state, rows = made[game_id(4)]
    made[game_id(4)] = state, rows[: len(rows) // 2]
    return made


def logs() -> dict[UUID, list[Row]]:
    return {game: rows for game, (_, rows) in games().items()}


@asynccontextmanager
async def following(
    store: Store, dsn: str, schema: str, poll: float = 0.05
) -> AsyncIterator[asyncio.Task[None]]:
    stop = asyncio.Event()
    task = asyncio.create_task(follow(store, dsn, stop, schema=schema, poll=poll))
    try:
        yield task
    finally:
        stop.set()
        await asyncio.gather(task, return_exceptions=True)


async def reached(views: Views, position: int, task: asyncio.Task[None] | None = None) -> None:
    async def look() -> int:
        if task is not None and task.done():
            task.result()
        return await views.position()

    await comes_about(look, lambda at: at >= position)


async def shown(views: Views, game: UUID) -> PublicTable | None:
    """The game's table, if its row fits the log."""
    viewed = await views.table(game)
    return viewed.content if viewed else None


Scenario = Callable[[PostgresStore, Views], Coroutine[None, None, None]]


def run(dsn: str, schema: str, scenario: Scenario) -> None:
    async def whole() -> None:
        async with (
            PostgresStore(dsn, schema=schema, sealing=KEYS) as store,
            Views(dsn, schema, keys=KEYS) as views,
        ):
            await scenario(store, views)

    asyncio.run(whole())


def execute(dsn: str, schema: str, text: str, **parts: object) -> list[tuple[object, ...]]:
    with psycopg.connect(dsn, autocommit=True) as conn:
        query = SQL(text).format(
            s=Identifier(schema), **{name: Literal(value) for name, value in parts.items()}
        )
        cursor = conn.execute(query)
        return cursor.fetchall() if cursor.description else []


async def is_right(store: PostgresStore, views: Views, dsn: str, schema: str) -> None:
    """The views say what the games say, and a rebuild would write the same rows."""
    lines: dict[Player, list[int]] = {}
    for game, (state, rows) in games().items():
        whole = game != game_id(4)
        if whole:
            assert await shown(views, game) == table(state, len(rows))
            viewed = await views.scoreboard(game)
            assert viewed is not None
            board = viewed.content
            assert [score.round for score in board.rounds] == list(range(1, state.round + 1))
            assert board.winners == state.winners
            for number, seat in enumerate(state.seats):
                line = lines.setdefault(ranked(Player(seat.name, seat.bot)), [0, 0, 0, 0])
                won, phases = number in state.winners, seat.made.bit_count()
                for i, more in enumerate((1, won, seat.points, phases)):
                    line[i] += more
    standings = (await views.leaderboard()).standings
    assert {
        Player(line.name, line.bot): [line.games, line.wins, line.points, line.phases]
        for line in standings
    } == lines
    followed = dump(dsn, schema)
    await rebuild(store, dsn, schema=schema)
    assert dump(dsn, schema) == followed
