"""The views in a real database: pages, waiting, what a write may not do, and two sets of them."""

import asyncio
from collections.abc import Awaitable, Callable
from time import monotonic
from typing import Any, NamedTuple
from uuid import UUID, uuid4

import psycopg
import pytest
from eventsourcing.postgres import PostgresTrackingRecorder
from msgspec.structs import replace
from psycopg.sql import SQL, Identifier

from phaseledger.domain.terms import Terms
from phaseledger.projections.games import table as table_view
from phaseledger.projections.pages import (
    Filter,
    GamePage,
    Leaderboard,
    NotReached,
    ViewsUnavailable,
)
from phaseledger.projections.scoreboard import Player, Tally
from phaseledger.projections.sql import MIGRATIONS, NAME
from phaseledger.projections.store import (
    REBUILT,
    ViewConnection,
    ViewsMoved,
    begin_rebuild,
    swap,
    tracked_position,
    write,
)
from phaseledger.service.eventlog.library import recorder_factory
from phaseledger.service.eventlog.migrations import migrate
from phaseledger.service.readmodels.views import Views
from tests.support.polling import ENDLESS
from tests.support.projected_games import (
    GAME,
    KEYS,
    LEAF,
    changes,
    chapter,
    log_event,
    opened,
    score,
)
from tests.support.projection_logs import dump


class Place(NamedTuple):
    """A migrated schema, a connection that writes its views, and who reads them."""

    dsn: str
    schema: str
    conn: ViewConnection
    views: Views

    def dump(self) -> object:
        return dump(self.dsn, self.schema)

    async def write(self, before: int, after: int, *given: Any) -> None:
        await write(self.conn, self.schema, before, after, *given, keys=KEYS)

    async def log(self, version: int) -> None:
        await log_event(self.conn, self.schema, version)


def over_views(scene: Callable[[Place], Awaitable[None]]) -> Callable[[str, str], None]:
    """The test that plays the scene over views of its own."""

    def test(postgres_dsn: str, schema: str) -> None:
        async def played() -> None:
            async with opened(postgres_dsn, schema) as (conn, views):
                await scene(Place(postgres_dsn, schema, conn, views))

        asyncio.run(played())

    test.__name__ = scene.__name__
    return test


@over_views
async def test_a_game_is_read_as_it_was_written(at: Place) -> None:
    assert await at.views.table(GAME) is None
    assert await at.views.scoreboard(GAME) is None
    await at.log(3)
    await at.write(0, 10, changes({GAME: chapter(3)}))
    viewed = await at.views.scoreboard(GAME)
    assert viewed is not None
    board = viewed.content
    assert (board.version, board.rounds, board.stage) == (3, (), "playing")
    last = chapter(9, rounds=(score(1), score(2)))
    await at.log(9)
    await at.write(10, 20, changes({GAME: last}))
    assert await at.views.table(GAME) == (table_view(last.state, 9), LEAF.hex())
    viewed = await at.views.scoreboard(GAME)
    assert viewed is not None
    board = viewed.content
    assert board.rounds == (score(1), score(2))
    assert board.players == (Player("seat 0", ""), Player("seat 1", ""))
    (entry,) = (await at.views.games()).games
    assert (entry.version, entry.opened_at, entry.updated_at) == (9, 1001, 2009)
    assert entry.finished_at is None
    assert await at.views.position() == 20


@over_views
async def test_a_write_from_a_wrong_place_and_one_that_fails_change_nothing(at: Place) -> None:
    """The library's own recorder reads the position: the tracking table is its."""
    await at.write(0, 10, changes({GAME: chapter()}))
    before = at.dump()
    for wrong in (0, 9, 11):
        with pytest.raises(ViewsMoved):
            await at.write(wrong, 20, changes({GAME: chapter(2)}))
    others = {UUID(int=n, version=4): chapter(position=7) for n in (5, 6)}
    with pytest.raises(psycopg.errors.UniqueViolation):
        await at.write(10, 20, changes(others))
    assert at.dump() == before
    with recorder_factory(at.dsn, schema=at.schema) as factory:
        assert PostgresTrackingRecorder(factory.datastore).max_tracking_id(NAME) == 10


@over_views
async def test_a_text_that_postgres_has_not_is_no_obstacle(at: Place) -> None:
    """A zero character is JSON, but no text of PostgreSQL's; a name must not stop the log."""
    name = "a\0b"
    state = chapter().state
    state = replace(state, seats=(replace(state.seat(0), name=name), state.seats[1]))
    won = Tally(Player(name, ""), True, 5, 10)
    changed = changes({GAME: chapter(state=state, tallies=(won,))})
    await at.log(1)
    await at.write(0, 1, changed)
    shown = await at.views.table(GAME)
    assert shown is not None
    assert shown.content.table.seats[0].name == name
    ((entry,), (line,)) = (await at.views.games()).games, (await at.views.leaderboard()).standings
    assert entry.players[0] == Player(name, "")
    assert line.name == "a\ufffdb"


@over_views
async def test_a_read_waits_for_the_version_it_asks_for(at: Place) -> None:
    await at.log(3)
    waiting = [
        asyncio.create_task(read(GAME, at_least=4, wait=ENDLESS))
        for read in (at.views.table, at.views.scoreboard)
    ]
    await asyncio.sleep(0.1)
    assert not any(task.done() for task in waiting)
    async with at.conn.transaction():
        await at.write(0, 2, changes({GAME: chapter(5)}))
        await at.log(5)
    for viewed in await asyncio.gather(*waiting):
        assert viewed is not None
        assert viewed.content.version == 5


@over_views
async def test_a_read_gives_up_clearly(at: Place) -> None:
    await at.log(3)
    asked = monotonic()
    with pytest.raises(NotReached, match="at version 3, not yet 4") as refusal:
        await at.views.table(GAME, at_least=4, wait=0.1)
    assert 0.1 <= monotonic() - asked < 60
    assert (refusal.value.game, refusal.value.reached) == (GAME, 3)
    assert await at.views.scoreboard(uuid4(), at_least=1) is None


async def all_pages(
    read: Callable[[str | None], Awaitable[GamePage | Leaderboard]],
) -> list[GamePage | Leaderboard]:
    pages = [await read(None)]
    while pages[-1].next is not None:
        pages.append(await read(pages[-1].next))
    return pages


@over_views
async def test_games_come_newest_first_page_by_page(at: Place) -> None:
    games = [UUID(int=n, version=4) for n in range(1, 8)]
    playing = chapter().state
    other = replace(playing, ruleset=replace(playing.ruleset, id="express@2"), stage="ended")
    chapters = {
        game: chapter(position=n, state=other if n % 3 == 0 else playing)
        for n, game in enumerate(games, 1)
    }
    newest = [str(game) for game in reversed(games)]
    await at.write(0, 10, changes(chapters))
    pages = await all_pages(lambda after: at.views.games(3, after))
    assert [len(page.games) for page in pages] == [3, 3, 1]
    assert [entry.game for page in pages for entry in page.games] == newest
    ended = [newest[1], newest[4]]
    for chosen in (
        {"stage": "ended"},
        {"ruleset": "express"},
        {"ruleset": "express@2"},
        {"ruleset": "express", "stage": "ended"},
    ):
        page = await at.views.games(wanted=Filter(**chosen))
        assert [entry.game for entry in page.games] == ended
        assert {entry.finished_at for entry in page.games} == {2001}
    assert await at.views.games(wanted=Filter(ruleset="express\0")) == GamePage((), None)
    with pytest.raises(psycopg.DataError):  # a bug of the caller's, and no outage
        await at.views.games(wanted=Filter(stage="\0"))  # type: ignore[arg-type]
    for chosen in ({"ruleset": "express@1"}, {"ruleset": "exp"}, {"stage": "lobby"}):
        assert await at.views.games(wanted=Filter(**chosen)) == GamePage((), None)
    pages = await all_pages(lambda after: at.views.games(1, after, Filter(stage="ended")))
    assert [entry.game for page in pages for entry in page.games] == ended


@over_views
async def test_games_are_found_by_name_time_and_end(at: Place) -> None:
    seated = chapter().state
    names = (("Åsa", "Bo"), ("A\u030aSA", "bo"), ("Straße", "x"), ("STRASSE", "y"))
    chapters = {}
    for n, (first, second) in enumerate(names, 1):
        seats = (replace(seated.seat(0), name=first), replace(seated.seat(1), name=second))
        state = replace(seated, seats=seats, stage="ended" if n % 2 else "playing")
        last = {"last": 90 - n, "at": 2000 + n}
        chapters[UUID(int=n, version=4)] = replace(chapter(position=n, state=state), **last)
    former = replace(seated, seats=(replace(seated.seat(0), name="Eve"), seated.seats[1]))
    await at.write(0, 1, changes({UUID(int=1, version=4): chapter(state=former)}))
    secret = replace(seated, terms=Terms(private=True), stage="ended")
    chapters[UUID(int=9, version=4)] = chapter(position=9, state=secret)
    await at.write(1, 100, changes(chapters))

    async def numbers(**chosen: object) -> list[int]:
        page = await at.views.games(wanted=Filter(**chosen))
        return [UUID(entry.game).int & 0xFF for entry in page.games]

    assert await numbers() == [4, 3, 2, 1]
    for name in ("åsa", "a\u030asa", "\u212bsa"):  # forms of Unicode
        assert await numbers(player=name) == [2, 1]
    assert await numbers(player="strasse") == [4, 3]
    for name in ("Str", "\0", "Eve"):  # who sat there before
        assert await numbers(player=name) == []
    assert await numbers(opened_after=1002, opened_before=1004) == [3, 2]
    assert await numbers(ended_after=2001) == [3, 1]
    assert await numbers(ended_before=2003) == [1]
    # In the order of their ends, not of their openings.
    places = [game.place for game in await at.views.finished(9, 0, 100)]
    assert places == [87, 89]
    assert [game.place for game in await at.views.finished(9, 87, 100)] == [89]
    assert [game.place for game in await at.views.finished(9, 0, 88)] == [87]


def test_views_come_to_one_form_of_a_name(postgres_dsn: str, empty_schema: str) -> None:
    """What was written as it was spelled is found in every form, and is one line; and so is each
    level of a bot.
    """
    migrate(postgres_dsn, schema=empty_schema, extra=MIGRATIONS)
    decomposed = [("jose\u0301", "bo"), ("jos\u00e9", "bo")]
    with psycopg.connect(postgres_dsn) as conn:
        for number, names in enumerate(decomposed, 1):
            statement = (
                "INSERT INTO {}.games VALUES (gen_random_uuid(), %s, 'classic@1', 'lobby', 2, "
                "'[]', 1, 9, 1, 2, 2, '[]', NULL, true, %s)"
            )
            conn.execute(SQL(statement).format(Identifier(empty_schema)), (number, list(names)))
        line = "INSERT INTO {}.leaderboard VALUES (%s, %s, 1, 0, 9, 3)"
        people = (("Jose\u0301", ""), ("Jos\u00e9", ""), ("Bo", ""))
        bots = (("Greedy", "greedy"), ("Greedy 1", "greedy"), ("Greedy 2", "greedy"))
        for player in (*people, *bots, ("Tim", "expert")):
            conn.execute(SQL(line).format(Identifier(empty_schema)), player)
        forget = "DELETE FROM {}.migrations WHERE name LIKE 'projections/%'"
        conn.execute(SQL(forget).format(Identifier(empty_schema)))
    migrate(postgres_dsn, schema=empty_schema, extra=MIGRATIONS)

    async def scenario() -> None:
        async with opened(postgres_dsn, empty_schema) as (_, views):
            assert len((await views.games(wanted=Filter(player="Jose\u0301"))).games) == 2
            lines = (await views.leaderboard()).standings
            assert [(line.name, line.bot, line.games) for line in lines] == [
                ("Bo", "", 1),
                ("Expert", "expert", 1),
                ("Greedy", "greedy", 3),
                ("Jos\u00e9", "", 2),
            ]

    asyncio.run(scenario())


@over_views
async def test_the_leaderboard_ranks_wins_then_points_then_names(at: Place) -> None:
    def games(name: str, bot: str, *results: tuple[bool, int]) -> list[Tally]:
        return [Tally(Player(name, bot), won, points, 4) for won, points in results]

    ranked = [
        games("Zoë", "", (True, 90), (True, 10)),
        games("Greedy", "greedy", (True, 10)),
        games("alice", "", (True, 10), (False, 11)),
        games("Bob", "", (False, 5)),
        games("Careful", "careful", (False, 5)),
        games("bob", "", (False, 5)),
        games("Expert", "expert", (False, 4), (False, 7)),
    ]
    tallies = [tally for lines in ranked for tally in lines]
    for n, tally in enumerate(tallies):
        chapters = {UUID(int=n): chapter(position=n, tallies=(tally,))}
        await at.write(n, n + 1, changes(chapters))
    pages = await all_pages(lambda after: at.views.leaderboard(2, after))
    lines = [line for page in pages for line in page.standings]
    assert [(line.name, line.bot) for line in lines] == [
        (top.player.name, top.player.bot) for top, *_ in ranked
    ]
    first = lines[0]
    assert (first.games, first.wins, first.points, first.phases) == (2, 2, 100, 8)
    assert first.mean_points == 50.0


@over_views
async def test_a_database_out_of_reach_is_said(at: Place) -> None:
    async with Views(at.dsn, "nowhere") as views:
        with pytest.raises(ViewsUnavailable):
            await views.position()
    with pytest.raises(ViewsUnavailable):  # closed
        await views.table(GAME)


# --- two sets of views: one is read, the other is filled and swapped in ---------------------------


@over_views
async def test_the_second_set_is_filled_unseen_and_swapped_in_whole(at: Place) -> None:
    async def rounds() -> object:
        shown = await at.views.scoreboard(GAME)
        assert shown is not None
        return shown.content.rounds

    def without_position() -> dict[str, Any]:
        tables = dump(at.dsn, at.schema)
        del tables["notification_tracking"]
        return tables

    fresh, conn, schema = without_position(), at.conn, at.schema
    rebuilt = chapter(rounds=(score(1),), tallies=(Tally(Player("a", ""), True, 5, 10),))
    await at.log(1)
    await at.write(0, 10, changes({GAME: chapter()}))
    before = at.dump()
    assert not await swap(conn, schema)  # there is no second set
    await begin_rebuild(conn, schema)
    await at.write(0, 9, changes({GAME: rebuilt}), REBUILT)
    assert await tracked_position(conn, schema) == 10
    assert await rounds() == ()
    assert await swap(conn, schema)
    assert await rounds() == (score(1),)
    # Between 9 and 10 there is no event, so nothing goes back.
    assert await tracked_position(conn, schema) == 10
    with pytest.raises(ViewsMoved):
        await tracked_position(conn, schema, REBUILT)
    assert at.dump() != before
    await begin_rebuild(conn, schema)
    await at.write(0, 9, changes({}), REBUILT)
    assert await swap(conn, schema)
    assert without_position() == fresh


@over_views
async def test_who_may_not_write_the_views_may_not_swap_them(at: Place) -> None:
    role = Identifier(f"r_{at.schema}")
    await begin_rebuild(at.conn, at.schema)
    await at.conn.execute(SQL("CREATE ROLE {} LOGIN").format(role))
    try:
        await at.conn.execute(
            SQL("GRANT USAGE ON SCHEMA {} TO {}").format(Identifier(at.schema), role)
        )
        await at.conn.execute(SQL("SET SESSION AUTHORIZATION {}").format(role))
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            await swap(at.conn, at.schema)
    finally:
        await at.conn.execute("RESET SESSION AUTHORIZATION")
        await at.conn.execute(SQL("DROP OWNED BY {0}; DROP ROLE {0}").format(role))
