"""What streams tell whom: a seat its own cards, a spectator what the table's terms allow."""

import asyncio
import re
import time
from uuid import UUID, uuid4

import httpx2
import pytest
from msgspec.json import decode, encode

from phaseledger.domain.commands import Act, OpenGame, TakeSeat
from phaseledger.domain.decide import step
from phaseledger.domain.terms import Terms
from phaseledger.service.app import create_app
from phaseledger.service.credentials.tokens import digest, public_id
from phaseledger.service.games.game import apply_rows
from phaseledger.service.games.spectators import visible_version
from phaseledger.service.games.view import game_view
from tests.support.service.api_tables import (
    PERSON,
    PLAIN,
    Layout,
    Table,
    answer,
    bearer,
    dealt,
    greedily,
    open_table,
    rows_of,
    started,
)
from tests.support.service.memory_ledger import in_memory
from tests.support.service.server import FREE
from tests.support.service.stream_reader import SSE, at_once, folded, listening, seqs, until

NDJSON = {"Accept": "application/x-ndjson"}
THREE = (PERSON, PERSON, PERSON)
HEARTBEAT = 15.0  # seconds


@pytest.mark.parametrize(("spectators", "delay"), [("delayed", 7), ("round", 0)])
def test_spectators_are_told_no_more_than_they_may_see(served, client, spectators, delay):
    table = watched(served, client, Terms(spectators=spectators, delay=delay))
    store = served.parts.store
    with listening(table) as stream:
        events = [next(stream)]
        view = folded(None, events)
        for number in range(30):
            mover = table.get(seat=0).json()["table"]["waits"][0]["seat"]
            assert answer(table, mover, greedily, number).status_code == 200
            rows = asyncio.run(store.read(UUID(table.game)))
            now, _ = apply_rows(None, rows)
            version = visible_version(now, member=False)
            assert version < now.version
            if version > view["version"]:
                events += until(stream, version)
                view = folded(view, events[-1:])
            assert events[-1].id == version
            before = apply_rows(None, rows[:version])[0]
            assert view == decode(encode(game_view(before, None, 120)))
            assert [event.id for event in at_once(table)] == [version]
            assert table.get("/events", after=version).json()["events"] == []
            lines = client.get(f"{table.path}/events", headers=NDJSON).text.splitlines()
            assert len(lines) == version
        assert len({event.id for event in events}) > (10 if delay else 0)
        host = {"Accept": SSE, **bearer(table.host)}
        text = client.get(f"{table.path}/events?once=true", headers=host).text
        assert f"id: {now.version}-{now.chain.head[:16]}\n" in text
        client.post(f"{table.path}/void", json={"reason": "x"}, headers=bearer(table.host))
        rest = [event for event in stream if event.name]
        assert [event.name for event in rest] == ["events", "end"]
        assert seqs(rest) == list(range(version + 1, table.version() + 1))


def test_a_table_that_nobody_may_watch_sends_its_spectators_away(served, client):
    table = watched(served, client, Terms(spectators="none"), start=False)
    with listening(table) as stream:
        assert next(stream).data["table"]["stage"] == "lobby"
        table.start()
        *_, last = stream
        assert (last.name, last.data["code"]) == ("closed", "not_for_spectators")
    refused = client.get(f"{table.path}/events", headers={"Accept": SSE})
    assert refused.status_code == 403
    assert at_once(table, 0)[0].name == "state"


def watched(served, client, terms: Terms, *, start: bool = True) -> Table:
    """A table of two under such terms."""
    game = str(uuid4())
    secret = "5e" * 32
    opened = OpenGame(game, "classic", 2, {}, dealer=0, secret=secret, table=terms)
    state, events = step(None, Act(opened))
    for seat in (0, 1):
        state, made = step(state, Act(TakeSeat(f"Seat {seat}", secret="ab" * 32), seat))
        events += made
    asyncio.run(served.parts.store.append(UUID(game), rows_of(list(events))))
    issue = served.parts.credentials.issue
    tokens = {seat: asyncio.run(issue(UUID(game), seat)) for seat in (0, 1)}
    table = Table(client, game, asyncio.run(issue(UUID(game), None)), tokens)
    if start:
        assert table.start().status_code == 200
    return table


def test_equal_bytes_whatever_the_others_hold():
    """State, what is asked, and all deltas: the hand of seat 1 changes seals and hashes only."""
    game = "11111111-1111-4111-8111-111111111111"
    other = PLAIN._replace(hands=("R1 B1 G5 Y9", "R9 B9 G9", "Y7 R2 B2"), stock="R6 B6 G6 Y6 R10")
    assert other != PLAIN
    for viewer in (0, None):
        first, second = (asyncio.run(_all_told(layout, game, viewer)) for layout in (PLAIN, other))
        assert first != second
        assert len(first) == len(second)
        assert HASHES.sub("", first) == HASHES.sub("", second)


HASHES = re.compile(r"[0-9a-f]{64}|(?<=-)[0-9a-f]{16}(?=\n)")


async def _all_told(layout: Layout, game: str, viewer: int | None) -> str:
    """What a viewer is told who comes at every version."""
    parts, rows = in_memory(), rows_of(dealt(layout, game))
    await parts.store.append(UUID(game), rows)
    token = await parts.credentials.issue(UUID(game), viewer)
    transport = httpx2.ASGITransport(app=create_app(parts, FREE))
    text = ""
    async with httpx2.AsyncClient(transport=transport, base_url="http://t/v1") as client:
        for version in range(len(rows) + 1):
            headers = {"Accept": SSE, "Last-Event-ID": str(version), **bearer(token)}
            text += (await client.get(f"/games/{game}/events?once=true", headers=headers)).text
    return text


def test_a_token_of_another_game_finds_none(client):
    table, other = started(client), started(client)
    headers = {"Accept": SSE, **bearer(other.tokens[0])}
    assert client.get(f"{table.path}/events", headers=headers).status_code == 404


def test_a_revoked_token_loses_its_stream(served, client):
    table = started(client)
    with listening(table, 0) as stream, listening(table, 1) as other:
        until(stream, table.version())
        until(other, table.version())
        name = public_id(digest(table.tokens[0]))
        asyncio.run(served.parts.credentials.revoke_token(name))
        began = time.monotonic()
        *_, last = stream
        assert (last.name, last.data["code"]) == ("closed", "token_revoked")
        assert time.monotonic() - began < HEARTBEAT
        client.post(f"{table.path}/void", json={"reason": "x"}, headers=bearer(table.host))
        assert [event.name for event in other][-1] == "end"
    headers = {"Accept": SSE, **bearer(table.tokens[0])}
    assert client.get(f"{table.path}/events", headers=headers).status_code == 401


@pytest.mark.parametrize("way", ["leave", "kick"])
def test_whoever_loses_the_seat_loses_its_stream(client, way):
    """What the seat's next holder gets is not told to the one before."""
    table = started(client, THREE) if way == "leave" else open_table(client, THREE)
    with listening(table, 1) as stream, listening(table, 0) as other:
        last = until(stream, table.version())[-1].id
        if way == "leave":
            gone = client.post(f"{table.path}/leave", headers=bearer(table.tokens[1]))
        else:
            gone = client.delete(f"{table.path}/seats/1", headers=bearer(table.host))
        assert gone.status_code < 300, gone.text
        rest = [e for e in stream if e.name not in ("", "asked") and e.id != last]
        assert [(event.name, event.data["code"]) for event in rest] in (
            [("closed", "seat_lost")],
            [("closed", "token_revoked")],
        )
        until(other, table.version())
