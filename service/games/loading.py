"""Loading of games that are not in memory: from their stored snapshot and its tail, or whole.

A snapshot is taken for what it says if it is genuine, made by this very program, and the log has
the event that it names with the leaf that it names. The events after that are chained to it, and
the public log's tree has the last of them that it covers. Whatever does not fit, be it the snapshot
or the log, the game is folded from its first event, and that decides whether the log is damaged.
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple
from uuid import UUID

import structlog

from phaseledger.service.eventlog.clock import LedgerClock
from phaseledger.service.eventlog.protocols import Store
from phaseledger.service.eventlog.rows import Row
from phaseledger.service.eventlog.snapshots import StoredSnapshot
from phaseledger.service.games.errors import LogDamaged
from phaseledger.service.games.game import Snapshot, apply_rows, leaf_of
from phaseledger.service.games.integrity import (
    require_chained,
    require_intact,
    require_logged,
    seal_key,
)
from phaseledger.service.games.milestones import Milestones
from phaseledger.service.games.snapshots import program, restored
from phaseledger.service.readmodels.soundness import DAMAGED, Damage
from phaseledger.service.runtime.work import beside_loop
from phaseledger.service.transparency.tree import Tree

log = structlog.get_logger("phaseledger.snapshots")


class Head(NamedTuple):
    """The last event of a game at some time: its number, and its leaf hash."""

    version: int
    leaf: str


class LoadedGame(NamedTuple):
    """A game that has been read from the log."""

    now: Snapshot
    passed: Milestones[Snapshot]
    """Some of those between the ``base``, or the beginning, and ``now``."""
    ends: Mapping[str, int]
    """The version that each command led to, of those after the ``base``."""
    base: Snapshot | None = None
    """The stored snapshot that it was read from; None: it was folded whole."""
    marks: bytes = b""
    """The marks of the commands that led to that."""


async def load(
    store: Store, tree: Tree | None, game: UUID, clock: LedgerClock, proven: Head | None
) -> LoadedGame | None:
    """The game as the log has it; None where there is none.

    ``proven`` is its head as this process has last known it: up to that the tree is not asked.

    Raises:
        LogDamaged, Damage: the log has something else than was stored.

    """
    cold = await store.read_cold(game, program())
    rows = cold.rows
    if cold.snapshot is not None:
        if loaded := await _resumed(tree, game, cold.snapshot, rows, clock, proven):
            return loaded
        log.warning("a snapshot is ignored", game=str(game), version=cold.snapshot.version)
        rows = await store.read(game)
    if not rows:
        return None
    await require_intact(tree, game, rows, seal_key(game, rows[0]))
    passed = Milestones[Snapshot]()
    now, ends = await beside_loop(lambda: apply_rows(None, rows, clock, passed.pass_by), len(rows))
    return LoadedGame(now=now, passed=passed, ends=ends)


async def _resumed(
    tree: Tree | None,
    game: UUID,
    snapshot: StoredSnapshot,
    rows: Sequence[Row],
    clock: LedgerClock,
    proven: Head | None,
) -> LoadedGame | None:
    """The game after the snapshot and its tail; None where these do not fit one another."""
    resumed = restored(snapshot, clock)
    if resumed is None or not rows:
        return None
    base, passed = resumed.now, Milestones[Snapshot]()
    tail, ends = rows[1:], dict[str, int]()
    try:
        leaves = await beside_loop(lambda: require_chained(game, rows, base.chain.key), len(rows))
        if leaves[0] != base.chain.head:
            return None
        if proven != Head(rows[-1].version, leaves[-1]):
            await require_logged(tree, game, rows[0].version, leaves)
        now = base
        if tail:
            now, ends = await beside_loop(
                lambda: apply_rows(base, tail, clock, passed.pass_by), len(tail)
            )
    except (LogDamaged, Damage, AssertionError, *DAMAGED):
        return None
    return LoadedGame(now=now, passed=passed, ends=ends, base=base, marks=resumed.commands)


class EarlierPart(NamedTuple):
    """A game up to its base: the snapshots that were passed, and the ends of its commands."""

    passed: Milestones[Snapshot]
    ends: Mapping[str, int]


async def load_earlier(store: Store, tree: Tree | None, game: UUID, base: Snapshot) -> EarlierPart:
    """What led to the stored snapshot that a game was read from.

    Raises:
        LogDamaged, Damage: the log has something else than led to it.

    """
    key, last = base.chain.key, base.version
    rows = await store.read(game, 0, last)
    await require_intact(tree, game, rows, key, last=last)
    if leaf_of(rows[-1].state, key) != base.chain.head:
        raise LogDamaged(game, last, "it is not what was stored")
    passed = Milestones[Snapshot]()
    _, ends = await beside_loop(
        lambda: apply_rows(None, rows, base.clock, passed.pass_by), len(rows)
    )
    return EarlierPart(passed, ends)
