"""Answers that go on with a game: server-sent events, and events as lines."""

from collections.abc import AsyncGenerator, AsyncIterator, Callable
from typing import NamedTuple
from uuid import UUID

from typing_extensions import override

from phaseledger.service.api.streaming_response import StreamingResponse
from phaseledger.service.eventlog.postgres import StoreUnavailable
from phaseledger.service.eventlog.protocols import GameStore
from phaseledger.service.games.game import Snapshot, apply_rows
from phaseledger.service.streams import sse as frames
from phaseledger.service.streams.feed import (
    Feed,
    VisibleVersion,
    has_changed_hands,
    last_frame,
    redacted_rows,
)
from phaseledger.service.streams.hub import Streams
from phaseledger.service.streams.subscription import Stream

MEDIA_TYPES = {"sse": frames.SSE, "ndjson": frames.NDJSON}
FAR = 200  # events; whoever is further behind gets the state instead
PAGE = 500  # events read at a time
HEADERS = {
    "Cache-Control": "private, no-store",
    "Vary": "Authorization, Accept",
    "X-Accel-Buffering": "no",  # nginx would hold events back until a buffer is full
}


class StreamRequest(NamedTuple):
    """What a client wants to be told of a game, and who it is."""

    game: UUID
    viewer: int | None
    since: int
    """The version that it has, 0 for none."""
    follow: bool
    """Whether to go on after what there is."""


class EventStreamResponse(StreamingResponse):
    """The answer that tells what is wanted of a game, which the viewer may see as ``now``.

    ``reach`` holds it back where the viewer may not see all. Raises TooManyStreams.
    """

    def __init__(
        self,
        streams: Streams,
        store: GameStore,
        stream: Stream,
        wanted: StreamRequest,
        now: Snapshot,
        reach: VisibleVersion | None,
    ) -> None:
        streams.admit(stream.origin)
        told = _told(streams, store, stream, wanted, now, reach)
        super().__init__(told, MEDIA_TYPES[stream.form], HEADERS)
        self._stream = stream

    @override
    def begun(self, abort: Callable[[], object]) -> None:
        self._stream.abort = abort

    @override
    def taken(self) -> None:
        self._stream.touch()


async def _told(
    streams: Streams,
    store: GameStore,
    stream: Stream,
    wanted: StreamRequest,
    now: Snapshot,
    reach: VisibleVersion | None,
) -> AsyncGenerator[bytes]:
    tell = _events if stream.form == "sse" else _lines
    with streams.hold(stream), streams.feed(wanted.game, now, reach) as feed:
        try:
            await streams.catch_up(wanted.game, feed)
            await feed.reached(now.version)
            async for told in tell(store, feed, wanted):
                if has_changed_hands(now, feed.now, wanted.viewer):
                    stream.close("seat_lost")
                    break
                yield told
            # Nothing was awaited since the last look at the feed, so nothing is missed here.
            if stream.is_over or (wanted.follow and not feed.now.revealed):
                feed.attach(stream, wanted.viewer)
                async for told in stream.taken():
                    yield told
        except StoreUnavailable:
            stream.close("store_unavailable")
            async for told in stream.taken():
                yield told
        finally:
            feed.detach(stream, wanted.viewer)


async def _events(store: GameStore, feed: Feed, wanted: StreamRequest) -> AsyncIterator[bytes]:
    """The state, or what was missed since the client's version; then what it is asked."""
    game, viewer, since, _ = wanted
    yield b"retry: %d\n\n" % frames.RETRY
    seen = None
    if since and 0 <= feed.now.version - since <= FAR:
        seen = apply_rows(None, await store.read(game, 0, since))[0]
    while True:
        now = feed.now
        if seen is None:
            yield feed.state(now, viewer)
        elif seen.version < now.version:
            rows = await store.read(game, seen.version, now.version - seen.version)
            yield feed.delta(seen, rows, now, viewer)
        seen = now
        if feed.now is now and (question := last_frame(now, viewer)):
            yield question
        if feed.now is now:
            return


async def _lines(store: GameStore, feed: Feed, wanted: StreamRequest) -> AsyncIterator[bytes]:
    """All events after the client's version."""
    since = wanted.since
    while since < feed.now.version:
        now = feed.now
        rows = await store.read(wanted.game, since, min(PAGE, now.version - since))
        yield frames.lines(redacted_rows(rows, now, wanted.viewer))
        since = rows[-1].version
