"""Merkle trees against RFC 6962: published vectors, and its recursive definitions word for word."""

import hashlib
from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from phaseledger.domain.evidence import merkle
from phaseledger.domain.evidence.codec import leaf_hash
from phaseledger.domain.evidence.merkle import Nodes, proves_consistency, proves_inclusion
from tests.support.cases import looped

# The reference data that implementations of RFC 6962 share: eight inputs, and the roots over the
# first one, two, ... of them.
INPUTS = [
    bytes.fromhex(text)
    for text in (
        *("", "00", "10", "2021", "3031", "40414243", "5051525354555657"),
        "606162636465666768696a6b6c6d6e6f",
    )
]
ROOTS = (
    "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
    "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
    "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77",
    "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
    "4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4",
    "76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef",
    "ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c",
    "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328",
)
LEAVES = [bytes.fromhex(leaf_hash(given)) for given in INPUTS]
INCLUSIONS = {  # (leaf, size) to the audit path
    (0, 8): (
        "96a296d224f285c67bee93c30f8a309157f0daa35dc5b87e410b78630a09cfc7",
        "5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e",
        "6b47aaf29ee3c2af9af889bc1fb9254dabd31177f16232dd6aab035ca39bf6e4",
    ),
    (5, 8): (
        "bc1a0643b12e4d2d7c77918f44e0f4f79a838b6cf9ec5b5c283e1f4d88599e6b",
        "ca854ea128ed050b41b35ffc1b87b8eb2bde461e9e3b5596ece6b9d5975a0ae0",
        "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
    ),
    (2, 3): ("fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",),
    (1, 5): (
        "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
        "5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e",
        "bc1a0643b12e4d2d7c77918f44e0f4f79a838b6cf9ec5b5c283e1f4d88599e6b",
    ),
}
CONSISTENCIES = {  # (first, second) to the proof
    (1, 8): (
        "96a296d224f285c67bee93c30f8a309157f0daa35dc5b87e410b78630a09cfc7",
        "5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e",
        "6b47aaf29ee3c2af9af889bc1fb9254dabd31177f16232dd6aab035ca39bf6e4",
    ),
    (6, 8): (
        "0ebc5d3437fbe2db158b9f126a1d118e308181031d0a949f8dededebc558ef6a",
        "ca854ea128ed050b41b35ffc1b87b8eb2bde461e9e3b5596ece6b9d5975a0ae0",
        "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
    ),
    (2, 5): (
        "5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e",
        "bc1a0643b12e4d2d7c77918f44e0f4f79a838b6cf9ec5b5c283e1f4d88599e6b",
    ),
}


def mth(leaves: Sequence[bytes]) -> bytes:
    """2.1: the Merkle Tree Hash, over leaf hashes."""
    if not leaves:
        return hashlib.sha256().digest()
    if len(leaves) == 1:
        return leaves[0]
    k = split(len(leaves))
    return hashlib.sha256(b"\x01" + mth(leaves[:k]) + mth(leaves[k:])).digest()


def split(n: int) -> int:
    """The largest power of two smaller than n."""
    k = 1
    while k * 2 < n:
        k *= 2
    return k


def path(m: int, leaves: Sequence[bytes]) -> list[bytes]:
    """2.1.1: PATH(m, D[n])."""
    if len(leaves) == 1:
        return []
    k = split(len(leaves))
    if m < k:
        return [*path(m, leaves[:k]), mth(leaves[k:])]
    return [*path(m - k, leaves[k:]), mth(leaves[:k])]


def subproof(m: int, leaves: Sequence[bytes], whole: bool) -> list[bytes]:
    """2.1.2: SUBPROOF(m, D[n], b)."""
    if m == len(leaves):
        return [] if whole else [mth(leaves)]
    k = split(len(leaves))
    if m <= k:
        return [*subproof(m, leaves[:k], whole), mth(leaves[k:])]
    return [*subproof(m - k, leaves[k:], False), mth(leaves[:k])]


def nodes_of(leaves: Sequence[bytes]) -> Nodes:
    def node(level: int, index: int) -> bytes:
        under = leaves[index << level : (index + 1) << level]
        assert len(under) == 1 << level, "only complete subtrees are asked for"
        return mth(under)

    return node


def made(count: int) -> list[bytes]:
    return [hashlib.sha256(b"%d" % n).digest() for n in range(count)]


def flipped(value: bytes) -> bytes:
    return bytes([value[0] ^ 1]) + value[1:]


MOST = 40


def test_the_leaf_hash_is_the_rfcs() -> None:
    assert LEAVES[0].hex() == ROOTS[0]
    assert merkle.EMPTY.hex() == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"


@looped("size", range(1, 9))
def test_published_roots(size: int) -> None:
    assert merkle.root_of(LEAVES[:size]).hex() == ROOTS[size - 1]


@looped(("index", "size"), INCLUSIONS)
def test_published_audit_paths(index: int, size: int) -> None:
    proof = merkle.inclusion(index, size, nodes_of(LEAVES))
    assert tuple(step.hex() for step in proof) == INCLUSIONS[index, size]
    assert proves_inclusion(LEAVES[index], index, size, proof, bytes.fromhex(ROOTS[size - 1]))


@looped(("first", "second"), CONSISTENCIES)
def test_published_consistency_proofs(first: int, second: int) -> None:
    proof = merkle.consistency(first, second, nodes_of(LEAVES))
    assert tuple(step.hex() for step in proof) == CONSISTENCIES[first, second]
    old, new = (bytes.fromhex(ROOTS[size - 1]) for size in (first, second))
    assert proves_consistency(first, old, second, new, proof)


def test_roots_of_all_sizes() -> None:
    leaves = made(MOST)
    for size in range(MOST + 1):
        assert merkle.root_of(leaves[:size]) == mth(leaves[:size])
        assert merkle.root_at(size, nodes_of(leaves)) == mth(leaves[:size])


def test_peaks_are_the_complete_subtrees_from_the_left() -> None:
    assert list(merkle.peaks(0)) == []
    assert list(merkle.peaks(11)) == [(3, 0), (1, 4), (0, 10)]
    for size in range(MOST):
        spans = [(index << level, (index + 1) << level) for level, index in merkle.peaks(size)]
        assert [leaf for span in spans for leaf in range(*span)] == list(range(size))


@given(sizes=st.lists(st.integers(0, 20), max_size=8))
@settings(max_examples=30)
def test_a_tree_may_grow_in_any_steps(sizes: list[int]) -> None:
    leaves, frontier, size = made(sum(sizes)), [], 0
    for more in sizes:
        frontier = merkle.grow_peaks(frontier, size, leaves[size : size + more])
        size += more
        assert merkle.root_of_peaks(frontier) == mth(leaves[:size])
        assert len(frontier) == size.bit_count()


@pytest.mark.untraced
def test_audit_paths_of_all_leaves_in_all_sizes() -> None:
    leaves = made(MOST)
    for size in range(1, MOST + 1):
        root, nodes = mth(leaves[:size]), nodes_of(leaves[:size])
        for index in range(size):
            proof = merkle.inclusion(index, size, nodes)
            assert proof == path(index, leaves[:size])
            assert proves_inclusion(leaves[index], index, size, proof, root)


def test_all_audit_paths_at_once() -> None:
    """They lead to the root, and nowhere if they are cut or too long."""
    for size in range(1, MOST + 1):
        leaves = made(size)
        root, paths = merkle.audit_paths(leaves)
        assert root == mth(leaves)
        assert [[*steps] for steps in paths] == [path(index, leaves) for index in range(size)]
        for index, (leaf, steps) in enumerate(zip(leaves, paths, strict=True)):
            assert merkle.root_of_path(leaf, index, size, steps) == root
            assert merkle.root_of_path(leaf, index, size, [*steps, root]) is None
            assert size == 1 or merkle.root_of_path(leaf, index, size, steps[:-1]) is None
        assert merkle.root_of_path(root, size, size, ()) is None


def test_complete_subtrees_of_all_audit_paths() -> None:
    """Each is what stands there in the tree, and each complete one on the way up is among them."""
    leaves = made(MOST)
    for size in range(1, MOST + 1):
        nodes = nodes_of(leaves[:size])
        for index in range(size):
            proof = merkle.inclusion(index, size, nodes)
            shown = dict(merkle.complete_subtrees(leaves[index], index, size, proof))
            assert shown == {place: nodes(*place) for place in shown}
            levels = range(size.bit_length())
            above = {(level, index >> level) for level in levels}
            assert {
                (level, place) for level, place in above if place + 1 << level <= size
            } <= shown.keys()


@pytest.mark.untraced
def test_consistency_proofs_between_all_sizes() -> None:
    leaves = made(MOST)
    roots = [mth(leaves[:size]) for size in range(MOST + 1)]
    for second in range(MOST + 1):
        nodes = nodes_of(leaves[:second])
        for first in range(second + 1):
            proof = merkle.consistency(first, second, nodes)
            assert proof == (subproof(first, leaves[:second], True) if first else [])
            assert proves_consistency(first, roots[first], second, roots[second], proof)


@looped(("index", "size"), [(0, 0), (-1, 3), (3, 3), (4, 3)])
def test_no_leaf_no_path(index: int, size: int) -> None:
    with pytest.raises(ValueError, match="there is no leaf"):
        merkle.inclusion(index, size, nodes_of(made(size)))
    assert not proves_inclusion(made(4)[0], index, size, [], made(4)[0])


@looped(("first", "second"), [(-1, 3), (4, 3)])
def test_no_size_no_proof(first: int, second: int) -> None:
    with pytest.raises(ValueError, match="before it"):
        merkle.consistency(first, second, nodes_of(made(second)))
    assert not proves_consistency(first, mth([]), second, mth(made(3)), [])


def test_wrong_inclusion_proofs_prove_nothing() -> None:
    leaves = made(20)
    for size in range(1, 20):
        root, nodes = mth(leaves[:size]), nodes_of(leaves[:size])
        for index in range(size):
            proof = merkle.inclusion(index, size, nodes)
            for wrong in wrongs(proof):
                assert not proves_inclusion(leaves[index], index, size, wrong, root)
            assert not proves_inclusion(flipped(leaves[index]), index, size, proof, root)
            assert not proves_inclusion(leaves[index], index, size, proof, flipped(root))
            for other in range(-1, size + 2):
                same = other == index
                assert proves_inclusion(leaves[index], other, size, proof, root) == same


def test_a_path_may_stand_for_another_size_only_where_the_way_up_is_the_same() -> None:
    """RFC 9162's check takes the size from the caller, who has it from the checkpoint."""
    leaves = made(20)
    for size in range(1, 20):
        proof = merkle.inclusion(0, size, nodes_of(leaves[:size]))
        for other in range(1, 40):
            taken = proves_inclusion(leaves[0], 0, other, proof, mth(leaves[:size]))
            assert taken == ((other - 1).bit_length() == (size - 1).bit_length())


def test_wrong_consistency_proofs_prove_nothing() -> None:
    leaves = made(20)
    roots = [mth(leaves[:size]) for size in range(20)]
    for second in range(1, 20):
        for first in range(second + 1):
            proof = merkle.consistency(first, second, nodes_of(leaves[:second]))
            old, new = roots[first], roots[second]
            for wrong in wrongs(proof):
                assert not proves_consistency(first, old, second, new, wrong)
            assert not proves_consistency(first, flipped(old), second, new, proof)
            if first:  # the empty tree is the beginning of every tree
                assert not proves_consistency(first, old, second, flipped(new), proof)
            for other in set(range(20)) - {first}:
                assert not proves_consistency(other, old, second, new, proof)


@given(data=st.data())
@settings(max_examples=40)
def test_another_history_is_never_consistent(data: st.DataObject) -> None:
    """A leaf changed before ``first``: whatever proof its owner can make, the old root is gone."""
    second = data.draw(st.integers(1, 64))
    first = data.draw(st.integers(1, second))
    changed = data.draw(st.integers(0, first - 1))
    honest = made(second)
    forged = [*honest[:changed], merkle.EMPTY, *honest[changed + 1 :]]
    proof = merkle.consistency(first, second, nodes_of(forged))
    assert not proves_consistency(first, mth(honest[:first]), second, mth(forged), proof)


def wrongs(proof: list[bytes]) -> list[list[bytes]]:
    """Proofs that are not this one: a step changed, left out, repeated, added, or two exchanged."""
    made = [[*proof, merkle.EMPTY], [merkle.EMPTY, *proof], [*proof, *proof[-1:], merkle.EMPTY]]
    for at in range(len(proof)):
        made.append([*proof[:at], flipped(proof[at]), *proof[at + 1 :]])
        made.append(proof[:at] + proof[at + 1 :])
        made.append([*proof[: at + 1], *proof[at:]])
        if at:
            made.append([*proof[: at - 1], proof[at], proof[at - 1], *proof[at + 1 :]])
    return made
