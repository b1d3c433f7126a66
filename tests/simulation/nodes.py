"""A node: the shell of one process, wired as `service.app` wires it, without HTTP."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack, aclosing
from contextvars import Context
from dataclasses import dataclass, field
from functools import partial
from typing import Any, TypeVar
from uuid import UUID

from litestar.datastructures import State

from phaseledger.replay.formats.signing.notes import SigningKey
from phaseledger.replay.formats.signing.receipts import sign_tree
from phaseledger.service.api.responses.events import EventStreamResponse, StreamRequest
from phaseledger.service.app import following, publishing
from phaseledger.service.automation.bots import Autoplay
from phaseledger.service.automation.reveal_deadlines import Deadlines
from phaseledger.service.automation.takeover import adopt
from phaseledger.service.automation.turn_clocks import Clocks
from phaseledger.service.credentials.store import Credentials
from phaseledger.service.eventlog.clock import DatabaseClock
from phaseledger.service.eventlog.continuity import Continuity
from phaseledger.service.eventlog.errors import StoreUnavailable
from phaseledger.service.eventlog.migrations import SCHEMA
from phaseledger.service.eventlog.postgres import PostgresStore
from phaseledger.service.eventlog.side_connection import SideConnection
from phaseledger.service.games.quarantine import Quarantine
from phaseledger.service.games.writer import GameService
from phaseledger.service.readmodels.follower import follow
from phaseledger.service.readmodels.views import Views
from phaseledger.service.runtime.background import in_background
from phaseledger.service.schemas.versions import KnownVersion
from phaseledger.service.streams.hub import Streams
from phaseledger.service.streams.remote_commits import listen_for_commits
from phaseledger.service.streams.subscription import Stream
from phaseledger.service.transparency.publisher import Publisher
from phaseledger.service.transparency.signer import LogSigner
from phaseledger.service.transparency.tree import Tree
from tests.simulation.chance import Chance
from tests.simulation.history import History
from tests.simulation.loop import VirtualLoop
from tests.simulation.network import DSN, Network
from tests.simulation.process import PROCESS, Process
from tests.simulation.sometimes import Reached

T = TypeVar("T")

REVEAL_SECONDS = 20
PATIENCE = 10.0  # seconds a client waits for its answer
TAKEOVER = 3.0  # seconds between looks at the games of others
RECEIPT_KEY = SigningKey("games.example", b"\7" * 32)
RESTART = 1.0  # seconds until a process that ended is started again


class Unreachable(Exception):
    """The node is down, or its answer is lost: the client knows nothing."""


@dataclass(eq=False)
class World:
    """What all parts of a simulation share."""

    loop: VirtualLoop
    network: Network
    history: History
    signer: LogSigner
    log: Callable[..., None]
    service: Callable[..., GameService]
    nodes: list["Node"] = field(default_factory=list)
    has_older: bool = False
    """Whether nodes of the release before were there when all began."""

    @property
    def there(self) -> list["Node"]:
        """The nodes that come back whatever happens."""
        return [node for node in self.nodes if not node.is_gone]

    @property
    def reached(self) -> Reached:
        """The rare states that were reached."""
        return self.network.server.reached


class Node:
    """One of the nodes over the log: it is killed and comes back as another process."""

    def __init__(self, world: World, name: str, chance: Chance, clock_offset: float) -> None:
        self.name = name
        self.games: GameService | None = None
        self.streams: Streams | None = None
        self.credentials = Credentials(DSN)
        self.continuity = Continuity()
        self.views = Views(DSN, SCHEMA)
        self.is_gone = False
        """Whether it never comes back."""
        self._world = world
        self._chance = chance
        self._offset = clock_offset
        self._requests: dict[asyncio.Future[Any], None] = {}
        self._readers: dict[asyncio.Queue[bytes | Exception | None], None] = {}
        self._uptime = chance.between(0.0, 1e7)
        self._process = Process(name, clock_offset, self._uptime)
        self._stop = asyncio.Event()
        self._task: asyncio.Task[None] | None = None

    @property
    def is_up(self) -> bool:
        """Whether it takes requests."""
        return self.games is not None

    @property
    def process(self) -> Process:
        """The process that it is now."""
        return self._process

    @property
    def has_noticed(self) -> bool:
        """Whether the process has seen which history the database has now."""
        server, lineage = self._world.network.server, self.continuity._current
        epoch = len(server.tables.restorations)
        return lineage is not None and (lineage.system, lineage.timeline, lineage.epoch) == (
            *(server.identifier, server.timeline),
            epoch,
        )

    def start(self, *, older: bool = False) -> None:
        """Start a process of this release, or of the one before, unless the node is gone."""
        if self.is_gone:
            return
        self._process = Process(self.name, self._offset, self._uptime)
        self._process.is_older = older
        self._stop = asyncio.Event()
        self._task = self._spawn(self._live(self._process, self._stop), f"{self.name} lives")

    def _spawn(self, work: Any, name: str) -> asyncio.Task[Any]:
        context = Context()
        context.run(PROCESS.set, self._process)
        return self._world.loop.create_task(work, name=name, context=context)

    def kill(self) -> None:
        """End the process at once, as ``kill -9`` does."""
        self._process.killed = True
        self.games = None
        self._world.network.cut_all(self._process)
        for request in list(self._requests):
            if not request.done():
                request.set_exception(Unreachable("the process was killed"))
        for reader in self._readers:
            reader.put_nowait(Unreachable("the process was killed"))

    def pause(self, seconds: float) -> None:
        """Let nothing run for so long, as a stopped or starved process."""
        self._process.paused_until = self._world.loop.time() + seconds

    async def stop(self) -> None:
        """Stop regularly."""
        self._stop.set()
        if self._task is not None:
            await self._task

    async def _live(self, process: Process, stop: asyncio.Event) -> None:
        while not stop.is_set():
            try:
                await self._run(stop)
            except StoreUnavailable as refusal:
                self._world.log("could not start", node=self.name, reason=str(refusal))
            finally:
                if not process.killed:
                    self.games = None
            if not stop.is_set():
                await asyncio.sleep(RESTART)

    async def _run(self, stop: asyncio.Event) -> None:
        state, continuity, signer = State(), Continuity(), self._world.signer
        sign = partial(sign_tree, key=RECEIPT_KEY)
        store = PostgresStore(DSN, continuity=continuity, sign=sign)
        tree = Tree(DSN, signer.origin)
        publisher = Publisher(store, tree, signer)
        beside = SideConnection(DSN)
        clock = DatabaseClock(beside)
        views = Views(DSN, SCHEMA)
        games = self._world.service(
            store,
            cached=self._chance.pick((1, 2, 2_000)),
            patience=2.0,
            reveal_seconds=0,
            tree=tree,
            clock=clock,
            quarantine=Quarantine(store, views),
        )
        credentials = Credentials(DSN)
        continuity.require = publisher.require_published
        publisher.doubted = continuity.doubt
        continuity.watchers += [games.cache.distrust, credentials.distrust]
        streams = Streams(games, REVEAL_SECONDS)
        async with AsyncExitStack() as stack:
            await stack.enter_async_context(store)
            stack.push_async_callback(clock.close)
            await clock.open()
            await stack.enter_async_context(views)
            stack.push_async_callback(credentials.close)
            await credentials.open()
            stack.push_async_callback(tree.close)
            await tree.open()
            await stack.enter_async_context(publishing(publisher, state))
            await stack.enter_async_context(following(partial(follow, store, DSN), state))
            stack.push_async_callback(games.quarantine.close)
            await games.quarantine.look()
            await stack.enter_async_context(in_background(games.quarantine.watch))
            autoplay, deadlines = Autoplay(games), Deadlines(games, REVEAL_SECONDS)
            stack.push_async_callback(Clocks(games).close)
            stack.push_async_callback(autoplay.close)
            stack.push_async_callback(deadlines.close)
            await stack.enter_async_context(streams.kept_up())
            await stack.enter_async_context(
                in_background(partial(listen_for_commits, DSN, streams))
            )
            adopting = partial(adopt, DSN, games, autoplay, every=TAKEOVER)
            await stack.enter_async_context(in_background(adopting))
            self.games, self.streams = games, streams
            self.credentials, self.continuity = credentials, continuity
            self.views = views
            self._world.log("is up", node=self.name)
            await stop.wait()
            games.patience = 0
            self.games = None

    async def stream(self, game: UUID, since: KnownVersion) -> AsyncIterator[bytes]:
        """The parts of a stream of the game's events, as a spectator gets them."""
        if self.games is None or self.streams is None:
            raise Unreachable(f"{self.name} is down")
        parts: asyncio.Queue[bytes | Exception | None] = asyncio.Queue()
        self._readers[parts] = None
        pump = _pump(stream_of(self.games, self.streams, game, since), parts)
        task = self._spawn(pump, f"stream of {self.name}")
        try:
            while (part := await parts.get()) is not None:
                if isinstance(part, Exception):
                    raise part
                yield part
        finally:
            del self._readers[parts]
            task.cancel()

    async def ask(self, work: Callable[[GameService], Awaitable[T]]) -> T:
        """The answer to a request; Unreachable where none comes, whatever has become of it."""
        loop = self._world.loop
        await asyncio.sleep(self._chance.between(0.0005, 0.01))
        games = self.games
        if games is None:
            raise Unreachable(f"{self.name} is down")
        answer: asyncio.Future[T] = loop.create_future()

        async def carry_out() -> None:
            try:
                result = await work(games)
            except Exception as error:  # noqa: BLE001 - it is the answer
                if not answer.done():
                    answer.set_exception(error)
            else:
                if not answer.done():
                    answer.set_result(result)

        self._requests[answer] = None
        task = self._spawn(carry_out(), f"request to {self.name}")
        try:
            await asyncio.wait([answer], timeout=PATIENCE)
            if not answer.done():
                if self._chance.happens(0.5):  # a client that hangs up ends its request
                    task.cancel()
                raise Unreachable("no answer in time")
            return answer.result()
        finally:
            del self._requests[answer]
            answer.cancel()


async def stream_of(
    games: GameService, streams: Streams, game: UUID, since: KnownVersion
) -> AsyncIterator[bytes]:
    now = await games.look(game)
    request = StreamRequest(game=game, viewer=None, since=since, follow=True)
    response = EventStreamResponse(streams, games, Stream("sse"), request, now, None)
    async with aclosing(response.parts) as parts:
        async for part in parts:
            yield part


async def _pump(
    stream: AsyncIterator[bytes], parts: asyncio.Queue[bytes | Exception | None]
) -> None:
    try:
        async for part in stream:
            parts.put_nowait(part)
        parts.put_nowait(None)
    except Exception as error:  # noqa: BLE001 - the reader gets it
        parts.put_nowait(error)
