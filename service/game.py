"""One game in memory, and what may be asked of it."""

import asyncio
import time
from collections.abc import Sequence
from typing import NamedTuple
from uuid import UUID

from domain import codec
from domain.commands import Act, OpenGame
from domain.decide import step
from domain.events import GameOpened
from domain.state import State
from replay.signing import is_signed


class NoSuchGame(Exception):
    """The log has no event of that game."""


class TableFull(Exception):
    """Every seat is taken, and the newcomer named none."""


class StaleVersion(Exception):
    """If-Match named a version that is not the game's; ``version`` is."""

    def __init__(self, version: int) -> None:
        super().__init__(f"The game is at version {version}.")
        self.version = version


class BadSignature(Exception):
    """The seat has not signed this command for event ``version``, whose hash is ``head``."""

    def __init__(self, version: int, head: str) -> None:
        super().__init__(f"The game is at version {version}.")
        self.version = version
        self.head = head


class KeyReused(Exception):
    """The Idempotency-Key belongs to another command."""


class Decision(NamedTuple):
    """Something to decide, and the id under which the log will know it."""

    act: Act
    cmd: str


class Answer(NamedTuple):
    """What a command led to: the state right after it, and its events as stored."""

    game: UUID
    version: int
    state: State
    stored: tuple[bytes, ...]
    key: bytes
    """The game's seal key, for redaction."""
    seat: int | None
    """Who spoke."""
    first: bytes
    """The first event of the last command, as stored."""
    head: str
    """The leaf hash of the last event."""


class Snapshot(NamedTuple):
    """A game at one version."""

    state: State
    chain: codec.Chain
    sealed_at: int = 0
    """When a table that waits for secrets was sealed, in ms since 1970."""

    @property
    def version(self) -> int:
        """The number of events so far."""
        return self.chain.seq

    @property
    def opened(self) -> bool:
        """Whether the server's secret is revealed, so that nothing is hidden any more."""
        return self.state.stage in ("ended", "voided")


class Game:
    """One game in memory. Whoever changes it holds ``lock``; ``now`` may be read without."""

    def __init__(self, game: UUID) -> None:
        self.id = game
        self.lock = asyncio.Lock()
        self.changed = asyncio.Event()
        self.now: Snapshot | None = None
        self.commands: dict[str, int] = {}
        """Command ids to the version that each led to."""

    @property
    def version(self) -> int:
        """The cached version, 0 before the first event."""
        return self.now.version if self.now else 0

    def become(self, now: Snapshot) -> None:
        """Take the new state, and wake those who wait for it."""
        self.now = now
        self.changed.set()
        self.changed = asyncio.Event()


def part_id(act: Act, key: str) -> str:
    """The command id of one part of an opening. A key has no space, so no other key makes it."""
    if isinstance(act.command, OpenGame):
        return codec.command_id(None, key)
    return codec.command_id(act.seat, f"{key} opening")


def decided(
    now: Snapshot | None, decisions: Sequence[Decision]
) -> tuple[Snapshot, list[codec.Entry], dict[str, int]]:
    """The game after the decisions, their events, and the version each decision led to."""
    state, chain = (now.state, now.chain) if now else (None, None)
    at, entries, ends = time.time_ns() // 1_000_000, [], {}
    for act, cmd in decisions:
        state, events = step(state, act)
        if chain is None:
            opened = events[0]
            assert isinstance(opened, GameOpened)
            chain = codec.new_chain(opened)
        chain, more = codec.append(chain, events, cmd, at)
        entries += more
        ends[cmd] = chain.seq
    assert state is not None
    assert chain is not None
    since = sealed_at(now.sealed_at if now else 0, state, at)
    return Snapshot(state, chain, since), entries, ends


def sealed_at(known: int, state: State, at: int) -> int:
    """When the table was sealed, if it waits for secrets after an event written down ``at``."""
    return known or (at if state.stage == "sealed" else 0)


def leaf_of(stored: bytes, key: bytes) -> str:
    """The leaf hash of a stored event, by the game's seal key."""
    return codec.leaf_hash(codec.redact(stored, key, None, opened=False))


def require_genuine(now: Snapshot, act: Act) -> None:
    """See that a signature is the seat's, over this command to the game as it is now.

    Whether there has to be one is for the rules to say. Raises BadSignature.
    """
    state, (game, _, version, head) = now.state, now.chain
    if act.sig and act.seat is not None:
        seat = state.seats[act.seat]
        public = seat.key if seat else ""
        if public and not is_signed(public, act.sig, game, act.seat, head, version, act.command):
            raise BadSignature(version, head)
