"""Archived games: their events are gone from the log, and their places and leaves are not."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from typing import LiteralString
from uuid import UUID

import psycopg
import pytest
from psycopg.sql import SQL, Identifier

from phaseledger.domain.evidence import merkle
from phaseledger.service.eventlog.archive import (
    ArchiveFile,
    archive_game,
    archived_places,
    tombstone_of,
    unarchive_game,
)
from phaseledger.service.eventlog.errors import Conflict, PredecessorMissing
from phaseledger.service.eventlog.postgres import PostgresStore
from phaseledger.service.eventlog.rows import Notice, Row

ONE, TWO = UUID(int=1, version=4), UUID(int=2, version=4)
FILE = ArchiveFile("one.bundle.ndjson", bytes(32))


def rows(last: int, first: int = 1) -> list[Row]:
    return [
        Row(number, "T/1", b"%d" % number, merkle.node_hash(b"", b"%d" % number))
        for number in range(first, last + 1)
    ]


def leaves(last: int) -> list[bytes]:
    return [row.leaf for row in rows(last) if row.leaf]


def run(dsn: str, schema: str, scenario: Callable[[PostgresStore], Awaitable[None]]) -> None:
    async def whole() -> None:
        async with PostgresStore(dsn, schema=schema) as store:
            await scenario(store)

    asyncio.run(whole())


async def archive(dsn: str, schema: str, game: UUID, last: int) -> None:
    async with await psycopg.AsyncConnection.connect(dsn) as conn:
        await archive_game(conn, schema, game, leaves(last), FILE, hidden=False, summary="{}")


def test_places_and_leaves_stay_and_bytes_go(postgres_dsn: str, fresh_schema: str) -> None:
    async def scenario(store: PostgresStore) -> None:
        for game, part in ((ONE, rows(3)), (TWO, rows(2)), (ONE, rows(6, 4))):
            await store.append(game, part)
        before = await store.leaves(0)
        await archive(postgres_dsn, fresh_schema, ONE, 6)

        def places(notices: Sequence[Notice]) -> list[tuple[object, ...]]:
            return [(n.position, n.game, n.row.version, n.row.leaf) for n in notices]

        assert places(await store.leaves(0)) == places(before)
        assert [notice.position for notice in await store.leaves(2, 3)] == [3, 4, 5]
        # The end of the log was an event of the archived game.
        assert await store.position() == before[-1].position
        assert {notice.game for notice in await store.tail(0)} == {TWO}
        assert (await store.head(ONE), await store.read(ONE)) == (0, [])
        tombstone = await store.archived(ONE)
        assert tombstone is not None
        assert (tombstone.events, tombstone.head) == (6, leaves(6)[-1])
        assert (tombstone.file, tombstone.sha256, tombstone.hidden) == (*FILE, False)
        assert await store.archived(TWO) is None

    run(postgres_dsn, fresh_schema, scenario)


def test_nothing_is_appended_to_an_archived_game(postgres_dsn: str, fresh_schema: str) -> None:
    """Its first version is taken still, and its last one is not followed."""

    async def scenario(store: PostgresStore) -> None:
        await store.append(ONE, rows(4))
        await archive(postgres_dsn, fresh_schema, ONE, 4)
        with pytest.raises(Conflict):
            await store.append(ONE, rows(4))
        with pytest.raises(PredecessorMissing):
            await store.append(ONE, rows(5, 5), leaves(4)[-1])
        await store.append(TWO, rows(1))

    run(postgres_dsn, fresh_schema, scenario)


@pytest.fixture
def archived(postgres_dsn: str, fresh_schema: str) -> str:
    """A schema with an archived game and another one."""

    async def scenario(store: PostgresStore) -> None:
        await store.append(ONE, rows(4))
        await store.append(TWO, rows(4))
        await archive(postgres_dsn, fresh_schema, ONE, 4)

    run(postgres_dsn, fresh_schema, scenario)
    return fresh_schema


EDITS: tuple[LiteralString, ...] = (
    "DELETE FROM {}.stored_events",
    "UPDATE {}.archived_events SET leaf = '\\x00'",
    "DELETE FROM {}.archived_events",
    "TRUNCATE {}.archived_events",
    "UPDATE {}.archived_games SET file = 'x'",
    "DELETE FROM {}.archived_games",
    "TRUNCATE {}.archived_games CASCADE",
)


def test_even_the_owner_cannot_edit_the_archive_by_accident(
    postgres_dsn: str, archived: str
) -> None:
    with psycopg.connect(postgres_dsn, autocommit=True) as conn:
        for edit in EDITS:
            with pytest.raises(psycopg.errors.InsufficientPrivilege, match="append-only"):
                conn.execute(SQL(edit).format(Identifier(archived)))


def test_no_event_goes_whose_leaf_does_not_stay(postgres_dsn: str, archived: str) -> None:
    """Not even by somebody who says to archive."""
    with psycopg.connect(postgres_dsn) as conn:
        conn.execute("SET phaseledger.archiving = 'yes'")
        with pytest.raises(psycopg.errors.InsufficientPrivilege, match="not archived stays"):
            conn.execute(SQL("DELETE FROM {}.stored_events").format(Identifier(archived)))


def test_a_game_with_other_events_is_not_archived(postgres_dsn: str, fresh_schema: str) -> None:
    wrong = psycopg.IntegrityError, psycopg.errors.InsufficientPrivilege

    async def scenario(store: PostgresStore) -> None:
        await store.append(ONE, rows(4))
        for given in (leaves(3), leaves(5), [*leaves(3), bytes(32)]):
            with pytest.raises(wrong):
                async with await psycopg.AsyncConnection.connect(postgres_dsn) as conn:
                    await archive_game(
                        conn, fresh_schema, ONE, given, FILE, hidden=False, summary="{}"
                    )
        assert await store.read(ONE) == rows(4)
        assert await store.archived(ONE) is None

    run(postgres_dsn, fresh_schema, scenario)


def test_a_tombstone_goes_once_all_events_are_back(postgres_dsn: str, archived: str) -> None:
    with psycopg.connect(postgres_dsn) as conn:
        insert = SQL(
            "INSERT INTO {}.stored_events (originator_id, originator_version, topic, state, leaf, "
            "notification_id) VALUES (%s, %s, %s, %s, %s, %s)"
        ).format(Identifier(archived))
        for row in rows(4):
            with pytest.raises(psycopg.IntegrityError), conn.transaction():
                unarchive_game(conn, archived, ONE)
            place = archived_places(conn, archived, ONE)[row.version]
            conn.execute(insert, (ONE, *row, place.position))
        unarchive_game(conn, archived, ONE)
        assert tombstone_of(conn, archived, ONE) is None

    async def scenario(store: PostgresStore) -> None:
        assert await store.read(ONE) == rows(4)
        assert [notice.position for notice in await store.leaves(0)] == [*range(1, 9)]

    run(postgres_dsn, archived, scenario)
