"""Streaming responses of a game's events: server-sent events (SSE), and NDJSON lines."""

from collections.abc import AsyncGenerator, AsyncIterator, Callable, Sequence
from typing import NamedTuple
from uuid import UUID

from typing_extensions import override

from phaseledger.domain.words import Language
from phaseledger.service.api.responses.streaming import StreamingResponse
from phaseledger.service.eventlog.errors import StoreUnavailable
from phaseledger.service.eventlog.protocols import Store
from phaseledger.service.eventlog.rows import Row
from phaseledger.service.games.errors import LogDamaged
from phaseledger.service.games.game import Snapshot
from phaseledger.service.games.writer import GameService
from phaseledger.service.schemas.versions import KnownVersion
from phaseledger.service.streams import sse
from phaseledger.service.streams.feed import (
    Discontinued,
    Feed,
    Standpoint,
    VisibleVersion,
    has_changed_hands,
    last_frame,
    redacted_rows,
    require_linked,
)
from phaseledger.service.streams.hub import Streams
from phaseledger.service.streams.reactions import seconds_left
from phaseledger.service.streams.subscription import Stream

MEDIA_TYPES = {"sse": sse.SSE, "ndjson": sse.NDJSON}
FAR = 200  # events; a stream that is further behind gets the state
PAGE = 500  # events read at a time
HEADERS = {
    "Cache-Control": "private, no-store",
    "Vary": "Authorization, Accept",
    "X-Accel-Buffering": "no",  # nginx would hold events back until a buffer is full
}


class StreamRequest(NamedTuple):
    """A client's request for a game's events: the game, the viewer, the version to start from."""

    game: UUID
    viewer: int | None
    since: KnownVersion
    """The version that the client has, number 0 for none."""
    follow: bool
    """Whether to go on with new events after the stored ones."""
    lines: Language | None = None
    """The language in which server-sent events tell the game's events besides, if in any."""
    rows: Sequence[Row] = ()
    """The first of the rows above that version, where they are read already."""

    @property
    def standpoint(self) -> Standpoint:
        """From where the client sees the game."""
        return Standpoint(self.viewer, self.lines)


class EventStreamResponse(StreamingResponse):
    """The response that streams the requested events; the viewer may see the game as ``now``.

    ``reach`` limits the version where the viewer may not see all. Raises TooManyStreams.
    """

    def __init__(
        self,
        streams: Streams,
        games: GameService,
        stream: Stream,
        request: StreamRequest,
        now: Snapshot,
        reach: VisibleVersion | None,
    ) -> None:
        streams.admit(stream)
        parts = _parts(streams, games, stream, request, now, reach)
        super().__init__(parts, MEDIA_TYPES[stream.form], HEADERS)
        self._stream = stream

    @override
    def begun(self, abort: Callable[[], object]) -> None:
        self._stream.abort = abort

    @override
    def taken(self) -> None:
        self._stream.touch()


async def _parts(
    streams: Streams,
    games: GameService,
    stream: Stream,
    request: StreamRequest,
    now: Snapshot,
    reach: VisibleVersion | None,
) -> AsyncGenerator[bytes]:
    messages = _events if stream.form == "sse" else _lines
    with streams.hold(stream), streams.feed(request.game, now, reach) as feed:
        try:
            await streams.catch_up(request.game, feed)
            await feed.reached(now.version)
            async for part in messages(games, feed, request):
                if has_changed_hands(now, feed.now, request.viewer):
                    stream.close("seat_lost")
                    break
                yield part
            # Nothing was awaited since the last look at the feed, so nothing is missed here.
            goes_on = request.follow and not feed.now.revealed
            if not goes_on and stream.lingers and (seconds := seconds_left(feed.now)):
                goes_on = True
                stream.finish_after(seconds)
            if stream.is_over or goes_on:
                feed.attach(stream, request.standpoint)
                async for part in stream.taken():
                    yield part
        except (StoreUnavailable, LogDamaged, Discontinued) as end:
            if isinstance(end, LogDamaged) and stream.form == "ndjson":
                raise  # lines that just end would pass for all there is
            stream.close("store_unavailable" if isinstance(end, StoreUnavailable) else "broken")
            async for part in stream.taken():
                yield part
        finally:
            feed.detach(stream, request.standpoint)


async def _events(games: GameService, feed: Feed, request: StreamRequest) -> AsyncIterator[bytes]:
    """SSE frames: the state, or the events since the client's version; then the open question."""
    game, viewer, since = request.game, request.viewer, request.since
    yield b"retry: %d\n\n" % sse.RETRY
    previous = None
    if not await has_version(games.store, game, since):
        yield sse.rewound(since)
    elif since.number and 0 <= feed.now.version - since.number <= FAR:
        previous = await games.past(game, since.number)
        if not since.fits(previous.version, previous.chain.head):
            raise Discontinued("The log has other events by now.")
    while True:
        now = feed.now
        if previous is None:
            yield feed.state(now, request.standpoint)
        elif previous.version < now.version:
            rows = await games.rows(game, previous.version, now.version)
            require_linked(rows, previous.chain.head, now.chain.head)
            yield feed.delta(previous, rows, now, request.standpoint)
        elif previous.chain.head != now.chain.head:
            raise Discontinued("The log has other events by now.")
        previous = now
        if feed.now is now and (question := last_frame(now, viewer)):
            yield question
        if feed.now is now:
            return


async def _lines(games: GameService, feed: Feed, request: StreamRequest) -> AsyncIterator[bytes]:
    """NDJSON lines of all events after the client's version."""
    since, head = request.since
    rows = request.rows
    while since < feed.now.version:
        now = feed.now
        rows = rows or await games.rows(request.game, since, min(since + PAGE, now.version))
        require_linked(rows, head)
        yield sse.lines(redacted_rows(rows, now, request.viewer))
        since, head, rows = rows[-1].version, (rows[-1].leaf or b"").hex(), ()
    if since == feed.now.version and not feed.now.chain.head.startswith(head):
        raise Discontinued("The log has other events by now.")


async def has_version(store: Store, game: UUID, version: KnownVersion) -> bool:
    """Whether the log has the version that a client names, or the client does not say which.

    Raises:
        StoreUnavailable: it cannot be read.

    """
    if not (version.number and version.head):
        return True
    rows = await store.read(game, version.number - 1, 1)
    return bool(rows) and version.fits(rows[0].version, (rows[0].leaf or b"").hex() or version.head)
