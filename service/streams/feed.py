"""What those who watch a game are told of it: folded, redacted and encoded once for all who see
the same.
"""

import asyncio
from collections.abc import Callable, Sequence
from uuid import UUID

import msgspec
import structlog
from msgspec import Raw

from phaseledger.domain.evidence import codec
from phaseledger.service.eventlog.postgres import Conflict, Row, StoreUnavailable
from phaseledger.service.eventlog.protocols import GameStore
from phaseledger.service.games.game import Game, Snapshot, apply_rows
from phaseledger.service.games.view import actions, game_view
from phaseledger.service.runtime.logs import trace
from phaseledger.service.schemas.json_patch import JsonValue, patch
from phaseledger.service.schemas.streams import StreamCloseCode
from phaseledger.service.streams import sse as frames
from phaseledger.service.streams.subscription import Stream

CROWD = 50  # streams that are told before others get their turn of the loop
HELD = 1_000  # rows kept for a feed that may not tell them yet
PAUSE = 0.5  # seconds until the log is tried again

VisibleVersion = Callable[[Snapshot], int]
"""The highest version that a feed's viewers may see, of the game at its newest."""

log = structlog.get_logger("phaseledger.streams")


class Audience:
    """All who see the same of a game: one seat, or everybody who has none."""

    def __init__(self, tree: JsonValue) -> None:
        self.tree = tree
        """The view that they have, as plain objects."""
        self.streams: set[Stream] = set()


class Feed:
    """One game on its way, as far as its viewers may see it (``reach``; None: all of it).

    ``now`` is what was told last. Whoever attaches to it at that version misses nothing.
    """

    def __init__(
        self,
        store: GameStore,
        game: UUID,
        now: Snapshot,
        reveal_seconds: int,
        reach: VisibleVersion | None,
    ) -> None:
        self.now = now
        self.users = 0
        self.is_current = False
        """Whether the log was asked since the feed began; nobody told it of commits before."""
        self.is_broken = False
        self._store = store
        self._game = game
        self._reveal_seconds = reveal_seconds
        self._reach = reach
        self._newest = now
        self._rows: list[Row] = []
        self._audiences: dict[int | None, Audience] = {}
        self._is_over = False
        self._wake = asyncio.Event()
        self._moved = asyncio.Event()
        self._task = asyncio.create_task(self._run(), name=f"feed of {game}")

    @property
    def known(self) -> int:
        """The highest version that the feed has heard of."""
        return self._newest.version

    def note(self, game: Game) -> None:
        """Take notice that the game may have gone on; returns at once."""
        if game.now is None or game.version <= self.known:
            return
        # A feed that is held back waits for these rows; where one is missing, the log has it.
        if game.fresh and game.fresh[0].version == self.known + 1 and len(self._rows) < HELD:
            self._rows += game.fresh
        self._newest = game.now
        self._wake.set()

    async def reached(self, version: int) -> None:
        """Wait until the feed has told that version."""
        while self.now.version < version:
            if self.is_broken:
                raise StoreUnavailable("The game cannot be followed.")
            await self._moved.wait()

    def stop(self) -> None:
        """Tell nothing more."""
        self._is_over = True
        self._task.cancel()

    def attach(self, stream: Stream, viewer: int | None) -> None:
        """Tell the stream what comes after ``now``."""
        if viewer not in self._audiences:
            self._audiences[viewer] = Audience(self.tree(self.now, viewer))
        self._audiences[viewer].streams.add(stream)

    def detach(self, stream: Stream, viewer: int | None) -> None:
        """Forget the stream, if it is attached."""
        audience = self._audiences.get(viewer)
        if audience is not None:
            audience.streams.discard(stream)
            if not audience.streams:
                del self._audiences[viewer]

    def tree(self, now: Snapshot, viewer: int | None) -> JsonValue:
        """The game as the viewer sees it, as plain objects."""
        return msgspec.to_builtins(game_view(now, viewer, self._reveal_seconds))

    def state(self, now: Snapshot, viewer: int | None) -> bytes:
        """All that the viewer sees."""
        return frames.frame("state", game_view(now, viewer, self._reveal_seconds), now.version)

    def delta(
        self, before: Snapshot, rows: Sequence[Row], now: Snapshot, viewer: int | None
    ) -> bytes:
        """What the viewer sees of the way from one snapshot to the other."""
        change = patch(self.tree(before, viewer), self.tree(now, viewer))
        return frames.delta(now, redacted_rows(rows, now, viewer), change)

    async def _run(self) -> None:
        while not self._is_over:  # a cancellation may be lost, as `service.tasks.ended` has it
            await self._wake.wait()
            self._wake.clear()
            try:
                await self._go_on()
            except (StoreUnavailable, Conflict) as away:
                log.warning("stream waits for the log", game=str(self._game), reason=str(away))
                await asyncio.sleep(PAUSE)
                self._wake.set()
            except Exception as bug:  # noqa: BLE001 - nobody awaits this task, so it is told here
                log.error("stream broke", game=str(self._game), **trace(bug))  # noqa: TRY400
                self.is_broken = True
                self._moved.set()
                self._close("broken")
                return

    async def _go_on(self) -> None:
        newest, before = self._newest, self.now
        target = self._reach(newest) if self._reach else newest.version
        if target == 0:
            self._close("not_for_spectators")
        if target <= before.version:
            return
        rows = [row for row in self._rows if before.version < row.version <= target]
        if len(rows) < target - before.version:
            rows = await self._store.read(self._game, before.version, target - before.version)
        now = newest if newest.version == target else apply_rows(before, rows)[0]
        self.now = now
        self._rows = [row for row in self._rows if row.version > target]
        self._moved.set()
        self._moved = asyncio.Event()
        for viewer in [*self._audiences]:
            if has_changed_hands(before, now, viewer):
                for stream in self._audiences.pop(viewer).streams:
                    stream.close("seat_lost")
        await self._tell(rows)

    def _close(self, code: StreamCloseCode) -> None:
        for audience in self._audiences.values():
            for stream in audience.streams:
                stream.close(code)

    async def _tell(self, rows: Sequence[Row]) -> None:
        """Offer everybody what is new, and first of all that; the last word comes after it."""
        now, told = self.now, 0
        listeners: list[tuple[int | None, list[Stream], dict[str, bytes]]] = []
        for viewer, audience in self._audiences.items():
            tree, events = self.tree(now, viewer), redacted_rows(rows, now, viewer)
            told_as = {
                "sse": frames.delta(now, events, patch(audience.tree, tree)),
                "ndjson": frames.lines(events),
            }
            audience.tree = tree
            # Whoever attaches from here on has all of this already.
            listeners.append((viewer, [*audience.streams], told_as))
        for _, streams, told_as in listeners:
            for stream in streams:
                stream.offer(told_as[stream.form])
                told += 1
                if told % CROWD == 0:
                    await asyncio.sleep(0)
        for viewer, streams, _ in listeners:
            word = last_frame(now, viewer)
            for stream in streams:
                if word and stream.form == "sse":
                    stream.offer(word)
                if now.opened:
                    stream.finish()


def has_changed_hands(before: Snapshot, now: Snapshot, viewer: int | None) -> bool:
    """Whether somebody else has the viewer's seat by now, and so the cards that it may see."""
    if viewer is None or now.opened:
        return False
    freed = now.marks.freed.get(viewer, 0) > before.marks.freed.get(viewer, 0)
    was, sits = before.state.seats[viewer], now.state.seats[viewer]
    return freed or (was.bot if was else "") != (sits.bot if sits else "")


def redacted_rows(rows: Sequence[Row], now: Snapshot, viewer: int | None) -> tuple[Raw, ...]:
    """The events as the viewer may know them."""
    key, opened = now.chain.key, now.opened
    return tuple(Raw(codec.redact(row.state, key, viewer, opened=opened)) for row in rows)


def last_frame(now: Snapshot, viewer: int | None) -> bytes:
    """What ends the game's stream, or what the viewer is asked; empty for whoever just watches."""
    if now.opened:
        return frames.end(now)
    if viewer is None or all(question.seat != viewer for question in now.state.waits):
        return b""
    return frames.frame("asked", actions(now, viewer))
