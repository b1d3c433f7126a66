"""What streams are made of: patches, the bound on what waits, and readers that take nothing."""

import asyncio
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import httpx2
import msgspec
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from phaseledger.domain.commands import Act, TakeSeat
from phaseledger.replay.formats.json_patch import patch
from phaseledger.service.app import create_app
from phaseledger.service.games.writer import GameService
from phaseledger.service.lobby.opening import SeatRequest, new_game, new_key, opening
from phaseledger.service.settings import Settings
from phaseledger.service.streams import hub as periods
from phaseledger.service.streams import subscription as bounds
from phaseledger.service.streams.feed import Standpoint
from phaseledger.service.streams.hub import STUCK, Streams
from phaseledger.service.streams.subscription import Stream
from tests.support.polling import comes_about
from tests.support.service.api_tables import PERSON
from tests.support.service.memory_ledger import in_memory
from tests.support.service.memory_store import MemoryStore
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


PATCHES: list[tuple[Any, Any, Any]] = [
    ({"a": 1}, {"a": 1}, []),
    ({"a": 1}, {"a": None}, [{"op": "replace", "path": "/a", "value": None}]),
    ({"a": 1}, {"a": True}, [{"op": "replace", "path": "/a", "value": True}]),
    ({"a": 1}, {}, [{"op": "remove", "path": "/a"}]),
    ({"a": [1, 2, 3]}, {"a": [1]}, [{"op": "remove", "path": f"/a/{n}"} for n in (2, 1)]),
    ({"a": []}, {"a": [7]}, [{"op": "add", "path": "/a/0", "value": 7}]),
    ({"a": ({"b": 1},)}, {"a": ({"b": 2},)}, [{"op": "replace", "path": "/a/0/b", "value": 2}]),
    ({"/": {"~": 1}}, {"/": {"~": 2}}, [{"op": "replace", "path": "/~1/~0", "value": 2}]),
]


def test_a_patch_says_no_more_than_what_changed():
    for before, after, operations in PATCHES:
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


def test_what_is_within_the_bounds_waits_and_whoever_lets_more_wait_is_told_to_come_back():
    """One frame may be of any size, or a client that reads well would be sent away for ever."""
    most, largest = bounds.MOST, bounds.LARGEST
    for frames, size in ((most, 1), (2, largest // 2), (1, 3 * largest)):
        stream = asyncio.run(_filled(frames, size))
        stream.finish()
        assert _taken(stream) == [b"x" * frames * size]
    for frames, size in ((most + 1, 1), (2, largest // 2 + 1), (5, largest)):
        stream = asyncio.run(_filled(frames, size))
        stream.offer(b"too late")
        (last,) = _taken(stream)
        assert b'"code":"fell_behind"' in last
        assert len(last) < 1_000


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


class Lobby:
    """A table of six over the application itself, at which seats sit down one after another."""

    def __init__(self, app: Any, client: httpx2.AsyncClient, path: str) -> None:
        self.app, self.client, self.path = app, client, path
        self.tasks: list[asyncio.Task[None]] = []

    def reader(self, **given: bool) -> Reader:
        """One that has asked for the events; ``shut`` takes nothing, ``slow`` part by part."""
        reader = Reader(f"/v1{self.path}/events")
        reader.slow = given.get("slow", False)
        if given.get("shut"):
            reader.open.clear()
        self.tasks.append(asyncio.create_task(self.app(reader.scope, reader.receive, reader.send)))
        return reader

    async def sit(self, number: int) -> None:
        joined = await self.client.post(f"{self.path}/seats", json={"name": f"Seat {number}"})
        assert joined.status_code == 201, joined.text


@asynccontextmanager
async def lobby(given: Settings = FREE) -> AsyncIterator[Lobby]:
    app: Any = create_app(in_memory(), given)
    transport = httpx2.ASGITransport(app=app)
    async with httpx2.AsyncClient(transport=transport, base_url="http://t/v1") as client:
        body = {"ruleset": "classic", "seats": [PERSON] * 6}
        opened = await client.post("/games", json=body)
        table = Lobby(app, client, f"/games/{opened.json()['game']}")
        yield table
        for task in table.tasks:
            task.cancel()
        await asyncio.gather(*table.tasks, return_exceptions=True)


def test_a_reader_that_takes_nothing_delays_nobody_and_is_sent_away(monkeypatch):
    monkeypatch.setattr(bounds, "LARGEST", 2_000)

    async def scene() -> tuple[Reader, Reader, list[float]]:
        async with lobby() as table:
            slow, quick = table.reader(), table.reader()
            await _until(lambda: slow.body.count(b"event: ") and quick.body.count(b"event: "))
            slow.open.clear()
            times = []
            for number in range(6):
                began = asyncio.get_running_loop().time()
                await table.sit(number)
                await _until(lambda n=number: quick.body.count(b"event: events") > n)
                times.append(asyncio.get_running_loop().time() - began)
            slow.open.set()
            await _until(lambda: slow.ended)
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
        async with lobby() as table:
            late = table.reader(slow=True)
            for number in range(6):  # each chunk waits until one more has sat down
                await table.sit(number)
                late.open.set()
                await asyncio.sleep(0.02)
            late.slow = False
            late.open.set()
            await _until(lambda: b"id: 7-" in late.body)
            return late.events()

    events = asyncio.run(scene())
    assert events[0].name == "state"
    assert seqs(events) == list(range((events[0].id or 0) + 1, 8))


def test_what_is_committed_between_the_request_and_its_feed_is_told():
    """The head of the answer is held up here: by then the game was read, and no feed had begun."""

    async def scene() -> list[StreamEvent]:
        async with lobby() as table:
            late = table.reader(shut=True)
            await _until(lambda: late.waits)
            await table.sit(0)
            late.open.set()
            await _until(lambda: b"id: 2-" in late.body)
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
        messages: asyncio.Queue[Any] = asyncio.Queue()
        async with lobby(replace(FREE, heartbeat_seconds=0.1)) as table:
            scope = {"type": "lifespan", "asgi": {"version": "3.0"}, "state": {}}
            running = asyncio.create_task(table.app(scope, messages.get, _nothing))
            await messages.put({"type": "lifespan.startup"})
            stuck = table.reader()
            await _until(lambda: stuck.body.count(b"event: "))
            stuck.open.clear()
            await _until(table.tasks[0].done)
            await messages.put({"type": "lifespan.shutdown"})
            await running
            return not stuck.ended

    assert asyncio.run(scene())


async def _nothing(_: Any) -> None: ...


async def _until(holds: Any) -> None:
    async def look() -> Any:
        return holds()

    await comes_about(look)


# --- room for them --------------------------------------------------------------------------------


LIMITS = """
import resource as r
from phaseledger.service.runtime.process import allow_descriptors

for before in ((4_096, 4_096), (256, 4_096), (256, 1_000)):
    r.setrlimit(r.RLIMIT_NOFILE, before)
    allow_descriptors(3_000)
    print(r.getrlimit(r.RLIMIT_NOFILE)[0])
"""


def test_a_process_may_have_as_many_connections_as_its_streams_need():
    ran = subprocess.run([sys.executable, "-c", LIMITS], capture_output=True, text=True, check=True)
    assert ran.stdout.split() == ["4096", "3000", "1000"]
