"""One game in memory, and what may be asked of it."""

import asyncio
import time
from collections import deque
from collections.abc import Sequence
from typing import NamedTuple
from uuid import UUID

from phaseledger.domain.commands import Act, OpenGame
from phaseledger.domain.decide import step
from phaseledger.domain.events import GameOpened
from phaseledger.domain.evidence import codec
from phaseledger.domain.evolve import evolve
from phaseledger.domain.state import State
from phaseledger.replay.signing.commands import is_signed
from phaseledger.service.eventlog.postgres import Row
from phaseledger.service.games.errors import BadSignature, SeatGivenUp, SeatHandedOver
from phaseledger.service.games.log_times import NONE, LogTimes, times_after

LATELY = 16  # commands whose repetition needs no fold; what bots do between two of a person's


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
    marks: LogTimes = NONE

    @property
    def version(self) -> int:
        """The number of events so far."""
        return self.chain.seq

    @property
    def revealed(self) -> bool:
        """Whether the server's secret is revealed, so that nothing is hidden any more."""
        return self.state.is_over


class Game:
    """One game in memory. Whoever changes it holds ``lock``; ``now`` may be read without."""

    def __init__(self, game: UUID) -> None:
        self.id = game
        self.lock = asyncio.Lock()
        self.changed = asyncio.Event()
        self.now: Snapshot | None = None
        self.lately: deque[Snapshot] = deque(maxlen=LATELY)
        """The game after each of the last commands that this process knows of."""
        self.past: Snapshot | None = None
        """The game as spectators last saw it, where they see it late."""
        self.fresh: Sequence[Row] = ()
        """The rows that led to ``now``, where this process has just written them."""
        self.commands: dict[str, int] = {}
        """Command ids to the version that each led to."""

    @property
    def version(self) -> int:
        """The cached version, 0 before the first event."""
        return self.now.version if self.now else 0

    def become(self, now: Snapshot, fresh: Sequence[Row] = ()) -> None:
        """Take the new state, and wake those who wait for it."""
        self.now = now
        self.lately.append(now)
        self.fresh = fresh
        self.changed.set()
        self.changed = asyncio.Event()


def part_id(act: Act, key: str) -> str:
    """The command id of one part of an opening. A key has no space, so no other key makes it."""
    if isinstance(act.command, OpenGame):
        return codec.command_id(None, key)
    return codec.command_id(act.seat, f"{key} opening")


def apply_decisions(
    now: Snapshot | None, decisions: Sequence[Decision]
) -> tuple[Snapshot, list[codec.Entry], dict[str, int]]:
    """The game after the decisions, their events, and the version each decision led to."""
    state, chain = (now.state, now.chain) if now else (None, None)
    marks = now.marks if now else NONE
    # A machine's clock may be put back; a game's time never is.
    at, entries, ends = max(time.time_ns() // 1_000_000, marks.at), [], {}
    for act, cmd in decisions:
        before = state
        state, events = step(state, act)
        if chain is None:
            opened = events[0]
            assert isinstance(opened, GameOpened)
            chain = codec.new_chain(opened)
        last = chain.seq + len(events)
        for seq, event in enumerate(events, chain.seq + 1):
            after = state if seq == last else evolve(before, event)
            marks = times_after(marks, before, after, seq, at, event)
            before = after
        chain, more = codec.append(chain, events, cmd, at)
        entries += more
        ends[cmd] = chain.seq
    assert state is not None
    assert chain is not None
    return Snapshot(state, chain, marks), entries, ends


def apply_rows(now: Snapshot | None, rows: Sequence[Row]) -> tuple[Snapshot, dict[str, int]]:
    """The game after the rows that follow, and the version that each of their commands led to."""
    state, key, marks = (now.state, now.chain.key, now.marks) if now else (None, b"", NONE)
    ends = {}
    for row in rows:
        record, event = codec.decode(row.topic, row.state)
        before, state = state, evolve(state, event)
        marks = times_after(marks, before, state, row.version, record.at, event)
        ends[record.cmd] = row.version
    assert state is not None
    key = key or codec.seal_key(state.game, state.server_secret)
    chain = codec.Chain(state.game, key, rows[-1].version, leaf_of(rows[-1].state, key))
    return Snapshot(state, chain, marks), ends


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


def require_own(now: Snapshot, seat: int, since: int, version: int) -> None:
    """See that the seat's command that led to that version is of the sitting that began ``since``.

    Raises SeatGivenUp.
    """
    if since < now.marks.freed.get(seat, 0) < version:
        raise SeatGivenUp


def require_in_person(now: Snapshot, seat: int, since: int) -> None:
    """See that a seat is still that of the token whose sitting began ``since``.

    Raises:
        SeatGivenUp, SeatHandedOver: it is not.

    """
    if now.marks.freed.get(seat, 0) > since:
        raise SeatGivenUp
    sitting = now.state.seats[seat]
    if sitting and sitting.bot:
        raise SeatHandedOver
