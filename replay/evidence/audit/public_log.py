"""The audit of a store's log: whether it still has every event of its public log.

A game whose last events are gone is sound in itself. But each event's leaf hash went into a Merkle
tree, whose root was signed and published. The store's events are checked, in their order, against
the tree's leaves, the leaves against the tree's roots, and the roots against checkpoints kept
elsewhere.
"""

from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, islice, pairwise
from typing import Literal, NamedTuple

from phaseledger.domain.evidence.tiles import Edge, TileName, extend_edge, hashes
from phaseledger.replay.formats.records.public_log import LoggedEvent, PublicLogReader, StoredHead
from phaseledger.replay.formats.signing.notes import BadNote, Checkpoint, note

LogFindingCode = Literal[
    "event_lost",
    "event_not_logged",
    "tree_differs",
    "checkpoint_differs",
    "checkpoint_ahead",
    "log_unknown",
    "tombstone_differs",
    "archive_lost",
    "archive_differs",
]

EXPLAIN_LOG: dict[LogFindingCode, str] = {
    "event_lost": "The public log has events that the store no longer has.",
    "event_not_logged": "An event stands where the public log has none, or another one.",
    "tree_differs": "The tree does not lead to the root that is recorded for it.",
    "checkpoint_differs": "The first events are not those that the checkpoint was published over.",
    "checkpoint_ahead": "A checkpoint was published over more events than the store has.",
    "log_unknown": "The store has no public log of the name that the checkpoint has.",
    "tombstone_differs": "What stays of an archived game is not what its tombstone says.",
    "archive_lost": "The file of an archived game is not there, or cannot be read.",
    "archive_differs": "The file of an archived game is not the one that was written.",
}
"""The sentence that explains each code."""

BATCH = 4096  # events
MOST = 100
"""The most findings of one log: after as many, it is another log."""


class LogFinding(NamedTuple):
    """A fault of a store's log; ``event`` is the event at fault, if it is one event."""

    code: LogFindingCode
    expected: str
    recorded: str
    event: LoggedEvent | None = None


class KeptCheckpoint(NamedTuple):
    """A published checkpoint that was kept elsewhere, and the file that it comes from."""

    checkpoint: Checkpoint
    file: str


def audit_log(
    store: PublicLogReader, kept: Sequence[KeptCheckpoint] = ()
) -> tuple[list[str], list[LogFinding]]:
    """The names of the store's public logs, and their findings.

    A log that ended with a restore is checked against kept checkpoints up to the restored size.

    Raises:
        StoreUnreachable: the store cannot be read.

    """
    logs, ended, findings = store.logs(), store.ended(), list[LogFinding]()
    for log in logs:
        own = [entry for entry in kept if entry.checkpoint.origin == log]
        findings += islice(_findings(store, log, own, has_ended=log in ended), MOST)
    return logs, findings


def _findings(
    store: PublicLogReader, log: str, kept: Sequence[KeptCheckpoint], *, has_ended: bool
) -> Iterator[LogFinding]:
    """The findings of one log."""
    heads = store.heads(log)
    size, last = (heads[-1].size, heads[-1].position) if heads else (0, 0)
    tree = _Tree({*(head.size for head in heads), *(entry.checkpoint.size for entry in kept)})
    events = _Events(store.events())
    for tile, following in pairwise(chain(store.tiles(log), (None,))):
        assert tile is not None
        until = following.first if following else last + 1
        yield from _differences(tree.edge.size, hashes(tile.hashes), events.before(until))
        tree.grow(hashes(tile.hashes))
    if tree.edge.size != size:
        yield LogFinding("tree_differs", f"{size:,} leaves", f"{tree.edge.size:,} leaves")
    for head in heads:
        yield from _contradictions(log, head, tree.roots.get(head.size, b""))
    if store.upper_tiles(log) != tree.upper:
        yield LogFinding("tree_differs", "tiles that follow from the leaves", "others")
    if has_ended:
        kept = [entry for entry in kept if entry.checkpoint.size <= size]
    else:
        while leaves := [event.leaf for event in events.next(BATCH)]:
            tree.grow(leaves)
    for entry in kept:
        yield from _departures(tree, entry)


class _Tree:
    """A tree that grows from its leaves, and keeps its roots at some sizes."""

    def __init__(self, sizes: Iterable[int]) -> None:
        self.edge = Edge()
        self.upper: dict[TileName, bytes] = {}
        """The tiles above level 0."""
        self.roots = {0: self.edge.root}
        self._sizes = sorted(sizes)

    def grow(self, leaves: Sequence[bytes]) -> None:
        """Append the leaves."""
        before, after = self.edge.size, self.edge.size + len(leaves)
        stops = [size for size in self._sizes if before < size < after]
        for start, end in pairwise([before, *stops, after]):
            self.edge, tiles = extend_edge(self.edge, leaves[start - before : end - before])
            self.upper |= {name: tile for name, tile in tiles.items() if name.level}
            if self.edge.size in self._sizes:
                self.roots[self.edge.size] = self.edge.root


class _Events:
    """Events in their order, taken batch by batch."""

    def __init__(self, events: Iterator[LoggedEvent]) -> None:
        self._events = events
        self._waiting = next(events, None)

    def before(self, position: int) -> list[LoggedEvent]:
        """The next events before the position."""
        taken = []
        while self._waiting and self._waiting.position < position:
            taken.append(self._waiting)
            self._waiting = next(self._events, None)
        return taken

    def next(self, most: int) -> list[LoggedEvent]:
        """The next events, ``most`` at most."""
        taken = [self._waiting] if self._waiting else []
        taken += islice(self._events, most - 1)
        self._waiting = next(self._events, None)
        return taken


def _differences(
    size: int, leaves: Sequence[bytes], events: Sequence[LoggedEvent]
) -> Iterator[LogFinding]:
    """The differences between the events and the leaves of a tile after ``size`` leaves."""
    rest, lost = deque(events), list[int]()
    logged, present = set(leaves), {event.leaf for event in events}
    for index, leaf in enumerate(leaves, size):
        while rest and leaf in present and rest[0].leaf not in logged:
            yield _not_logged(rest.popleft(), "no event there")
        if rest and rest[0].leaf == leaf:
            yield from _losses(lost, leaves, size)
            rest.popleft()
        elif rest and rest[0].leaf not in logged:
            yield _not_logged(rest.popleft(), f"leaf {index:,}, {leaf.hex()}")
        else:
            lost.append(index)
    yield from _losses(lost, leaves, size)
    for event in rest:
        yield _not_logged(event, "no event there")


def _losses(lost: list[int], leaves: Sequence[bytes], size: int) -> Iterator[LogFinding]:
    """The finding of consecutive leaves that no event has; empties ``lost``."""
    if lost:
        first, last = lost[0], lost[-1]
        numbers = f"leaf {first:,}" if first == last else f"leaves {first:,} to {last:,}"
        yield LogFinding("event_lost", f"{numbers}, from {leaves[first - size].hex()}", "nothing")
        lost.clear()


def _not_logged(event: LoggedEvent, expected: str) -> LogFinding:
    return LogFinding(
        code="event_not_logged",
        expected=expected,
        recorded=event.leaf.hex() or "no leaf, and none can be made",
        event=event,
    )


def _departures(tree: _Tree, kept: KeptCheckpoint) -> Iterator[LogFinding]:
    """The differences between a published tree and the tree grown to the store's last event."""
    (_, size, root), file = kept
    if size > tree.edge.size:
        expected = f"{size:,} events, as {file} says"
        yield LogFinding("checkpoint_ahead", expected, f"{tree.edge.size:,} events")
    elif root != tree.roots[size]:
        expected = f"root {root.hex()} of {size:,} events, as {file} says"
        yield LogFinding("checkpoint_differs", expected, tree.roots[size].hex())


def _contradictions(log: str, head: StoredHead, root: bytes) -> Iterator[LogFinding]:
    """The findings of a recorded tree size whose root or note differs."""
    if head.root != root:
        expected = f"root {head.root.hex()} of {head.size:,} leaves"
        yield LogFinding("tree_differs", expected, root.hex() or "fewer leaves")
    expected = Checkpoint(log, head.size, head.root).text()
    try:
        is_same = not head.note or note(head.note).text == expected
    except BadNote:
        is_same = False
    if not is_same:
        yield LogFinding("tree_differs", f"a note over {head.size:,} leaves", "another note")
