"""Tables that nobody needs any more are closed by the ledger's clock, by a fact in the log."""

import asyncio
from collections.abc import Iterator
from itertools import product
from typing import Any
from uuid import UUID

import httpx2
import pytest

from phaseledger.domain.commands import Act, VoidGame
from phaseledger.domain.evidence.codec import decode
from phaseledger.service.app import Components, in_postgres
from phaseledger.service.automation import table_expiry
from phaseledger.service.automation.table_expiry import ENDLESS, Expiry, Lifetimes
from phaseledger.service.eventlog.postgres import PostgresStore
from phaseledger.service.eventlog.protocols import Store
from phaseledger.service.eventlog.rows import UnfinishedGame, time_of
from phaseledger.service.games.writer import GameService
from phaseledger.service.settings import Settings
from tests.support.polling import eventually
from tests.support.service.api_tables import PERSON, Table, ok, open_table, sit, started
from tests.support.service.dealt_tables import table_of
from tests.support.service.memory_ledger import in_memory
from tests.support.service.memory_store import MemoryStore
from tests.support.service.node_clocks import DAY, WrongClock
from tests.support.service.problems import problem
from tests.support.service.server import serving

LIFETIMES = Lifetimes(lobby_hours=24, idle_days=7)
HOUR = DAY // 24
GAME = UUID(int=1)
KEY = "5f0e0000-0000-4000-8000-000000000009"


@pytest.fixture(autouse=True)
def often(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(table_expiry, "EVERY", 0.05)


def test_when_a_table_is_to_be_closed() -> None:
    lobby, idle = (UnfinishedGame(GAME, 0, HOUR, is_lobby) for is_lobby in (True, False))
    timeless = idle._replace(opened_at=None, updated_at=None)
    for game, now, reason in (
        (lobby, DAY - 1, ""),
        (lobby, DAY, "service: nobody began the game within 24 hours"),
        (idle, 7 * DAY + HOUR - 1, ""),
        (idle, 7 * DAY + HOUR, "service: nothing happened at the table for 7 days"),
        (timeless, 99 * DAY, ""),
        (timeless._replace(is_lobby=True), 99 * DAY, ""),
    ):
        assert LIFETIMES.reason(game, now) == reason
        assert ENDLESS.reason(game, now) == ""


def test_the_time_stands_first_in_an_event() -> None:
    times = {b'{"at":0,"cmd":"b7': 0, b'{"at":1795377600000,"c': 1795377600000, b"\xff": None}
    assert {head: time_of(head) for head in times} == times


async def test_the_log_knows_its_unfinished_games_and_their_times(store: Store) -> None:

    async with store:
        games = GameService(store)
        lobby, begun = [await table_of(games, start=start) for start in (False, True)]
        over = await table_of(games, start=False)
        await games.send(over, Act(VoidGame("enough")), "void")
        games_ = [lobby, begun, over]
        listed = {game.game: game for game in await store.unfinished_games(games_)}
        assert listed.keys() == {lobby, begun} == set(await store.unfinished())
        assert [game.game for game in await store.unfinished_games([begun, over])] == [begun]
        places = [notice.position for notice in await store.tail(0) if notice.row.version == 1]
        assert await store.opened(0, await store.position()) == games_
        assert await store.opened(places[0], places[2] - 1) == [begun]
        for game, is_lobby in ((lobby, True), (begun, False)):
            rows = await store.read(game)
            times = [decode(row.topic, row.state)[0].at for row in (rows[0], rows[-1])]
            assert listed[game] == (game, *times, is_lobby)


def test_no_game_is_due_before_it_is_looked_at() -> None:
    now = 3 * HOUR
    for lifetimes, is_lobby in product(
        (LIFETIMES, Lifetimes(0, 7), Lifetimes(24, 0)), (True, False)
    ):
        game = UnfinishedGame(GAME, HOUR, 2 * HOUR, is_lobby)
        look_at = lifetimes.look_at(game, now)
        assert look_at > now
        # Whatever happens in between, it is a lobby of that time, or a game that has gone on.
        for later in (game, game._replace(is_lobby=False, updated_at=now)):
            if not (later.is_lobby and not is_lobby):
                assert lifetimes.reason(later, look_at - 1) == "", (lifetimes, is_lobby)


async def test_a_look_costs_what_is_new_and_what_is_due(store: Store) -> None:
    clock = WrongClock(0)

    async with store:
        games = GameService(store, clock=clock)
        expiry = Expiry(games, store, LIFETIMES)
        lobby, begun = [await table_of(games, start=start) for start in (False, True)]
        assert [await expiry.look() for _ in range(3)] == [2, 0, 0]
        other = await table_of(games, start=True)
        assert [await expiry.look() for _ in range(2)] == [1, 0]
        clock.ahead = DAY
        assert [await expiry.look() for _ in range(2)] == [1, 0]
        assert set(await store.unfinished()) == {begun, other}
        clock.ahead = 8 * DAY
        assert [await expiry.look() for _ in range(2)] == [2, 0]
        assert await store.unfinished() == []
        clock.ahead = 9 * DAY
        assert await expiry.look() == 0, "what is over is looked at no more"
        assert expiry._looks == []
        assert lobby != begun


async def test_a_log_that_went_back_is_looked_at_anew() -> None:
    for lost in (0, 1):
        store = MemoryStore()
        games = GameService(store)
        expiry = Expiry(games, store, LIFETIMES)
        first = await table_of(games, start=False)
        kept = await store.position()
        for _ in range(lost):
            await table_of(games, start=False)
        assert await expiry.look() == 1 + lost
        expiry._store = MemoryStore()
        for notice in (await store.tail(0))[:kept]:
            await expiry._store.append(notice.game, [notice.row])
        assert await expiry.look() == lost, "only where it is shorter now"
        assert await expiry._store.unfinished() == [first]


# --- over HTTP ------------------------------------------------------------------------------------


@pytest.fixture
def clock() -> WrongClock:
    return WrongClock(0)


@pytest.fixture
def parts(clock: WrongClock) -> Components:
    return in_memory()._replace(clock=clock)


@pytest.fixture
def client(parts: Components) -> Iterator[httpx2.Client]:
    with (
        serving(parts, **LIFETIMES._asdict()) as service,
        httpx2.Client(base_url=f"{service.url}/v1", timeout=None) as client,
    ):
        yield client


def closed(table: Table) -> str:
    """Why the table is closed, once it is."""
    eventually(lambda: table.get(seat=0).json()["table"]["stage"], lambda stage: stage == "voided")
    events: list[dict[str, Any]] = table.get("/events", limit=1000).json()["events"]
    reason: str = events[-1]["data"]["reason"]
    return reason


def test_a_lobby_closes_after_a_day_and_a_table_after_a_week(
    client: httpx2.Client, clock: WrongClock
) -> None:
    lobby, idle = open_table(client), started(client)
    clock.ahead = DAY
    assert closed(lobby) == "service: nobody began the game within 24 hours"
    problem(sit(client, lobby.game), 409, "game_over")
    kept = open_table(client)
    mover = idle.get().json()["table"]["waits"][0]["seat"]
    ok(idle.send(mover, {"type": "draw"}))  # which counts from now on
    clock.ahead = 7 * DAY
    assert closed(kept) == "service: nobody began the game within 24 hours"
    assert idle.get().json()["table"]["stage"] == "playing"
    clock.ahead = 8 * DAY
    assert closed(idle) == "service: nothing happened at the table for 7 days"
    problem(idle.send(mover, {"type": "draw"}), 409, "game_over")


def test_a_private_code_ends_with_its_table(client: httpx2.Client, clock: WrongClock) -> None:
    body = {"ruleset": "classic", "seats": [PERSON] * 2, "terms": {"private": True}}
    opened_ = client.post("/games", json=body).json()
    join_ = {"json": {"name": "Ada", "code": opened_["code"]}, "headers": {"Idempotency-Key": KEY}}
    seated = client.post("/joins", **join_)
    assert seated.status_code == 201
    table = Table(client, opened_["game"], opened_["host_token"], {0: seated.json()["token"]})
    clock.ahead = DAY
    closed(table)
    late_join = {"json": {"name": "Eve", "code": opened_["code"]}}
    problem(client.post("/joins", **late_join), 404, "no_such_code")
    headers = {"Idempotency-Key": KEY[:-1] + "8"}
    problem(client.post("/joins", **late_join, headers=headers), 404, "no_such_code")
    assert client.post("/joins", **join_).content == seated.content


# --- several nodes and restarts -------------------------------------------------------------------


def test_several_nodes_take_one_decision_also_after_a_restart(settings: Settings) -> None:
    """No node has seen the tables before; each looks at the log alone."""
    games = asyncio.run(_left(settings))
    nodes = [in_postgres(settings) for _ in range(2)]
    late = [parts._replace(clock=WrongClock(8 * DAY, parts.clock)) for parts in nodes]
    with (
        serving(late[0], **LIFETIMES._asdict()),
        serving(late[1], **LIFETIMES._asdict()) as served,
    ):
        for game, reason in zip(games, ("nobody began", "nothing happened"), strict=True):
            path = f"{served.url}/v1/games/{game}"
            eventually(lambda path=path: httpx2.get(path).json()["table"]["stage"] == "voided")
            events = httpx2.get(f"{path}/events", params={"limit": 1000}).json()["events"]
            voiding = [event for event in events if event["type"] == "GameVoided/1"]
            assert [reason in event["data"]["reason"] for event in voiding] == [True]


async def _left(settings: Settings) -> list[UUID]:
    """A lobby and a game that a process has left."""
    async with PostgresStore(settings.database_url, schema=settings.schema) as store:
        games = GameService(store)
        return [await table_of(games, start=start) for start in (False, True)]
