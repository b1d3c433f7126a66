"""The history of a simulation, and what is wrong with it.

A game's versions are a total order, so no search is needed: every check is one look at the log, or
one pass over it.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple
from uuid import UUID

import msgspec

from phaseledger.domain.commands import Act, TimeOut, VoidRestored
from phaseledger.domain.evidence import codec, merkle
from phaseledger.domain.evolve import evolve
from phaseledger.domain.state import State
from phaseledger.projections.games import Chapter, continued
from phaseledger.projections.rows import game_rows, leaderboard_rows, view_rows
from phaseledger.replay.formats.signing.notes import Checkpoint
from phaseledger.replay.formats.signing.receipts import TreeSignature
from phaseledger.service.games.game import Answer, Snapshot
from phaseledger.service.games.log_times import NONE, LogTimes, times_after
from tests.simulation.postgres import Server
from tests.simulation.tables import LogRow, Tables

AHEAD = 1.0
"""Seconds at most by which an event may claim to be later than it was stored: so much a node errs
about the ledger's time where answers are slow.
"""
LATE = 60.0
"""Seconds at most between a decision and its commit: a node may be paused meanwhile."""


class Violation(Exception):
    """The history is not that of one ledger; the message says where."""


class Acknowledged(NamedTuple):
    """A command that was answered."""

    game: UUID
    cmd: str
    version: int
    stored: tuple[bytes, ...]
    head: str
    state: bytes
    signature: TreeSignature | None
    """That of its receipt, which it shares with others."""


class Began(NamedTuple):
    """What was known when an operation began: it may not see less of its game."""

    game: UUID
    floor: int
    epoch: int


class History:
    """What the clients of the ledger were told, held against what the database has.

    ``epoch`` counts how often the database has gone back: what was acknowledged before, and is
    gone, is lost to everybody, and nobody can be held to it.
    """

    def __init__(self, server: Server) -> None:
        self._server = server
        self.epoch = 0
        self.acknowledged: dict[tuple[UUID, str], Acknowledged] = {}
        self.lost = 0
        self.refused: set[tuple[UUID, str]] = set()
        self.reads = 0
        self.repeats = 0
        self.time_outs = 0
        self.checkpoints: dict[int, bytes] = {}
        self.frames = 0
        """Frames of streams that were held against the log."""
        self._floors: dict[UUID, int] = {}
        self._signed_since = 0
        """The epoch of the first of the checkpoints."""
        self.restored: dict[str, Sequence[UUID]] = {}
        """The games that were running when the ledger went on without the end of that log."""

    @property
    def tables(self) -> Tables:
        """What the database has now."""
        return self._server.tables

    # --- as it happens --------------------------------------------------------------------------

    def begin(self, game: UUID) -> Began:
        """An operation on that game begins."""
        return Began(game, self._floors.get(game, 0), self.epoch)

    def acknowledge(self, began: Began, cmd: str, answer: Answer, *, is_first: bool) -> None:
        """A command was answered; ``is_first`` where its key was never sent before.

        Raises Violation.
        """
        game, earlier = began.game, self.acknowledged.get((began.game, cmd))
        now = Acknowledged(
            game,
            cmd,
            answer.version,
            answer.stored,
            answer.head,
            msgspec.json.encode(answer.state, order="sorted"),
            answer.signature,
        )
        if game in self.tables.archived:
            return
        if earlier is not None:
            self.repeats += 1
            if earlier != now and began.epoch == self.epoch:
                _refuse(f"the command {cmd[:8]} of {game} was answered twice, and not the same")
        if began.epoch == self.epoch:
            self._require_stored(now)
            if is_first and now.version - len(now.stored) < began.floor:
                _refuse(
                    f"{game} was answered version {now.version} for {len(now.stored)} events, after"
                    f" version {began.floor} had been seen"
                )
        elif not self._is_stored(now):
            self.lost += 1
            return
        self.acknowledged[game, cmd] = now
        self._see(game, answer.version)

    def refuse(self, began: Began, cmd: str) -> None:
        """A command whose key was never sent before was refused, so that it is not stored."""
        self.refused.add((began.game, cmd))

    def read(self, began: Began, now: Snapshot) -> None:
        """A game was read. Raises Violation where more of it, or something else, was known."""
        self.reads += 1
        if began.epoch != self.epoch or began.game in self.tables.archived:
            return
        if now.version < began.floor:
            _refuse(f"{began.game} was read at {now.version}, after {began.floor} had been seen")
        if not self.has_event(began.game, now.version, now.chain.head):
            _refuse(f"{began.game} was read at {now.version}, which the log does not have so")
        self._see(began.game, now.version)

    def publish(self, checkpoint: Checkpoint) -> None:
        """A checkpoint was signed. Raises Violation where its size has had another root."""
        if self.checkpoints.setdefault(checkpoint.size, checkpoint.root) != checkpoint.root:
            _refuse(f"two roots were signed for the size {checkpoint.size}")

    def has_event(self, game: UUID, version: int, head: str) -> bool:
        """Whether the log has that version of the game, with that leaf hash."""
        rows = self.tables.games.get(game, [])[max(0, version - 1) : version]
        return any(row.leaf is not None and row.leaf.hex() == head for row in rows)

    def watch(self, game: UUID, version: int, head: str) -> None:
        """A stream that began in this epoch has told of a version. Raises Violation."""
        self.frames += 1
        if not self.has_event(game, version, head):
            _refuse(
                f"a stream tells of version {version} of {game}, which the log does not have so"
            )

    def restore(self, running: Sequence[UUID], log: str) -> None:
        """The ledger goes on with a new epoch: these games were running, and that log has ended."""
        self.checkpoints, self._signed_since = {}, self.epoch
        self.restored[log] = running

    @property
    def is_behind_signed(self) -> bool:
        """Whether the database lacks something that was signed: a part of the tree is enough."""
        size = max((log.size for log in self.tables.logs.values()), default=0)
        if max(self.checkpoints, default=0) > size:
            return True
        try:
            check_checkpoints(self.tables, self.checkpoints)
        except Violation:
            return True
        return False

    def go_back(self) -> None:
        """The database has gone back to what it has now."""
        self.epoch += 1
        self.forget_archived()
        gone = [key for key, answer in self.acknowledged.items() if not self._is_stored(answer)]
        for key in gone:
            del self.acknowledged[key]
        self.lost += len(gone)
        if gone:
            self._server.reached.note("acknowledged commands went with the database")
        for game, floor in self._floors.items():
            self._floors[game] = min(floor, len(self.tables.games.get(game, ())))

    def forget_archived(self) -> None:
        """Hold nobody to the events of archived games, which the log has no more."""
        archived = [key for key in self.acknowledged if key[0] in self.tables.archived]
        for key in archived:
            del self.acknowledged[key]

    def has(self, game: UUID, cmd: str) -> bool:
        """Whether the command was acknowledged, and is in the database still."""
        return (game, cmd) in self.acknowledged

    def _see(self, game: UUID, version: int) -> None:
        self._floors[game] = max(self._floors.get(game, 0), version)

    def _is_stored(self, answer: Acknowledged) -> bool:
        first = answer.version - len(answer.stored)
        rows = self.tables.games.get(answer.game, [])[first : answer.version]
        return tuple(row.state for row in rows) == answer.stored

    def _require_stored(self, answer: Acknowledged) -> None:
        if not self._is_stored(answer):
            _refuse(
                f"{answer.game} was answered version {answer.version} for the command "
                f"{answer.cmd[:8]}, and the log does not have it there"
            )
        if not self.has_event(answer.game, answer.version, answer.head):
            _refuse(f"{answer.game} was answered another head at version {answer.version}")

    # --- at the end -----------------------------------------------------------------------------

    def check(self) -> None:
        """Hold all of it against the log. Raises Violation."""
        self.forget_archived()
        for game, rows in self.tables.games.items():
            if game in self.tables.hurt:
                continue
            commands = _commands(game, rows)
            self.time_outs += check_times(rows, self._server.stored_at)
            wrong = sorted(cmd for cmd in commands if (game, cmd) in self.refused)
            if wrong:
                _refuse(f"{game} has the command {wrong[0][:8]}, which was refused")
        for answer in self.acknowledged.values():
            if answer.game not in self.tables.hurt:
                self._require_stored(answer)
        check_views(self.tables)
        is_same = self.epoch == self._signed_since
        check_checkpoints(self.tables, self.checkpoints if is_same else {})
        for log, running in self.restored.items():
            check_voided(self.tables, log, running)


def _commands(game: UUID, rows: Sequence[LogRow]) -> set[str]:
    """The commands of a game whose events follow one another, none twice. Raises Violation."""
    commands: set[str] = set()
    head, last = "0" * 64, ""
    for version, row in enumerate(rows, 1):
        record, event = codec.decode(row.topic, row.state)
        if (row.version, record.seq) != (version, version):
            _refuse(f"{game} has version {row.version} where {version} should be")
        if record.prev != head:
            _refuse(f"{game} does not go on at version {version} from the event before")
        assert row.leaf is not None
        head = row.leaf.hex()
        if record.cmd != last and record.cmd in commands:
            _refuse(f"{game} has the command {record.cmd[:8]} twice")
        if (record.cmd != last) != (event.act is not None):
            _refuse(f"{game} has at version {version} an event of no command")
        commands.add(record.cmd)
        last = record.cmd
    return commands


def check_times(rows: Sequence[LogRow], stored_at: Mapping[int, float]) -> int:
    """See that a game's events say when they happened, and that its turn clocks are kept.

    How many seats were timed out. Raises Violation.
    """
    state: State | None = None
    marks, time_outs = NONE, 0
    for row in rows:
        record, event = codec.decode(row.topic, row.state)
        off = record.at / 1000 - stored_at[row.position]
        if not -LATE < off < AHEAD:
            _refuse(f"event {row.version} of {row.game} is {off:+.1f} s off the ledger's time")
        if state is not None and state.terms.clock and event.act is not None:
            _check_turn(row, event.act, record.at, state, marks)
            time_outs += isinstance(event.act.command, TimeOut)
        before, state = state, evolve(state, event)
        if state.terms.clock is None:
            continue
        marks = times_after(marks, before, state, row.version, record.at, event)
    return time_outs


def _check_turn(row: LogRow, act: Act, at: int, state: State, marks: LogTimes) -> None:
    """See that a seat had its time, and took no more."""
    assert state.terms.clock
    allowed = 1000 * (state.terms.clock.seconds + state.terms.clock.grace)
    if isinstance(act.command, TimeOut):
        asked = marks.asked.get(act.command.overdue)
        if asked is None:
            _refuse(f"event {row.version} of {row.game} times a seat out that nobody asked")
        elif (waited := at - asked.at) < allowed:
            _refuse(f"event {row.version} of {row.game} times a seat out after {waited} ms")
    elif act.seat in marks.asked:
        sitting, waited = state.seat(act.seat), at - marks.asked[act.seat].at
        if waited > allowed and not (sitting.bot or sitting.stand_in):
            _refuse(f"event {row.version} of {row.game} is an answer that took {waited} ms")


def check_voided(tables: Tables, log: str, running: Iterable[UUID]) -> None:
    """See that the games were voided when the log ended, and nothing after. Raises Violation."""
    for game in running:
        row = tables.games[game][-1]
        _, event = codec.decode(row.topic, row.state)
        command = event.act.command if event.act else None
        if not isinstance(command, VoidRestored) or command.log != log:
            _refuse(f"{game} was running when the log {log} ended, and was not voided for it")


def check_views(tables: Tables) -> None:
    """See that the views are those of the log up to their position. Raises Violation."""
    chapters: dict[UUID, Chapter] = {}
    leaves: dict[UUID, bytes] = {}
    for row in tables.log:
        if row.position > tables.views_position:
            break
        if row.game in tables.hurt:
            continue
        record, event = codec.decode(row.topic, row.state)
        chapter = chapters.get(row.game)
        chapters[row.game] = continued(chapter, row.position, record.at, event)
        leaves[row.game] = row.leaf or b""
    tallies = (tally for chapter in chapters.values() for tally in chapter.tallies)
    standings = {(name, bot): tuple(more) for name, bot, *more in leaderboard_rows(tallies)}
    for (game,), row in tables.views["aside"].items():
        if game not in tables.hurt:
            _refuse(f"a sound game is set aside: {row}")
    expected: dict[str, Mapping[object, object]] = {
        "games": _by_key(game_rows(chapters), 1),
        "views": _by_key(view_rows(chapters, {}, leaves, None), 1),
        "leaderboard": standings,
    }
    for name, rows in expected.items():
        stored = {key: row for key, row in tables.views[name].items() if key[0] not in tables.hurt}
        if rows != stored:
            at = tables.views_position
            _refuse(f"the view {name!r} is not that of the log at position {at}")


def _by_key(rows: Iterable[tuple[object, ...]], keys: int) -> dict[object, tuple[object, ...]]:
    return {row[:keys]: row for row in rows}


def check_checkpoints(tables: Tables, published: Mapping[int, bytes]) -> None:
    """See that every checkpoint is over the log's first events. Raises Violation."""
    leaves = [row.leaf or b"" for row in tables.log]
    stored = {
        size: root for log in tables.logs.values() for size, (root, *_) in log.checkpoints.items()
    }
    frontier: list[bytes] = []
    wanted, done = sorted({*stored, *published}), 0
    for size in wanted:
        if size > len(leaves):
            _refuse(f"a checkpoint covers {size} events, and the log has {len(leaves)}")
        frontier = merkle.grow_peaks(frontier, done, leaves[done:size])
        done, root = size, merkle.root_of_peaks(frontier)
        if stored.get(size, root) != root or published.get(size, root) != root:
            _refuse(f"the checkpoint over {size} events is not over those of the log")


def _refuse(why: str) -> None:
    raise Violation(why)
