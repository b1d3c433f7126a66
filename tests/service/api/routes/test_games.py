"""Whole games through the API, by clients that know no more than their seat."""

import asyncio
import time
from concurrent.futures import ThreadPoolExecutor
from uuid import UUID

import httpx2
import msgspec
import pytest

from phaseledger.domain.evidence import codec
from phaseledger.domain.evolve import fold
from phaseledger.service.eventlog.rows import Row
from tests.support.service.api_tables import (
    BOT,
    KEY,
    PERSON,
    SHORT,
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
    assert {"Seat 0", "Greedy 3"} <= names
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


def test_bots_alone_play_to_the_end(client):
    table = open_table(
        client, (BOT, {"kind": "bot", "level": "random", "name": "Rnd"}), start=True, options=SHORT
    )
    while (view := table.get().json())["table"]["stage"] != "ended":
        table.get(at_least=view["version"] + 1)
    assert [seat["name"] for seat in view["table"]["seats"]] == ["Greedy 1", "Rnd"]


def test_a_long_poll_answers_as_soon_as_the_game_moves(client):
    table = started(client)
    seat = mover(table)
    version = table.version()
    with ThreadPoolExecutor(1) as other:
        waiting = other.submit(
            lambda: httpx2.get(
                str(client.base_url) + f"{table.path}?at_least={version + 1}", timeout=None
            )
        )
        time.sleep(0.05)
        assert table.send(seat, {"type": "draw"}).status_code == 200
        assert waiting.result().json()["version"] > version


def test_a_long_poll_ends_with_what_there_is(client):
    table = started(client)
    version = table.version()
    assert table.get(at_least=version + 1).json()["version"] == version


def test_a_secret_of_ones_own_is_committed_and_revealed(client):
    from phaseledger.domain.deal import seat_commit

    table = open_table(client, (PERSON, BOT))
    del table.tokens[0]
    other = client.post("/games", json={"ruleset": "classic", "seats": [PERSON, BOT]}).json()
    secret = "ab" * 32
    commit = seat_commit(other["game"], 0, bytes.fromhex(secret))
    path = f"/games/{other['game']}"
    joined = client.post(f"{path}/seats", json={"name": "Ann", "seat": 0, "commit": commit}).json()
    started_ = client.post(f"{path}/start", headers=bearer(other["host_token"])).json()
    assert started_["table"]["stage"] == "sealed"
    me = bearer(joined["token"])
    wrong = client.post(
        f"{path}/commands", json={"type": "reveal_secret", "secret": "00" * 32}, headers=me
    )
    assert (wrong.status_code, wrong.json()["code"]) == (422, "secret_mismatch")
    right = client.post(
        f"{path}/commands", json={"type": "reveal_secret", "secret": secret}, headers=me
    )
    assert right.json()["table"]["stage"] == "playing"


def test_an_etag_held_already_is_not_sent_again(client):
    table = started(client)
    first = table.get(seat=0)
    assert first.headers["etag"] == f'"{first.json()["version"]}.0"'
    unchanged = client.get(
        table.path, headers={**bearer(table.tokens[0]), "If-None-Match": first.headers["etag"]}
    )
    assert (unchanged.status_code, unchanged.content) == (304, b"")
    other = client.get(
        table.path, headers={**bearer(table.tokens[1]), "If-None-Match": first.headers["etag"]}
    )
    assert other.status_code == 200


def test_events_come_in_pages(client):
    table = started(client)
    version, after, numbers = table.version(), 0, []
    while after is not None:
        page = table.get("/events", after=after, limit=3).json()
        numbers += [event["seq"] for event in page["events"]]
        after = page["next"]
    assert numbers == list(range(1, version + 1))


@pytest.mark.parametrize("stage", ["lobby", "playing"])
def test_a_game_can_be_voided_and_shows_everything_then(client, stage):
    table = open_table(client) if stage == "lobby" else started(client)
    done = client.post(
        f"{table.path}/void", json={"reason": "rain"}, headers=bearer(table.host)
    ).json()
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


def test_rule_sets_say_which_house_rules_they_have(client):
    (line,) = [
        line for line in client.get("/rulesets").json()["rulesets"] if line["name"] == "classic"
    ]
    whole = client.get(f"/rulesets/{line['id']}").json()
    assert whole == client.get("/rulesets/classic").json()
    assert {"name": "variant", "default": "none"}.items() <= whole["options"][-1].items()
