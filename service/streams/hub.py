"""The hub: all open streams of the process, and the feeds that they are attached to.

One feed follows one game for all its viewers. A commit of this process is known at once; those of
other processes come from `service.streams.remote_commits`, which asks the log once for all games.
"""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Iterable, Iterator, Mapping
from contextlib import asynccontextmanager, contextmanager
from uuid import UUID
from weakref import finalize

from phaseledger.domain.words import Phrase
from phaseledger.service.eventlog.errors import GameUnreadable
from phaseledger.service.games.errors import GameArchived, LogDamaged, NoSuchGame
from phaseledger.service.games.game import Game, Snapshot
from phaseledger.service.games.writer import GameService
from phaseledger.service.quotas.token_buckets import RateLimitPolicy
from phaseledger.service.readmodels.errors import GameSetAside
from phaseledger.service.runtime import metrics
from phaseledger.service.runtime.background import in_background
from phaseledger.service.schemas.streams import Reacted, StreamCloseCode
from phaseledger.service.streams import sse
from phaseledger.service.streams.errors import TooManyStreams
from phaseledger.service.streams.feed import Feed, VisibleVersion
from phaseledger.service.streams.subscription import PARTS, PARTS_AT_ONCE, Stream

TICK = 0.5  # seconds
ASK = 2.0  # seconds between looks at the tokens of open streams
STUCK = 30.0  # seconds in which a reader must take a waiting frame
PARTING = 0.5  # seconds for the last frames of a process that stops


class Streams:
    """The open streams, ``most`` at once and ``most_each`` of one origin.

    ``heartbeat`` is in seconds.
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
        """Set while any game is followed."""
        self._games = games
        self._reveal_seconds = reveal_seconds
        self._heartbeat = heartbeat
        self._most = most
        self._most_each = most_each
        self._per_origin: Counter[bytes] = Counter()
        self._pace = RateLimitPolicy("parts", PARTS, PARTS_AT_ONCE)
        self._open: set[Stream] = set()
        self._admitted = 0  # streams, of which some are not open yet
        self._feeds: dict[UUID, dict[bool, Feed]] = {}
        self._stopping = False
        games.watchers.append(self._note)

    @contextmanager
    def hold(self, stream: Stream) -> Iterator[None]:
        """Register the stream for heartbeats, token checks and shutdown during the block."""
        stream.pace = self._pace
        self._open.add(stream)
        metrics.STREAMS.inc()
        try:
            yield
        finally:
            self._open.discard(stream)
            metrics.STREAMS.dec()
            stream.abandon()
            stream.leave()

    def admit(self, stream: Stream) -> None:
        """Count the stream from now on, until it is held no more or dropped before it was held.

        Raises TooManyStreams.
        """
        if self._stopping or self._admitted >= self._most:
            raise TooManyStreams
        self._require_room(stream.origin)
        self._admitted += 1
        self._per_origin[stream.origin] += 1
        stream.leave = finalize(stream, self._leave, stream.origin)

    def _leave(self, origin: bytes) -> None:
        self._admitted -= 1
        self._uncount(origin)

    @contextmanager
    def waiting(self, origin: bytes) -> Iterator[None]:
        """Count a long-polling read as a stream of the origin. Raises TooManyStreams."""
        self._require_room(origin)
        self._per_origin[origin] += 1
        try:
            yield
        finally:
            self._uncount(origin)

    def _require_room(self, origin: bytes) -> None:
        if self._per_origin[origin] >= self._most_each:
            raise TooManyStreams(Phrase("adds.streams", count=self._most_each))

    def _uncount(self, origin: bytes) -> None:
        self._per_origin[origin] -= 1
        if not self._per_origin[origin]:
            del self._per_origin[origin]

    @contextmanager
    def feed(self, game: UUID, now: Snapshot, reach: VisibleVersion | None) -> Iterator[Feed]:
        """The game's feed, begun at the snapshot if it is new; ``reach`` limits what it sends."""
        feeds = self._feeds.setdefault(game, {})
        is_held_back = reach is not None
        feed = feeds.get(is_held_back)
        if feed is None or feed.is_broken:
            feed = feeds[is_held_back] = Feed(self._games, game, now, self._reveal_seconds, reach)
            self.busy.set()
        feed.users += 1
        try:
            yield feed
        finally:
            feed.users -= 1
            if not feed.users:
                feed.stop()
                if feeds.get(is_held_back) is feed:
                    del feeds[is_held_back]
                if not feeds:
                    self._feeds.pop(game, None)
                if not self._feeds:
                    self.busy.clear()

    async def catch_up(self, game: UUID, feed: Feed) -> None:
        """Bring a new feed up to the commits between its snapshot and its start."""
        if not feed.is_current:
            await self._look([game])
            feed.is_current = True

    @property
    def seats(self) -> set[tuple[UUID, int]]:
        """The games and seats that are connected."""
        return {
            (game, seat)
            for game, feeds in self._feeds.items()
            for feed in feeds.values()
            for seat in feed.seats
        }

    def close(self, code: StreamCloseCode = "shutting_down") -> None:
        """End all streams within `PARTING` seconds, and admit no more."""
        self._stopping = True
        for stream in [*self._open]:
            stream.close(code)
        asyncio.get_running_loop().call_later(PARTING, self._abort)

    def tell(self, game: UUID, reacted: Reacted) -> None:
        """Tell the game's open streams of a player's reaction."""
        for feed in self._feeds.get(game, {}).values():
            feed.tell(reacted)

    async def hear(self, versions: Mapping[UUID, int]) -> None:
        """Read the followed games with newer versions from other processes."""
        await self._look(
            game
            for game in versions.keys() & self._feeds.keys()
            if any(feed.newest_version < versions[game] for feed in self._feeds[game].values())
        )

    async def look_again(self) -> None:
        """Read every followed game, since notifications may have been lost."""
        await self._look([*self._feeds])

    @asynccontextmanager
    async def kept_up(self) -> AsyncIterator[None]:
        """Send heartbeats and check tokens during the block; at its end all streams are closed."""
        async with in_background(self._send_heartbeats), in_background(self._check_tokens):
            try:
                yield
            finally:
                self.close()

    def _note(self, game: Game) -> None:
        for feed in self._feeds.get(game.id, {}).values():
            feed.note(game)

    async def _look(self, games: Iterable[UUID]) -> None:
        for game in [*games]:
            try:
                await self._games.look(game)  # which notes the version
            except (GameArchived, GameUnreadable):
                continue  # over, and its followers have been told; or its key is missing
            except (GameSetAside, LogDamaged, NoSuchGame):
                for feed in self._feeds.get(game, {}).values():
                    feed.break_off()

    async def _send_heartbeats(self) -> None:
        """Keep the streams alive, and the games that they follow watched."""
        clock = asyncio.get_running_loop().time
        while True:
            await asyncio.sleep(min(TICK, self._heartbeat))
            now = clock()
            for game in self._feeds:
                self._games.mark_watched(game)
            for stream in [*self._open]:
                idle = now - stream.touched
                if not (stream.is_idle and not stream.is_over):
                    if idle > STUCK:
                        stream.abort()
                elif idle >= self._heartbeat:
                    stream.offer(sse.HEARTBEAT if stream.form == "sse" else b"\n")

    async def _check_tokens(self) -> None:
        while True:
            await asyncio.sleep(ASK)
            for stream in [*self._open]:
                if stream.ask and not stream.is_over and (code := await stream.ask()):
                    stream.close(code)

    def _abort(self) -> None:
        for stream in [*self._open]:
            stream.abort()
