"""A simulated PostgreSQL: the tables of the ledger, sessions, commits and their loss.

What is committed is a list of changes, so that a server can lose the last of them: a standby that
lagged is promoted, or a crash takes what was committed asynchronously. `statements` says what the
shell's statements do here.
"""

import asyncio
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, TypeAlias

from psycopg import errors

from tests.simulation.chance import Chance
from tests.simulation.process import Process
from tests.simulation.sometimes import Reached
from tests.simulation.tables import Tables

EPOCH = 1_800_000_000  # seconds since 1970 at which every simulation begins
SEQUENCE_AHEAD = 32
"""Positions that a crash or a promotion may skip: a sequence is logged so far ahead."""


class Commit(NamedTuple):
    """The changes of one transaction; ``is_flushed`` unless its commit was asynchronous."""

    changes: Sequence[tuple[Callable[..., None], tuple[Any, ...]]]
    is_flushed: bool


Rows: TypeAlias = list[tuple[Any, ...]]


class Result(NamedTuple):
    """What a statement gives: its rows, if it returns any, and how many it has touched."""

    rows: Rows | None
    count: int = -1


class Session:
    """A session of the server."""

    def __init__(
        self,
        server: "Server",
        dropped: Callable[[], None],
        notified: Any,
        process: Process | None = None,
    ) -> None:
        self.server = server
        self.process = process
        self.dropped = dropped
        """Called when the server ends it."""
        self.notified = notified
        """Called when a notification comes."""
        self.pid = server.next_pid()
        self.is_open = True
        self.state = "idle"
        """Of its last statement."""
        self.since = 0.0
        """When that began, or was over."""
        self.listens = False
        self.is_flushing = True
        self.changes: list[tuple[Callable[..., None], tuple[Any, ...]]] | None = None
        """Of the open transaction."""

    def turn(self, state: str) -> None:
        """Note what it does from now on."""
        self.state, self.since = state, self.server.now()

    def begin(self) -> None:
        self.changes = []

    def commit(self) -> None:
        """Commit the open transaction."""
        changes, self.changes = self.changes, None
        if changes:
            self.server.commit(changes, is_flushed=self.is_flushing)
        self.server.release_views(self)

    def rollback(self) -> None:
        self.changes = None
        self.server.release_views(self)

    def change(self, function: Callable[..., None], *arguments: object) -> None:
        """Change something, in the open transaction or in one of its own."""
        if not self.is_open:
            raise errors.AdminShutdown("terminating connection due to administrator command")
        if self.server.is_read_only:
            raise errors.ReadOnlySqlTransaction("cannot execute it in a read-only transaction")
        self.server.require_room()
        if self.changes is None:
            self.server.commit([(function, arguments)], is_flushed=self.is_flushing)
        else:
            self.changes.append((function, arguments))

    def end(self) -> None:
        """End the session: what is open is rolled back, its locks are free."""
        if self.is_open:
            self.is_open = False
            self.rollback()
            self.server.sessions.pop(self, None)
            held = [name for name, owner in self.server.advisory.items() if owner is self]
            for name in held:
                del self.server.advisory[name]


class Server:
    """The server, or what has taken its place at the same address.

    ``predecessors`` and ``serializes`` are what `append_events` does: demand the row before, where
    it is told which that is, and hold the lock of the log until its commit. A server without one of
    them is a defect, planted to be found.
    """

    def __init__(
        self,
        chance: Chance,
        *,
        predecessors: bool = True,
        serializes: bool = True,
        reached: Reached | None = None,
    ) -> None:
        self._chance = chance
        self.predecessors = predecessors
        self.serializes = serializes
        self.tables = Tables()
        self.commits: list[Commit] = []
        self.sequence = 0
        self.sessions: dict[Session, None] = {}
        self.advisory: dict[str, Session] = {}
        self.is_up = True
        self.is_read_only = False
        self.is_full = False
        """Whether its disk is."""
        self.reached = Reached() if reached is None else reached
        self.holders: dict[str, Process | None] = {}
        """Who had each advisory lock last."""
        self.identifier = 7_000_000_000_000_000_000 + chance.below(1 << 40)
        self.timeline = 1
        self.started = 1
        """Another after every start."""
        self.unknown: list[str] = []
        """Statements that nothing here carries out."""
        self.appended = asyncio.Event()
        """Set when something is appended to the log."""
        self.stored_at: dict[int, float] = {}
        """When each position was written, in seconds since 1970."""
        self._pids = 0
        self._writer: Session | None = None
        """Who has locked the row of the views' position."""
        self._freed = asyncio.Event()

    def require_room(self) -> None:
        """Raise what a server does whose disk is full."""
        if self.is_full:
            raise errors.DiskFull("could not extend file: No space left on device")

    def now(self) -> float:
        """The time by its clock, in seconds since 1970."""
        return EPOCH + asyncio.get_running_loop().time()

    # --- commits ------------------------------------------------------------------------------

    def commit(self, changes: Sequence[Any], *, is_flushed: bool) -> None:
        commit = Commit(tuple(changes), is_flushed)
        self.commits.append(commit)
        self._apply(commit)

    def _apply(self, commit: Commit) -> None:
        for function, arguments in commit.changes:
            function(self.tables, *arguments)

    def lose(self, count: int) -> None:
        """Let the last commits never have happened."""
        if count <= 0:
            return
        del self.commits[-count:]
        hurt, self.tables = self.tables.hurt, Tables()
        for commit in self.commits:
            self._apply(commit)
        self.tables.hurt |= hurt
        self.sequence = self.tables.position

    def next_pid(self) -> int:
        """The id of another backend."""
        self._pids += 1
        return self._pids

    def draw(self) -> int:
        """The next position."""
        self.sequence += 1
        return self.sequence

    async def lock_views(self, session: Session, patience: float) -> None:
        """Lock the row of the views' position until the transaction ends."""
        try:
            async with asyncio.timeout(patience):
                while self._writer not in (None, session):
                    self._freed.clear()
                    await self._freed.wait()
        except TimeoutError:
            raise errors.LockNotAvailable("canceling statement due to lock timeout") from None
        if session.changes is not None and session.is_open:
            self._writer = session

    def release_views(self, session: Session) -> None:
        if self._writer is session:
            self._writer = None
        self._freed.set()

    def notify(self) -> None:
        """Tell all who listen; a notification may be lost."""
        for session in list(self.sessions):
            if session.listens:
                if self._chance.happens(0.05):
                    self.reached.note("a notification was lost")
                else:
                    session.notified()

    # --- life ---------------------------------------------------------------------------------

    def stop(self, *, crash: bool) -> None:
        """End all sessions, and take no others until `start`."""
        self.is_up = False
        for session in list(self.sessions):
            session.end()
            session.dropped()
        if crash:
            unflushed = 0
            for commit in reversed(self.commits):
                if commit.is_flushed or self._chance.happens(0.3):
                    break
                unflushed += 1
            if unflushed:
                self.reached.note("a crash took views that were not flushed")
            self.lose(unflushed)
            self.sequence += self._chance.below(SEQUENCE_AHEAD)

    def start(self) -> None:
        self.is_up = True
        self.started += 1

    def restore(self, lag: int) -> None:
        """Put a server in its place that a backup was restored to, ``lag`` commits older."""
        self.lose(min(lag, len(self.commits)))
        self.identifier += 1
        self.timeline = 1

    def promote(self, lag: int) -> None:
        """Put a standby in its place that had not received the last ``lag`` commits."""
        self.lose(min(lag, len(self.commits)))
        self.timeline += 1
        self.sequence += self._chance.below(SEQUENCE_AHEAD)
