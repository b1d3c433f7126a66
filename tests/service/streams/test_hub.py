"""What streams are made of: patches, the bound on what waits, and readers that take nothing."""

import asyncio
import subprocess
import sys
from typing import Any
from uuid import UUID

import httpx2
import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from phaseledger.domain.commands import Act, TakeSeat
from phaseledger.replay.formats.json_patch import patch
from phaseledger.service.app import create_app, in_memory
from phaseledger.service.eventlog.memory import MemoryStore
from phaseledger.service.games.writer import GameService
from phaseledger.service.lobby.opening import SeatRequest, new_game, new_key, opening
from phaseledger.service.streams import hub as periods
from phaseledger.service.streams import subscription as bounds
from phaseledger.service.streams.feed import Standpoint
from phaseledger.service.streams.hub import STUCK, Streams
from phaseledger.service.streams.subscription import Stream
from tests.support.polling import comes_about
from tests.support.service.api_tables import PERSON
from tests.support.service.server import FREE
from tests.support.service.stream_reader import StreamEvent, folded, parsed, seqs

# --- JSON Patch -----------------------------------------------------------------------------------

LEAVES = st.none() | st.booleans() | st.integers(-2, 2) | st.sampled_from(["", "a", "a/b~c"])
TREES = st.recursive(
    LEAVES,
    lambda below: (
        st.lists(below, max_size=3)
        | st.dictionaries(st.sampled_from(["a", "b", "a/b", "~1", ""]), below, max_size=4)
    ),
    max_leaves=12,
)


@given(TREES, TREES)
def test_a_patch_makes_one_tree_of_the_other(before: Any, after: Any) -> None:
    operations = msgspec.to_builtins(patch({"it": before}, {"it": after}))
    state = StreamEvent(1, "state", msgspec.json.decode(msgspec.json.encode({"it": before})))
    delta = StreamEvent(
        2, "events", {"patch": msgspec.json.decode(msgspec.json.encode(operations))}
    )
    assert _as_text(folded(None, [state, delta])) == _as_text({"it": after})


def _as_text(tree: Any) -> bytes:
    return msgspec.json.encode(tree, order="sorted")


@pytest.mark.parametrize(
    ("before", "after", "operations"),
    [
        ({"a": 1}, {"a": 1}, []),
        ({"a": 1}, {"a": None}, [{"op": "replace", "path": "/a", "value": None}]),
        ({"a": 1}, {"a": True}, [{"op": "replace", "path": "/a", "value": True}]),
        ({"a": 1}, {}, [{"op": "remove", "path": "/a"}]),
        ({"a": [1, 2, 3]}, {"a": [1]}, [{"op": "remove", "path": f"/a/{n}"} for n in (2, 1)]),
        ({"a": []}, {"a": [7]}, [{"op": "add", "path": "/a/0", "value": 7}]),
        ({"a": ({"b": 1},)}, {"a": ({"b": 2},)}, [{"op": "replace", "path": "/a/0/b", "value": 2}]),
        ({"/": {"~": 1}}, {"/": {"~": 2}}, [{"op": "replace", "path": "/~1/~0", "value": 2}]),
    ],
)
def test_a_patch_says_no_more_than_what_changed(before, after, operations):
    assert msgspec.to_builtins(patch(before, after)) == operations


# --- what waits -----------------------------------------------------------------------------------


def _taken(stream: Stream) -> list[bytes]:
    async def all_of() -> list[bytes]:
        return [frame async for frame in stream.taken()]

    return asyncio.run(all_of())


async def _filled(frames: int, size: int) -> Stream:
    stream = Stream("sse")
    for _ in range(frames):
        stream.offer(b"x" * size)
    return stream


@pytest.mark.parametrize(
    ("frames", "size"), [(bounds.MOST + 1, 1), (2, bounds.LARGEST // 2 + 1), (5, bounds.LARGEST)]
)
def test_whoever_lets_too_much_wait_is_told_to_come_back(frames, size):
    stream = asyncio.run(_filled(frames, size))
    stream.offer(b"too late")
    (last,) = _taken(stream)
    assert b'"code":"fell_behind"' in last
    assert len(last) < 1_000


@pytest.mark.parametrize(("frames", "size"), [(bounds.MOST, 1), (2, bounds.LARGEST // 2)])
def test_what_is_within_the_bounds_waits(frames, size):
    stream = asyncio.run(_filled(frames, size))
    stream.finish()
    assert _taken(stream) == [b"x" * frames * size]


def test_one_frame_may_be_of_any_size():
    """Or a client that reads well would be sent away for ever."""
    stream = asyncio.run(_filled(1, 3 * bounds.LARGEST))
    stream.finish()
    assert len(_taken(stream)[0]) == 3 * bounds.LARGEST


# --- readers that take nothing --------------------------------------------------------------------


class Reader:
    """A client at the application's own interface, whose connection takes nothing when shut."""

    def __init__(self, path: str) -> None:
        self.open = asyncio.Event()
        self.open.set()
        self.body = b""
        self.ended = False
        self.waits = False
        """Whether the answer has begun."""
        self.slow = False
        """Whether each part waits until ``open`` is set again."""
        self.scope = {
            "type": "http",
            "method": "GET",
            "http_version": "1.1",
            "scheme": "http",
            "path": path,
            "raw_path": path.encode(),
            "query_string": b"",
            "root_path": "",
            "client": ("127.0.0.1", 1),
            "server": ("t", 80),
            "state": {},
            "extensions": {},
            "headers": [(b"host", b"t"), (b"accept", b"text/event-stream")],
        }
        self._asked = False

    async def receive(self) -> Any:
        if self._asked:
            await asyncio.Event().wait()
        self._asked = True
        return {"type": "http.request", "body": b"", "more_body": False}

    async def send(self, message: Any) -> None:
        self.waits = True
        if self.slow:
            self.open.clear()
        await self.open.wait()
        self.body += message.get("body", b"")
        self.ended = message["type"] == "http.response.body" and not message["more_body"]

    def events(self) -> list[StreamEvent]:
        return list(parsed(iter(self.body.decode().split("\n"))))


def test_a_reader_that_takes_nothing_delays_nobody_and_is_sent_away(monkeypatch):
    monkeypatch.setattr(bounds, "LARGEST", 2_000)

    async def scene() -> tuple[Reader, Reader, list[float]]:
        app: Any = create_app(in_memory(), FREE)
        transport = httpx2.ASGITransport(app=app)
        async with httpx2.AsyncClient(transport=transport, base_url="http://t/v1") as client:
            game = await _opened(client)
            slow, quick = (Reader(f"/v1/games/{game}/events") for _ in range(2))
            tasks = [
                asyncio.create_task(app(reader.scope, reader.receive, reader.send))
                for reader in (slow, quick)
            ]
            await _until(lambda: slow.body.count(b"event: ") and quick.body.count(b"event: "))
            slow.open.clear()
            times = []
            for number in range(6):
                began = asyncio.get_running_loop().time()
                await _joined(client, game, number)
                await _until(lambda n=number: quick.body.count(b"event: events") > n)
                times.append(asyncio.get_running_loop().time() - began)
            slow.open.set()
            await _until(lambda: slow.ended)
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            return slow, quick, times

    slow, quick, times = asyncio.run(scene())
    assert slow.events()[-1].data["code"] == "fell_behind"
    got = [event.id for event in slow.events() if event.id]
    assert got == sorted(set(got))
    assert len(got) < 6
    assert [event.name for event in quick.events()] == ["state", *["events"] * 6]
    assert max(times) < STUCK / 2


def test_what_is_committed_while_the_state_is_sent_is_told_after_it():
    async def scene() -> list[StreamEvent]:
        app: Any = create_app(in_memory(), FREE)
        transport = httpx2.ASGITransport(app=app)
        async with httpx2.AsyncClient(transport=transport, base_url="http://t/v1") as client:
            game = await _opened(client)
            late = Reader(f"/v1/games/{game}/events")
            late.slow = True
            task = asyncio.create_task(app(late.scope, late.receive, late.send))
            for number in range(6):  # each chunk waits until one more has sat down
                await _joined(client, game, number)
                late.open.set()
                await asyncio.sleep(0.02)
            late.slow = False
            late.open.set()
            await _until(lambda: b"id: 7-" in late.body)
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)
            return late.events()

    events = asyncio.run(scene())
    assert events[0].name == "state"
    assert seqs(events) == list(range((events[0].id or 0) + 1, 8))


def test_what_is_committed_between_the_request_and_its_feed_is_told():
    """The head of the answer is held up here: by then the game was read, and no feed had begun."""

    async def scene() -> list[StreamEvent]:
        app: Any = create_app(in_memory(), FREE)
        transport = httpx2.ASGITransport(app=app)
        async with httpx2.AsyncClient(transport=transport, base_url="http://t/v1") as client:
            game = await _opened(client)
            late = Reader(f"/v1/games/{game}/events")
            late.open.clear()
            task = asyncio.create_task(app(late.scope, late.receive, late.send))
            await _until(lambda: late.waits)
            await _joined(client, game, 0)
            late.open.set()
            await _until(lambda: b"id: 2-" in late.body)
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)
            return late.events()

    assert seqs(asyncio.run(scene())) == [2]


def test_commits_of_two_processes_before_a_feed_looks_are_all_told():
    """Nothing here waits for anything, so the feed hears of all three commits at once."""

    async def scene() -> list[int]:
        store = MemoryStore()
        here, there = GameService(store), GameService(store)
        game = new_game("")
        acts = opening(game, "classic", [SeatRequest()] * 4, options={}, dealer=0, start=False)
        await here.open(acts, game, new_key())
        streams, stream = Streams(here, 120), Stream("ndjson")
        with streams.feed(game, await here.look(game), None) as feed:
            feed.attach(stream, Standpoint(None))
            for number, games in enumerate((here, there, here)):
                command = TakeSeat(f"Seat {number}", secret="ab" * 32)
                await games.send(game, Act(command, number), new_key())
            assert feed.now.version == 1
            await feed.reached(4)
            stream.finish()
            body = b"".join([lines async for lines in stream.taken()])
        return [msgspec.json.decode(line)["seq"] for line in body.splitlines()]

    assert asyncio.run(scene()) == [2, 3, 4]


def test_a_connection_that_stays_stuck_is_broken_off(monkeypatch):
    monkeypatch.setattr(periods, "STUCK", 0.3)
    monkeypatch.setattr(periods, "TICK", 0.05)

    async def scene() -> bool:
        app: Any = create_app(in_memory(), replace(FREE, heartbeat_seconds=0.1))
        events: asyncio.Queue[Any] = asyncio.Queue()
        running = asyncio.create_task(_lifespan(app, events))
        await events.put({"type": "lifespan.startup"})
        transport = httpx2.ASGITransport(app=app)
        async with httpx2.AsyncClient(transport=transport, base_url="http://t/v1") as client:
            game = await _opened(client)
            stuck = Reader(f"/v1/games/{game}/events")
            task = asyncio.create_task(app(stuck.scope, stuck.receive, stuck.send))
            await _until(lambda: stuck.body.count(b"event: "))
            stuck.open.clear()
            await _until(task.done)
            done = task.done()
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)
        await events.put({"type": "lifespan.shutdown"})
        await running
        return done and not stuck.ended

    assert asyncio.run(scene())


async def _lifespan(app: Any, events: asyncio.Queue[Any]) -> None:
    async def send(_: Any) -> None: ...

    scope = {"type": "lifespan", "asgi": {"version": "3.0"}, "state": {}}
    await app(scope, events.get, send)


async def _opened(client: httpx2.AsyncClient) -> UUID:
    body = {"ruleset": "classic", "seats": [PERSON] * 6}
    opened = await client.post("/games", json=body)
    assert opened.status_code == 201, opened.text
    return UUID(opened.json()["game"])


async def _joined(client: httpx2.AsyncClient, game: UUID, number: int) -> None:
    joined = await client.post(f"/games/{game}/seats", json={"name": f"Seat {number}"})
    assert joined.status_code == 201, joined.text


async def _until(holds: Any) -> None:
    async def look() -> Any:
        return holds()

    await comes_about(look)


# --- room for them --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("before", "wanted", "after"),
    [((256, 4_096), 3_000, 3_000), ((256, 1_000), 3_000, 1_000), ((4_096, 4_096), 3_000, 4_096)],
)
def test_a_process_may_have_as_many_connections_as_its_streams_need(before, wanted, after):
    program = (
        "import resource as r\n"
        "from phaseledger.service.runtime.process import allow_descriptors as allow; "
        f"r.setrlimit(r.RLIMIT_NOFILE, {before}); allow({wanted}); "
        "print(r.getrlimit(r.RLIMIT_NOFILE)[0])"
    )
    ran = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert int(ran.stdout) == after
