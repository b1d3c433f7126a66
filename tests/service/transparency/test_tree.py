"""One contract for every tree of the public log, over logs with gaps and without."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, nullcontext
from uuid import UUID

import psycopg
import pytest
from psycopg.sql import SQL, Identifier

from phaseledger.domain.evidence import merkle
from phaseledger.domain.evidence.tiles import WIDTH, Edge, TileName, extend_edge, hashes
from phaseledger.service.eventlog.migrations import migrate
from phaseledger.service.eventlog.postgres import PostgresStore
from phaseledger.service.eventlog.protocols import Store
from phaseledger.service.eventlog.rows import Row
from phaseledger.service.operations import ADMIN
from phaseledger.service.transparency.errors import TreeError
from phaseledger.service.transparency.proofs import consistency, edge, evidence, inclusion, root_at
from phaseledger.service.transparency.tree import Growth, Tree, TreeHead, Writer
from phaseledger.service.transparency.tree_sql import TREE
from tests.simulation.network import DSN, simulated_postgres
from tests.support.service.memory_store import MemoryStore
from tests.support.service.memory_tree import MemoryTree

GAME, OTHER = UUID(int=1), UUID(int=2)
Scene = Callable[[Store, Tree, Writer], Awaitable[None]]


def leaf(game: UUID, version: int) -> bytes:
    return merkle.node_hash(game.bytes, version.to_bytes(8))


def rows(game: UUID, first: int, last: int) -> list[Row]:
    return [Row(v, "T/1", b"x", leaf(game, v)) for v in range(first, last + 1)]


@pytest.fixture(params=["memory", "postgres", "simulated"])
def play(request: pytest.FixtureRequest) -> Callable[[Scene], None]:
    """Run a scene over an empty store and its tree, as the tree's one writer."""

    def parts() -> tuple[Store, Tree]:
        if request.param == "memory":
            store = MemoryStore()
            return store, MemoryTree(store, "log")
        if request.param == "simulated":
            return PostgresStore(DSN), Tree(DSN, "log")
        dsn, schema = (request.getfixturevalue(name) for name in ("postgres_dsn", "empty_schema"))
        migrate(dsn, schema=schema, extra=(*TREE, *ADMIN))
        return PostgresStore(dsn, schema=schema), Tree(dsn, "log", schema=schema)

    def run(scene: Scene) -> None:
        async def scenario() -> None:
            store, tree = parts()
            async with store, opened(tree), tree.writer() as writer:
                assert await writer.lead()
                await scene(store, tree, writer)

        with simulated_postgres() if request.param == "simulated" else nullcontext():
            asyncio.run(scenario())

    return run


@asynccontextmanager
async def opened(tree: Tree) -> AsyncIterator[None]:
    await tree.open()
    try:
        yield
    finally:
        await tree.close()


async def grow(store: Store, tree: Tree, writer: Writer, limit: int = 1000) -> TreeHead:
    """Take in what the log has beyond the tree, as the publisher does."""
    head = await tree.head()
    notices = await store.leaves(head.position, limit)
    right, tiles = extend_edge(await edge(tree, head.size), [n.row.leaf or b"" for n in notices])
    after = TreeHead(right.size, right.root, notices[-1].position)
    firsts = {
        (head.size + at) // WIDTH: notices[at].position
        for at in range(-head.size % WIDTH, len(notices), WIDTH)
    }
    await writer.extend(head.size, Growth(after, tiles, firsts))
    return after


def test_an_empty_tree(play) -> None:
    async def scene(store: Store, tree: Tree, writer: Writer) -> None:
        assert await tree.head() == TreeHead(0, merkle.EMPTY, 0, "")
        assert await tree.newest() is None
        assert await tree.published(0) is None
        assert await tree.cosigned() is None
        assert await tree.tiles([TileName(0, 0)]) == {}
        assert await tree.index(GAME, 1) is None
        assert await evidence(tree, GAME, 1) is None
        assert await root_at(tree, 0) == merkle.EMPTY

    play(scene)


def test_it_grows_as_the_log_does(play) -> None:
    async def scene(store: Store, tree: Tree, writer: Writer) -> None:
        leaves: list[bytes] = []
        for first, last in ((1, 1), (2, 200), (201, 255), (256, 256), (257, 257), (258, 700)):
            await store.append(GAME, rows(GAME, first, last))
            leaves += [leaf(GAME, v) for v in range(first, last + 1)]
            after = await grow(store, tree, writer)
            assert await tree.head() == after
            assert (after.size, after.root) == (len(leaves), merkle.root_of(leaves))
            assert (await edge(tree, after.size)).root == after.root
        for size in (1, 2, 255, 256, 257, 511, 512, 513, 700):
            assert await root_at(tree, size) == merkle.root_of(leaves[:size])
            for index in {0, size // 2, size - 1}:
                proof = await inclusion(tree, index + 1, index, size)
                root = merkle.root_of(leaves[:size])
                assert merkle.proves_inclusion(leaves[index], index, size, proof.path, root)
            path = await consistency(tree, size, 700)
            old, new = (merkle.root_of(leaves[:s]) for s in (size, 700))
            assert merkle.proves_consistency(size, old, 700, new, path)
        tiles = await tree.tiles([TileName(0, 0), TileName(0, 2), TileName(1, 0), TileName(0, 3)])
        assert hashes(tiles[TileName(0, 2)]) == leaves[512:]
        assert [len(tile) for _, tile in sorted(tiles.items())] == [32 * n for n in (256, 188, 2)]

    play(scene)


def test_the_leaf_of_an_event_is_found(play) -> None:
    async def scene(store: Store, tree: Tree, writer: Writer) -> None:
        placed: list[tuple[UUID, int]] = []
        for turn in range(60):
            game = (GAME, OTHER)[turn % 2]
            first = 1 + sum(owner == game for owner, _ in placed)
            await store.append(game, rows(game, first, first + turn % 11))
            placed += [(game, v) for v in range(first, first + turn % 11 + 1)]
            with pytest.raises(Exception, match="taken"):  # leaves a gap in a database's positions
                await store.append(game, rows(game, first, first + 2))
            if turn % 7 == 0:
                await grow(store, tree, writer)
        head = await grow(store, tree, writer)
        assert head.size == len(placed) > 256
        for index, (game, version) in enumerate(placed):
            assert await tree.index(game, version) == index
        assert await tree.index(GAME, 10_000) is None
        assert await tree.index(UUID(int=3), 1) is None
        last = {game: max(v for owner, v in placed if owner == game) for game in (GAME, OTHER)}
        for game, seq in last.items():
            assert await tree.last_within(game, head) == seq
            await store.append(game, rows(game, seq + 1, seq + 1))
            assert await tree.index(game, seq + 1) is None
            assert await tree.last_within(game, head) == seq
        assert await tree.last_within(UUID(int=3), head) == 0
        assert await tree.first(0) == 1
        assert await tree.first(2) is None

    play(scene)


def test_a_growth_that_changes_what_there_was_is_refused(play) -> None:
    async def scene(store: Store, tree: Tree, writer: Writer) -> None:
        await store.append(GAME, rows(GAME, 1, 5))
        before = await grow(store, tree, writer)
        await store.append(GAME, rows(GAME, 6, 7))
        right, tiles = extend_edge(await edge(tree, 5), [leaf(GAME, 6), leaf(GAME, 7)])
        good = Growth(TreeHead(7, right.root, 7), tiles, {})
        changed = {name: b"\0" * 32 + tile[32:] for name, tile in tiles.items()}
        shorter = {name: tile[: 32 * 5] for name, tile in tiles.items()}
        for size, bad in (
            (3, good),  # from another size
            (5, good._replace(head=good.head._replace(size=5))),
            (5, good._replace(head=good.head._replace(position=5))),
            (5, good._replace(head=good.head._replace(size=8))),  # leaves are missing
            (5, good._replace(tiles={})),
            (5, good._replace(tiles=changed)),
            (5, good._replace(tiles=shorter)),
            (5, good._replace(tiles={**tiles, TileName(0, 2): b"\0" * 32})),
        ):
            with pytest.raises(TreeError):
                await writer.extend(size, bad)
            assert await tree.head() == before
            assert (await edge(tree, 5)).root == before.root
        await writer.extend(5, good)
        with pytest.raises(TreeError):  # the same once more
            await writer.extend(5, good)

    play(scene)


def test_a_full_tile_never_changes(play) -> None:
    async def scene(store: Store, tree: Tree, writer: Writer) -> None:
        await store.append(GAME, rows(GAME, 1, 256))
        head = await grow(store, tree, writer)
        await store.append(GAME, rows(GAME, 257, 257))
        right, tiles = extend_edge(Edge(head.size, ((), (head.root,))), [leaf(GAME, 257)])
        good = Growth(TreeHead(257, right.root, 257), tiles, {1: 257})
        unchanged = b"".join(leaf(GAME, version) for version in range(1, 257))
        for wrong in (b"\1" * 8192, b"\1" * 32, unchanged):
            with pytest.raises(TreeError):
                await writer.extend(256, good._replace(tiles={**tiles, TileName(0, 0): wrong}))
        await writer.extend(256, good)
        assert await root_at(tree, 257) == right.root

    play(scene)


def test_one_leads_others_stand_by_and_the_lead_passes_on(play) -> None:
    async def scene(store: Store, tree: Tree, writer: Writer) -> None:
        async with tree.writer() as other:
            assert not await other.lead()
            assert await writer.lead()

    play(scene)
    play(scene)


def test_only_signed_sizes_are_published(play) -> None:
    async def scene(store: Store, tree: Tree, writer: Writer) -> None:
        sizes = []
        for version in (1, 2, 3):
            await store.append(GAME, rows(GAME, version, version))
            sizes.append(await grow(store, tree, writer))
        assert await tree.newest() is None
        await writer.sign(2, "two\n")
        assert await tree.newest() == sizes[1]._replace(note="two\n")
        assert await tree.published(3) is None
        assert await tree.cosigned() is None
        await writer.sign(3, "three\n")
        await tree.cosign(2, "b", "— b\n")
        await tree.cosign(2, "a", "— a?\n")
        await tree.cosign(2, "a", "— a\n")
        assert await tree.newest() == sizes[2]._replace(note="three\n")
        assert await tree.published(2) == sizes[1]._replace(note="two\n— a\n— b\n")
        assert await tree.cosigned() == await tree.published(2)
        await writer.sign(3, "three again\n")
        assert await tree.newest() == sizes[2]._replace(note="three again\n")
        assert (await tree.head()).note == "three again\n"

    play(scene)


def test_evidence_prefers_witnesses_that_saw_it_all(play) -> None:
    async def scene(store: Store, tree: Tree, writer: Writer) -> None:
        await store.append(OTHER, rows(OTHER, 1, 3))
        await grow(store, tree, writer)
        assert await evidence(tree, GAME, 5) is None
        await writer.sign(3, "3")
        assert await evidence(tree, GAME, 5) is None  # published, but over no event of the game
        leaves = [leaf(OTHER, v) for v in (1, 2, 3)]
        for first, last in ((1, 4), (5, 9), (10, 10)):
            await store.append(GAME, rows(GAME, first, last))
            leaves += [leaf(GAME, v) for v in range(first, last + 1)]
            head = await grow(store, tree, writer)
            await writer.sign(head.size, str(head.size))
        await tree.cosign(12, "w", "+w")
        root = {size: merkle.root_of(leaves[:size]) for size in (7, 12, 13)}

        async def proof_of(seq: int) -> tuple[str, list[int]]:
            proofs = await evidence(tree, GAME, seq)
            assert proofs is not None
            for proof in proofs.inclusions:
                assert (proof.index, proof.size) == (proof.seq + 2, int(proofs.note[:2]))
                assert merkle.proves_inclusion(
                    leaf(GAME, proof.seq), proof.index, proof.size, proof.path, root[proof.size]
                )
            return proofs.note, [proof.seq for proof in proofs.inclusions]

        assert await proof_of(1) == ("12+w", [1])
        assert await proof_of(9) == ("12+w", [1, 9])
        assert await proof_of(10) == ("13", [1, 10])
        await store.append(GAME, rows(GAME, 11, 12))
        assert await proof_of(12) == ("13", [1, 10])  # the last that is covered

    play(scene)


async def test_damaged_tiles_prove_nothing(postgres_dsn: str, empty_schema: str) -> None:
    migrate(postgres_dsn, schema=empty_schema, extra=(*TREE, *ADMIN))
    damage = SQL(
        "UPDATE {}.tree_tiles SET hashes = overlay(hashes placing %s from 65) "
        "WHERE level = 0 AND number = 1"
    ).format(Identifier(empty_schema))

    store = PostgresStore(postgres_dsn, schema=empty_schema)
    tree = Tree(postgres_dsn, "log", schema=empty_schema)
    async with store, opened(tree), tree.writer() as writer:
        assert await writer.lead()
        await store.append(GAME, rows(GAME, 1, 600))
        head = await grow(store, tree, writer)
        await writer.sign(600, "n")
        with psycopg.connect(postgres_dsn) as conn:
            conn.execute(damage, (b"\0" * 32,))
        with pytest.raises(TreeError, match="contradict"):
            await inclusion(tree, 300, 299, 600)
        with pytest.raises(TreeError, match="contradict"):
            await consistency(tree, 300, 600)
        assert (await edge(tree, 600)).root == head.root  # the edge has none of it
        with psycopg.connect(postgres_dsn) as conn:
            conn.execute(
                SQL("ALTER TABLE {}.tree_tiles DISABLE TRIGGER kept").format(
                    Identifier(empty_schema)
                )
            )
            conn.execute(
                SQL("DELETE FROM {}.tree_tiles WHERE level = 1").format(Identifier(empty_schema))
            )
        with pytest.raises(TreeError, match="missing"):
            await edge(tree, 600)
        with pytest.raises(TreeError, match="missing"):
            await evidence(tree, GAME, 600)
