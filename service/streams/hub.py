"""All open streams of the process, and the feeds that they drink from.

One feed follows one game for all who watch it. A commit of this process is known at once; one of
another process is heard of by `service.commits`, which asks the log once for all games.
"""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Iterable, Iterator, Mapping
from contextlib import asynccontextmanager, contextmanager
from uuid import UUID

from phaseledger.service.games.game import Game, Snapshot
from phaseledger.service.games.service import GameService
from phaseledger.service.runtime import metrics
from phaseledger.service.runtime.tasks import cancel_and_wait
from phaseledger.service.schemas.streams import StreamCloseCode
from phaseledger.service.streams import sse as frames
from phaseledger.service.streams.errors import TooManyStreams
from phaseledger.service.streams.feed import Feed, VisibleVersion
from phaseledger.service.streams.subscription import Stream

TICK = 0.5  # seconds
ASK = 2.0  # seconds between looks at the tokens of open streams
STUCK = 30.0  # seconds in which a reader must take something that waits
PARTING = 0.5  # seconds for the last words of a process that stops


class Streams:
    """What is open; ``heartbeat`` is in seconds, ``most`` bounds the number, and ``most_each`` that
    of one origin.
    """

    def __init__(
        self,
        games: GameService,
        reveal_seconds: int,
        *,
        heartbeat: float = 15.0,
        most: int = 2_000,
        most_each: int = 256,
    ) -> None:
        self.busy = asyncio.Event()
        """Set while some game is followed."""
        self._games = games
        self._reveal_seconds = reveal_seconds
        self._heartbeat = heartbeat
        self._most = most
        self._most_each = most_each
        self._held: Counter[bytes] = Counter()
        self._open: set[Stream] = set()
        self._feeds: dict[UUID, dict[bool, Feed]] = {}
        self._stopping = False
        games.watchers.append(self._note)

    @contextmanager
    def hold(self, stream: Stream) -> Iterator[None]:
        """Count the stream, beat its heart and end it in time, until the end of the block."""
        self._open.add(stream)
        metrics.STREAMS.inc()
        try:
            with self._counted(stream.origin):
                yield
        finally:
            self._open.discard(stream)
            metrics.STREAMS.dec()

    def admit(self, origin: bytes) -> None:
        """Raises TooManyStreams where no further stream may be opened from there."""
        if self._stopping or len(self._open) >= self._most:
            raise TooManyStreams
        self._require_room(origin)

    @contextmanager
    def waiting(self, origin: bytes) -> Iterator[None]:
        """Count a read that waits like a stream from there. Raises TooManyStreams."""
        self._require_room(origin)
        with self._counted(origin):
            yield

    def _require_room(self, origin: bytes) -> None:
        if self._held[origin] >= self._most_each:
            raise TooManyStreams(f"one address may have {self._most_each}")

    @contextmanager
    def _counted(self, origin: bytes) -> Iterator[None]:
        self._held[origin] += 1
        try:
            yield
        finally:
            self._held[origin] -= 1
            if not self._held[origin]:
                del self._held[origin]

    @contextmanager
    def feed(self, game: UUID, now: Snapshot, reach: VisibleVersion | None) -> Iterator[Feed]:
        """The game's feed, begun at the snapshot unless there is one; ``reach`` holds it back."""
        feeds = self._feeds.setdefault(game, {})
        held = reach is not None
        feed = feeds.get(held)
        if feed is None or feed.is_broken:
            feed = feeds[held] = Feed(self._games.store, game, now, self._reveal_seconds, reach)
            self.busy.set()
        feed.users += 1
        try:
            yield feed
        finally:
            feed.users -= 1
            if not feed.users:
                feed.stop()
                if feeds.get(held) is feed:
                    del feeds[held]
                if not feeds:
                    self._feeds.pop(game, None)
                if not self._feeds:
                    self.busy.clear()

    async def catch_up(self, game: UUID, feed: Feed) -> None:
        """Let a new feed of the game hear what was committed between its snapshot and its begin."""
        if not feed.is_current:
            await self._look([game])
            feed.is_current = True

    def close(self, code: StreamCloseCode = "shutting_down") -> None:
        """End all streams, soon, and let no other begin."""
        self._stopping = True
        for stream in [*self._open]:
            stream.close(code)
        asyncio.get_running_loop().call_later(PARTING, self._abort)

    async def hear(self, versions: Mapping[UUID, int]) -> None:
        """Look at the games that are followed here and went on elsewhere."""
        await self._look(
            game
            for game in versions.keys() & self._feeds.keys()
            if any(feed.known < versions[game] for feed in self._feeds[game].values())
        )

    async def look_again(self) -> None:
        """Look at every game that is followed, after word of some may have been lost."""
        await self._look([*self._feeds])

    @asynccontextmanager
    async def kept_up(self) -> AsyncIterator[None]:
        """Beat hearts and look at tokens beside the block; at its end all streams are closed."""
        tasks = [asyncio.create_task(self._beat()), asyncio.create_task(self._ask())]
        try:
            yield
        finally:
            self.close()
            await cancel_and_wait(*tasks)

    def _note(self, game: Game) -> None:
        for feed in self._feeds.get(game.id, {}).values():
            feed.note(game)

    async def _look(self, games: Iterable[UUID]) -> None:
        for game in [*games]:
            await self._games.look(game)  # which notes it

    async def _beat(self) -> None:
        clock = asyncio.get_running_loop().time
        while True:
            await asyncio.sleep(min(TICK, self._heartbeat))
            now = clock()
            for stream in [*self._open]:
                rest = now - stream.touched
                if not (stream.is_idle and not stream.is_over):
                    if rest > STUCK:
                        stream.abort()
                elif rest >= self._heartbeat:
                    stream.offer(frames.HEARTBEAT if stream.form == "sse" else b"\n")

    async def _ask(self) -> None:
        while True:
            await asyncio.sleep(ASK)
            for stream in [*self._open]:
                if stream.ask and not stream.is_over and (code := await stream.ask()):
                    stream.close(code)

    def _abort(self) -> None:
        for stream in [*self._open]:
            stream.abort()
