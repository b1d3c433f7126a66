"""Games that have left memory and stay packed there: some kilobytes each, in place of a hundred.

Packed, a game is what its stored snapshot would be, and as good as one in memory: unpacked it may
be behind the log, and no more than that. Of those that leave this too, the heads are remembered.
"""

from collections import OrderedDict
from typing import Generic, NamedTuple, TypeVar
from uuid import UUID

from phaseledger.service.eventlog.clock import LedgerClock
from phaseledger.service.eventlog.snapshots import StoredSnapshot
from phaseledger.service.games.game import Game, Snapshot
from phaseledger.service.games.loading import Head
from phaseledger.service.games.snapshots import restored

PACKED = 4
"""Games that stay packed for each that stays whole."""
HEADS = 16
"""Games whose head is remembered for each that stays whole."""

T = TypeVar("T")


class UnpackedGame(NamedTuple):
    """A game as it left memory."""

    now: Snapshot
    commands: bytes
    """The marks of its commands."""
    stored_version: int
    """The version of the snapshot that the store has of it."""


class _PackedGame(NamedTuple):
    snapshot: StoredSnapshot
    stored_version: int


class PackedGames:
    """The games that have left memory last, in which ``kept`` stay whole."""

    def __init__(self, kept: int) -> None:
        self._packed = _Latest[_PackedGame](PACKED * kept)
        self._heads = _Latest[Head](HEADS * kept)

    def pack(self, game: Game, snapshot: StoredSnapshot) -> None:
        """Keep the game, which leaves memory, as its newest snapshot has it."""
        self._packed.put(game.id, _PackedGame(snapshot, game.stored_version))
        self._heads.put(game.id, Head(snapshot.version, snapshot.leaf.hex()))

    def unpack(self, game: UUID, clock: LedgerClock) -> UnpackedGame | None:
        """Take the game out, if it is here."""
        if (packed := self._packed.pop(game, None)) is None:
            return None
        unpacked = restored(packed.snapshot, clock)
        return UnpackedGame(*unpacked, packed.stored_version) if unpacked else None

    def head(self, game: UUID) -> Head | None:
        """The head that the game had when it left memory, as long as that is remembered."""
        return self._heads.get(game)

    def clear(self) -> None:
        """Forget them all: the log may have gone back."""
        self._packed.clear()
        self._heads.clear()


class _Latest(OrderedDict[UUID, T], Generic[T]):
    """The values that were put last."""

    def __init__(self, most: int) -> None:
        super().__init__()
        self._most = most

    def put(self, game: UUID, value: T) -> None:
        self[game] = value
        self.move_to_end(game)
        if len(self) > self._most:
            self.popitem(last=False)
