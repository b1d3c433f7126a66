"""The two sets of views: one is read, the other is filled and swapped in."""

import asyncio

import psycopg
import pytest
from psycopg.sql import SQL, Identifier

from phaseledger.projections.scoreboard import Player, Tally
from phaseledger.projections.store import (
    REBUILT,
    ViewsMoved,
    begin_rebuild,
    swap,
    tracked_position,
    write,
)
from tests.support.projected_games import GAME, KEYS, changes, chapter, log_event, opened, score
from tests.support.projection_logs import dump


def test_the_second_set_is_filled_unseen_and_swapped_in_whole(
    postgres_dsn: str, schema: str
) -> None:
    fresh = dump(postgres_dsn, schema)
    won = Tally(Player("a", ""), True, 5, 10)
    old = changes({GAME: chapter()})
    rebuilt = changes({GAME: chapter(rounds=(score(1),), tallies=(won,))})

    async def scenario() -> None:
        async with opened(postgres_dsn, schema) as (conn, views):
            await log_event(conn, schema, 1)
            await write(conn, schema, 0, 10, old, keys=KEYS)
            before = dump(postgres_dsn, schema)
            assert not await swap(conn, schema)  # there is no second set
            await begin_rebuild(conn, schema)
            await write(conn, schema, 0, 9, rebuilt, REBUILT, KEYS)
            assert await tracked_position(conn, schema) == 10
            shown = await views.scoreboard(GAME)
            assert shown is not None
            assert shown.content.rounds == ()
            assert await swap(conn, schema)
            shown = await views.scoreboard(GAME)
            assert shown is not None
            assert shown.content.rounds == (score(1),)
            # Between 9 and 10 there is no event, so nothing goes back.
            assert await tracked_position(conn, schema) == 10
            with pytest.raises(ViewsMoved):
                await tracked_position(conn, schema, REBUILT)
            assert dump(postgres_dsn, schema) != before
            await begin_rebuild(conn, schema)
            await write(conn, schema, 0, 9, changes({}), REBUILT)
            assert await swap(conn, schema)

    asyncio.run(scenario())
    after = dump(postgres_dsn, schema)
    after.pop("notification_tracking")
    fresh.pop("notification_tracking")
    assert after == fresh


def test_who_may_not_write_the_views_may_not_swap_them(postgres_dsn: str, schema: str) -> None:
    role = Identifier(f"r_{schema}")

    async def scenario() -> None:
        async with opened(postgres_dsn, schema) as (conn, _):
            await begin_rebuild(conn, schema)
            await conn.execute(SQL("CREATE ROLE {} LOGIN").format(role))
            try:
                await conn.execute(
                    SQL("GRANT USAGE ON SCHEMA {} TO {}").format(Identifier(schema), role)
                )
                await conn.execute(SQL("SET SESSION AUTHORIZATION {}").format(role))
                with pytest.raises(psycopg.errors.InsufficientPrivilege):
                    await swap(conn, schema)
            finally:
                await conn.execute("RESET SESSION AUTHORIZATION")
                await conn.execute(SQL("DROP OWNED BY {0}; DROP ROLE {0}").format(role))

    asyncio.run(scenario())
