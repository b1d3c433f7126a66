"""A damaged game is set aside, with its reason; all others go on, and it can come back."""

import asyncio
from collections.abc import Callable
from uuid import UUID

import psycopg
import pytest
from psycopg.sql import SQL, Identifier

from phaseledger.projections.games import table
from phaseledger.projections.pages import SetAsideGame
from phaseledger.service.eventlog.errors import GameUnreadable
from phaseledger.service.eventlog.postgres import PostgresStore
from phaseledger.service.eventlog.rows import Row
from phaseledger.service.games.quarantine import Quarantine
from phaseledger.service.games.writer import GameService
from phaseledger.service.readmodels import follower
from phaseledger.service.readmodels.errors import GameSetAside
from phaseledger.service.readmodels.follower import follow, rebuild
from phaseledger.service.readmodels.views import Views
from tests.support.damage import with_rows, without
from tests.support.polling import comes_about
from tests.support.projection_logs import append_all, dump, game_id, played
from tests.support.service.followed_logs import (
    execute,
    following,
    games,
    logs,
    reached,
    run,
    shown,
)

HURT = game_id(1)

pytestmark = pytest.mark.system


@pytest.fixture(autouse=True)
def small_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in (("BATCH", 37), ("LINGER", 0.001), ("RETRY", 0.01)):
        monkeypatch.setattr(follower, name, value)


def a_draw(rows: list[Row]) -> int:
    """The place in the list of an event in the middle of the game."""
    return next(n for n, row in enumerate(rows) if n > 30 and row.topic == "CardDrawn/1")


def with_a_hole(rows: list[Row]) -> list[Row]:
    return [row for n, row in enumerate(rows) if n != a_draw(rows)]


def with_another_leaf(rows: list[Row]) -> list[Row]:
    at = a_draw(rows)
    return [*rows[:at], rows[at]._replace(leaf=bytes(32)), *rows[at + 1 :]]


DAMAGES = {with_a_hole: "is missing", with_another_leaf: "is not what was stored"}
"""All kinds of damage are those of tests/service/games/test_damaged_records.py."""


async def append_damaged(
    store: PostgresStore, dsn: str, schema: str, change: Callable[[list[Row]], list[Row]]
) -> int:
    """Append all games side by side, one of them damaged; the number of the event at fault."""
    rows = logs()[HURT]
    parts = {game: list(whole) for game, whole in logs().items() if game != HURT}
    hurt = change(rows)
    for first in range(0, len(hurt), 10):
        await asyncio.to_thread(with_rows, dsn, schema, HURT, hurt[first : first + 10])
        for game, rest in parts.items():
            if rest:
                await store.append(game, rest[:10])
                del rest[:10]
    await append_all(store, {game: rest for game, rest in parts.items() if rest})
    return a_draw(rows) + 1


async def others_are_right(views: Views) -> None:
    """The tables of the games that are not damaged, and the list, which has them alone."""
    for game, (state, rows) in games().items():
        if game not in (HURT, game_id(4)):
            assert await shown(views, game) == table(state, len(rows))
    listed = {UUID(entry.game) for entry in (await views.games()).games}
    assert listed == {*games()} - {HURT}


def test_a_game_that_lost_its_end_and_went_on_is_told_anew(postgres_dsn: str, schema: str) -> None:
    """As one that a new epoch voids. Until the view has seen that, nothing is known to be lost."""

    async def scenario(store: PostgresStore, views: Views) -> None:
        async def followed() -> None:
            until = await store.position()
            await follow(store, postgres_dsn, asyncio.Event(), schema=schema, until=until)

        rows = logs()[HURT]
        await append_all(store, {HURT: rows})
        await followed()
        without(postgres_dsn, schema, HURT, *range(len(rows) - 2, len(rows) + 1))
        assert await views.lost(HURT) == len(rows) - 2
        await store.append(HURT, [rows[-3]])
        assert await views.lost(HURT) == 0
        await followed()
        view = await shown(views, HURT)
        assert view is not None
        assert (view.version, await views.lost(HURT)) == (len(rows) - 2, 0)

    run(postgres_dsn, schema, scenario)


def of_an_unknown_kind(rows: list[Row]) -> list[Row]:
    at = a_draw(rows)
    return [*rows[:at], rows[at]._replace(topic="CardTorn/1"), *rows[at + 1 :]]


def test_an_event_of_a_newer_release_sets_no_game_aside(
    postgres_dsn: str, schema: str, caplog: pytest.LogCaptureFixture
) -> None:
    """Not while the log has a newer release's migrations: other nodes know the event, perhaps."""

    async def scenario(store: PostgresStore, views: Views) -> None:
        service = GameService(store, quarantine=Quarantine(store, views))
        number = await append_damaged(store, postgres_dsn, schema, of_an_unknown_kind)
        execute(postgres_dsn, schema, "INSERT INTO {s}.migrations VALUES ('log/1000')")
        async with following(store, postgres_dsn, schema) as task:

            async def left() -> bool:
                return "left to another" in caplog.text

            await comes_about(left)
            assert not task.done()
            assert not await service.quarantine.inspect(HURT)
            with pytest.raises(GameUnreadable, match="newer release"):
                await service.look(HURT)
            assert await views.set_aside_games() == ()
            execute(postgres_dsn, schema, "DELETE FROM {s}.migrations WHERE name = 'log/1000'")
            await reached(views, await store.position(), task)
        (aside,) = await views.set_aside_games()
        assert (aside.game, aside.version) == (HURT, number)
        await service.quarantine.look()
        with pytest.raises(GameSetAside):
            await service.look(HURT)

    run(postgres_dsn, schema, scenario)


@pytest.mark.parametrize("change", DAMAGES)
def test_a_damaged_game_is_set_aside_and_the_others_go_on(
    postgres_dsn: str, schema: str, change: Callable[[list[Row]], list[Row]]
) -> None:
    async def scenario(store: PostgresStore, views: Views) -> None:
        number = await append_damaged(store, postgres_dsn, schema, change)
        end = await store.position()
        async with following(store, postgres_dsn, schema) as task:
            await reached(views, end, task)
            assert not task.done()
        (aside,) = await views.set_aside_games()
        assert (aside.game, aside.version) == (HURT, number)
        assert aside.reason == f"event {number} {DAMAGES[change]}"
        await others_are_right(views)
        query = "SELECT version FROM {s}.table_views WHERE game = {game}"
        assert execute(postgres_dsn, schema, query, game=HURT) == [(number - 1,)]
        assert await shown(views, HURT) is None  # the log has other events
        followed = dump(postgres_dsn, schema)
        # Another follower passes it over as well, and a rebuild finds the same.
        await store.append(game_id(9), played_again())
        await follow(
            store, postgres_dsn, asyncio.Event(), schema=schema, until=await store.position()
        )
        assert await views.set_aside_games() == (aside,)
        after = dump(postgres_dsn, schema)
        assert after != followed
        await rebuild(store, postgres_dsn, schema=schema)
        assert dump(postgres_dsn, schema) == after
        assert await views.set_aside_games() == (aside,)

    run(postgres_dsn, schema, scenario)


def played_again() -> list[Row]:
    """The start of another game."""
    return played(9)[1][:10]


def test_an_event_that_the_database_refuses_sets_its_game_aside(
    postgres_dsn: str, schema: str
) -> None:
    execute(postgres_dsn, schema, "ALTER TABLE {s}.games ADD CHECK (version <> 77)")

    async def scenario(store: PostgresStore, views: Views) -> None:
        await store.append(HURT, logs()[HURT][:77])
        await store.append(game_id(2), logs()[game_id(2)][:50])
        end = await store.position()
        await follow(store, postgres_dsn, asyncio.Event(), schema=schema, until=end)
        (aside,) = await views.set_aside_games()
        assert (aside.game, aside.version) == (HURT, 77)
        assert aside.reason == "its view after event 77 cannot be written"
        assert [UUID(entry.game) for entry in (await views.games()).games] == [game_id(2)]

    run(postgres_dsn, schema, scenario)


def test_what_a_whole_database_does_not_say_sets_nothing_aside(
    postgres_dsn: str, schema: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where reading fails, the follower waits: no game is to blame for it."""
    failures = iter([psycopg.OperationalError("away"), psycopg.InterfaceError("closed")])
    plain = PostgresStore.tail

    async def tail(self: PostgresStore, after: int, limit: int = 1000) -> object:
        if failure := next(failures, None):
            raise failure
        return await plain(self, after, limit)

    monkeypatch.setattr(PostgresStore, "tail", tail)

    async def scenario(store: PostgresStore, views: Views) -> None:
        await append_all(store, logs())
        async with following(store, postgres_dsn, schema) as task:
            await reached(views, await store.position(), task)
        assert await views.set_aside_games() == ()

    run(postgres_dsn, schema, scenario)


def ask_again(dsn: str, schema: str) -> int:
    """Ask for the game to be looked at again, as a restore does; its new place."""
    place = execute(
        dsn, schema, "SELECT nextval('{s}.stored_events_notification_id_seq'::regclass)"
    )[0][0]
    execute(
        dsn,
        schema,
        "INSERT INTO {s}.restored_games VALUES ({place}, {game}); "
        "UPDATE {s}.set_aside_games SET retry = true; NOTIFY stored_events",
        place=place,
        game=HURT,
    )
    assert isinstance(place, int)
    return place


def test_a_game_that_is_mended_is_projected_from_its_first_event(
    postgres_dsn: str, schema: str
) -> None:
    """As if it had never been damaged, but for its place among those that have ended."""
    lost = logs()[HURT][a_draw(logs()[HURT])]

    async def scenario(store: PostgresStore, views: Views) -> None:
        await append_damaged(store, postgres_dsn, schema, with_a_hole)
        async with following(store, postgres_dsn, schema) as task:
            await reached(views, await store.position(), task)
            damaged = dump(postgres_dsn, schema)
            ask_again(postgres_dsn, schema)  # in vain
            asked = "SELECT game FROM {s}.set_aside_games WHERE NOT retry"
            await comes_about(lambda: asyncio.to_thread(execute, postgres_dsn, schema, asked))
            assert [aside.game for aside in await views.set_aside_games()] == [HURT]
            assert dump(postgres_dsn, schema) == damaged
            before = await views.position()
            await store.append(HURT, [lost])
            place = ask_again(postgres_dsn, schema)
            await comes_about(views.set_aside_games, lambda asides: not asides)
            state, rows = games()[HURT]
            assert await shown(views, HURT) == table(state, len(rows))
            # Whoever has read up to the position before gets it, and no event is passed for that.
            await reached(views, place, task)
            (ended,) = await views.finished(9, before, place)
            assert (ended.game, ended.place) == (HURT, place)
        followed = dump(postgres_dsn, schema)
        standings = (await views.leaderboard()).standings
        assert sum(line.games for line in standings) == 2 + 3 + 2
        await rebuild(store, postgres_dsn, schema=schema)
        assert dump(postgres_dsn, schema) == followed

    run(postgres_dsn, schema, scenario)


def test_a_rebuild_takes_back_what_was_mended_behind_the_service(
    postgres_dsn: str, schema: str
) -> None:
    rows = logs()[HURT]
    lost = rows[a_draw(rows)]

    async def scenario(store: PostgresStore, views: Views) -> None:
        await append_damaged(store, postgres_dsn, schema, with_a_hole)
        end = await store.position()
        await follow(store, postgres_dsn, asyncio.Event(), schema=schema, until=end)
        await store.append(HURT, [lost])
        end = await store.position()
        await follow(store, postgres_dsn, asyncio.Event(), schema=schema, until=end)
        assert [aside.game for aside in await views.set_aside_games()] == [HURT]
        before = await views.position()
        await rebuild(store, postgres_dsn, schema=schema)
        assert await views.set_aside_games() == ()
        async with following(store, postgres_dsn, schema) as task:
            place = execute(postgres_dsn, schema, "SELECT max(ended) FROM {s}.games")[0][0]
            assert isinstance(place, int)
            await reached(views, place, task)
        (ended,) = await views.finished(9, before, place)
        assert ended.game == HURT
        assert sum(line.games for line in (await views.leaderboard()).standings) == 7

    run(postgres_dsn, schema, scenario)


def test_a_first_event_that_comes_back_later_opens_no_second_game(
    postgres_dsn: str, schema: str
) -> None:
    rows = logs()[HURT]

    async def scenario(store: PostgresStore, views: Views) -> None:
        with_rows(postgres_dsn, schema, HURT, rows[1:40])
        end = await store.position()
        await follow(store, postgres_dsn, asyncio.Event(), schema=schema, until=end)
        (aside,) = await views.set_aside_games()
        assert (aside.version, aside.reason) == (1, "event 1 is missing")
        assert await views.table(HURT) is None
        await store.append(HURT, rows[:1])
        await store.append(HURT, rows[40:])
        assert await rebuild(store, postgres_dsn, schema=schema) == await store.position()
        assert await views.set_aside_games() == ()
        state, _ = games()[HURT]
        assert await shown(views, HURT) == table(state, len(rows))
        assert [entry.version for entry in (await views.games()).games] == [len(rows)]

    run(postgres_dsn, schema, scenario)


def test_a_game_that_was_projected_before_it_was_damaged(postgres_dsn: str, schema: str) -> None:
    """A follower that has it in memory goes on with it; another one reads it, and sees."""
    rows = logs()[HURT]

    async def scenario(store: PostgresStore, views: Views) -> None:
        await store.append(HURT, rows[:40])
        end = await store.position()
        await follow(store, postgres_dsn, asyncio.Event(), schema=schema, until=end)
        without(postgres_dsn, schema, HURT, 20)
        await store.append(HURT, rows[40:60])
        await store.append(game_id(2), logs()[game_id(2)])
        end = await store.position()
        await follow(store, postgres_dsn, asyncio.Event(), schema=schema, until=end)
        (aside,) = await views.set_aside_games()
        assert (aside.version, aside.reason) == (20, "event 20 is missing")
        state, whole = games()[game_id(2)]
        assert await shown(views, game_id(2)) == table(state, len(whole))

    run(postgres_dsn, schema, scenario)


def test_a_voided_game_stays_aside(postgres_dsn: str, schema: str) -> None:
    """What an operator has told its players is not taken back by a rebuild."""
    rows = logs()[HURT]

    async def scenario(store: PostgresStore, views: Views) -> None:
        await append_damaged(store, postgres_dsn, schema, with_a_hole)
        end = await store.position()
        await follow(store, postgres_dsn, asyncio.Event(), schema=schema, until=end)
        assert not await views.void_set_aside(game_id(2), "ann", "no reason")
        assert await views.void_set_aside(HURT, "ann", "cards were lost")
        await store.append(HURT, [rows[a_draw(rows)]])
        execute(postgres_dsn, schema, "UPDATE {s}.set_aside_games SET retry = true")
        await rebuild(store, postgres_dsn, schema=schema)
        async with following(store, postgres_dsn, schema) as task:
            await store.append(game_id(9), played_again())
            await reached(views, await store.position(), task)
        (aside,) = await views.set_aside_games()
        assert (aside.game, aside.voided_by, aside.void_reason) == (HURT, "ann", "cards were lost")
        assert isinstance(aside, SetAsideGame)
        with psycopg.connect(postgres_dsn) as conn:
            listed = SQL("SELECT count(*) FROM {}").format(Identifier(schema, "games"))
            assert conn.execute(listed).fetchone() == (5,)
        assert HURT not in {UUID(entry.game) for entry in (await views.games()).games}

    run(postgres_dsn, schema, scenario)
