"""Views that are built anew have the games whose events are not in the log any more."""

import asyncio

import psycopg
import pytest

from phaseledger.projections.archive import summary, text_of
from phaseledger.projections.games import whole
from phaseledger.projections.store import places
from phaseledger.service.eventlog.archive import ArchiveFile, archive_game
from phaseledger.service.eventlog.postgres import PostgresStore
from phaseledger.service.eventlog.rows import Notice, timed_events
from phaseledger.service.readmodels import follower
from phaseledger.service.readmodels.follower import follow, rebuild
from phaseledger.service.readmodels.views import Views
from tests.support.polling import comes_about
from tests.support.projected_games import KEYS
from tests.support.projection_logs import append_all, dump, game_id, played
from tests.support.service.followed_logs import execute, following, logs, run

ENDED = (game_id(1), game_id(2), game_id(3))


@pytest.fixture(autouse=True)
def small_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in (("BATCH", 150), ("LINGER", 0.001), ("RETRY", 0.01)):
        monkeypatch.setattr(follower, name, value)


async def archive(dsn: str, schema: str, number: int) -> None:
    """Archive a game, whether or not any views have it."""
    game = game_id(number)
    rows = logs()[game]
    async with await psycopg.AsyncConnection.connect(dsn) as conn:
        first, last = await places(conn, schema, game, 1, len(rows))
        await archive_game(
            conn,
            schema,
            game,
            [row.leaf for row in rows if row.leaf],
            ArchiveFile("file", bytes(32)),
            hidden=False,
            summary=text_of(summary(whole(first, last, timed_events(rows)))),
        )


def test_a_rebuild_gives_the_same_rows(postgres_dsn: str, schema: str) -> None:
    async def scenario(store: PostgresStore, views: Views) -> None:
        parts = logs()
        await append_all(store, {game: rows for game, rows in parts.items() if game not in ENDED})
        await append_all(store, {game: rows for game, rows in parts.items() if game in ENDED})
        end = await store.position()
        await follow(store, postgres_dsn, asyncio.Event(), schema=schema, until=end)
        followed = dump(postgres_dsn, schema)
        for number in (1, 2, 3):
            await archive(postgres_dsn, schema, number)
        assert await rebuild(store, postgres_dsn, schema=schema) == end
        assert dump(postgres_dsn, schema) == followed
        # And nothing is counted twice by whoever follows from here on.
        await append_all(store, {game_id(9): played(9)[1]})
        end = await store.position()
        await follow(store, postgres_dsn, asyncio.Event(), schema=schema, until=end)
        followed = dump(postgres_dsn, schema)
        await rebuild(store, postgres_dsn, schema=schema)
        assert dump(postgres_dsn, schema) == followed

    run(postgres_dsn, schema, scenario)


def test_a_follower_that_begins_anew_has_them_too(postgres_dsn: str, schema: str) -> None:
    """As after a migration that empties the views."""

    async def scenario(store: PostgresStore, views: Views) -> None:
        await append_all(store, logs())
        end = await store.position()
        await follow(store, postgres_dsn, asyncio.Event(), schema=schema, until=end)
        followed = dump(postgres_dsn, schema)
        await archive(postgres_dsn, schema, 2)
        execute(
            postgres_dsn,
            schema,
            "TRUNCATE {s}.games, {s}.table_views, {s}.leaderboard; "
            "UPDATE {s}.notification_tracking SET notification_id = 0 "
            "WHERE application_name = 'projections'",
        )
        stop = asyncio.Event()
        task = asyncio.create_task(follow(store, postgres_dsn, stop, schema=schema, poll=0.01))
        while await views.position() < end or await views.table(game_id(2)) is None:
            assert not task.done()
            await asyncio.sleep(0.01)
        stop.set()
        await task
        assert dump(postgres_dsn, schema) == followed

    run(postgres_dsn, schema, scenario)


def test_a_game_that_is_archived_while_it_is_read(postgres_dsn: str, schema: str) -> None:
    """A rebuild that has read half of it has all of it in the end, and once."""
    left = [1]

    async def scenario(store: PostgresStore, views: Views) -> None:
        await append_all(store, logs())
        end = await store.position()
        await follow(store, postgres_dsn, asyncio.Event(), schema=schema, until=end)
        followed = dump(postgres_dsn, schema)

        class Meanwhile(PostgresStore):
            async def tail(self, after: int, limit: int = 1000) -> list[Notice]:
                if after > end // 2 and left:
                    await archive(postgres_dsn, schema, left.pop())
                return await super().tail(after, limit)

        async with Meanwhile(postgres_dsn, schema=schema, sealing=KEYS) as shrinking:
            await rebuild(shrinking, postgres_dsn, schema=schema)
        assert not left
        assert dump(postgres_dsn, schema) == followed

    run(postgres_dsn, schema, scenario)


def test_views_made_anew_from_a_tombstone_count_nothing_twice(
    postgres_dsn: str, schema: str
) -> None:
    async def scenario(store: PostgresStore, views: Views) -> None:
        await append_all(store, logs())
        end = await store.position()
        await follow(store, postgres_dsn, asyncio.Event(), schema=schema, until=end)
        followed = dump(postgres_dsn, schema)
        await archive(postgres_dsn, schema, 1)
        execute(postgres_dsn, schema, "DELETE FROM {s}.table_views")

        async def made_anew() -> list[tuple[object, ...]]:
            assert await views.table(game_id(1))  # which asks for it
            rows = "SELECT game FROM {s}.table_views"
            return await asyncio.to_thread(execute, postgres_dsn, schema, rows)

        async with following(store, postgres_dsn, schema):
            await comes_about(made_anew)
        after = dump(postgres_dsn, schema)
        assert {**after, "table_views": followed["table_views"]} == followed

    run(postgres_dsn, schema, scenario)
