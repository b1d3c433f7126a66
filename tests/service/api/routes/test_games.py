"""Whole games through the API, by clients that know no more than their seat."""

import asyncio
import time
from concurrent.futures import ThreadPoolExecutor
from uuid import UUID

import msgspec

from phaseledger.domain.evidence import codec
from phaseledger.domain.evolve import fold
from phaseledger.service.eventlog.rows import Row
from tests.support.service.api_tables import (
    BOT,
    KEY,
    PERSON,
    bearer,
    mover,
    open_table,
    play_on,
    started,
)


def _rows(served, game: str) -> list[Row]:
    return asyncio.run(served.parts.store.read(UUID(game)))


def test_a_whole_game_by_three_clients_and_a_bot(served, client):
    table = started(client, (PERSON, PERSON, BOT, PERSON), options={"variant": "n_phases(3)"})
    last = None
    for _ in range(5000):  # the bot moves between; wait for it as a client would
        view = play_until_bot(table)
        if view["stage"] == "ended":
            last = view
            break
    assert last is not None
    assert last["winners"]

    rows = _rows(served, table.game)
    events = [codec.decode_event(row.topic, row.state) for row in rows]
    state = fold(events)
    assert state is not None
    assert state.stage == "ended"

    shown = client.get(f"{table.path}/events", headers={"Accept": "application/x-ndjson"})
    assert shown.headers["content-type"].startswith("application/x-ndjson")
    lines = shown.content.splitlines()
    assert len(lines) == len(rows)
    opened = [msgspec.json.decode(line) for line in lines]
    assert all("hidden" in event for event in opened if "sealed" in event)
    assert opened[-1]["data"]["secret"]

    board = table.get("/scoreboard", at_least=len(rows)).json()
    assert board["rounds"][-1]["seats"][last["winners"][0]]["phase"] == 3
    assert table.get("/table").json()["table"] == last | {"you": None, "hand": None}
    names = {row["name"] for row in client.get("/leaderboard").json()["standings"]}
    assert {"Seat 0", "Greedy"} <= names
    listed = client.get("/games", params={"stage": "ended"}).json()["games"]
    assert table.game in {entry["game"] for entry in listed}


def play_until_bot(table):
    """Play on until a bot has the turn, then wait for it."""
    view = table.get().json()
    while view["table"]["stage"] != "ended":
        seat = view["table"]["waits"][0]["seat"]
        if seat not in table.tokens:
            view = table.get(at_least=view["version"] + 1).json()
            continue
        return play_on(table, 1)
    return view["table"]


def test_a_long_poll_answers_as_soon_as_the_game_moves(client):
    table = started(client)
    seat, version = mover(table), table.version()
    with ThreadPoolExecutor(1) as other:
        waiting = other.submit(table.get, at_least=version + 1)
        time.sleep(0.05)
        assert table.send(seat, {"type": "draw"}).status_code == 200
        assert waiting.result().json()["version"] > version


def test_an_etag_held_already_is_not_sent_again(client):
    """To the seat whose view it is of."""
    table = started(client)
    first = table.get(seat=0)
    assert first.headers["etag"] == f'"{first.json()["version"]}.0"'
    held = {"If-None-Match": first.headers["etag"]}
    unchanged, other = (
        client.get(table.path, headers=bearer(table.tokens[seat]) | held) for seat in (0, 1)
    )
    assert (unchanged.status_code, unchanged.content, other.status_code) == (304, b"", 200)


def test_events_come_in_pages(client):
    table = started(client)
    version, after, numbers = table.version(), 0, []
    while after is not None:
        page = table.get("/events", after=after, limit=3).json()
        numbers += [event["seq"] for event in page["events"]]
        after = page["next"]
    assert numbers == list(range(1, version + 1))


def test_a_game_can_be_voided_and_shows_everything_then(client):
    for table in (open_table(client), started(client)):
        void = {"json": {"reason": "rain"}, "headers": bearer(table.host)}
        done = client.post(f"{table.path}/void", **void).json()
        assert done["table"]["stage"] == "voided"
        assert done["events"][0]["data"]["secret"]
        events = table.get("/events").json()["events"]
        assert all("hidden" in event for event in events if "sealed" in event)


def test_a_start_with_the_opening_is_all_or_nothing(served, client):
    before = asyncio.run(served.parts.store.position())
    body = {"ruleset": "classic", "seats": [PERSON, BOT], "start": True}
    refused = client.post("/games", json=body, headers={"Idempotency-Key": KEY + "02"})
    assert (refused.status_code, refused.json()["code"]) == (409, "seats_open")
    assert asyncio.run(served.parts.store.position()) == before
