"""Bots that play alone pause while nobody watches, and go on when somebody does."""

import asyncio
import time
from uuid import UUID

import httpx2
import pytest

from phaseledger.domain.commands import Act, LeaveSeat, VoidGame
from phaseledger.domain.options import OptionValue
from phaseledger.service.automation import bots
from phaseledger.service.automation.bots import Autoplay
from phaseledger.service.games import reader
from phaseledger.service.games.writer import GameService
from phaseledger.service.lobby.opening import SeatRequest, new_game, new_key
from phaseledger.service.lobby.table_quotas import TableQuotas
from phaseledger.service.quotas import open_tables
from phaseledger.service.quotas.open_tables import Opener, OpenTables
from phaseledger.service.quotas.token_buckets import RateLimitPolicy
from phaseledger.service.streams import hub
from tests.support.polling import comes_about, eventually
from tests.support.service.api_tables import BOT, Table
from tests.support.service.dealt_tables import table_of
from tests.support.service.memory_ledger import in_memory
from tests.support.service.memory_store import MemoryStore
from tests.support.service.node_clocks import WrongClock
from tests.support.service.server import serving
from tests.support.service.stream_reader import listening

PAUSE = 600  # seconds
OPTIONS: dict[str, OptionValue] = {
    "board_phases": ("set(8)",) * 10,
    "board_track": ("SEARCH*", *("SEARCH",) * 31),
    "max_turns_per_round": "none",
}
"""With these, bots that play at random come to no end: they never hold all cards of a value."""
ADDRESS = Opener(b"address")


class Hours(WrongClock):
    """A ledger's clock, and the time that passes on the node, both moved on by the test."""

    def elapsed_ms(self) -> int:
        return self.ahead

    def pass_by(self, seconds: float) -> None:
        self.ahead += int(1000 * seconds)


@pytest.fixture
def hours(monkeypatch: pytest.MonkeyPatch) -> Hours:
    hours = Hours(0)
    for module in (bots, reader):
        monkeypatch.setattr(module, "elapsed_ms", hours.elapsed_ms)
    return hours


async def opened(games: GameService, people: int = 0, game: UUID | None = None) -> UUID:
    """A board game of three bots that has begun, where people have the first seats."""
    seats = [SeatRequest("" if seat < people else "random") for seat in range(3)]
    return await table_of(games, seats, ruleset="board", options=OPTIONS, game=game)


async def moves(games: GameService, game: UUID, count: int = 20) -> None:
    """Wait until the bots have moved on."""
    version = await games.store.head(game)
    await comes_about(lambda: games.store.head(game), lambda head: head >= version + count)


async def stops(game: UUID) -> None:
    """Wait until no bot of the game is at work."""

    async def is_at_rest() -> bool:
        return all(task.get_name() != f"bots of {game}" for task in asyncio.all_tasks())

    await comes_about(is_at_rest)


def services(store: MemoryStore, hours: Hours) -> tuple[GameService, Autoplay]:
    games = GameService(store, clock=hours)
    return games, Autoplay(games, PAUSE)


async def test_bots_alone_pause_until_somebody_looks(hours: Hours) -> None:
    games, autoplay = services(MemoryStore(), hours)
    game = await opened(games)
    hours.pass_by(PAUSE - 1)
    await moves(games, game)
    hours.pass_by(2)
    await stops(game)
    version = (await games.look(game)).version  # the service itself, which is nobody
    await stops(game)
    assert await games.store.head(game) == version
    assert (await games.look(game, watching=True)).version == version
    await moves(games, game)
    hours.pass_by(PAUSE - 1)
    await games.look(game, watching=True)
    hours.pass_by(PAUSE - 1)
    await moves(games, game)
    hours.pass_by(2)
    await stops(game)
    version = await games.store.head(game) + 5
    assert (await games.look(game, version, watching=True)).version >= version
    await autoplay.close()


async def test_a_process_that_takes_a_game_over_knows_that_nobody_watches(hours: Hours) -> None:
    store = MemoryStore()
    before, first = services(store, hours)
    game = await opened(before)
    await first.close()
    hours.pass_by(PAUSE - 1)
    games, second = services(store, hours)
    await second.resume()  # it was begun a while ago, and somebody may wait for it
    await moves(games, game)
    await second.close()
    hours.pass_by(1)
    games, third = services(store, hours)
    await third.resume()
    await stops(game)
    version = await store.head(game)
    assert games.cached(game)
    await third.resume()
    await stops(game)
    assert await store.head(game) == version
    await games.look(game, watching=True)
    await moves(games, game)
    await third.close()


async def test_bots_wait_for_nobody_at_a_table_with_people(hours: Hours) -> None:
    """Who has left is nobody any more, and the leaving was the last command."""
    games, autoplay = services(MemoryStore(), hours)
    game = await opened(games, people=1)
    hours.pass_by(10 * PAUSE)
    assert not bots.is_unattended(games.cache.game(game), PAUSE)
    await games.send(game, Act(LeaveSeat(), 0), new_key())
    await moves(games, game)
    hours.pass_by(PAUSE)
    await stops(game)
    await autoplay.close()


# --- over HTTP ------------------------------------------------------------------------------------


def test_reads_and_streams_are_watching(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hub, "TICK", 0.02)
    parts = in_memory()
    with (
        serving(parts, bots_alone_seconds=0.3) as served,
        httpx2.Client(base_url=f"{served.url}/v1", timeout=None) as client,
    ):
        seats = [{**BOT, "level": "random"}] * 3
        body = {"ruleset": "board", "seats": seats, "options": OPTIONS, "start": True}
        answer = client.post("/games", json=body).json()
        table = Table(client, answer["game"], answer["host_token"], {})
        with listening(table) as events:
            began = time.monotonic()
            moved = (event.id for event in events if event.id and _passed(began, 1.0))
            assert next(moved)
        eventually(lambda: _is_still(parts.store, UUID(table.game)))
        version = table.version()
        eventually(table.version, lambda now: now > version)


def _passed(began: float, seconds: float) -> bool:
    return time.monotonic() - began > seconds


def _is_still(store: MemoryStore, game: UUID) -> bool:
    """Whether nothing happens in the game for longer than bots think about a move."""
    heads = []
    for _ in range(2):
        heads.append(asyncio.run(store.head(game)))
        time.sleep(0.5)
    return heads[0] == heads[1]


# --- quotas ---------------------------------------------------------------------------------------


def test_bots_pause_while_their_address_has_had_its_events(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(open_tables, "PAUSE", 0.05)
    now = 0.0
    burst, rate = 300, 10

    async def scene() -> None:
        nonlocal now
        tables = OpenTables(events=RateLimitPolicy("events", rate, burst), clock=lambda: now)
        games = GameService(MemoryStore(), tables=tables)
        autoplay = Autoplay(games)
        theirs: list[UUID] = []
        for _ in range(2):
            tables.add(game := new_game(""), ADDRESS, bots=True)
            theirs.append(await opened(games, game=game))
        other = await opened(games)  # by an address that nobody counts

        async def written() -> int:
            return sum([await games.store.head(game) for game in theirs])

        await comes_about(written, lambda events: events >= burst)
        await moves(games, other, 3 * burst)
        assert burst <= await written() < burst + 2 * MOST_AT_ONCE
        now += 10  # a hundred more
        await comes_about(written, lambda events: events >= burst + 10 * rate)
        await moves(games, other, 3 * burst)
        assert await written() < burst + 10 * rate + 4 * MOST_AT_ONCE
        await autoplay.close()

    asyncio.run(scene())


MOST_AT_ONCE = 12
"""Events of the last command that a game may take when its quota is nearly used up."""


async def test_bots_that_people_left_to_themselves_wait_for_their_quota(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Whoever leaves is never refused, but no more games of bots alone go on than may."""
    monkeypatch.setattr(open_tables, "PAUSE", 0.05)

    tables = OpenTables(bot_games=2)
    games = GameService(MemoryStore(), tables=tables)
    TableQuotas(games)
    autoplay = Autoplay(games)
    theirs = [await opened(games, 1) for _ in range(4)]
    for game in theirs:
        tables.add(game, ADDRESS, bots=False)
    for game in theirs:
        await games.send(game, Act(LeaveSeat(), 0), new_key())
    assert tables.bot_games(ADDRESS) == len(theirs)
    going, waiting = sorted(theirs)[:2], sorted(theirs)[2:]
    for game in going:
        await moves(games, game, 50)
    heads = [await games.store.head(game) for game in waiting]
    for game in going:
        await moves(games, game, 50)
    assert [await games.store.head(game) for game in waiting] == heads
    await games.send(going[0], Act(VoidGame("enough")), new_key())
    await moves(games, waiting[0])
    assert await games.store.head(waiting[1]) == heads[1]
    await autoplay.close()


async def test_many_games_of_bots_alone_leave_pauses_and_few_do_not(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """However many there are, so many moves are made in a time; a few are not slowed."""
    monkeypatch.setattr(bots, "PAUSE", 0.2)

    games = GameService(MemoryStore())
    autoplay = Autoplay(games)
    few = await opened(games)
    began = time.monotonic()
    await moves(games, few, 200)
    assert time.monotonic() - began < 200 * bots.PAUSE / bots.AT_ONCE
    many = [few, *[await opened(games) for _ in range(5)]]
    before, began = [await games.store.head(game) for game in many], time.monotonic()
    await asyncio.sleep(1)
    moved = sum([await games.store.head(game) for game in many]) - sum(before)
    pauses = (time.monotonic() - began) / bots.PAUSE
    assert moved <= bots.AT_ONCE * (pauses + 2) * MOST_AT_ONCE
    await autoplay.close()
