"""Rebuilding the views: beside those that are read, and swapped in whole."""

import asyncio

import psycopg
import pytest

from phaseledger.projections.pages import GamePage, Leaderboard
from phaseledger.service.eventlog.connection import Connection
from phaseledger.service.eventlog.postgres import PostgresStore
from phaseledger.service.eventlog.rows import Notice
from phaseledger.service.readmodels import follower
from phaseledger.service.readmodels.follower import RebuildRunning, follow, rebuild
from phaseledger.service.readmodels.views import Views
from tests.support.projected_games import KEYS
from tests.support.projection_logs import append_all, commands, dump, game_id, played
from tests.support.service.followed_logs import execute, following, is_right, logs, reached, run


@pytest.fixture(autouse=True)
def small_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in (("BATCH", 40), ("LINGER", 0.001), ("RETRY", 0.01)):
        monkeypatch.setattr(follower, name, value)


async def snapshot(views: Views) -> tuple[GamePage, Leaderboard, int, object]:
    """With the games that have ended, which an export pages through."""
    position = await views.position()
    ended = await views.finished(9, 0, position)
    return await views.games(), await views.leaderboard(), position, ended


def test_reads_see_the_old_views_until_the_new_ones_are_whole(
    postgres_dsn: str, schema: str
) -> None:
    looks: list[object] = []

    async def scenario(store: PostgresStore, views: Views) -> None:
        await append_all(store, logs())
        end = await store.position()
        await follow(store, postgres_dsn, asyncio.Event(), schema=schema, until=end)
        spoil = "UPDATE {s}.leaderboard SET wins = 99; DELETE FROM {s}.table_views; "
        spoil += "DELETE FROM {s}.games WHERE ended IS NOT NULL"
        right = await snapshot(views)
        execute(postgres_dsn, schema, spoil)
        spoilt = await snapshot(views)
        assert spoilt != right

        class Looking(PostgresStore):
            async def tail(self, after: int, limit: int = 1000) -> list[Notice]:
                looks.append(await snapshot(views))
                return await super().tail(after, limit)

        async with Looking(postgres_dsn, schema=schema, sealing=KEYS) as watched:
            assert await rebuild(watched, postgres_dsn, schema=schema) == end
        assert len(looks) > 5
        assert all(look == spoilt for look in looks)
        assert await snapshot(views) == right
        await is_right(store, views, postgres_dsn, schema)

    run(postgres_dsn, schema, scenario)


def test_a_follower_goes_on_beside_a_rebuild(postgres_dsn: str, schema: str) -> None:
    """Commands that come meanwhile are in the views at once, and in the new ones as well."""
    steps: list[tuple[int, int]] = []
    later = commands(played(9)[1])

    async def scenario(store: PostgresStore, views: Views) -> None:
        await append_all(store, logs())
        async with following(store, postgres_dsn, schema) as task:
            await reached(views, await store.position(), task)

            class Meanwhile(PostgresStore):
                async def tail(self, after: int, limit: int = 1000) -> list[Notice]:
                    if later:
                        batch = later.pop(0)
                        await store.append(game_id(9), batch)
                        table = await views.table(game_id(9), batch[-1].version, wait=3600)
                        assert table is not None
                    return await super().tail(after, limit)

            async with Meanwhile(postgres_dsn, schema=schema, sealing=KEYS) as growing:
                end = await rebuild(
                    growing, postgres_dsn, schema=schema, progress=lambda *now: steps.append(now)
                )
            assert steps[-1] == (end, end)
            assert [done for done, _ in steps] == sorted(done for done, _ in steps)
            await reached(views, await store.position(), task)
            for batch in later[:20]:
                await store.append(game_id(9), batch)
            await reached(views, await store.position(), task)
            assert not task.done()
        followed = dump(postgres_dsn, schema)
        await rebuild(store, postgres_dsn, schema=schema)
        assert dump(postgres_dsn, schema) == followed

    run(postgres_dsn, schema, scenario)


@pytest.mark.parametrize("way", ["a cancellation", "a connection that ends"])
def test_a_rebuild_that_is_broken_off_leaves_the_old_views(
    postgres_dsn: str, schema: str, way: str
) -> None:
    async def scenario(store: PostgresStore, views: Views) -> None:
        await append_all(store, logs())
        end = await store.position()
        await follow(store, postgres_dsn, asyncio.Event(), schema=schema, until=end)
        before, read = dump(postgres_dsn, schema), await snapshot(views)
        steps = 0

        def stumble(done: int, total: int) -> None:
            nonlocal steps
            steps += 1
            if steps == 4:
                if way == "a cancellation":
                    raise asyncio.CancelledError
                execute(
                    postgres_dsn,
                    schema,
                    "SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory' "
                    "AND (classid::bigint << 32 | objid::bigint) = hashtextextended({key}, 0)",
                    key=f"rebuild {schema}",
                )

        if way == "a connection that ends":  # it goes on by itself
            assert await rebuild(store, postgres_dsn, schema=schema, progress=stumble) == end
            assert steps > 8
        else:
            with pytest.raises(asyncio.CancelledError):
                await rebuild(store, postgres_dsn, schema=schema, progress=stumble)
            left = dump(postgres_dsn, schema)
            assert any("rebuilt" in row for row in left.pop("notification_tracking"))
            assert left == {name: before[name] for name in left}
            assert await snapshot(views) == read
            assert await rebuild(store, postgres_dsn, schema=schema) == end
        assert dump(postgres_dsn, schema) == before

    run(postgres_dsn, schema, scenario)


def test_of_two_rebuilds_the_second_is_refused(postgres_dsn: str, schema: str) -> None:
    async def scenario(store: PostgresStore, _: Views) -> None:
        async with await psycopg.AsyncConnection.connect(postgres_dsn) as conn:
            lock = "SELECT pg_advisory_lock(hashtextextended(%s, 0))"
            await conn.execute(lock, (f"rebuild {schema}",))
            with pytest.raises(RebuildRunning, match="at work already"):
                await rebuild(store, postgres_dsn, schema=schema)

    run(postgres_dsn, schema, scenario)


def test_a_rebuild_waits_until_the_session_that_it_lost_has_ended(
    postgres_dsn: str, schema: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A server may notice late that a client has gone, and keeps its locks until then."""
    take, tries, steps = follower.has_taken, 0, 0

    async def late(conn: Connection, name: str) -> bool:
        nonlocal tries
        tries += 1
        return tries not in (2, 3) and await take(conn, name)

    def lose(done: int, total: int) -> None:
        nonlocal steps
        steps += 1
        if steps == 4:
            raise psycopg.OperationalError("the connection is lost")

    async def scenario(store: PostgresStore, _: Views) -> None:
        await append_all(store, logs())
        end = await store.position()
        assert await rebuild(store, postgres_dsn, schema=schema, progress=lose) == end

    monkeypatch.setattr(follower, "has_taken", late)
    run(postgres_dsn, schema, scenario)
    assert tries == 4


def test_a_reader_that_holds_on_delays_the_swap_and_nothing_else(
    postgres_dsn: str, schema: str
) -> None:
    async def scenario(store: PostgresStore, views: Views) -> None:
        await append_all(store, logs())
        end = await store.position()
        await follow(store, postgres_dsn, asyncio.Event(), schema=schema, until=end)
        before, attempts = dump(postgres_dsn, schema), 0
        plain = follower.swap

        async with await psycopg.AsyncConnection.connect(postgres_dsn) as reader:
            await reader.execute(f'SELECT FROM "{schema}".games')

            async def swap(conn: object, name: str) -> bool:
                nonlocal attempts
                attempts += 1
                done = await plain(conn, name)
                if attempts == 1:
                    assert not done
                    await reader.rollback()
                return done

            with pytest.MonkeyPatch.context() as patch:
                patch.setattr(follower, "swap", swap)
                assert await rebuild(store, postgres_dsn, schema=schema) == end
        assert attempts > 1
        assert dump(postgres_dsn, schema) == before

    run(postgres_dsn, schema, scenario)


def test_an_empty_log_is_rebuilt_at_once(postgres_dsn: str, schema: str) -> None:
    async def scenario(store: PostgresStore, views: Views) -> None:
        assert await rebuild(store, postgres_dsn, schema=schema) == 0
        assert await views.position() == 0

    run(postgres_dsn, schema, scenario)
