"""Receipts of one commit: one signature over all of them, stored with the events."""

import asyncio
from collections.abc import Sequence
from uuid import UUID, uuid4

import psycopg
import pytest
from psycopg.sql import SQL, Identifier

from phaseledger.domain.evidence.merkle import root_of_path
from phaseledger.replay.formats.signing.notes import SigningKey
from phaseledger.replay.formats.signing.receipts import (
    SignedTree,
    TreeSignature,
    sign_tree,
    tree_text,
)
from phaseledger.service.eventlog.errors import Conflict
from phaseledger.service.eventlog.postgres import PostgresStore
from phaseledger.service.eventlog.rows import Row
from tests.support.service.faulty_proxy import wired_database
from tests.support.service.memory_store import MemoryStore

KEY = SigningKey("games.example", b"\x05" * 32)
GAME = UUID(int=1)


def sign(leaves: Sequence[bytes]) -> SignedTree:
    return sign_tree(leaves, KEY)


def entry_of(game: UUID) -> bytes:
    """Some leaf hash."""
    return game.bytes * 2


def row(version: int = 1) -> list[Row]:
    return [Row(version, "T/1", b"x")]


def is_signed(signature: TreeSignature, entry: bytes) -> bool:
    """Whether the path leads from the entry to what the key has signed."""
    root = root_of_path(entry, signature.place, signature.size, signature.path)
    assert root is not None
    return signature.key == KEY.id and KEY.public.verifies(
        tree_text(signature.size, root), signature.sig
    )


async def appended_together(
    store: PostgresStore, games: Sequence[UUID]
) -> list[TreeSignature | None]:
    """Append to the games while the writer rests: it takes them all in one commit."""
    return await asyncio.gather(
        *(store.append_receipted(game, row(), None, entry_of(game)) for game in games)
    )


@pytest.mark.parametrize("count", [2, 30])
async def test_commands_of_one_commit_share_a_signature(
    postgres_dsn: str, fresh_schema: str, count: int
) -> None:
    async with PostgresStore(postgres_dsn, schema=fresh_schema, sign=sign) as store:
        games = [uuid4() for _ in range(count)]
        await store.append(uuid4(), row())  # which gets no receipt
        signatures = await appended_together(store, games)
        for game, signature in zip(games, signatures, strict=True):
            assert signature is not None
            assert is_signed(signature, entry_of(game))
            assert await store.signature_over(game, 1, entry_of(game)) == signature
        assert {signature.sig for signature in signatures if signature} == {
            signatures[0].sig if signatures[0] else b""
        }
        assert await store.signature_over(games[0], 1, entry_of(games[1])) != signatures[0]
        assert await store.signature_over(games[0], 1, entry_of(GAME)) is None
        assert await store.signature_over(games[0], 2, entry_of(games[0])) is None
    # Another process, with another key or none, has the same.
    async with PostgresStore(postgres_dsn, schema=fresh_schema) as store:
        assert await store.signature_over(games[0], 1, entry_of(games[0])) == signatures[0]


async def test_a_command_alone_is_signed_when_its_receipt_is_made(
    postgres_dsn: str, fresh_schema: str
) -> None:
    async with PostgresStore(postgres_dsn, schema=fresh_schema, sign=sign) as store:
        assert await appended_together(store, [GAME]) == [None]
        both = await asyncio.gather(
            store.append_receipted(uuid4(), row(), None, entry_of(GAME)),
            store.append(uuid4(), row()),
        )
        assert both[0] is None
        await appended_together(store, [uuid4(), uuid4()])
        assert await store.signature_over(GAME, 1, entry_of(GAME)) is None


async def test_stores_that_sign_nothing(postgres_dsn: str, fresh_schema: str) -> None:
    async with (
        PostgresStore(postgres_dsn, schema=fresh_schema) as plain,
        MemoryStore() as memory,
    ):
        assert await appended_together(plain, [uuid4(), uuid4()]) == [None, None]
        assert await memory.append_receipted(GAME, row(), None, entry_of(GAME)) is None
        assert await memory.read(GAME) == row()
        for store in (plain, memory):
            assert await store.signature_over(GAME, 1, entry_of(GAME)) is None


async def test_a_signature_whose_answer_was_lost_is_the_one_that_was_stored(
    postgres_dsn: str, fresh_schema: str
) -> None:
    """The commands were committed under one signature, and are found one by one."""
    with wired_database(postgres_dsn) as wire:
        lost = list[bytes]()
        async with PostgresStore(wire.dsn, schema=fresh_schema, sign=sign) as store:
            await store.append(GAME, row())
            wire.lose = lambda answer: not lost and lost.append(answer) is None
            games = [uuid4() for _ in range(10)]
            signatures = await appended_together(store, games)
            assert lost
            for game, signature in zip(games, signatures, strict=True):
                assert signature is not None
                assert (signature.size, is_signed(signature, entry_of(game))) == (10, True)
                assert await store.signature_over(game, 1, entry_of(game)) == signature


async def test_a_refused_commit_leaves_no_signature(postgres_dsn: str, fresh_schema: str) -> None:
    """Where one command of the commit conflicts, the others are stored and signed one by one."""
    async with PostgresStore(postgres_dsn, schema=fresh_schema, sign=sign) as store:
        await store.append(GAME, row())
        games = [uuid4(), GAME, uuid4()]
        results = await asyncio.gather(
            *(store.append_receipted(game, row(), None, entry_of(game)) for game in games),
            return_exceptions=True,
        )
        assert [type(result) for result in results] == [type(None), Conflict, type(None)]
    with psycopg.connect(postgres_dsn) as conn:
        trees = SQL("SELECT count(*) FROM {}.receipt_trees").format(Identifier(fresh_schema))
        assert conn.execute(trees).fetchall() == [(0,)]
