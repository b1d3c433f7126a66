"""No request holds the event loop for long: all operations, at the limits of what they work on."""

import asyncio
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any, NamedTuple
from uuid import UUID, uuid4

import httpx2
import pytest

from benchmarks.filled import Played, long, put, whole
from phaseledger.domain.commands import Act, KickSeat, OpenGame, TakeSeat
from phaseledger.domain.decide import step
from phaseledger.service.app import in_postgres
from phaseledger.service.credentials.store import Credentials
from phaseledger.service.database.sealing import open_sealing
from phaseledger.service.runtime import work
from phaseledger.service.settings import Settings
from tests.support.ledgers import prepared
from tests.support.polling import eventually
from tests.support.service.api_tables import (
    KEY,
    PLAIN,
    Table,
    bearer,
    dealt,
    mover,
    rows_of,
)
from tests.support.service.loop_probe import Probe, probed
from tests.support.service.server import serving

pytestmark = pytest.mark.system

HELD = 0.05  # seconds
GAME = Settings().game_events
LOBBY = Settings().lobby_events
NDJSON = {"Accept": "application/x-ndjson"}
SSE = {"Accept": "text/event-stream"}
SIXTY = " ".join(f"{colour}{rank}" for rank in range(1, 9) for colour in "RBGYRBGY")[: 60 * 3 - 1]
LARGE = PLAIN._replace(
    hands=(SIXTY, "R9 B9 G9 Y9"),
    discard="R12",
    stock="R10 B10 G10",
    options={"board_track": ("TAKE3*", *("TAKE3",) * 31)},
)


class Limits(NamedTuple):
    """A service over all that is largest, and a client of it."""

    client: httpx2.Client
    probe: Probe
    long: Table
    """A game of people with as many events as one may have, before it is broken off."""
    over: Table
    lobby: Table
    hand: Table
    """A table whose seat 0 holds 60 cards, with a lay of all kinds."""

    def held(self, request: Callable[[], httpx2.Response], *statuses: int) -> None:
        """Send a request, which may not hold the loop."""
        self.probe.reset()
        answer = request()
        assert answer.status_code in (statuses or (200,)), answer.text
        assert self.probe.held < HELD, self.probe.longest


def lobby_rows(game: UUID) -> list[Any]:
    """A lobby in which somebody has sat down and been sent away again, over and over."""
    secret = "5e" * 32
    state, made = step(None, Act(OpenGame(str(game), "classic", 2, secret=secret)))
    events = list(made)
    while len(events) < LOBBY - 3:
        for act in (Act(TakeSeat("Ann", secret="ab" * 32), 0), Act(KickSeat(0))):
            state, made = step(state, act)
            events += made
    return rows_of(events)


async def issued(settings: Settings, games: dict[UUID, int]) -> dict[UUID, dict[int | None, str]]:
    """The tokens of each game's seats, so many, and of its host (None)."""
    credentials = Credentials(settings.database_url, schema=settings.schema)
    await credentials.open()
    tokens = {
        game: {seat: await credentials.issue(game, seat) for seat in (None, *range(seats))}
        for game, seats in games.items()
    }
    await credentials.close()
    return tokens


@pytest.fixture(scope="module")
def limits(postgres_dsn: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Limits]:
    schema = f"t_loop_{uuid4().hex[:8]}"
    settings = prepared(
        postgres_dsn, schema, tmp_path_factory.mktemp("loop"), webhook_allow_private=True
    )
    open_sealing(settings)
    lobby, hand = uuid4(), uuid4()
    games = [
        long("the longest", GAME - 100),
        whole("one that is over"),
        Played(lobby, lobby_rows(lobby), 0),
        Played(hand, rows_of(dealt(LARGE, str(hand))), 0),
    ]
    put(postgres_dsn, schema, games)
    tokens = asyncio.run(issued(settings, {game.game: 2 for game in games}))
    with (
        probed() as probe,
        serving(in_postgres(settings)) as served,
        httpx2.Client(base_url=f"{served.url}/v1", timeout=None) as client,
    ):
        tables = [
            Table(client, str(game), host, seats)
            for game, seats in tokens.items()
            if (host := seats.pop(None))
        ]
        yield Limits(client, probe, *tables)


def test_a_long_game_is_read(limits: Limits) -> None:
    """The first reading folds it, the others find it in memory."""
    table = limits.long
    for _ in range(2):
        limits.held(table.get)
        limits.held(lambda: table.get(seat=0))
    limits.held(lambda: table.get("/actions", 0))
    limits.held(lambda: table.get("/events", limit=1000))
    limits.held(lambda: table.get("/events", 0, limit=1000, after=GAME // 2))
    for path in ("/table", "/scoreboard"):
        eventually(lambda: table.get(path).status_code, lambda status: status == 200)  # noqa: B023
        limits.held(partial(table.get, path))


def test_a_long_game_is_streamed(limits: Limits) -> None:
    events, get = f"{limits.long.path}/events", limits.client.get
    limits.held(lambda: get(events, headers=NDJSON))
    limits.held(lambda: get(events, params={"once": "true"}, headers=SSE))
    since = {"Last-Event-ID": str(limits.long.version() - 190)}
    limits.held(lambda: get(events, params={"once": "true"}, headers=SSE | since))


def test_a_long_game_goes_on(limits: Limits) -> None:
    table = limits.long
    seat = mover(table)
    command = table.get("/actions", seat).json()["commands"][0]
    send = partial(table.send, seat, command, Idempotency_Key=KEY)
    limits.held(send)
    limits.held(send)
    limits.held(lambda: table.send(seat, {"type": "keep", "cards": "R1"}), 409)
    path, host = table.path, bearer(table.host)
    hook = {"url": "http://127.0.0.1:9/", "types": ["turn.asked"]}
    limits.held(lambda: limits.client.post(f"{path}/webhooks", json=hook, headers=host), 201)
    waiting = bearer(table.tokens[1 - mover(table)])
    limits.held(lambda: limits.client.post(f"{path}/claims", json={}, headers=waiting), 409)


@pytest.mark.parametrize("which", ["long", "over", "lobby"])
def test_evidence_is_given(limits: Limits, which: str) -> None:
    table: Table = getattr(limits, which)
    limits.held(lambda: table.get("/bundle"))
    limits.held(lambda: table.get(f"/receipts/{table.version()}"))
    log = "/log/inclusion", {"game": table.game, "seq": table.version() // 2}
    limits.held(lambda: limits.client.get(log[0], params=log[1]))


def test_a_full_lobby_is_read_and_played_in(limits: Limits) -> None:
    table = limits.lobby
    limits.held(table.get)
    limits.held(lambda: table.get("/events", limit=1000))
    join = partial(limits.client.post, f"{table.path}/seats")
    limits.held(lambda: join(json={"name": "Bob"}, headers={"Idempotency-Key": KEY}), 201)
    limits.held(lambda: join(json={"name": "Bob"}, headers={"Idempotency-Key": KEY}), 201)
    fill = {"level": "greedy"}
    path, host = f"{table.path}/fill", bearer(table.host)
    limits.held(lambda: limits.client.post(path, json=fill, headers=host))


def test_a_large_hand_is_played(limits: Limits) -> None:
    """By its seat and then by a bot, which comes when the seat is left."""
    table = limits.hand
    limits.held(lambda: table.send(0, {"type": "move", "steps": 1}))
    for _ in range(3):
        limits.held(lambda: table.send(0, {"type": "draw"}))
    limits.held(lambda: table.get("/actions", 0))
    limits.held(lambda: table.get(seat=0))
    version = table.version()
    leave = f"{table.path}/leave"
    limits.held(lambda: limits.client.post(leave, headers=bearer(table.tokens[0])))
    limits.held(lambda: table.get(at_least=version + 3))


def test_cards_are_checked(limits: Limits) -> None:
    group = {"cards": SIXTY}
    for phase in range(1, 11):
        for groups in ([group], [group] * 2, [{"cards": SIXTY[:30]}, {"cards": SIXTY[30:]}]):
            question = {"type": "lay", "phase": phase, "groups": groups}
            check = partial(limits.client.post, "/rulesets/board/checks", json=question)
            limits.held(check)


def test_lists_and_exports_are_read(limits: Limits) -> None:
    get = limits.client.get
    eventually(lambda: get("/log/checkpoint").status_code, lambda status: status == 200)
    for path in ("/games", "/leaderboard", "/rulesets", "/openapi.json", "/log/checkpoint"):
        limits.held(partial(get, path))
    limits.held(lambda: get("/exports/games", headers=NDJSON))


def test_a_loop_that_is_held_is_found_out(limits: Limits, monkeypatch: pytest.MonkeyPatch) -> None:
    """The probe can fail: the long game is checked on the loop again.

    On a machine that loses much time to others it may be seen at a later time only.
    """
    monkeypatch.setattr(work, "ON_THE_LOOP", GAME)

    def failure() -> str:
        try:
            limits.held(lambda: limits.long.get("/bundle"))
        except AssertionError as error:
            return str(error)
        return ""

    eventually(failure, lambda failure: "require_chained" in failure)
