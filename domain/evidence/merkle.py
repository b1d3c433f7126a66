"""Merkle trees over leaf hashes as RFC 6962 (2.1) defines them: roots, proofs, and their checks.

The hash of an event (`domain.evidence.codec.leaf_hash`) is the leaf hash itself, so nothing is
hashed twice. A tree is a function from (level, index) to the hash of a complete subtree: level 0
are the leaves, and the node ``(l, i)`` stands over the leaves ``i * 2**l`` to ``(i + 1) * 2**l -
1``.
"""

import hashlib
from collections.abc import Callable, Iterable, Iterator, Sequence

EMPTY = hashlib.sha256(b"").digest()
"""The root of a tree without leaves."""

Nodes = Callable[[int, int], bytes]
"""(level, index) to the hash of the complete subtree there."""


def node_hash(left: bytes, right: bytes) -> bytes:
    """The hash of an inner node."""
    return hashlib.sha256(b"\x01" + left + right).digest()


def peaks(size: int) -> Iterator[tuple[int, int]]:
    """The complete subtrees, left to right, that make up a tree of that size, as (level, index)."""
    start = 0
    for level in range(size.bit_length() - 1, -1, -1):
        if size >> level & 1:
            yield level, start >> level
            start += 1 << level


def grow_peaks(frontier: Sequence[bytes], size: int, leaves: Iterable[bytes]) -> list[bytes]:
    """The hashes of the peaks after more leaves; ``frontier`` has those of a tree of ``size``."""
    stack = list(frontier)
    for place, leaf in enumerate(leaves, size):
        stack.append(leaf)
        for _ in range((~place & place + 1).bit_length() - 1):  # one fold per trailing 1 of place
            right = stack.pop()
            stack.append(node_hash(stack.pop(), right))
    return stack


def root_of_peaks(frontier: Sequence[bytes]) -> bytes:
    """The root over the peaks of a tree."""
    if not frontier:
        return EMPTY
    root = frontier[-1]
    for left in reversed(frontier[:-1]):
        root = node_hash(left, root)
    return root


def root_of(leaves: Iterable[bytes]) -> bytes:
    """The root over leaf hashes."""
    return root_of_peaks(grow_peaks((), 0, leaves))


def audit_paths(leaves: Sequence[bytes]) -> tuple[bytes, list[tuple[bytes, ...]]]:
    """The root over leaf hashes, one or more, and each leaf's audit path (RFC 6962, 2.1.1).

    Each inner node is hashed once for all paths.
    """
    level, levels = list(leaves), list[list[bytes]]()
    while len(level) > 1:
        levels.append(level)
        parents = [node_hash(*level[i : i + 2]) for i in range(0, len(level) - 1, 2)]
        level = parents + level[len(parents) * 2 :]
    paths = [
        tuple(
            nodes[place ^ 1]
            for height, nodes in enumerate(levels)
            if (place := index >> height) ^ 1 < len(nodes)
        )
        for index in range(len(leaves))
    ]
    return level[0], paths


def root_at(size: int, nodes: Nodes) -> bytes:
    """The root of the tree's first ``size`` leaves."""
    return root_of_peaks([nodes(level, index) for level, index in peaks(size)])


def _range_root(start: int, end: int, nodes: Nodes) -> bytes:
    """The hash over the leaves from ``start`` up to, not including, ``end``."""
    size = end - start
    return root_of_peaks([nodes(level, (start >> level) + index) for level, index in peaks(size)])


def _split(size: int) -> int:
    """The largest power of two below ``size``."""
    return 1 << (size - 1).bit_length() - 1


def inclusion(index: int, size: int, nodes: Nodes) -> list[bytes]:
    """The audit path of a leaf in the tree's first ``size`` leaves (RFC 6962, 2.1.1)."""
    if not 0 <= index < size:
        raise ValueError(f"there is no leaf {index} among {size}")
    return [_range_root(start, end, nodes) for start, end in _siblings(index, size)]


def _siblings(index: int, size: int) -> list[tuple[int, int]]:
    """The leaves beside the way from a leaf up to the root, step by step, as (start, end)."""
    siblings, start, end = [], 0, size
    while end - start > 1:
        middle = start + _split(end - start)
        if index < middle:
            siblings.append((middle, end))
            end = middle
        else:
            siblings.append((start, middle))
            start = middle
    return siblings[::-1]


def consistency(first: int, second: int, nodes: Nodes) -> list[bytes]:
    """The proof that ``second`` leaves begin with the first ``first`` of them (RFC 6962, 2.1.2)."""
    if not 0 <= first <= second:
        raise ValueError(f"a tree of {second} leaves has none of {first} before it")
    if first in (0, second):
        return []
    path, start, end, from_start = [], 0, second, True
    while first != end - start:
        middle = _split(end - start)
        if first <= middle:
            path.append(_range_root(start + middle, end, nodes))
            end = start + middle
        else:
            path.append(_range_root(start, start + middle, nodes))
            start, first, from_start = start + middle, first - middle, False
    if not from_start:
        path.append(_range_root(start, end, nodes))
    return path[::-1]


def complete_subtrees(
    leaf: bytes, index: int, size: int, path: Sequence[bytes]
) -> Iterator[tuple[tuple[int, int], bytes]]:
    """The complete subtrees that a valid inclusion proof shows: (level, index) and hash.

    A log that only grows never changes them: proofs from trees of two sizes must agree on each
    subtree that both show.
    """
    shown, computed = [((index, index + 1), leaf)], leaf
    first, last = index, index + 1
    for (start, end), step in zip(_siblings(index, size), path, strict=True):
        shown.append(((start, end), step))
        computed = node_hash(step, computed) if start < first else node_hash(computed, step)
        first, last = min(first, start), max(last, end)
        shown.append(((first, last), computed))
    for (start, end), subtree in shown:
        width = end - start
        if width & width - 1 == 0:
            level = width.bit_length() - 1
            yield (level, start >> level), subtree


class _Climb:
    """The path from a leaf to the root of a tree: on which side each hash of a proof stands."""

    def __init__(self, node: int, last: int) -> None:
        self.node, self.last = node, last

    def is_right(self) -> bool:
        """Whether the next step's hash stands left of the node of the path."""
        return bool(self.node & 1) or self.node == self.last

    def go_up(self) -> None:
        """Go to the next level at which the node of the path has a sibling."""
        if self.is_right():
            while not self.node & 1 and self.node:
                self.shift()
        self.shift()

    def shift(self) -> None:
        self.node, self.last = self.node >> 1, self.last >> 1


def root_of_path(leaf: bytes, index: int, size: int, path: Sequence[bytes]) -> bytes | None:
    """The root that an audit path leads to (RFC 9162, 2.1.3.2); None where it leads to none."""
    if not 0 <= index < size:
        return None
    climb, computed = _Climb(index, size - 1), leaf
    for step in path:
        if climb.last == 0:
            return None
        computed = node_hash(step, computed) if climb.is_right() else node_hash(computed, step)
        climb.go_up()
    return computed if climb.last == 0 else None


def proves_inclusion(
    leaf: bytes, index: int, size: int, path: Sequence[bytes], root: bytes
) -> bool:
    """Whether the path leads from a leaf to the root (RFC 9162, 2.1.3.2)."""
    return root_of_path(leaf, index, size, path) == root


def proves_consistency(
    first: int, first_root: bytes, second: int, second_root: bytes, path: Sequence[bytes]
) -> bool:
    """Whether the path shows the first tree to be the beginning of the second one (RFC 9162,
    2.1.4.2). The empty tree is the beginning of every tree, by an empty path.
    """
    if first == 0 or first == second:
        is_prefix = first_root == (second_root if first == second else EMPTY)
        return is_prefix and not path and 0 <= first <= second
    if not 0 < first < second:
        return False
    steps = [first_root, *path] if first & first - 1 == 0 else list(path)
    climb = _Climb(first - 1, second - 1)
    while climb.node & 1:
        climb.shift()
    old = new = steps[0] if steps else b""
    for step in steps[1:]:
        if climb.last == 0:
            return False
        if climb.is_right():
            old, new = node_hash(step, old), node_hash(step, new)
        else:
            new = node_hash(new, step)
        climb.go_up()
    return climb.last == 0 and old == first_root and new == second_root
