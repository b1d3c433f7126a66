"""Who watches a game by its stream of events, with the client's own side of it, and comes back
wherever it ends.
"""

import asyncio
from dataclasses import dataclass

import msgspec

from phaseledger.service.client.protocol import Session, Unreadable
from phaseledger.service.client.stream import GameStream, Moment
from phaseledger.service.eventlog.errors import Conflict, StoreUnavailable
from phaseledger.service.games.errors import LogDamaged, NoSuchGame
from phaseledger.service.readmodels.errors import GameSetAside
from phaseledger.service.schemas.games import GameView
from phaseledger.service.schemas.versions import known_version
from phaseledger.service.streams.errors import TooManyStreams
from tests.simulation.chance import Chance
from tests.simulation.history import Violation
from tests.simulation.nodes import Node, Unreachable, World
from tests.simulation.players import Table

PUT_ASIDE = 0.4  # of the times that a watcher goes
IN_DOUBT = (Unreachable, StoreUnavailable, Conflict, TooManyStreams)


class _Event(msgspec.Struct):
    seq: int
    prev: str


_event = msgspec.json.Decoder(_Event).decode


@dataclass(eq=False)
class Watcher:
    """Somebody who follows a table's game, at any node.

    Each event that comes follows from the one before, unless the stream says that the ledger went
    back, and it is in the log at that time.
    """

    world: World
    table: Table
    chance: Chance
    _view: GameView | None = None
    _node: Node | None = None
    _has_moved: bool = False
    """Whether the stream goes on at another node than before, and nothing has come yet."""

    def __post_init__(self) -> None:
        self._game = self.table.game
        """The game that is watched: what the table has begun since is another one."""

    async def run(self) -> None:
        """Watch the games of the table, one after another, until cancelled. Raises Violation."""
        while True:
            game = self._game = self.table.game
            stream, self._view = GameStream(Session(game=str(game))), None
            while self.table.game == game:
                try:
                    await self._watch(stream)
                except LogDamaged as damage:
                    raise Violation(f"a sound log is called damaged: {damage}") from damage
                except GameSetAside as aside:
                    raise Violation(f"a sound game is set aside: {aside.detail}") from aside
                except IN_DOUBT as lost:
                    self.world.log("stream is lost", watcher=str(game)[:8], why=str(lost)[:80])
                except NoSuchGame:
                    stream = GameStream(Session(game=str(game)))
                    self._view = None
                await asyncio.sleep(self._absence())

    def _absence(self) -> float:
        """Seconds until the watcher comes back: at once, or as a phone that was put aside."""
        return self.chance.between(0.05, 20.0 if self.chance.happens(PUT_ASIDE) else 1.0)

    async def _watch(self, stream: GameStream) -> None:
        epoch = self.world.history.epoch
        since = known_version(stream.request().headers.get("Last-Event-ID", "0"))
        node = self.chance.pick(self.world.there)
        self._has_moved = node is not self._node and since.number > 0
        self._node = node
        ends_at = asyncio.get_running_loop().time() + self.chance.between(0.5, 20.0)
        received = b""
        parts = node.stream(self._game, since)
        try:
            async with asyncio.timeout_at(ends_at):
                async for part in parts:
                    *frames, received = (received + part).split(b"\n\n")
                    for frame in frames:
                        self._take(stream, frame, is_same=epoch == self.world.history.epoch)
        except TimeoutError:
            pass  # a connection that is cut
        finally:
            await parts.aclose()

    def _take(self, stream: GameStream, frame: bytes, *, is_same: bool) -> None:
        """One frame; ``is_same`` where the database has not gone back since the stream began."""
        fields = dict(line.split(": ", 1) for line in frame.decode().split("\n") if ": " in line)
        if "event" not in fields:
            return
        try:
            moment = stream.handle(fields["event"], fields["data"])
        except Unreadable as why:
            raise Violation(f"a stream of {self._game} does not fit: {why}") from why
        if moment is None or moment.asked is not None:
            return
        before, self._view = self._view, moment.view
        self._check(before, moment)
        if is_same:
            self.world.history.watch(self._game, moment.view.version, moment.view.head)
        if moment.rewound:
            self.world.reached.note("a stream was rewound")
            if (
                is_same
                and before
                and self.world.history.has_event(self._game, before.version, before.head)
            ):
                raise Violation("a stream says that a version is lost which the log has")

    def _check(self, before: GameView | None, moment: Moment) -> None:
        if not moment.events:
            return
        if self._has_moved:
            self.world.reached.note("a stream went on at another node")
            self._has_moved = False
        assert before is not None
        events = [_event(event) for event in moment.events]
        if (events[0].seq, events[0].prev) != (before.version + 1, before.head):
            raise Violation(
                f"a stream of {self._game} goes on with event {events[0].seq} after "
                f"{before.version}, from which it does not follow"
            )
        if [event.seq for event in events] != [*range(events[0].seq, moment.view.version + 1)]:
            raise Violation(f"a stream of {self._game} leaves events out")

    async def caught_up(self) -> None:
        """Wait until the watcher has seen the game as it is in the log."""
        while True:
            game, view = self.table.game, self._view
            rows = self.world.history.tables.games.get(game)
            if not rows or (view and self.world.history.has_event(game, len(rows), view.head)):
                return
            await asyncio.sleep(0.1)
