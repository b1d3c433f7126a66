"""The ratings that a follower writes: those of the log alone, whatever has happened meanwhile."""

import asyncio
import json
from pathlib import Path
from uuid import UUID

import psycopg
import pytest

from phaseledger.projections.archive import summary, text_of
from phaseledger.projections.games import whole
from phaseledger.projections.pages import BadCursor, RatingPage
from phaseledger.projections.rated_games import RatedGame
from phaseledger.projections.ratings import Rating, history
from phaseledger.projections.store import places
from phaseledger.service.cli.main import app
from phaseledger.service.eventlog.archive import ArchiveFile, archive_game
from phaseledger.service.eventlog.postgres import PostgresStore
from phaseledger.service.eventlog.rows import Row, timed_events
from phaseledger.service.readmodels import follower
from phaseledger.service.readmodels.follower import follow, rebuild
from phaseledger.service.readmodels.views import Views
from tests.support.polling import comes_about
from tests.support.projection_logs import append_all, dump, game_id, played, player
from tests.support.service.followed_logs import execute, following, run

ADA, BOB, CLEO = map(player, range(3))
TABLES = (
    *((11, 50, "", (ADA, BOB)), (12, 20, "", (BOB, CLEO)), (13, 20, "", (CLEO, ADA))),
    *((14, 30, ",,greedy", (ADA, BOB, "Greedy 3")), (15, 10, ",,greedy", (BOB, CLEO, "x"))),
    *((16, 40, "", (ADA, "a guest")), (17, 60, ",greedy", (ADA, "Greedy 2"))),
    (18, 45, "", (CLEO, ADA)),
)
"""Games by number, with their time, bots and names: two pools, and two that do not count."""


@pytest.fixture(autouse=True)
def small_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in (("BATCH", 200), ("LINGER", 0.001), ("RETRY", 0.01)):
        monkeypatch.setattr(follower, name, value)


@pytest.fixture(scope="module")
def logs() -> dict[UUID, list[Row]]:
    """In another order than that of their ends."""
    return {
        game_id(number): played(number, len(names), bots, names, at)[1]
        for number, at, bots, names in TABLES
    }


BySeatsAndName = dict[tuple[int, str], Rating]


def of_games(logs: dict[UUID, list[Row]]) -> BySeatsAndName:
    """The last ratings, by number of seats and player, from the games alone."""
    pools: dict[int, list[RatedGame]] = {2: [], 3: []}
    for rows in logs.values():
        if game := whole(1, len(rows), timed_events(rows)).rated:
            pools[len(game.entrants)].append(game)
    assert [len(games) for games in pools.values()] == [4, 2]
    return {
        (seats, name): rating
        for seats, games in pools.items()
        for _, after in history(games, {})
        for name, rating in after.items()
    }


def stored(dsn: str, schema: str) -> BySeatsAndName:
    rows = execute(dsn, schema, "SELECT seats, name, mu, sigma, games FROM {s}.ratings")
    return {(seats, name): Rating(*rest) for seats, name, *rest in rows}


def test_followed_and_rebuilt_they_are_those_of_the_games_to_the_byte(
    postgres_dsn: str, schema: str, logs: dict[UUID, list[Row]]
) -> None:
    async def scenario(store: PostgresStore, views: Views) -> None:
        await append_all(store, logs, slices=3)
        end = await store.position()
        await follow(store, postgres_dsn, asyncio.Event(), schema=schema, until=end)
        followed = dump(postgres_dsn, schema)
        assert stored(postgres_dsn, schema) == of_games(logs)
        await rebuild(store, postgres_dsn, schema=schema)
        assert dump(postgres_dsn, schema) == followed

    run(postgres_dsn, schema, scenario)


def test_they_are_read_page_by_page(
    postgres_dsn: str, schema: str, logs: dict[UUID, list[Row]]
) -> None:
    async def scenario(store: PostgresStore, views: Views) -> None:
        await append_all(store, logs, slices=3)
        end = await store.position()
        await follow(store, postgres_dsn, asyncio.Event(), schema=schema, until=end)
        expected = of_games(logs)
        (digest,) = {pool.digest for pool in await views.ratings_of(ADA)}
        first = await views.ratings(digest, 2, limit=2)
        second = await views.ratings(digest, 2, limit=2, after=first.next)
        assert second.next is None
        lines = [*first.ratings, *second.ratings]
        assert {(2, line.name): Rating(line.mu, line.sigma, line.games) for line in lines} == {
            key: rating for key, rating in expected.items() if key[0] == 2
        }
        assert [line.at_least for line in lines] == sorted(
            (line.mu - 3 * line.sigma for line in lines), reverse=True
        )
        assert await views.ratings(digest, 4) == RatingPage(digest, 4, (), None)

        pools = await views.ratings_of(CLEO)
        assert [(pool.seats, pool.games) for pool in pools] == [(2, 3), (3, 1)]
        page = await views.rating_history(CLEO, digest, 2, limit=2)
        rest = await views.rating_history(CLEO, digest, 2, limit=2, after=page.next)
        steps = [*page.steps, *rest.steps]
        assert rest.next is None
        assert [(UUID(step.game), step.games) for step in steps] == [
            (game_id(18), 3),
            (game_id(13), 2),
            (game_id(12), 1),
        ]
        assert Rating(steps[0].mu, steps[0].sigma, 3) == expected[2, CLEO]
        for cursor in ("", "x", "1", "1.x", f"x.{game_id(1)}"):
            with pytest.raises(BadCursor):
                await views.rating_history(CLEO, digest, 2, after=cursor or "?")
            with pytest.raises(BadCursor):
                await views.ratings(digest, 2, after=cursor)

    run(postgres_dsn, schema, scenario)


def test_the_command_computes_them_from_exports_in_any_order(
    logs: dict[UUID, list[Row]], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for part, games in enumerate((list(logs)[::2], list(logs)[1::2])):
        rows = [row for game in games for row in logs[game]]
        file = tmp_path / f"{part}.ndjson"
        file.write_bytes(b"".join(row.state + b"\n" for row in rows))
    assert app(["ratings", str(tmp_path), "--json"], result_action="return_value") == 0
    pools = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [pool["seats"] for pool in pools] == [2, 3]
    assert {
        (pool["seats"], rated["name"]): Rating(rated["mu"], rated["sigma"], rated["games"])
        for pool in pools
        for rated in pool["players"]
    } == of_games(logs)
    assert all(
        len(rated["history"]) == rated["games"] for pool in pools for rated in pool["players"]
    )


def test_the_command_leaves_out_a_game_whose_record_has_a_hole(
    logs: dict[UUID, list[Row]], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    hurt, whole_game = logs[game_id(12)], logs[game_id(13)]
    file = tmp_path / "games.ndjson"
    lines = [row.state + b"\n" for row in (*hurt[:9], *hurt[10:], *whole_game)]
    file.write_bytes(b"".join(lines))
    assert app(["ratings", str(file)], result_action="return_value") == 1
    printed = capsys.readouterr()
    assert str(game_id(12)) in printed.err
    assert printed.out.startswith("classic@1, 2 seats (")
    assert len(printed.out.splitlines()) == 3


def test_a_game_that_comes_back_is_rated_where_it_ended(
    postgres_dsn: str, schema: str, logs: dict[UUID, list[Row]]
) -> None:
    """Its damage, found after its end, takes it out of all ratings that follow."""
    hurt = game_id(12)

    async def scenario(store: PostgresStore, views: Views) -> None:
        await append_all(store, logs, slices=3)
        end = await store.position()
        async with following(store, postgres_dsn, schema):
            await comes_about(views.position, lambda at: at == end)
            right = stored(postgres_dsn, schema)
            flip = "SELECT set_config('session_replication_role', 'replica', false); "
            flip += "ALTER TABLE {s}.stored_events DISABLE TRIGGER append_only; "
            flip += "UPDATE {s}.stored_events SET state = {state} "
            flip += "WHERE originator_id = {game} AND originator_version = 9"
            execute(postgres_dsn, schema, flip, state=b"{}", game=hurt)
            execute(postgres_dsn, schema, "SELECT pg_notify('unfit_views', {g})", g=str(hurt))
            await comes_about(views.set_aside_games, lambda aside: len(aside) == 1)
            without = stored(postgres_dsn, schema)
            assert without[2, CLEO].games == right[2, CLEO].games - 1
            await rebuild(store, postgres_dsn, schema=schema)
            assert stored(postgres_dsn, schema) == without
            execute(postgres_dsn, schema, flip, state=logs[hurt][8].state, game=hurt)
            execute(postgres_dsn, schema, "UPDATE {s}.set_aside_games SET retry = true")
            await comes_about(views.set_aside_games, lambda aside: not aside)
            assert stored(postgres_dsn, schema) == right

    run(postgres_dsn, schema, scenario)


def test_archived_games_are_rated_by_their_tombstones(
    postgres_dsn: str, schema: str, logs: dict[UUID, list[Row]]
) -> None:
    async def scenario(store: PostgresStore, views: Views) -> None:
        await append_all(store, logs, slices=3)
        async with await psycopg.AsyncConnection.connect(postgres_dsn) as conn:
            for game in (game_id(12), game_id(14)):
                rows = logs[game]
                first, last = await places(conn, schema, game, 1, len(rows))
                leaves = [row.leaf for row in rows if row.leaf]
                text = text_of(summary(whole(first, last, timed_events(rows))))
                file = ArchiveFile("file", bytes(32))
                await archive_game(conn, schema, game, leaves, file, hidden=False, summary=text)
        await rebuild(store, postgres_dsn, schema=schema)
        assert stored(postgres_dsn, schema) == of_games(logs)

    run(postgres_dsn, schema, scenario)
