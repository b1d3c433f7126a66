"""Proofs from the tiles of a log's tree, checked before they leave."""

from collections.abc import Callable, Collection
from typing import NamedTuple
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
from phaseledger.service.transparency.errors import SizeUnknown, TreeError
from phaseledger.service.transparency.tree import Tree


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
