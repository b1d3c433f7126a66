"""The feed of a game to its streams: events are folded, redacted and encoded once for all viewers
with the same view.
"""

import asyncio
from collections.abc import Callable, Sequence
from typing import NamedTuple
from uuid import UUID

import msgspec
import structlog
from msgspec import UNSET, Raw, UnsetType

from phaseledger.domain.evidence import codec
from phaseledger.domain.words import Language
from phaseledger.replay.formats.json_patch import JsonValue, patch
from phaseledger.replay.transcript.frames import event_lines_after
from phaseledger.service.eventlog.errors import Conflict, GameUnreadable, StoreUnavailable
from phaseledger.service.eventlog.rows import Row
from phaseledger.service.games.game import Game, Snapshot, apply_rows
from phaseledger.service.games.view import actions, game_view
from phaseledger.service.games.writer import GameService
from phaseledger.service.runtime.logs import trace
from phaseledger.service.schemas.games import GameView
from phaseledger.service.schemas.streams import Reacted, StreamCloseCode
from phaseledger.service.streams import sse
from phaseledger.service.streams.reactions import AFTERWARDS
from phaseledger.service.streams.subscription import Stream

CROWD = 50  # streams that get a frame before others get their turn of the loop
HELD = 1_000  # rows kept for a feed that may not send them yet
PAUSE = 0.5  # seconds until the log is tried again

VisibleVersion = Callable[[Snapshot], int]
"""The highest version that a feed's viewers may see, given the newest snapshot."""

log = structlog.get_logger("phaseledger.streams")


class Discontinued(Exception):
    """The log continues with other events than were sent: it went back in the meantime."""


class _Link(msgspec.Struct):
    prev: str
    """The leaf hash of the event before."""


_link = msgspec.json.Decoder(_Link).decode


def require_linked(rows: Sequence[Row], before: str, last: str = "") -> None:
    """Require that the rows follow the event whose leaf hash begins with ``before``, and end with
    the leaf hash ``last``, if given.

    Raises:
        Discontinued: they do not, or there are none.

    """
    for row in rows:
        if not _link(row.state).prev.startswith(before):
            raise Discontinued(f"Event {row.version} does not follow from the one before.")
        before = row.leaf.hex() if row.leaf else ""
    if not rows or (before and last and before != last):
        raise Discontinued("The log has other events by now.")


class Standpoint(NamedTuple):
    """The viewpoint of a game: a seat or, None, a spectator; and the language of the events'
    sentences, None without sentences.
    """

    viewer: int | None
    lines: Language | None = None


class Audience:
    """Streams with the same standpoint, which get the same frames."""

    def __init__(self, tree: JsonValue) -> None:
        self.tree = tree
        """The last view sent to them, as plain objects."""
        self.streams: set[Stream] = set()


class Feed:
    """Follows one game, up to the version that its viewers may see (``reach``; None: all of it).

    ``now`` is the snapshot sent last. A stream that attaches at that version misses nothing.
    """

    def __init__(
        self,
        games: GameService,
        game: UUID,
        now: Snapshot,
        reveal_seconds: int,
        reach: VisibleVersion | None,
    ) -> None:
        self.now = now
        self.users = 0
        self.is_current = False
        """Whether the log was read since the feed began; it is notified of later commits only."""
        self.is_broken = False
        self._games = games
        self._game = game
        self._reveal_seconds = reveal_seconds
        self._reach = reach
        self._newest = now
        self._rows: list[Row] = []
        self._audiences: dict[Standpoint, Audience] = {}
        self._is_over = False
        self._wake = asyncio.Event()
        self._moved = asyncio.Event()
        self._task = asyncio.create_task(self._run(), name=f"feed of {game}")

    @property
    def newest_version(self) -> int:
        """The highest version that the feed knows of, sent or not."""
        return self._newest.version

    def note(self, game: Game) -> None:
        """Record that the game may have a new version; returns at once."""
        if game.now is None or self.is_broken:
            return
        if game.version <= self.newest_version:
            is_same = game.now.chain.head == self._newest.chain.head
            if game.version < self.newest_version or not is_same:
                self.break_off()  # the log went back: sent events may be gone
            return
        # A feed that is held back waits for these rows; a missing one is read from the log.
        if (
            game.fresh
            and game.fresh[0].version == self.newest_version + 1
            and len(self._rows) < HELD
        ):
            self._rows += game.fresh
        self._newest = game.now
        self._wake.set()

    @property
    def seats(self) -> set[int]:
        """The seats that it sends frames to."""
        return {viewer for viewer, _ in self._audiences if viewer is not None}

    def tell(self, reacted: Reacted) -> None:
        """Offer a player's reaction to the streams, unless their viewers see the game late."""
        if self._reach and self._reach(self._newest) < self.newest_version:
            return
        frame = sse.reaction(reacted)
        for audience in self._audiences.values():
            for stream in audience.streams:
                if stream.form == "sse":
                    stream.offer(frame)

    async def reached(self, version: int) -> None:
        """Wait until the feed has sent that version. Raises StoreUnavailable if it breaks."""
        while self.now.version < version:
            if self.is_broken:
                raise StoreUnavailable("The game cannot be followed.")
            await self._moved.wait()

    def stop(self) -> None:
        """Send no more frames."""
        self._is_over = True
        self._task.cancel()

    def attach(self, stream: Stream, standpoint: Standpoint) -> None:
        """Send the stream the frames after ``now``."""
        if standpoint not in self._audiences:
            self._audiences[standpoint] = Audience(self.tree(self.now, standpoint))
        self._audiences[standpoint].streams.add(stream)

    def detach(self, stream: Stream, standpoint: Standpoint) -> None:
        """Forget the stream, if it is attached."""
        audience = self._audiences.get(standpoint)
        if audience is not None:
            audience.streams.discard(stream)
            if not audience.streams:
                del self._audiences[standpoint]

    def tree(self, now: Snapshot, standpoint: Standpoint) -> JsonValue:
        """The view of the game from the standpoint, as plain objects."""
        return msgspec.to_builtins(self._view(now, standpoint))

    def state(self, now: Snapshot, standpoint: Standpoint) -> bytes:
        """The frame with the whole view."""
        return sse.frame("state", self._view(now, standpoint), now)

    def delta(
        self, before: Snapshot, rows: Sequence[Row], now: Snapshot, standpoint: Standpoint
    ) -> bytes:
        """The frame with the events and the patch from one snapshot to the other."""
        change = patch(self.tree(before, standpoint), self.tree(now, standpoint))
        events = redacted_rows(rows, now, standpoint.viewer)
        return sse.delta(now, events, change, lines_of(before, rows, standpoint))

    def _view(self, now: Snapshot, standpoint: Standpoint) -> GameView:
        return game_view(now, standpoint.viewer, self._reveal_seconds, standpoint.lines or "en")

    async def _run(self) -> None:
        while not self._is_over:  # a cancellation may be lost: see `tasks.cancel_and_wait`
            await self._wake.wait()
            self._wake.clear()
            try:
                await self._advance()
            except GameUnreadable:
                self.break_off()  # perhaps another node can read it
                return
            except (StoreUnavailable, Conflict) as away:
                log.warning("stream waits for the log", game=str(self._game), reason=str(away))
                await asyncio.sleep(PAUSE)
                self._wake.set()
            except Exception as bug:  # noqa: BLE001 - the task is not awaited, so the error is logged
                log.error("stream broke", game=str(self._game), **trace(bug))  # noqa: TRY400
                self.break_off()
                return

    async def _advance(self) -> None:
        newest, before = self._newest, self.now
        target = self._reach(newest) if self._reach else newest.version
        if target == 0:
            self._close("not_for_spectators")
        if target <= before.version:
            return
        rows: Sequence[Row] = [row for row in self._rows if before.version < row.version <= target]
        if len(rows) < target - before.version:
            rows = await self._games.rows(self._game, before.version, target)
        require_linked(
            rows, before.chain.head, newest.chain.head if newest.version == target else ""
        )
        now = newest if newest.version == target else apply_rows(before, rows)[0]
        self.now = now
        self._rows = [row for row in self._rows if row.version > target]
        self._moved.set()
        self._moved = asyncio.Event()
        for standpoint in [*self._audiences]:
            if has_changed_hands(before, now, standpoint.viewer):
                for stream in self._audiences.pop(standpoint).streams:
                    stream.close("seat_lost")
        await self._broadcast(before, rows)

    def break_off(self) -> None:
        """End all streams, whose clients come back to another feed."""
        self.is_broken = self._is_over = True
        self._wake.set()
        self._moved.set()
        self._close("broken")

    def _close(self, code: StreamCloseCode) -> None:
        for audience in self._audiences.values():
            for stream in audience.streams:
                stream.close(code)

    async def _broadcast(self, before: Snapshot, rows: Sequence[Row]) -> None:
        """Offer the new events to every stream, and then the final frames."""
        now, offered = self.now, 0
        listeners: list[tuple[int | None, list[Stream], dict[str, bytes]]] = []
        for standpoint, audience in self._audiences.items():
            viewer, tree = standpoint.viewer, self.tree(now, standpoint)
            events, lines = redacted_rows(rows, now, viewer), lines_of(before, rows, standpoint)
            frames = {
                "sse": sse.delta(now, events, patch(audience.tree, tree), lines),
                "ndjson": sse.lines(events),
            }
            audience.tree = tree
            # A stream attached from here on has all of this already.
            listeners.append((viewer, [*audience.streams], frames))
        for _, streams, frames in listeners:
            for stream in streams:
                stream.offer(frames[stream.form])
                offered += 1
                if offered % CROWD == 0:
                    await asyncio.sleep(0)
        for viewer, streams, _ in listeners:
            final_frame = last_frame(now, viewer)
            for stream in streams:
                if final_frame and stream.form == "sse":
                    stream.offer(final_frame)
                if now.revealed:
                    stream.finish_after(AFTERWARDS)


def has_changed_hands(before: Snapshot, now: Snapshot, viewer: int | None) -> bool:
    """Whether the viewer's seat has a new player, who alone may see its cards."""
    if viewer is None or now.revealed:
        return False
    freed = now.marks.freed.get(viewer, 0) > before.marks.freed.get(viewer, 0)
    occupant_before, occupant = before.state.seats[viewer], now.state.seats[viewer]
    return freed or (occupant_before.bot if occupant_before else "") != (
        occupant.bot if occupant else ""
    )


def redacted_rows(rows: Sequence[Row], now: Snapshot, viewer: int | None) -> tuple[Raw, ...]:
    """The events, redacted for the viewer."""
    key, revealed = now.chain.key, now.revealed
    return tuple(Raw(codec.redact(row.state, key, viewer, opened=revealed)) for row in rows)


def lines_of(
    before: Snapshot, rows: Sequence[Row], standpoint: Standpoint
) -> tuple[Raw, ...] | UnsetType:
    """The events as sentences, where the standpoint asks for them."""
    if standpoint.lines is None:
        return UNSET
    events = [codec.decode_event(row.topic, row.state) for row in rows]
    lines = event_lines_after(
        before.state, events, before.version + 1, standpoint.viewer, standpoint.lines
    )
    return tuple(Raw(msgspec.json.encode(line)) for line in lines)


def last_frame(now: Snapshot, viewer: int | None) -> bytes:
    """The frame that ends the stream, or the frame of the viewer's open questions; else empty."""
    if now.revealed:
        return sse.end(now)
    if viewer is None or all(question.seat != viewer for question in now.state.waits):
        return b""
    return sse.frame("asked", actions(now, viewer))
