"""Tiles give the tree's nodes, and grow without ever changing."""

import hashlib

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from phaseledger.domain.evidence import merkle
from phaseledger.domain.evidence.tiles import (
    WIDTH,
    Edge,
    TileName,
    edge_in,
    edge_names,
    extend_edge,
    hashes,
    needed_tiles,
    nodes_in,
)
from tests.support.cases import looped

LEAVES = [hashlib.sha256(b"%d" % n).digest() for n in range(WIDTH * WIDTH + 3 * WIDTH + 7)]


def tiled(*sizes: int) -> tuple[Edge, dict[TileName, bytes]]:
    """A tree that has grown from one size to the next, with all its tiles."""
    edge, tiles = Edge(), dict[TileName, bytes]()
    for size in sizes:
        edge, more = extend_edge(edge, LEAVES[edge.size : size])
        for name, tile in more.items():
            assert tile.startswith(tiles.get(name, b""))
            assert len(tile) > len(tiles.get(name, b""))
        tiles |= more
    return edge, tiles


TREE = tiled(len(LEAVES))


def test_an_empty_tree_has_no_tiles() -> None:
    assert tiled(0) == (Edge(), {})
    assert Edge().root == merkle.EMPTY
    assert edge_names(0) == set()
    assert edge_in(0, {}) == Edge()


def test_a_tile_that_has_just_become_full() -> None:
    edge, tiles = tiled(255, 256)
    assert edge == Edge(256, ((), (merkle.root_of(LEAVES[:256]),)))
    assert tiles.keys() == {TileName(0, 0), TileName(1, 0)}
    assert edge_names(256) == {TileName(1, 0)}


@pytest.mark.untraced
@given(sizes=st.lists(st.integers(1, 1500), min_size=1, max_size=12).map(sorted))
@settings(max_examples=30)
def test_steps_do_not_matter(sizes: list[int]) -> None:
    edge, tiles = tiled(*sizes)
    assert (edge, tiles) == tiled(sizes[-1])
    assert edge.root == merkle.root_of(LEAVES[: sizes[-1]])
    assert edge_in(edge.size, {name: tiles[name] for name in edge_names(edge.size)}) == edge
    for size in sizes:  # smaller sizes are still there
        assert edge_in(size, tiles).root == merkle.root_at(size, nodes_in(tiles))


@looped("size", [1, 255, 256, 257, 65537])
def test_nodes_are_those_of_the_leaves(size: int) -> None:
    edge, tiles = TREE
    nodes, root = nodes_in(tiles), merkle.root_of(LEAVES[:size])
    assert merkle.root_at(size, nodes) == edge_in(size, tiles).root == root
    for index in {0, size // 3, size - 1}:
        path = merkle.inclusion(index, size, nodes)
        assert merkle.proves_inclusion(LEAVES[index], index, size, path, root)
    path = merkle.consistency(size, len(LEAVES), nodes)
    assert merkle.proves_consistency(size, root, len(LEAVES), edge.root, path)
    for level, index in [(0, size - 1), (3, 1), (8, 2), (11, 7)]:
        under = LEAVES[index << level : (index + 1) << level]
        assert nodes(level, index) == merkle.root_of(under)


@given(size=st.integers(1, len(LEAVES)), share=st.integers(0, 1000))
@settings(max_examples=30)
def test_needed_names_the_very_tiles(size: int, share: int) -> None:
    index = share * (size - 1) // 1000
    names = needed_tiles(lambda nodes: merkle.inclusion(index, size, nodes))
    _, tiles = TREE
    nodes = nodes_in({name: tiles[name] for name in names})
    assert merkle.inclusion(index, size, nodes) == merkle.inclusion(index, size, nodes_in(tiles))
    assert len(names) <= 2 * 3  # two a level at most
    for name in names:
        fewer = nodes_in({other: tiles[other] for other in names - {name}})
        with pytest.raises(KeyError):
            merkle.inclusion(index, size, fewer)


def test_tiles_have_256_hashes_at_most() -> None:
    _, tiles = TREE
    assert {name: len(hashes(tile)) for name, tile in tiles.items() if name.level} == {
        TileName(1, 0): WIDTH,
        TileName(1, 1): 3,
        TileName(2, 0): 1,
    }
    assert [len(tiles[TileName(0, number)]) // 32 for number in (0, 258, 259)] == [WIDTH, WIDTH, 7]
