"""The Merkle tree of the public log: its port and its proofs.

The tree belongs to a log's name. The holder of its `Writer` extends it; a size that was written has
one root for ever, and is published once it has a note.
"""

from collections.abc import Callable, Collection, Iterable, Mapping
from contextlib import AbstractAsyncContextManager
from typing import NamedTuple, Protocol
from uuid import UUID

from msgspec import Struct

from phaseledger.domain.evidence import merkle
from phaseledger.domain.evidence.merkle import Nodes
from phaseledger.domain.evidence.tiles import (
    HASH,
    HEIGHT,
    WIDTH,
    Edge,
    TileName,
    edge_in,
    edge_names,
    needed_tiles,
    nodes_in,
)
from phaseledger.domain.words import Phrase
from phaseledger.service.runtime.resource import Resource
from phaseledger.service.transparency.errors import SizeUnknown, TreeError


class TreeHead(NamedTuple):
    """The tree at one size. ``position`` is its last leaf's in the log."""

    size: int = 0
    root: bytes = merkle.EMPTY
    position: int = 0
    note: str = ""
    """The signed checkpoint with its cosignatures; empty as long as it is not published."""


class Growth(NamedTuple):
    """An extension of a tree: the new head, and every tile that is new or longer than before."""

    head: TreeHead
    tiles: Mapping[TileName, bytes]
    firsts: Mapping[int, int]
    """By number, the log positions at which new tiles of level 0 begin."""


class Writer(Protocol):
    """The only writer of a tree, elected by a lock."""

    async def lead(self) -> bool:
        """Whether this is now the writer; others stand by."""
        ...

    async def extend(self, old_size: int, growth: Growth) -> None:
        """Write the growth durably, all of it or nothing.

        Raises:
            TreeError: the tree has another size, or a tile would be changed.

        """
        ...

    async def sign(self, size: int, note: str) -> None:
        """Publish a size under its note."""
        ...

    async def word(self, seconds: float) -> None:
        """Wait at most so long for a notification of new events."""
        ...


class SignedLog(NamedTuple):
    """A public log of the database, and how many events its newest checkpoint covers."""

    log: str
    size: int
    was_restored: bool
    """Whether it ended with a restore of the ledger."""
    was_closed: bool
    """Whether an operator ended it."""

    @property
    def goes_on(self) -> bool:
        """Whether it has not ended."""
        return not (self.was_restored or self.was_closed)


class Tree(Resource, Protocol):
    """A log's tree as its readers see it; its writes raise StoreUnavailable too."""

    log: str

    async def head(self) -> TreeHead:
        """The newest size, published or not; its note without cosignatures."""
        ...

    async def newest(self) -> TreeHead | None:
        """The newest published size."""
        ...

    async def published(self, size: int) -> TreeHead | None:
        """The head of that size, if it is published."""
        ...

    async def cosigned(self) -> TreeHead | None:
        """The newest published size that a witness has cosigned."""
        ...

    async def has_ended(self) -> bool:
        """Whether the ledger goes on from a restore under another log's name."""
        return False

    async def signed_logs(self) -> list[SignedLog]:
        """All logs that were ever signed in this database, the one that was signed last first."""
        return []

    async def tiles(self, names: Iterable[TileName]) -> dict[TileName, bytes]:
        """The tiles of these names, as far as they exist."""
        ...

    async def first(self, number: int) -> int | None:
        """The log position of the first leaf of a tile of level 0, if there is that tile."""
        ...

    async def faulty_tile(self, start: int, stop: int) -> int | None:
        """The first tile of level 0, from number ``start`` to before ``stop``, that is missing, has
        not as many leaves as the newest size says, or the log not as many events; None: all fit.
        """
        return None

    async def index(self, game: UUID, seq: int) -> int | None:
        """The leaf index of an event, from 0; None where the tree does not cover it yet."""
        ...

    async def last_within(self, game: UUID, head: TreeHead) -> int:
        """The number of the game's last event that the head covers, 0 if it covers none."""
        ...

    async def cosign(self, size: int, key: str, line: str) -> None:
        """Keep a witness's signature line under a published size."""
        ...

    def writer(self) -> AbstractAsyncContextManager[Writer]:
        """A candidate for the writer, during the block."""
        ...


class Proof(Struct, frozen=True):
    """An inclusion proof: an event's leaf index among ``size`` leaves, and its audit path."""

    seq: int
    index: int
    size: int
    path: tuple[bytes, ...]


class EarlierTree(NamedTuple):
    """A smaller tree with which the log began, and the proof of that."""

    first: int
    root: bytes
    second: int
    path: tuple[bytes, ...]


class CheckpointProofs(NamedTuple):
    """A checkpoint, and inclusion proofs of a game's first and last covered events."""

    note: str
    inclusions: tuple[Proof, ...]
    earlier: EarlierTree | None = None
    """The tree of an earlier size that was asked for."""


async def inclusion(tree: Tree, seq: int, index: int, size: int) -> Proof:
    """The inclusion proof of an event's leaf in the tree's first ``size`` leaves.

    Raises:
        TreeError: the tiles do not prove it, so they are damaged.

    """

    def ask(nodes: Nodes) -> list[bytes]:
        path = merkle.inclusion(index, size, nodes)
        return [nodes(0, index), merkle.root_at(size, nodes), *path]

    leaf, root, *path = await _from_tiles(tree, size, ask)
    if not merkle.proves_inclusion(leaf, index, size, path, root):
        raise TreeError(f"The tiles of the tree contradict one another over leaf {index:,}.")
    return Proof(seq, index, size, tuple(path))


async def consistency(tree: Tree, first: int, second: int) -> list[bytes]:
    """The consistency proof that the larger size begins with the smaller one; raises TreeError like
    `inclusion`.
    """

    def ask(nodes: Nodes) -> list[bytes]:
        roots = [merkle.root_at(size, nodes) for size in (first, second)]
        return [*roots, *merkle.consistency(first, second, nodes)]

    old, new, *path = await _from_tiles(tree, second, ask)
    if not merkle.proves_consistency(first, old, second, new, path):
        raise TreeError(f"The tiles of the tree contradict one another up to {second:,} leaves.")
    return path


async def root_at(tree: Tree, size: int) -> bytes:
    """The root of the first ``size`` leaves, from the tiles; raises TreeError."""
    (root,) = await _from_tiles(tree, size, lambda nodes: [merkle.root_at(size, nodes)])
    return root


async def _from_tiles(tree: Tree, size: int, ask: Callable[[Nodes], list[bytes]]) -> list[bytes]:
    return ask(nodes_in(await _tiles(tree, size, needed_tiles(ask))))


async def _tiles(tree: Tree, size: int, names: Collection[TileName]) -> dict[TileName, bytes]:
    """The tiles, whole for a tree of that size; raises TreeError."""
    tiles = await tree.tiles(names)
    if any(len(tiles.get(name, b"")) < HASH * _length(name, size) for name in names):
        raise TreeError(f"Tiles of the tree of {size:,} leaves are missing or too short.")
    return tiles


def _length(name: TileName, size: int) -> int:
    """How many hashes a tile has at least in a tree of that size."""
    return min(WIDTH, (size >> HEIGHT * name.level) - WIDTH * name.number)


async def leaf_at(tree: Tree, index: int) -> bytes:
    """The leaf hash at an index; raises TreeError."""
    (leaf,) = await _from_tiles(tree, index + 1, lambda nodes: [nodes(0, index)])
    return leaf


async def edge(tree: Tree, size: int) -> Edge:
    """The right edge of the tree at a size; raises TreeError."""
    return edge_in(size, await _tiles(tree, size, edge_names(size)))


async def evidence(
    tree: Tree, game: UUID, last_seq: int, from_size: int = 0
) -> CheckpointProofs | None:
    """The newest checkpoint over events of the game, and proofs for its first and last of them.

    A cosigned checkpoint goes before a newer one if it covers ``last_seq`` and ``from_size``, from
    which a consistency proof leads to the checkpoint. None where no checkpoint covers the game's
    first event.

    Raises:
        SizeUnknown: no checkpoint is as large as ``from_size``.
        TreeError: the tiles are damaged.

    """
    head, witnessed = await tree.newest(), await tree.cosigned()
    if head is None or from_size > head.size:
        if from_size:
            raise SizeUnknown(Phrase("adds.log.newest", count=head.size if head else 0))
        return None
    last = await tree.index(game, last_seq)
    if witnessed is not None and last is not None and max(last + 1, from_size) <= witnessed.size:
        head = witnessed
    if await root_at(tree, head.size) != head.root:
        raise TreeError(f"The tiles of the tree do not have the root published for {head.size:,}.")
    covered = min(last_seq, await tree.last_within(game, head))
    proofs = []
    for seq in sorted({1, covered}) if covered else ():
        index = await tree.index(game, seq)
        assert index is not None
        proofs.append(await inclusion(tree, seq, index, head.size))
    if not proofs:
        return None
    earlier = None
    if from_size:
        path = await consistency(tree, from_size, head.size)
        root = await root_at(tree, from_size)
        earlier = EarlierTree(from_size, root, head.size, tuple(path))
    return CheckpointProofs(head.note, tuple(proofs), earlier)
