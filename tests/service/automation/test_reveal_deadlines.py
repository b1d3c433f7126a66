"""Secrets that seats bring: in time, the game is dealt; else it is void, and says by whom."""

import asyncio
import time
from collections.abc import Iterator
from functools import partial
from uuid import UUID

import httpx2
import msgspec
import psycopg
import pytest
import structlog
from psycopg.sql import SQL, Identifier

from phaseledger.domain.commands import Act, CloseReveal, Rejected, RevealSecret, Start
from phaseledger.domain.deal import seat_commit
from phaseledger.domain.events import TableSealed
from phaseledger.domain.evidence.codec import decode
from phaseledger.service.app import in_postgres
from phaseledger.service.automation.reveal_deadlines import Deadlines
from phaseledger.service.eventlog.errors import StoreUnavailable
from phaseledger.service.eventlog.rows import Row
from phaseledger.service.games.game import Snapshot
from phaseledger.service.games.overdue import REVEAL_CLOSED
from phaseledger.service.games.writer import GameService
from phaseledger.service.lobby.opening import SeatRequest
from phaseledger.service.settings import Settings
from tests.support.polling import comes_about, eventually
from tests.support.service.api_tables import KEY, PERSON, Table, bearer, ok
from tests.support.service.dealt_tables import SECRETS, table_of
from tests.support.service.memory_ledger import in_memory
from tests.support.service.memory_store import MemoryStore
from tests.support.service.problems import problem
from tests.support.service.server import serving

sealed_table = partial(table_of, bringing=(0, 1))


@pytest.fixture(scope="module")
def hasty() -> Iterator[httpx2.Client]:
    """A client of a service that waits for two seconds."""
    with (
        serving(in_memory(), reveal_seconds=2) as service,
        httpx2.Client(base_url=f"{service.url}/v1", timeout=None) as client,
    ):
        yield client


def sealed(client: httpx2.Client, bringing: tuple[int, ...], seats: int = 2) -> Table:
    """A table that waits for the secrets of these seats."""
    opened = client.post("/games", json={"ruleset": "classic", "seats": [PERSON] * seats}).json()
    table = Table(client, opened["game"], opened["host_token"], {})
    for seat in range(seats):
        body = {"name": f"Seat {seat}", "seat": seat}
        if seat in bringing:
            body["commit"] = seat_commit(table.game, seat, SECRETS[seat])
        joined = client.post(f"{table.path}/seats", json=body)
        assert joined.status_code == 201, joined.text
        table.tokens[seat] = joined.json()["token"]
    ok(table.start())
    return table


def reveal(table: Table, seat: int, **headers: str) -> httpx2.Response:
    return table.send(seat, {"type": "reveal_secret", "secret": SECRETS[seat].hex()}, **headers)


# --- while there is time --------------------------------------------------------------------------


def test_reveal_by_is_told_while_a_secret_is_due(client: httpx2.Client) -> None:
    """Two minutes after the sealing, for the service that the tests share."""
    before = time.time_ns() // 1_000_000
    table = sealed(client, (0, 1))
    after = time.time_ns() // 1_000_000
    by = table.get().json()["reveal_by"]
    assert before + 120_000 <= by <= after + 120_000
    ok(reveal(table, 1))
    assert table.get().json()["reveal_by"] == by
    ok(reveal(table, 0))
    assert table.get().json()["reveal_by"] is None


def test_only_the_service_closes_the_wait(client: httpx2.Client) -> None:
    """A client has no such command; the host may void the game, which says who still owed."""
    table = sealed(client, (0, 1))
    refused = table.send(0, {"type": "close_reveal"})
    problem(refused, 400, "invalid_body")
    done = ok(client.post(f"{table.path}/void", json={"reason": "x"}, headers=bearer(table.host)))
    assert done["events"][-1]["data"]["owing"] == [0, 1]


# --- when the time is over ------------------------------------------------------------------------


def test_a_game_whose_secrets_stay_away_is_void(hasty: httpx2.Client) -> None:
    """Who kept the word is not named; the server's secret is told in the same event."""
    table = sealed(hasty, (0, 1, 2), seats=3)
    ok(reveal(table, 1))
    view = eventually(lambda: table.get().json(), lambda view: view["table"]["stage"] == "voided")
    assert view["reveal_by"] is None
    events = table.get("/events", limit=1000).json()["events"]
    voided, secret = events[-1], events[0]["hidden"]["server"]["secret"]
    assert voided["type"] == "GameVoided/1"
    assert voided["data"]["owing"] == [0, 2]
    assert voided["data"]["secret"] == secret
    assert voided["data"]["reason"] == "secrets not revealed in time by seats 0, 2"
    assert table.get(f"/receipts/{voided['seq']}").status_code == 200
    problem(reveal(table, 0), 409, "game_over")


def test_a_late_secret_is_not_taken_by_whoever_just_hears_of_it() -> None:
    """Its timer does not run yet. A secret that came in time stays, and is answered again."""
    parts = in_memory()

    async def other_process() -> list[Table]:
        tables = []
        for seconds in (2, 0):  # as earlier releases said nothing of it
            games = GameService(parts.store, reveal_seconds=seconds)
            game = await sealed_table(games)
            await games.send(game, Act(RevealSecret(SECRETS[0].hex()), 0), KEY)
            tokens = {seat: await parts.credentials.issue(game, seat) for seat in (0, 1)}
            tables.append(Table(client, str(game), "", tokens))
        return tables

    with (
        serving(parts, reveal_seconds=2) as service,
        httpx2.Client(base_url=f"{service.url}/v1", timeout=None) as client,
    ):
        tables = asyncio.run(other_process())
        time.sleep(2.2)
        for table in tables:
            problem(reveal(table, 1), 409, "game_over")
            assert table.get().json()["table"]["stage"] == "voided"
            last = table.get("/events", limit=1000).json()["events"][-1]
            assert (last["type"], last["data"]["owing"]) == ("GameVoided/1", [1])
            ok(reveal(table, 0, Idempotency_Key=KEY))


# --- over a restart, and with several processes ---------------------------------------------------


def test_a_restart_does_not_forget_it(settings: Settings) -> None:
    """The time is over while no service runs; the next one voids the game without being asked.

    It counts as the table said when it was sealed, whatever the next service would say.
    """
    with (
        serving(in_postgres(settings), reveal_seconds=3) as service,
        httpx2.Client(base_url=f"{service.url}/v1", timeout=None) as client,
    ):
        table = sealed(client, (0,))
        waiting = sealed(client, (1,))
        ok(reveal(waiting, 1))
    time.sleep(3)
    select = SQL("SELECT state FROM {} WHERE originator_id = %s ORDER BY originator_version")
    events = select.format(Identifier(settings.schema, "stored_events"))
    with (
        serving(in_postgres(settings), reveal_seconds=3600) as service,
        psycopg.connect(settings.database_url, autocommit=True) as conn,
    ):
        rows = eventually(
            lambda: conn.execute(events, (table.game,)).fetchall(),
            lambda rows: b"GameVoided" in rows[-1][0],
        )
        with httpx2.Client(base_url=f"{service.url}/v1", timeout=None) as client:
            view = client.get(table.path).json()
            assert view["table"]["stage"] == "voided"
            assert client.get(waiting.path).json()["table"]["stage"] == "playing"
    sealing, last = (msgspec.json.decode(rows[n][0]) for n in (-2, -1))
    assert last["data"]["owing"] == [0]
    assert sealing["data"]["reveal_seconds"] == 3
    assert last["at"] >= sealing["at"] + 3_000
    assert last["data"]["secret"] == msgspec.json.decode(rows[0][0])["hidden"]["server"]["secret"]


class Counting(MemoryStore):
    """A log that lets others run before it stores, and keeps count."""

    def __init__(self) -> None:
        super().__init__()
        self.appended: list[list[str]] = []

    async def append(self, game: UUID, rows: list[Row], prev: bytes | None = None) -> int:  # type: ignore[override]
        await asyncio.sleep(0.01)
        position = await super().append(game, rows, prev)
        self.appended.append([row.topic for row in rows])
        return position


async def test_the_time_for_secrets_is_said_where_some_are_due() -> None:
    store = MemoryStore()
    games = GameService(store, reveal_seconds=7)
    game = await sealed_table(games)
    bots = await table_of(games, [SeatRequest("random")] * 2)
    seconds = [
        event.reveal_seconds
        for uuid in (game, bots)
        for _, event in [decode(row.topic, row.state) for row in await store.read(uuid)]
        if isinstance(event, TableSealed)
    ]
    assert seconds == [7, 0]
    games.reveal_seconds = 8
    repeated = await games.send(game, Act(Start()), "start")  # the caller's command is the same
    assert repeated.version == (await games.look(game)).version


async def test_time_never_runs_backwards_in_a_game(monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither when the machine's clock is put back, nor between machines that do not agree."""
    store = MemoryStore()
    games, other = GameService(store), GameService(store)
    game = await sealed_table(games)
    begun = (await games.look(game)).marks.at
    # That of the ledger alone: services of other tests run in this process.
    monkeypatch.setattr("phaseledger.service.eventlog.clock.wall_ms", lambda: 5)
    await other.send(game, Act(RevealSecret(SECRETS[0].hex()), 0), "r0")
    await games.send(game, Act(RevealSecret(SECRETS[1].hex()), 1), "r1")
    times = [decode(row.topic, row.state)[0].at for row in await store.read(game)]
    assert (times, times[-1]) == (sorted(times), begun)


async def test_several_processes_void_it_once() -> None:
    """All have a timer; the log takes one command, which ends the game and tells the secret."""
    store = Counting()
    all_games = [GameService(store) for _ in range(4)]
    timers = [Deadlines(games, 0) for games in all_games]
    game = await sealed_table(all_games[0])
    for games in all_games:
        await games.look(game)
    await comes_about(lambda: all_games[0].look(game), lambda now: now.revealed)
    await asyncio.sleep(0.1)
    for timer in timers:
        await timer.close()
    topics = [row.topic for row in await store.read(game)]
    assert topics.count("GameVoided/1") == 1
    assert store.appended[-1] == ["GameVoided/1"]


async def test_a_deadline_that_cannot_be_kept_is_told_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """However often the game is looked at after that."""
    games, sent = GameService(store := Counting()), []
    Deadlines(games, 0)

    async def send(*given: object) -> None:
        sent.append(given)
        raise ValueError("a damaged log")

    game = await sealed_table(GameService(store))
    monkeypatch.setattr(games, "send", send)
    for _ in range(5):
        await games.look(game)
        await comes_about(lambda: asyncio.sleep(0, len(sent)), bool)
    assert len(sent) == 1
    games.cache.distrust()  # what was done may be lost, so it is done again
    await games.look(game)
    await comes_about(lambda: asyncio.sleep(0, len(sent)), lambda count: count == 2)


def test_a_secret_just_in_time_goes_before_the_void() -> None:
    """Whichever comes first in the log decides, and the other one is refused, not lost."""

    async def race(first: str) -> Snapshot:
        store = Counting()
        games, other = GameService(store), GameService(store)
        game = await sealed_table(games)
        await other.look(game)
        await games.send(game, Act(RevealSecret(SECRETS[0].hex()), 0), "r0")
        await other.look(game)
        void = other.send(game, Act(CloseReveal()), REVEAL_CLOSED)
        last = games.send(game, Act(RevealSecret(SECRETS[1].hex()), 1), "r1")
        both = [void, last] if first == "void" else [last, void]
        done = await asyncio.gather(*both, return_exceptions=True)
        assert sum(isinstance(answer, Rejected) for answer in done) == 1
        now = await games.look(game)
        assert (await other.look(game)).chain == now.chain
        return now

    assert asyncio.run(race("void")).state.stage == "voided"
    assert asyncio.run(race("reveal")).state.stage == "playing"


async def test_a_timer_that_comes_too_late_is_silent() -> None:
    """The secrets came through another process, of which this one has not heard."""
    store = Counting()
    games, other = GameService(store), GameService(store)
    timer = Deadlines(games, 1)
    game = await sealed_table(other)
    await games.look(game)
    for seat in (0, 1):
        await other.send(game, Act(RevealSecret(SECRETS[seat].hex()), seat), f"r{seat}")
    with structlog.testing.capture_logs() as logs:
        await asyncio.sleep(1.2)
    assert (await games.look(game)).state.stage == "playing"
    assert logs == []
    await timer.close()


async def test_a_timer_waits_for_a_log_that_is_away() -> None:
    class Away(Counting):
        asked = 0

        async def append(self, game: UUID, rows: list[Row], prev: bytes | None = None) -> int:  # type: ignore[override]
            self.asked += rows[0].topic == "GameVoided/1"
            if self.asked == 1:
                raise StoreUnavailable("not now")
            return await super().append(game, rows, prev)

    store = Away()
    games = GameService(store)
    timer = Deadlines(games, 0)
    game = await sealed_table(games)
    await comes_about(lambda: games.look(game), lambda now: now.state.stage == "voided")
    assert store.asked == 2
    await timer.close()
