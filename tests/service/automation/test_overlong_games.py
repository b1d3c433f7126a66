"""Games that have had as many events as one may have: the service breaks them off."""

import asyncio
from typing import Any
from uuid import UUID

import httpx2
import pytest

from phaseledger.domain.rulesets import GAMES, preset
from phaseledger.replay.laboratory.simulate.game import SimulationPlan, play
from phaseledger.service.settings import Settings
from tests.support.polling import eventually
from tests.support.service.api_tables import BOT, Table, mover, ok, play_on, started
from tests.support.service.memory_ledger import in_memory
from tests.support.service.problems import problem
from tests.support.service.server import Served, serving

ENDLESS = {
    "ruleset": "board",
    "seats": [{**BOT, "level": "random"}] * 3,
    "options": {"board_track": ["SEARCH*", *["SEARCH"] * 31]},
    "start": True,
}
BOUND = 300
REASON = "service: the game has had 300 events, and no more are played"


def client_of(served: Served) -> httpx2.Client:
    return httpx2.Client(base_url=f"{served.url}/v1", timeout=None)


def voided(client: httpx2.Client, game: str) -> list[dict[str, Any]]:
    """All events of a game that comes to be void."""
    view = eventually(
        lambda: client.get(f"/games/{game}").json(),
        lambda view: view["table"]["stage"] != "playing",
    )
    assert view["table"]["stage"] == "voided"
    events: list[dict[str, Any]] = []
    while len(events) < view["version"]:
        page = {"after": len(events), "limit": 1000}
        events += client.get(f"/games/{game}/events", params=page).json()["events"]
    return events


def test_a_game_of_bots_that_never_ends_is_broken_off() -> None:
    with serving(in_memory(), game_events=BOUND) as served, client_of(served) as client:
        game = client.post("/games", json=ENDLESS).json()["game"]
        events = voided(client, game)
        assert (events[-1]["type"], events[-1]["data"]["reason"]) == ("GameVoided/1", REASON)
        assert 300 < len(events) < 400
        assert [event["type"] for event in events].count("GameVoided/1") == 1
        assert client.get(f"/games/{game}/bundle").status_code == 200


def test_a_game_of_people_is_broken_off_too() -> None:
    with serving(in_memory(), game_events=30) as served, client_of(served) as client:
        table = started(client)
        while table.version() < 30:
            _move(table)
        events = voided(client, table.game)
        assert events[-1]["data"]["reason"].startswith("service: the game has had 30 events")
        assert len(events) < 40
        problem(table.send(0, {"type": "draw"}), 409, "game_over")


def test_a_longer_game_from_before_is_broken_off_at_the_start_and_read_as_ever() -> None:
    parts = in_memory()
    with serving(parts) as served, client_of(served) as client:
        table = started(client, ruleset="express")
        play_on(table, moves=20)
        finished = started(client, [BOT, BOT]).game
        eventually(
            lambda: client.get(f"/games/{finished}").json()["table"]["stage"],
            lambda stage: stage == "ended",
        )
    with (
        serving(parts, lobby_events=5, game_events=10) as served,
        client_of(served) as client,
    ):
        eventually(lambda: asyncio.run(parts.store.unfinished()), lambda games: games == [])
        assert len(asyncio.run(parts.store.read(UUID(table.game)))) > 10
        assert voided(client, table.game)[-1]["type"] == "GameVoided/1"
        assert client.get(f"/games/{finished}").json()["table"]["stage"] == "ended"


@pytest.mark.parametrize("name", GAMES)
def test_no_game_that_is_played_to_win_comes_near_the_bound(name: str) -> None:
    plan = SimulationPlan("bound", name, preset(name).seats_max)
    assert len(play(plan, 1).lines) * 5 < Settings().game_events


def _move(table: Table) -> None:
    """One command of the seat to move: it gives a card up, or draws one where it may not yet."""
    seat = mover(table)
    commands = table.get("/actions", seat).json()["commands"]
    discards = [command for command in commands if command["type"] == "discard"]
    ok(table.send(seat, discards[0] if discards else {"type": "draw"}))
