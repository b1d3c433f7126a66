"""One game in memory, and what may be asked of it."""

import asyncio
from collections.abc import Collection, Sequence
from typing import NamedTuple
from uuid import UUID

from phaseledger.domain.commands import Act, Command, OpenGame
from phaseledger.domain.decide import step
from phaseledger.domain.events import GameOpened
from phaseledger.domain.evidence import codec
from phaseledger.domain.evolve import evolve
from phaseledger.domain.groups.work import require_affordable
from phaseledger.domain.state import State
from phaseledger.replay.formats.signing.commands import is_signed, signing_key
from phaseledger.replay.formats.signing.receipts import Receipted, TreeSignature, entry_of
from phaseledger.service.eventlog.clock import LOCAL, LedgerClock
from phaseledger.service.eventlog.rows import Row
from phaseledger.service.games.errors import (
    BadSignature,
    BotHasSeat,
    NoSuchGame,
    SeatGivenUp,
    StaleVersion,
)
from phaseledger.service.games.log_times import NONE, LogTimes, full_time, times_after
from phaseledger.service.readmodels.soundness import evolved
from phaseledger.service.schemas.versions import KnownVersion


class Decision(NamedTuple):
    """Something to decide, and the id under which the log will know it."""

    act: Act
    cmd: str
    at: int = 0
    """The least time of its events, in ms since 1970."""


class Answer(NamedTuple):
    """The result of a command: the state right after it, and its events as stored."""

    game: UUID
    version: int
    state: State
    stored: tuple[bytes, ...]
    key: bytes
    """The game's seal key, for redaction."""
    seat: int | None
    """Who spoke."""
    head: str
    """The leaf hash of the last event."""
    receipted: Receipted
    """The entry of the last command's receipt."""
    signature: TreeSignature | None
    """The signature that the entry shares with others of its commit; None where it is alone."""
    is_repeated: bool = False
    """Whether the command was carried out before, by an earlier request with its key."""
    entries: Sequence[codec.Entry] = ()
    """Its events as they were made; empty where they were read from the log. Not compared."""

    def __eq__(self, other: object) -> bool:
        """Equality but for ``entries``."""
        return isinstance(other, Answer) and self[:-1] == other[:-1]

    def __hash__(self) -> int:
        """A hash without ``entries``."""
        return hash(self[:-1])


class Snapshot(NamedTuple):
    """A game at one version."""

    state: State
    chain: codec.Chain
    marks: LogTimes = NONE
    clock: LedgerClock = LOCAL
    """The clock by which its deadlines count."""

    @property
    def version(self) -> int:
        """The number of events so far."""
        return self.chain.seq

    @property
    def revealed(self) -> bool:
        """Whether the server's secret is revealed, so that nothing is hidden any more."""
        return self.state.is_over


class Game:
    """One game in memory. Changes hold ``lock``; ``now`` may be read without."""

    def __init__(self, game: UUID) -> None:
        self.id = game
        self.lock = asyncio.Lock()
        self.changed = asyncio.Event()
        self.now: Snapshot | None = None
        self.past: Snapshot | None = None
        """The game at an earlier version that was asked for last, as by spectators who see late."""
        self.fresh: Sequence[Row] = ()
        """The rows that led to ``now``, where this process has just written them."""
        self.commands: dict[str, int] = {}
        """By command id, the version that the command led to."""
        self.watched_at: int | None = None
        """The last read by a person or a stream here, as `elapsed_ms` counts; None: never."""
        self.shown: tuple[Snapshot, int] | None = None
        """The snapshot last read here, and when the watchers were called for it."""
        self.history = 0
        """The number of the log's history that it was read from; higher after the log went back."""

    @property
    def version(self) -> int:
        """The cached version, 0 before the first event."""
        return self.now.version if self.now else 0

    @property
    def is_over(self) -> bool:
        """Whether it has ended or was voided, as far as it is cached."""
        return self.now is not None and self.now.revealed

    def loaded(self) -> Snapshot:
        """The game; raises NoSuchGame where the log has none."""
        if self.now is None:
            raise NoSuchGame
        return self.now

    def forget(self, history: int) -> None:
        """Drop what was read of another history of the log; ``lock`` is held."""
        self.now, self.past, self.shown, self.fresh = None, None, None, ()
        self.commands.clear()
        self.history = history
        self.changed.set()
        self.changed = asyncio.Event()

    def become(self, now: Snapshot, fresh: Sequence[Row] = ()) -> None:
        """Take the new state, and wake those who wait for it."""
        self.now = now
        self.fresh = fresh
        self.changed.set()
        self.changed = asyncio.Event()


def spellings(key: str) -> tuple[str, str]:
    """The key, and as earlier releases have recorded one that came in quotation marks."""
    return key, f'"{key}"'


def part_id(kind: type[Command], seat: int | None, key: str) -> str:
    """The command id of one part of an opening: a command of that kind, by that seat.

    A key has no space, so no other key makes the same id.
    """
    return (
        codec.command_id(None, key)
        if kind is OpenGame
        else codec.command_id(seat, f"{key} opening")
    )


class PendingCommit(NamedTuple):
    """Decisions and the events that they lead to, before these are stored."""

    decisions: Sequence[Decision]
    before: int
    """The game's version that they were taken at."""
    after: Snapshot
    entries: Sequence[codec.Entry]
    versions: dict[str, int]
    """By command id, the version that each decision leads to."""

    def receipt_entry(self) -> Receipted:
        """The entry of the last decision's receipt."""
        decisions, after = self.decisions, self.after
        before = self.versions[decisions[-2].cmd] if len(decisions) > 1 else self.before
        first, last = self.entries[before - after.version], self.entries[-1]
        return entry_of(first.stored, last.stored, after.chain.head)

    def answer(self, game: UUID, receipted: Receipted, signature: TreeSignature | None) -> Answer:
        """The answer to the decisions, once they are stored."""
        after = self.after
        return Answer(
            game=game,
            version=after.version,
            state=after.state,
            stored=tuple(entry.stored for entry in self.entries),
            key=after.chain.key,
            seat=self.decisions[0].act.seat,
            head=after.chain.head,
            receipted=receipted,
            signature=signature,
            entries=self.entries,
        )


def apply_decisions(
    now: Snapshot | None, decisions: Sequence[Decision], clock: LedgerClock = LOCAL
) -> PendingCommit:
    """The pending result of decisions on the game as it is, at the ledger's time.

    Raises:
        StoreUnavailable: the clock has no time to give.
        what the rules do.

    """
    state, chain = (now.state, now.chain) if now else (None, None)
    marks = now.marks if now else NONE
    at, versions = clock.estimate(), dict[str, int]()
    entries: list[codec.Entry] = []
    for act, cmd, least in decisions:
        before = state
        # A clock may be put back; a game's time never is. It stands still until then.
        at = max(at, least, marks.at, full_time(marks, state, act.command, clock))
        state, events = step(state, act)
        if isinstance(act.command, OpenGame):
            require_affordable(state.ruleset)
        if chain is None:
            opened = events[0]
            assert isinstance(opened, GameOpened)
            chain = codec.new_chain(opened)
        last = chain.seq + len(events)
        for seq, event in enumerate(events, chain.seq + 1):
            after = state if seq == last else evolve(before, event)
            marks = times_after(marks, before, after, seq, at, event)
            before = after
        chain, appended = codec.append(chain, events, cmd, at)
        entries += appended
        versions[cmd] = chain.seq
    assert state is not None
    assert chain is not None
    after_all = Snapshot(state, chain, marks, clock)
    return PendingCommit(
        decisions=decisions,
        before=now.version if now else 0,
        after=after_all,
        entries=entries,
        versions=versions,
    )


def apply_rows(
    now: Snapshot | None, rows: Sequence[Row], clock: LedgerClock = LOCAL
) -> tuple[Snapshot, dict[str, int]]:
    """The game after the rows that follow, and the version that each of their commands led to.

    ``clock`` is for a game that begins with them.

    Raises:
        Damage: one does not fit the game before it.

    """
    state, key, marks = (now.state, now.chain.key, now.marks) if now else (None, b"", NONE)
    clock = now.clock if now else clock
    ends = dict[str, int]()
    for row in rows:
        record, event = codec.decode(row.topic, row.state)
        before, state = state, evolved(state, row.version, event)
        marks = times_after(marks, before, state, row.version, record.at, event)
        ends[record.cmd] = row.version
    assert state is not None
    key = key or codec.seal_key(state.game, state.server_secret)
    chain = codec.Chain(state.game, key, rows[-1].version, leaf_of(rows[-1].state, key))
    return Snapshot(state, chain, marks, clock), ends


def leaf_of(stored: bytes, key: bytes) -> str:
    """The leaf hash of a stored event, by the game's seal key."""
    return codec.leaf_hash(codec.redact(stored, key, None, opened=False))


def require_genuine(now: Snapshot, act: Act) -> None:
    """Verify the seat's signature over this command to the game as it is now.

    Whether there has to be one is for the rules to say. Raises BadSignature.
    """
    state, (game, _, version, head) = now.state, now.chain
    if act.sig and act.seat is not None:
        public = signing_key(act, state.seats)
        if public and not is_signed(public, act.sig, game, act.seat, head, version, act.command):
            raise BadSignature(version, head)


def require_version(now: Snapshot, versions: Collection[KnownVersion] | None) -> None:
    """Require that the game is at one of the versions; None: at any. Raises StaleVersion."""
    head = now.chain.head
    if versions is not None and not any(version.fits(now.version, head) for version in versions):
        raise StaleVersion(now.version)


def require_own(now: Snapshot, seat: int, since: int, version: int) -> None:
    """Require that the command that led to ``version`` is of the sitting begun at ``since``.

    Raises SeatGivenUp.
    """
    if since < now.marks.freed.get(seat, 0) < version:
        raise SeatGivenUp


def require_in_person(now: Snapshot, seat: int, since: int) -> None:
    """Require that the sitting that began at version ``since`` still has the seat.

    Raises SeatGivenUp, BotHasSeat.
    """
    if now.marks.freed.get(seat, 0) > since:
        raise SeatGivenUp
    sitting = now.state.seats[seat]
    if sitting and sitting.bot:
        raise BotHasSeat
