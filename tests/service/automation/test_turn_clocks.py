"""Turn clocks over HTTP: deadlines with every question, time-outs, claims, restarts."""

import asyncio
import time
from typing import Any
from uuid import UUID, uuid4

import httpx2
import msgspec
import pytest

from phaseledger.domain.commands import Act, Play, RevealSecret
from phaseledger.domain.evidence.codec import decode
from phaseledger.domain.terms import Clock
from phaseledger.service.automation.bots import Autoplay
from phaseledger.service.automation.turn_clocks import Clocks
from phaseledger.service.games.game import apply_rows
from phaseledger.service.games.log_times import LogTimes
from phaseledger.service.games.overdue import claim as claimed
from phaseledger.service.games.time_limits import dues
from phaseledger.service.games.writer import GameService
from tests.support.polling import comes_about, eventually
from tests.support.service.api_tables import Table, bearer, mover, ok, play_on, started
from tests.support.service.dealt_tables import SECRETS, table_of
from tests.support.service.memory_ledger import in_memory
from tests.support.service.memory_store import MemoryStore
from tests.support.service.problems import problem
from tests.support.service.server import serving

SLOW = {"seconds": 3600, "grace": 60}


def clocked(client: httpx2.Client, clock: dict[str, Any], **terms: Any) -> Table:
    return started(client, terms={"clock": clock, **terms})


def claim(table: Table, claimant: int, **body: Any) -> httpx2.Response:
    path, headers = f"{table.path}/claims", bearer(table.tokens[claimant])
    return table.client.post(path, json=body, headers=headers)


# --- deadlines ------------------------------------------------------------------------------------


def test_every_question_has_its_deadline(client: httpx2.Client) -> None:
    """It runs from the event that asked, by the log's own time."""
    table = clocked(client, SLOW)
    seat = mover(table)
    view = ok(table.get("", 1 - seat))
    (due,) = view["deadlines"]
    asked = ok(table.get("/events", seat, limit=1000))["events"][-1]["at"]
    assert due == {
        "seat": seat,
        "kind": "draw",
        "due_at": asked + 3_600_000,
        "grace_until": asked + 3_660_000,
    }
    assert ok(table.get("/actions", seat))["deadlines"] == [due]
    assert ok(table.get("/actions", 1 - seat))["deadlines"] == []
    ok(table.send(seat, {"type": "draw"}))
    drawn = ok(table.get("/events", seat, limit=1000))["events"][-1]["at"]
    (due,) = ok(table.get("", seat))["deadlines"]
    assert (due["kind"], due["due_at"]) == ("play", drawn + 3_600_000)


def test_without_a_clock_nobody_is_late(client: httpx2.Client) -> None:
    table = started(client)
    assert ok(table.get("", 0))["deadlines"] == []
    problem(claim(table, 0), 409, "no_clock")


def test_nobody_is_overdue_yet(client: httpx2.Client) -> None:
    table = clocked(client, SLOW)
    seat = mover(table)
    for body in ({}, {"seat": seat}):
        refused = claim(table, 1 - seat, **body)
        problem(refused, 409, "not_overdue")
        assert "Nobody is overdue: 36" in refused.json()["detail"]
    problem(claim(table, 1 - seat, seat=1 - seat), 409, "not_overdue")
    unknown = table.client.post(f"{table.path}/claims", json={})
    problem(unknown, 401, "token_missing")
    by_host = table.client.post(f"{table.path}/claims", json={}, headers=bearer(table.host))
    problem(by_host, 403, "seat_token_needed")


# --- what the host chose --------------------------------------------------------------------------


def test_a_bot_moves_until_the_next_turn(client: httpx2.Client) -> None:
    table = clocked(client, {"seconds": 3})
    seat = mover(table)
    eventually(lambda: mover(table), lambda now: now != seat)
    assert ok(table.get("", seat))["table"]["seats"][seat]["bot"] == ""
    types = [event["type"] for event in ok(table.get("/events", seat, limit=1000))["events"]]
    assert "TurnTimedOut/1" in types
    assert "SeatHandedOver/1" not in types
    while mover(table) != seat:
        play_on(table, 1)
    # The seat is back when its turn is.
    assert "stand_in" not in ok(table.get("", seat))["table"]["seats"][seat]
    ok(table.send(seat, {"type": "draw"}))


AFTER_THE_GRACE = {
    "bot_move": (409, "bot_answers", "TurnTimedOut/1"),
    "bot_for_good": (403, "seat_handed_over", "SeatHandedOver/1"),
    "void": (409, "game_over", "GameVoided/1"),
}


def test_what_comes_after_the_grace_is_late_without_any_timer(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(Clocks, "wake", lambda *_: None)
    monkeypatch.setattr(Autoplay, "wake", lambda *_: None)
    with (
        serving(in_memory()) as served,
        httpx2.Client(base_url=f"{served.url}/v1", timeout=None) as client,
    ):
        begun = []
        for then in AFTER_THE_GRACE:
            clock = {"seconds": 1, "grace": 1, "then": then}
            table = clocked(client, clock, stand_in="random")
            seat, key = mover(table), {"Idempotency-Key": str(uuid4())}
            drawn = ok(table.send(seat, {"type": "draw"}, **key))["version"]
            begun.append((table, seat, key, drawn))
        (due,) = ok(table.get("", seat))["deadlines"]
        time.sleep(max(0.0, due["grace_until"] / 1000 - time.time()) + 0.01)
        for (table, seat, key, drawn), refusal in zip(begun, AFTER_THE_GRACE.values(), strict=True):
            status, code, event = refusal
            hand = table.get("", seat).json()["table"]["hand"].split()
            problem(table.send(seat, {"type": "discard", "cards": hand[0]}), status, code)
            log = ok(table.get("/events", seat, limit=1000))["events"]
            types = [record["type"] for record in log]
            assert event in types
            assert "CardDiscarded/1" not in types
            assert table.send(seat, {"type": "draw"}, **key).json()["version"] == drawn
            player = ok(table.get())["table"]["seats"][seat]
            assert (player["bot"] == "random") == (code == "seat_handed_over")
        assert log[-1]["data"]["owing"] == [seat]
        assert log[-1]["data"]["reason"] == f"seat {seat} did not answer in time"


# --- several processes, restarts ------------------------------------------------------------------


async def timeouts(store: MemoryStore, game: UUID) -> int:
    return sum(row.topic == "TurnTimedOut/1" for row in await store.read(game))


async def test_deadlines_outlive_the_process() -> None:
    """Nobody had a timer when the time was over; the next process makes up for it at once."""
    store = MemoryStore()
    game = await table_of(GameService(store), clock=Clock(1, then="void"))
    await asyncio.sleep(1.1)
    games = GameService(store)
    clocks = Clocks(games)
    assert (await games.look(game)).state.stage == "playing"
    await comes_about(lambda: games.look(game), lambda now: now.state.stage == "voided")
    await clocks.close()


async def test_all_processes_see_the_same_deadlines_and_time_out_once() -> None:
    store = MemoryStore()
    many = [GameService(store) for _ in range(4)]
    game = await table_of(many[0], clock=Clock(1))
    clocks = [Clocks(games) for games in many]
    deadlines = {dues(await games.look(game)) for games in many}
    assert len(deadlines) == 1
    await comes_about(lambda: timeouts(store, game))
    await asyncio.sleep(0.3)
    assert await timeouts(store, game) == 1
    for clock in clocks:
        await clock.close()


def as_logged(marks: LogTimes) -> LogTimes:
    """The marks without when this process saw their events, which is no fact of the log."""
    asked = {seat: question._replace(seen_at=0) for seat, question in marks.asked.items()}
    return marks._replace(sealed_seen_at=0, asked=asked)


async def test_the_marks_follow_from_the_log_alone() -> None:
    """What a process finds by reading is what the writer had."""
    store = MemoryStore()
    games = GameService(store)
    game = await table_of(games, clock=Clock(60), bringing=(0,))
    await games.send(game, Act(RevealSecret(SECRETS[0].hex()), 0), "reveal")
    now = games.cached(game)
    from_log, _ = apply_rows(None, await store.read(game))
    assert now is not None
    assert as_logged(from_log.marks) == as_logged(now.marks)
    assert from_log.marks.asked
    at = {row.topic: decode(row.topic, row.state)[0].at for row in await store.read(game)}
    assert from_log.marks.sealed_at == at["TableSealed/1"]


async def test_the_question_that_was_answered_is_not_timed_out() -> None:
    """A timer that is late, or of a process that is behind, does not hit the next question."""
    store = MemoryStore()
    games, other = GameService(store), GameService(store)
    game = await table_of(games, clock=Clock(2))
    stale = Clocks(other)
    seat = (await other.look(game)).state.waits[0].seat
    await asyncio.sleep(0.5)
    draw = msgspec.convert({"type": "draw"}, Play)
    await games.send(game, Act(draw, seat), "drawing")
    await comes_about(lambda: timeouts(store, game))
    at = {row.topic: decode(row.topic, row.state)[0].at for row in await store.read(game)}
    assert at["TurnTimedOut/1"] >= at["CardDrawn/1"] + 2_000
    assert await timeouts(store, game) == 1
    await stale.close()


async def test_a_claim_does_what_no_timer_did() -> None:
    store = MemoryStore()
    games = GameService(store)
    game = await table_of(games, clock=Clock(1))
    await asyncio.sleep(1.05)
    now = await games.look(game)
    seat = now.state.waits[0].seat
    answer = await claimed(games, now, game, None)
    assert answer.state.seat(seat).stand_in == "greedy"
    # Claimed twice at once, it happens once.
    repeated = await claimed(games, now, game, seat)
    assert (repeated.version, await timeouts(store, game)) == (answer.version, 1)
