"""Stored views that do not fit the log are noticed, never served, and made anew."""

import asyncio

import pytest

from phaseledger.projections.games import scoreboard, table, whole
from phaseledger.projections.store import SetAsideReason
from phaseledger.replay.formats.sealing import SealingKeys
from phaseledger.service.eventlog.postgres import PostgresStore
from phaseledger.service.eventlog.rows import timed_events
from phaseledger.service.readmodels.follower import follow, rebuild
from phaseledger.service.readmodels.views import Views
from tests.support.polling import comes_about
from tests.support.projected_games import PlainEvents
from tests.support.projection_logs import append_all, dump, game_id
from tests.support.service.followed_logs import execute, following, logs, run

GAME, OTHER = game_id(1), game_id(2)
ROW = "UPDATE {s}.table_views AS row SET %s WHERE row.game = {game}"
OTHERS = (
    "UPDATE {s}.table_views AS row SET %s FROM {s}.table_views AS other "
    "WHERE row.game = {game} AND other.game = {other}"
)
ALL = "version = other.version, leaf = other.leaf, view = other.view, "
ALL += "scoreboard = other.scoreboard, mac = other.mac"
FAULTS = {
    "table edited": (ROW % "view = replace(view::text, 'player-a', 'Eve')::json", "does not fit"),
    "points edited": (
        ROW % "scoreboard = replace(scoreboard::text, '\"points\":5', '\"points\":0')::json",
        "does not fit",
    ),
    "version raised": (ROW % "version = version + 1", "does not fit"),
    "leaf edited": (ROW % "leaf = decode(repeat('00', 32), 'hex')", "does not fit"),
    "another game's views": (OTHERS % ALL.partition(", ")[2], "does not fit"),
    "another game's row": (OTHERS % ALL, "does not fit"),
    "without its MAC": (ROW % "mac = ''", "have no MAC"),
    "another MAC": (ROW % "mac = 's1.00000000.AAAA'", "does not fit"),
    "no MAC at all": (ROW % "mac = 'x'", "does not fit"),
    "deleted": ("DELETE FROM {s}.table_views WHERE game = {game}", "there are none"),
}


async def require_sound(views: Views) -> None:
    """The views of the game are those of its log."""
    rows = logs()[GAME]
    chapter, leaf = whole(1, len(rows), timed_events(rows)), rows[-1].leaf
    assert leaf is not None
    assert await views.table(GAME) == (table(chapter.state, chapter.version), leaf.hex())
    assert await views.scoreboard(GAME) == (scoreboard(chapter), leaf.hex())


def test_a_row_that_does_not_fit_is_made_anew(
    postgres_dsn: str, schema: str, caplog: pytest.LogCaptureFixture
) -> None:
    async def scenario(store: PostgresStore, views: Views) -> None:
        await append_all(store, logs())
        end = await store.position()
        await follow(store, postgres_dsn, asyncio.Event(), schema=schema, until=end)
        await require_sound(views)
        right = dump(postgres_dsn, schema)
        for fault, (statement, why) in FAULTS.items():
            caplog.clear()
            execute(postgres_dsn, schema, statement, game=GAME, other=OTHER)
            for read in (views.table, views.scoreboard):
                assert await read(GAME) is None, fault
            messages = [record.getMessage() for record in caplog.records]
            assert [(why in line, str(GAME) in line) for line in messages] == [(True, True)] * 2, (
                fault
            )
            async with following(store, postgres_dsn, schema, poll=0.02):
                await comes_about(lambda: views.table(GAME), bool)
            await require_sound(views)
            assert dump(postgres_dsn, schema) == right, fault

    run(postgres_dsn, schema, scenario)


def test_a_row_of_a_shorter_log_is_not_served(
    postgres_dsn: str, schema: str, caplog: pytest.LogCaptureFixture
) -> None:
    """It was genuine once. While the follower is late, it is no fault."""
    rows = logs()[GAME]
    kept = "CREATE TABLE {s}.kept AS SELECT * FROM {s}.table_views"
    back = "DELETE FROM {s}.table_views; INSERT INTO {s}.table_views SELECT * FROM {s}.kept"

    async def scenario(store: PostgresStore, views: Views) -> None:
        await store.append(GAME, rows[:50])
        await follow(store, postgres_dsn, asyncio.Event(), schema=schema, until=50)
        execute(postgres_dsn, schema, kept)
        await store.append(GAME, rows[50:])
        assert await views.table(GAME) is None
        assert not caplog.records
        await follow(store, postgres_dsn, asyncio.Event(), schema=schema, until=len(rows))
        await require_sound(views)
        execute(postgres_dsn, schema, back)
        assert await views.table(GAME) is None
        (record,) = caplog.records
        assert f"they follow event 50, and the log has {len(rows)}" in record.getMessage()
        execute(postgres_dsn, schema, "DROP TABLE {s}.kept")

    run(postgres_dsn, schema, scenario)


def test_keys_are_rotated(postgres_dsn: str, schema: str) -> None:
    """What an older key has made is believed while that is here, and made anew afterwards."""
    newer, newest_alone = PlainEvents([b"k" * 32, b"n" * 32]), PlainEvents([b"n" * 32])

    async def scenario(store: PostgresStore, views: Views) -> None:
        await append_all(store, logs())
        end = await store.position()
        await follow(store, postgres_dsn, asyncio.Event(), schema=schema, until=end)
        async with Views(postgres_dsn, schema, keys=newer) as both:
            await require_sound(both)
        async with (
            PostgresStore(postgres_dsn, schema=schema, sealing=newest_alone) as later,
            Views(postgres_dsn, schema, keys=newest_alone) as alone,
        ):
            assert await alone.table(GAME) is None
            assert await rebuild(later, postgres_dsn, schema=schema) == end
            await require_sound(alone)
        assert await views.table(GAME) is None

    run(postgres_dsn, schema, scenario)


def test_without_a_key_no_row_is_believed(postgres_dsn: str, schema: str) -> None:
    async def scenario(_: PostgresStore, views: Views) -> None:
        async with (
            PostgresStore(postgres_dsn, schema=schema) as store,
            Views(postgres_dsn, schema, keys=SealingKeys()) as keyless,
        ):
            await append_all(store, logs())
            end = await store.position()
            await follow(store, postgres_dsn, asyncio.Event(), schema=schema, until=end)
            assert await keyless.table(GAME) is None
            assert await views.table(GAME) is None

    run(postgres_dsn, schema, scenario)


def test_a_game_that_is_set_aside_stays_aside(postgres_dsn: str, schema: str) -> None:
    """Whoever can connect can ask for views to be made anew."""

    async def scenario(store: PostgresStore, views: Views) -> None:
        await append_all(store, logs())
        end = await store.position()
        await follow(store, postgres_dsn, asyncio.Event(), schema=schema, until=end)
        await views.set_aside(GAME, SetAsideReason(9, "a reason"))
        edit = "UPDATE {s}.table_views SET version = 7 WHERE game IN ({game}, {other})"
        execute(postgres_dsn, schema, edit, game=GAME, other=OTHER)
        async with following(store, postgres_dsn, schema, poll=0.02):
            for game in (GAME, OTHER):
                assert await views.table(game) is None
            await comes_about(lambda: views.table(OTHER), bool)
        assert await views.table(GAME) is None
        assert [aside.game for aside in await views.set_aside_games()] == [GAME]

    run(postgres_dsn, schema, scenario)


def test_rows_of_an_earlier_release_are_made_anew_with_one_line(
    postgres_dsn: str, schema: str, caplog: pytest.LogCaptureFixture
) -> None:
    async def scenario(store: PostgresStore, views: Views) -> None:
        await append_all(store, logs())
        end = await store.position()
        await follow(store, postgres_dsn, asyncio.Event(), schema=schema, until=end)
        execute(postgres_dsn, schema, "UPDATE {s}.table_views SET leaf = '', mac = ''")
        caplog.set_level("INFO", "phaseledger.views")
        for game in (GAME, OTHER, GAME):
            assert await views.table(game) is None
        assert [record.levelname for record in caplog.records] == ["INFO"]
        async with following(store, postgres_dsn, schema, poll=0.02):
            await comes_about(lambda: views.table(GAME), bool)
        await require_sound(views)

    run(postgres_dsn, schema, scenario)
