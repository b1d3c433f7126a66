"""A game followed over HTTP: server-sent events, and events as lines."""

import asyncio
import json
from contextlib import ExitStack
from typing import Any

import pytest

from phaseledger.service.api.responses import events as event_responses
from phaseledger.service.games.writer import GameService
from phaseledger.service.streams.errors import TooManyStreams
from phaseledger.service.streams.hub import Streams
from phaseledger.service.streams.subscription import Stream
from tests.support.polling import eventually
from tests.support.service.api_tables import BOT, PERSON, Table, bearer, play_on, started
from tests.support.service.memory_ledger import in_memory
from tests.support.service.memory_store import MemoryStore
from tests.support.service.problems import problem
from tests.support.service.server import serving
from tests.support.service.stream_reader import (
    SSE,
    at_once,
    folded,
    listening,
    opened_http,
    seqs,
    until,
)

NDJSON = {"Accept": "application/x-ndjson"}
THREE = (PERSON, PERSON, PERSON)


def as_seen(table: Any, seat: int | None = None) -> Any:
    return table.get(seat=seat).json()


# --- state, then deltas ---------------------------------------------------------------------------


@pytest.mark.parametrize("ruleset", ["classic", "board"])
def test_the_state_and_its_deltas_are_what_a_read_says(client, ruleset):
    table = started(client, THREE, ruleset=ruleset)
    with ExitStack() as stack:
        views = dict.fromkeys((0, 1, None))
        streams = {seat: stack.enter_context(listening(table, seat)) for seat in views}
        for number in range(15):
            for seat, stream in streams.items():
                views[seat] = folded(views[seat], until(stream, table.version()))
                assert views[seat] == as_seen(table, seat), number
            play_on(table, 1)


def test_a_seat_is_told_what_it_is_asked(client):
    """A bot needs no other read: version, questions and commands come with the stream."""
    table = started(client)
    for _ in range(4):
        seat = as_seen(table)["table"]["waits"][0]["seat"]
        (asked,) = [event for event in at_once(table, seat) if event.name == "asked"]
        assert asked.data == table.get("/actions", seat).json()
        assert asked.id is None
        assert all(event.name != "asked" for event in at_once(table, 1 - seat))
        assert all(event.name != "asked" for event in at_once(table))
        with listening(table, seat) as stream:
            assert next(event for event in stream if event.name == "asked") == asked
            play_on(table, 1)
            now = as_seen(table)["table"]["waits"][0]["seat"]
            until(stream, table.version())
            if now == seat:
                assert next(stream).data == table.get("/actions", seat).json()


# --- coming back ----------------------------------------------------------------------------------


def test_whoever_comes_back_at_any_version_misses_nothing(client):
    table = started(client, THREE)
    play_on(table, 6)
    for seat in (0, None):
        view = as_seen(table, seat)
        events = table.get("/events", seat, limit=1000).json()["events"]
        for version in range(1, view["version"] + 1):
            missed = [
                event for event in at_once(table, seat, last=version) if event.name != "asked"
            ]
            assert seqs(missed) == list(range(version + 1, view["version"] + 1))
            assert [e for event in missed for e in event.data["events"]] == events[version:]
            assert [event.id for event in missed] == [view["version"]] * (version < view["version"])
        assert at_once(table, seat)[0].data == view


def test_a_stream_cut_after_every_event_loses_and_repeats_nothing(client):
    table = started(client)
    view, last, numbers = None, None, []
    for _ in range(10):
        with listening(table, 0, last) as stream:
            if view is None:
                first = next(stream)
                view, last = folded(None, [first]), first.id
                begin = first.id
            play_on(table, 1)
            # Only the first event is read, whatever follows it is cut off.
            event = next(event for event in stream if event.name == "events")
            numbers += seqs([event])
            view, last = folded(view, [event]), event.id
    rest = at_once(table, 0, last)
    numbers += seqs(rest)
    assert folded(view, rest) == as_seen(table, 0)
    assert numbers == list(range(begin + 1, table.version() + 1))


def test_where_a_stream_begins(client, monkeypatch):
    """`after` stands for Last-Event-ID, which goes before it; what is not there yet, or too far
    back, gets the state.
    """
    table = started(client)
    play_on(table, 6)
    version = table.version()
    assert seqs(at_once(table, after=version - 1)) == [version]
    assert seqs(at_once(table, last=version - 2, after=1)) == [version - 1, version]
    for ahead in (1, 10_000):
        (state,) = at_once(table, last=version + ahead)
        assert (state.name, state.id) == ("state", version)
    monkeypatch.setattr(event_responses, "FAR", 5)
    assert at_once(table, last=version - 5)[0].name == "events"
    assert at_once(table, last=version - 6)[0].name == "state"
    path = f"{table.path}/events"
    for last in ("x", "-1", "1.5", str(2**60)):
        refused = client.get(path, headers={"Accept": SSE, "Last-Event-ID": last})
        problem(refused, 400, "invalid_parameter")
    answer = client.get(f"{path}?once=true", headers={"Accept": SSE, "Last-Event-ID": ""})
    assert "event: state" in answer.text
    page = client.get(path, params={"after": 2}, headers={"Last-Event-ID": ""})
    assert page.json()["events"][0]["seq"] == 3


# --- the end --------------------------------------------------------------------------------------


def test_the_end_of_the_game_ends_its_streams(client):
    table = started(client)
    with listening(table, 0) as stream, listening(table) as public:
        until(stream, table.version())
        client.post(f"{table.path}/void", json={"reason": "done"}, headers=bearer(table.host))
        rest = [event for event in stream if event.name]
        assert [event.name for event in rest][-2:] == ["events", "end"]
        assert rest[-1].data == {"version": table.version(), "stage": "voided", "winners": []}
        assert rest[-1].id == table.version()
        assert [event.name for event in public][-1] == "end"
    for headers in ({}, bearer(table.tokens[0])):
        answer = client.get(
            f"{table.path}/events",
            headers={**headers, "Accept": SSE, "Last-Event-ID": str(table.version())},
        )
        assert (answer.status_code, answer.content) == (204, b"")
    assert [event.name for event in at_once(table)] == ["state", "end"]
    missed = at_once(table, last=table.version() - 1)
    assert [event.name for event in missed] == ["events", "end"]


def test_a_whole_game_of_bots_is_told(client):
    body = {"ruleset": "express", "seats": [BOT, BOT], "options": {"max_turns_per_round": 20}}
    opened = client.post("/games", json=body).json()
    table = Table(client, opened["game"], opened["host_token"], {})
    with listening(table) as stream:
        assert table.start().is_success
        events = [event for event in stream if event.name]
    assert events[-1].name == "end"
    assert events[-1].data["winners"]
    assert folded(None, events) == as_seen(table)
    first = next(event.id for event in events if event.name == "state")
    assert seqs(events)[-1] == table.version()
    assert len(seqs(events)) == len(set(seqs(events))) >= table.version() - first


# --- lines ----------------------------------------------------------------------------------------


def test_lines_go_on_with_the_game_until_it_is_over(client):
    table = started(client)
    before = table.version()
    with client.stream(
        "GET", f"{table.path}/events", headers=NDJSON, params={"follow": "true", "after": 2}
    ) as answer:
        lines = answer.iter_lines()
        numbers = [json.loads(next(lines))["seq"] for _ in range(before - 2)]
        play_on(table, 6)
        client.post(f"{table.path}/void", json={"reason": "done"}, headers=bearer(table.host))
        numbers += [json.loads(line)["seq"] for line in lines if line]
    assert numbers == list(range(3, table.version() + 1))
    answer = client.get(f"{table.path}/events", headers=NDJSON)
    events = [json.loads(line) for line in answer.text.splitlines()]
    assert events == table.get("/events", limit=1000).json()["events"]


def test_the_best_media_type_is_given_and_head_ends(client):
    path = f"{started(client).path}/events?once=true"
    for accept, given in {
        "*/*": "application/json",
        "application/json, text/event-stream": "application/json",
        "text/event-stream": SSE,
        "application/x-ndjson": "application/x-ndjson",
        "application/json;q=0.1, text/event-stream": SSE,
        "text/html": "application/json",
    }.items():
        answer = client.get(path, headers={"Accept": accept})
        assert answer.headers["content-type"].partition(";")[0] == given
        assert "Accept" in answer.headers["vary"]
    answer = client.head(path.partition("?")[0], headers={"Accept": SSE})
    assert (answer.status_code, answer.content) == (200, b"")


# --- a service of one's own -----------------------------------------------------------------------


def test_a_silent_stream_shows_that_it_is_alive():
    with serving(in_memory(), heartbeat_seconds=0.2) as served, opened_http(served.url) as client:
        table = started(client)
        with listening(table) as stream:
            until(stream, table.version())
            assert [next(stream).name for _ in range(3)] == ["", "", ""]
        with client.stream(
            "GET", f"{table.path}/events", headers=NDJSON, params={"follow": "true"}
        ) as answer:
            lines = answer.iter_lines()
            for _ in range(table.version()):
                json.loads(next(lines))
            assert [next(lines), next(lines)] == ["", ""]


def test_an_address_has_no_more_streams_than_its_share():
    """Nor reads that wait; others have theirs, and what has ended counts no more."""
    shares = {"max_streams_per_address": 2, "trusted_proxies": "127.0.0.1"}
    with serving(in_memory(), **shares) as served, opened_http(served.url) as client:
        table = started(client)
        wait = {"at_least": table.version() + 1}
        with listening(table) as stream, listening(table) as other:
            next(stream)
            next(other)
            refused = client.get(f"{table.path}/events", headers={"Accept": SSE})
            assert "one address may have 2" in problem(refused, 503, "too_many_streams").detail
            assert refused.headers["retry-after"]
            assert client.get(table.path, params=wait).json()["code"] == "too_many_streams"
            assert client.get(table.path).status_code == 200
            elsewhere = {"Accept": SSE, "X-Forwarded-For": "203.0.113.7"}
            answer = client.get(f"{table.path}/events?once=true", headers=elsewhere)
            assert answer.status_code == 200
        eventually(
            lambda: client.get(table.path, params=wait), lambda response: response.is_success
        )


def test_streams_and_reads_that_wait_count_from_their_admission_to_their_end():
    async def admitted(streams: Streams, origin: bytes = b"a") -> Stream:
        stream = Stream("sse", origin=origin)
        streams.admit(stream)
        return stream

    async def require_none_fits(streams: Streams) -> None:
        with pytest.raises(TooManyStreams):
            await admitted(streams)
        with pytest.raises(TooManyStreams):
            streams.waiting(b"a").__enter__()

    async def check() -> None:
        streams = Streams(GameService(MemoryStore()), 120, most=3, most_each=2)
        with streams.waiting(b"a"):
            stream = await admitted(streams)
            await require_none_fits(streams)
            with streams.hold(stream):
                await require_none_fits(streams)
            dropped = await admitted(streams)
            await require_none_fits(streams)
            del dropped  # its client went before it began
            stream = await admitted(streams)
        others = [await admitted(streams, b"b") for _ in range(2)]
        with pytest.raises(TooManyStreams):
            await admitted(streams)  # as many as the process may have
        others.pop().leave()
        others.append(await admitted(streams))
        await require_none_fits(streams)

    asyncio.run(check())
