"""A Merkle tree kept in tiles: up to 256 hashes of one level side by side.

Tiles of level t hold the nodes of level 8 t of the tree, so each full tile stands for one hash of
the tile level above; the nodes between are hashed again when needed. A tree grows at its right edge
only: a full tile never changes, and a partial tile is the beginning of its later form.
"""

from collections.abc import Callable, Iterable, Mapping
from typing import NamedTuple

from phaseledger.domain.evidence.merkle import Nodes, grow_peaks, root_of, root_of_peaks

WIDTH = 256
HEIGHT = 8
HASH = 32  # bytes


class TileName(NamedTuple):
    """The coordinates of a tile: its level, and its number from the left."""

    level: int
    number: int


Tiles = Mapping[TileName, bytes]
"""Tiles by name, their hashes joined."""


def nodes_in(tiles: Tiles) -> Nodes:
    """The tree's nodes, out of tiles that hold them; KeyError where one is missing."""

    def node(level: int, index: int) -> bytes:
        name, start, count = _place(level, index)
        return root_of(hashes(tiles[name][HASH * start : HASH * (start + count)]))

    return node


def needed_tiles(read: Callable[[Nodes], object]) -> set[TileName]:
    """The tiles whose nodes ``read`` looks up; they must not depend on the hashes."""
    names = set()

    def node(level: int, index: int) -> bytes:
        names.add(_place(level, index)[0])
        return bytes(HASH)

    read(node)
    return names


def _place(level: int, index: int) -> tuple[TileName, int, int]:
    """The tile of a node, the first of the hashes below the node, and their number."""
    base, above = divmod(level, HEIGHT)
    number, start = divmod(index << above, WIDTH)
    return TileName(base, number), start, 1 << above


def hashes(tile: bytes) -> list[bytes]:
    """The hashes of a tile."""
    return [tile[offset : offset + HASH] for offset in range(0, len(tile), HASH)]


class Edge(NamedTuple):
    """The right edge of a tree: the state needed to append leaves."""

    size: int = 0
    rows: tuple[tuple[bytes, ...], ...] = ()
    """The hashes of the last tile of each level, 255 at most."""

    @property
    def root(self) -> bytes:
        """The root of the tree."""
        peaks: list[bytes] = []
        for row in reversed(self.rows):
            peaks += grow_peaks((), 0, row)
        return root_of_peaks(peaks)


def edge_names(size: int) -> set[TileName]:
    """The tiles that make up the edge of a tree of that size."""
    return {TileName(level, number) for level, number, count in _edge(size) if count}


def edge_in(size: int, tiles: Tiles) -> Edge:
    """The edge of a tree of that size, out of its tiles; KeyError where one is missing."""
    rows = (
        tuple(hashes(tiles[TileName(level, number)])[:count]) if count else ()
        for level, number, count in _edge(size)
    )
    return Edge(size, tuple(rows))


def _edge(size: int) -> Iterable[tuple[int, int, int]]:
    """Level, number and length of the tiles at the edge."""
    level = 0
    while size:
        number, count = divmod(size, WIDTH)
        yield level, number, count
        level, size = level + 1, number


def extend_edge(edge: Edge, leaves: Iterable[bytes]) -> tuple[Edge, dict[TileName, bytes]]:
    """The edge after more leaves, and every tile that is new or longer than before."""
    size, rows = edge.size, [list(row) for row in edge.rows]
    tiles: dict[TileName, bytes] = {}
    changed_levels: set[int] = set()
    for leaf in leaves:
        size += 1
        level, node = 0, leaf
        while True:
            if level == len(rows):
                rows.append([])
            rows[level].append(node)
            changed_levels.add(level)
            if len(rows[level]) < WIDTH:
                break
            node = root_of(rows[level])
            tiles[TileName(level, (size >> HEIGHT * (level + 1)) - 1)] = b"".join(rows[level])
            rows[level] = []
            level += 1
    for level in changed_levels:
        if rows[level]:
            tiles[TileName(level, size >> HEIGHT * (level + 1))] = b"".join(rows[level])
    return Edge(size, tuple(map(tuple, rows))), tiles
