"""Stored snapshots: one contract for every store, and what they are worth in PostgreSQL."""

import asyncio
from collections.abc import Callable, Iterator
from uuid import UUID

import psycopg
import pytest
from psycopg.sql import SQL, Identifier

from phaseledger.replay.records.sealing import SealingKeys
from phaseledger.service.eventlog import batched_reads
from phaseledger.service.eventlog.errors import StoreUnavailable
from phaseledger.service.eventlog.memory import MemoryStore
from phaseledger.service.eventlog.postgres import PostgresStore
from phaseledger.service.eventlog.protocols import Store
from phaseledger.service.eventlog.rows import Row
from phaseledger.service.eventlog.snapshots import ColdGame, StoredSnapshot
from tests.simulation.network import DSN, simulated_postgres

GAME, OTHER, ABSENT = UUID(int=1), UUID(int=2), UUID(int=3)
PROGRAM, ANOTHER = b"p" * 16, b"q" * 16
KEY, NEWER = b"k" * 32, b"n" * 32
SECRET = b"a secret that nobody may read " * 100


def leaf(version: int, game: UUID = GAME) -> bytes:
    return bytes([game.int, version]) * 16


def rows(game: UUID, last: int, first: int = 1) -> list[Row]:
    return [
        Row(version, "X/1", b"%d" % version, leaf(version, game))
        for version in range(first, last + 1)
    ]


def snapshot(version: int, game: UUID = GAME, body: bytes = SECRET) -> StoredSnapshot:
    return StoredSnapshot(game, version, leaf(version, game), PROGRAM, body)


@pytest.fixture(params=["memory", "postgres", "simulated"])
def store(request: pytest.FixtureRequest) -> Iterator[Store]:
    if request.param == "memory":
        yield MemoryStore()
    elif request.param == "simulated":
        with simulated_postgres():
            yield PostgresStore(DSN, sealing=SealingKeys([KEY]))
    else:
        dsn, schema = (request.getfixturevalue(name) for name in ("postgres_dsn", "fresh_schema"))
        yield PostgresStore(dsn, schema=schema, sealing=SealingKeys([KEY]))


def test_a_game_without_a_snapshot_is_read_whole(store: Store) -> None:
    async def scenario() -> None:
        async with store:
            await store.append(GAME, rows(GAME, 5))
            assert await store.read_cold(GAME, PROGRAM) == ColdGame(None, rows(GAME, 5))
            assert await store.read_cold(ABSENT, PROGRAM) == ColdGame(None, [])

    asyncio.run(scenario())


def test_a_snapshot_is_read_with_the_event_that_it_names_and_what_follows(store: Store) -> None:
    async def scenario() -> None:
        async with store:
            for game in (GAME, OTHER):
                await store.append(game, rows(game, 5))
            await store.keep_snapshots([snapshot(3), snapshot(5, OTHER)])
            assert await store.read_cold(GAME, PROGRAM) == ColdGame(snapshot(3), rows(GAME, 5, 3))
            assert await store.read_cold(OTHER, PROGRAM) == ColdGame(
                snapshot(5, OTHER), rows(OTHER, 5, 5)
            )
            assert await store.read_cold(GAME, ANOTHER) == ColdGame(None, rows(GAME, 5))
            await store.keep_snapshots([snapshot(4)], [OTHER])
            assert (await store.read_cold(GAME, PROGRAM)).snapshot == snapshot(4)
            assert (await store.read_cold(OTHER, PROGRAM)).snapshot is None
            await store.keep_snapshots([])

    asyncio.run(scenario())


def test_a_snapshot_whose_event_the_log_lacks_is_not_kept(store: Store) -> None:
    """Of a game that is not there, ahead of the log, or of another history."""
    lost = snapshot(3)._replace(leaf=leaf(9))

    async def scenario() -> None:
        async with store:
            await store.append(GAME, rows(GAME, 5))
            await store.keep_snapshots([lost, snapshot(2, ABSENT)])
            await store.keep_snapshots([snapshot(6)])
            assert await store.read_cold(GAME, PROGRAM) == ColdGame(None, rows(GAME, 5))
            await store.append(ABSENT, rows(ABSENT, 2))
            assert await store.read_cold(ABSENT, PROGRAM) == ColdGame(None, rows(ABSENT, 2))

    asyncio.run(scenario())


def test_games_that_are_asked_for_at_once_are_read_each(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also those that have more events than one statement reads."""
    monkeypatch.setattr("phaseledger.service.eventlog.snapshots.FIRST_ROWS", 4)
    monkeypatch.setattr("phaseledger.service.eventlog.reader.FIRST_ROWS", 4)
    monkeypatch.setattr(batched_reads, "AT_ONCE", 3)
    games = [UUID(int=number) for number in range(1, 9)]

    async def scenario() -> None:
        async with store:
            for game in games:
                await store.append(game, rows(game, game.int + 2))
            await store.keep_snapshots([snapshot(2, game) for game in games[::2]])
            asked = [*games, *games[:2], ABSENT]
            cold = await asyncio.gather(*(store.read_cold(game, PROGRAM) for game in asked))
            for game, read in zip(asked, cold, strict=True):
                kept = snapshot(2, game) if game in games[::2] else None
                first = 2 if kept else 1
                assert read == ColdGame(kept, rows(game, game.int + 2, first))

    asyncio.run(scenario())


# --- PostgreSQL -----------------------------------------------------------------------------------


@pytest.fixture
def sealed(postgres_dsn: str, fresh_schema: str) -> tuple[str, str]:
    """A database and a schema of it in which a snapshot is kept, and one of another game."""

    async def scenario() -> None:
        keys = SealingKeys([KEY])
        async with PostgresStore(postgres_dsn, schema=fresh_schema, sealing=keys) as store:
            for game in (GAME, OTHER):
                await store.append(game, rows(game, 5))
                await store.keep_snapshots([snapshot(3, game)])

    asyncio.run(scenario())
    return postgres_dsn, fresh_schema


def read(sealed: tuple[str, str], *keys: bytes) -> ColdGame:
    async def scenario() -> ColdGame:
        dsn, schema = sealed
        async with PostgresStore(dsn, schema=schema, sealing=SealingKeys(keys)) as store:
            return await store.read_cold(GAME, PROGRAM)

    return asyncio.run(scenario())


def change(sealed: tuple[str, str], statement: str) -> list[tuple[object, ...]]:
    dsn, schema = sealed
    with psycopg.connect(dsn) as conn:
        cursor = conn.execute(SQL(statement).format(Identifier(schema, "snapshots")))  # type: ignore[arg-type]
        return cursor.fetchall() if cursor.description else []


def test_what_is_hidden_is_sealed_at_rest(sealed: tuple[str, str]) -> None:
    for (body,) in change(sealed, "SELECT body FROM {}"):
        assert isinstance(body, bytes)
        assert len(body) > len(SECRET)
        assert b"secret" not in body


@pytest.mark.parametrize(
    "edit",
    [
        "body = set_byte(body, 700, get_byte(body, 700) # 1)",
        "body = body || 'x'",
        "body = ''",
        "body = (SELECT body FROM {} WHERE game <> kept.game)",
        "version = 4",
        "leaf = sha256('another')",
    ],
)
def test_a_snapshot_that_was_changed_is_not_genuine(sealed: tuple[str, str], edit: str) -> None:
    assert read(sealed, KEY).snapshot == snapshot(3)
    change(
        sealed, f"UPDATE {{0}} AS kept SET {edit.replace('{}', '{0}')} WHERE game::text LIKE '%1'"
    )
    changed = read(sealed, KEY).snapshot
    assert changed is not None
    assert changed.body == b""


def test_a_snapshot_for_another_program_is_sealed_for_that(sealed: tuple[str, str]) -> None:
    change(sealed, "UPDATE {} SET program = decode(repeat('71', 16), 'hex')")

    async def scenario() -> ColdGame:
        dsn, schema = sealed
        async with PostgresStore(dsn, schema=schema, sealing=SealingKeys([KEY])) as store:
            return await store.read_cold(GAME, ANOTHER)

    changed = asyncio.run(scenario()).snapshot
    assert changed is not None
    assert changed.body == b""


def test_a_snapshot_is_read_under_an_older_key_and_ignored_without_it(
    sealed: tuple[str, str],
) -> None:
    assert read(sealed, KEY, NEWER).snapshot == snapshot(3)
    without = read(sealed, NEWER)
    assert without.snapshot == snapshot(3, body=b"")
    assert without.rows == rows(GAME, 5, 3)


def test_without_a_key_there_are_no_snapshots(sealed: tuple[str, str]) -> None:
    """Nothing could tell a genuine one."""
    change(sealed, "DELETE FROM {} WHERE game::text LIKE '%2'")
    assert read(sealed) == ColdGame(None, rows(GAME, 5))

    async def keep() -> None:
        dsn, schema = sealed
        async with PostgresStore(dsn, schema=schema) as store:
            await store.keep_snapshots([snapshot(3, OTHER)])

    asyncio.run(keep())
    assert change(sealed, "SELECT count(*) FROM {}") == [(1,)]


def test_a_cold_read_that_fails_is_told_to_all_who_wait(
    postgres_dsn: str, fresh_schema: str
) -> None:
    async def scenario() -> None:
        keys = SealingKeys([KEY])
        async with PostgresStore(postgres_dsn, schema=fresh_schema, sealing=keys) as store:
            with psycopg.connect(postgres_dsn) as conn:
                drop: Callable[..., object] = conn.execute
                drop(SQL("DROP TABLE {}").format(Identifier(fresh_schema, "snapshots")))
            reads = (store.read_cold(game, PROGRAM) for game in (GAME, OTHER))
            refused = await asyncio.gather(*reads, return_exceptions=True)
            assert [type(refusal) for refusal in refused] == [StoreUnavailable] * 2
            assert refused[0] is not refused[1]

    asyncio.run(scenario())
