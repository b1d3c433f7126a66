"""Law 7 over HTTP: nothing that a seat receives depends on cards it may not see."""

import asyncio
import logging
from uuid import UUID

import httpx2
import msgspec
import pytest
import structlog

from service.app import Parts, create_app, in_memory
from service.store import MemoryStore, Row
from tests.service.tables import PERSON, play_on, started


def _swapped(rows: list[Row]) -> list[Row]:
    """The same game, with all hidden cards of seat 1 exchanged for others out of the stock."""
    changed = []
    for row in rows:
        tree = msgspec.json.decode(row.state)
        hidden = tree.get("hidden", {})
        if row.topic == "RoundDealt/1":
            hand, stock = hidden["1"]["hand"].split(), hidden["stock"]["stock"].split()
            hand[:], stock[-len(hand) :] = stock[-len(hand) :], hand
            hidden["1"]["hand"], hidden["stock"]["stock"] = " ".join(hand), " ".join(stock)
        changed.append(row._replace(state=msgspec.json.encode(tree, order="sorted")))
    return changed


@pytest.fixture
def dealt(served, client):
    """A table of two whose first move, by the seat that is not 1, is due."""
    for _ in range(20):
        table = started(client)
        view = table.get().json()["table"]
        if view["waits"][0]["seat"] == 0:
            return table
        if view["discard"] != "S":
            play_until_seat_0(table)
            return table
    pytest.fail("twenty tables began with a skip")


def play_until_seat_0(table) -> None:
    while table.get().json()["table"]["waits"][0]["seat"] != 0:
        play_on(table, 1)


def _answers(rows: list[Row], game: str) -> list[tuple[str, int, bytes, list[tuple[str, str]]]]:
    """What seat 0, and then a spectator, get for every read and for some refused commands."""

    async def ask() -> list[tuple[str, int, bytes, list[tuple[str, str]]]]:
        parts: Parts = in_memory()
        assert isinstance(parts.store, MemoryStore)
        await parts.store.append(UUID(game), rows)
        token = await parts.credentials.issue(UUID(game), 0)
        me = {"Authorization": f"Bearer {token}"}
        transport = httpx2.ASGITransport(app=create_app(parts, patience=0.0))
        got = []
        async with httpx2.AsyncClient(transport=transport, base_url="http://t/v1") as client:
            for headers in (me, {}):
                for path in ("", "/actions", "/table", "/scoreboard"):
                    answer = await client.get(f"/games/{game}{path}", headers=headers)
                    got.append((path, answer.status_code, answer.content, _seen(answer)))
            for command in (
                {"type": "discard", "cards": "R1"},
                {"type": "pass"},
                {"type": "hit", "group": 0, "cards": "W"},
                {"type": "lay", "groups": [{"cards": "R1 R1 R1"}, {"cards": "B2 B2 B2"}]},
            ):
                answer = await client.post(f"/games/{game}/commands", json=command, headers=me)
                assert answer.status_code >= 400
                got.append((command["type"], answer.status_code, answer.content, _seen(answer)))
        return got

    return asyncio.run(ask())


def _seen(answer: httpx2.Response) -> list[tuple[str, str]]:
    return sorted(answer.headers.items())


def test_equal_bytes_whatever_the_others_hold(served, dealt):
    rows = asyncio.run(served.parts.store.read(UUID(dealt.game)))
    # Only what was dealt is exchanged, so look before seat 1 has shown any of it.
    first = [row for row in rows if row.version <= _first_deal(rows) + 1]
    assert _answers(first, dealt.game) == _answers(_swapped(first), dealt.game)


def _first_deal(rows: list[Row]) -> int:
    return next(row.version for row in rows if row.topic == "RoundDealt/1")


def test_events_differ_in_their_seals_only(served, dealt):
    rows = asyncio.run(served.parts.store.read(UUID(dealt.game)))
    first = rows[: _first_deal(rows) + 1]

    def shown(rows: list[Row]) -> bytes:
        parts = in_memory()

        async def ask() -> bytes:
            await parts.store.append(UUID(dealt.game), rows)
            token = await parts.credentials.issue(UUID(dealt.game), 0)
            transport = httpx2.ASGITransport(app=create_app(parts))
            async with httpx2.AsyncClient(transport=transport, base_url="http://t/v1") as client:
                headers = {"Authorization": f"Bearer {token}"}
                return (await client.get(f"/games/{dealt.game}/events", headers=headers)).content

        return asyncio.run(ask())

    one, other = shown(first), shown(_swapped(first))
    assert one != other
    assert len(one) == len(other)
    plain, changed = (msgspec.json.decode(body)["events"] for body in (one, other))
    for event in (*plain, *changed):
        event.get("sealed", {}).clear()
    assert plain == changed


def test_no_answer_ever_holds_anothers_hand(served, client):
    """Seat 0 reads everything after each move; whatever is hidden from it stays so."""
    table = started(client, (PERSON, PERSON, PERSON))
    for _ in range(40):
        play_on(table, 1)
        bodies = [table.get(path, seat=0).content for path in ("", "/events", "/scoreboard")]
        events = msgspec.json.decode(bodies[1])["events"]
        assert all(set(event.get("hidden", {})) <= {"0"} for event in events)
        assert all("secret" not in event["data"] for event in events)
        assert msgspec.json.decode(bodies[0])["table"]["you"] == 0
        spectator = table.get("/events").json()["events"]
        assert not any("hidden" in event or "salts" in event for event in spectator)


def test_a_command_answers_with_the_callers_own_card_only(client):
    table = started(client)
    seat = table.get().json()["table"]["waits"][0]["seat"]
    done = table.send(seat, {"type": "draw"}).json()
    drawn = next(event for event in done["events"] if event["type"] == "CardDrawn/1")
    assert drawn["hidden"][str(seat)]["card"] == done["table"]["hand"].split()[-1]
    shown = table.get("/events", 1 - seat, limit=1000).json()["events"]
    theirs = next(event for event in shown if event["seq"] == drawn["seq"])
    assert "hidden" not in theirs
    assert theirs["sealed"] == drawn["sealed"]


@pytest.fixture
def all_logs():
    before = structlog.get_config()["wrapper_class"]
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.DEBUG))
    yield
    structlog.configure(wrapper_class=before)


@pytest.mark.usefixtures("all_logs")
def test_logs_hold_no_card_no_token_and_no_body():
    with structlog.testing.capture_logs() as logs:
        parts = in_memory()

        async def ask() -> str:
            transport = httpx2.ASGITransport(app=create_app(parts))
            async with httpx2.AsyncClient(transport=transport, base_url="http://t/v1") as client:
                body = {"ruleset": "classic", "seats": [{"kind": "person"}] * 2}
                opened = (await client.post("/games?x=secret-query", json=body)).json()
                headers = {"Authorization": f"Bearer {opened['host_token']}"}
                await client.get(f"/games/{opened['game']}", headers=headers)
                return opened["host_token"]

        token = asyncio.run(ask())
    assert len(logs) == 2
    assert token not in str(logs)
    assert "secret-query" not in str(logs)
    assert set(logs[0]) == {"event", "log_level", "method", "path", "status", "ms"}
