"""Milestones: a game's snapshots at the ends of some commands, so that no question folds it all.

Between two neighbouring ones lie about `SPACING` events at most, or one command. What was read
before and is known to be sound is thus at hand everywhere in the game: rows between two milestones
are proven by the hashes of both.
"""

from bisect import bisect_left, bisect_right
from collections import deque
from collections.abc import Iterator
from typing import Generic, Protocol, TypeVar

SPACING = 64  # events; reading, proving and folding so many takes a millisecond or two
LATELY = 16  # commands whose repetition needs no fold; what bots do between two of a person's


class Versioned(Protocol):
    """A snapshot of a game."""

    @property
    def version(self) -> int:
        """The number of events so far."""
        ...


S = TypeVar("S", bound=Versioned)


class Milestones(Generic[S]):
    """The kept snapshots of a game: those after its last commands, and a few before them."""

    def __init__(self) -> None:
        self._sparse: list[S] = []
        self._lately: deque[S] = deque(maxlen=LATELY + 1)

    def pass_by(self, snapshot: S) -> None:
        """Keep the snapshot, at the end of a command, if none is near; they come in order."""
        before = self._sparse[-1].version if self._sparse else 0
        if snapshot.version - before >= SPACING:
            self._sparse.append(snapshot)

    def begin(self, snapshot: S) -> None:
        """Begin with the snapshot: what led to it is not read."""
        self.clear()
        self._sparse.append(snapshot)

    def fill(self, earlier: "Milestones[S]") -> None:
        """Add those that led to the first one, which are read now."""
        first = self._sparse[0].version
        self._sparse[:0] = [snapshot for snapshot in earlier if snapshot.version < first]

    def __iter__(self) -> Iterator[S]:
        """Those that were kept of what was passed by."""
        return iter(self._sparse)

    def reach(self, snapshot: S) -> None:
        """Keep the game as it is by now."""
        self.pass_by(snapshot)
        self._lately.append(snapshot)

    def at_most(self, version: int) -> S | None:
        """The last one that is not beyond the version; None: the game's beginning."""
        kept = self._around(version)
        index = bisect_right(kept, version, key=_version)
        return kept[index - 1] if index else None

    def at_least(self, version: int) -> S:
        """The first one that is not before the version, which the game has reached."""
        kept = self._around(version)
        return kept[bisect_left(kept, version, key=_version)]

    def clear(self) -> None:
        """Forget them all."""
        self._sparse.clear()
        self._lately.clear()

    def _around(self, version: int) -> list[S]:
        """Of those that are kept, in order, all that are nearest to the version."""
        index = bisect_left(self._sparse, version, key=_version)
        near = self._sparse[max(0, index - 1) : index + 1]
        return sorted([*near, *self._lately], key=_version)


def _version(snapshot: Versioned) -> int:
    return snapshot.version
