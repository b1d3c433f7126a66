"""The simulated server where it is more than a store: sessions, crashes, going back.

What it does as a store and as a tree it shares with the real one: the contracts of both run over it
(tests/service/eventlog/test_store_contract.py, tests/service/transparency/test_tree.py).
"""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any
from uuid import UUID

import psycopg
import pytest

from phaseledger.service.eventlog.arrays import Array
from phaseledger.service.eventlog.errors import StoreUnavailable
from phaseledger.service.eventlog.postgres import PostgresStore
from phaseledger.service.eventlog.rows import Row
from tests.simulation.chance import Chance
from tests.simulation.loop import VirtualLoop, run
from tests.simulation.network import DSN, Network, opened_without_threads
from tests.simulation.postgres import Server

GAME = UUID(int=1)
TRACK = (
    "UPDATE notification_tracking SET notification_id = %s "
    "WHERE application_name = %s AND notification_id = %s"
)
APPEND = 'SELECT "phaseledger".append_events(%b)'


def row(version: int) -> Row:
    return Row(version, "CardDrawn/1", b"{}", bytes([version] * 32))


def play(scene: Callable[[Server, Network], Awaitable[None]], **defects: bool) -> None:
    """Let the scene happen beside a server in fair weather."""
    server = Server(Chance("server"), **defects)
    network = Network(Chance("network"), server)
    with network.patched(), opened_without_threads():
        run(VirtualLoop(Chance("schedule")), scene(server, network))


async def connected() -> psycopg.AsyncConnection[tuple[Any, ...]]:
    return await psycopg.AsyncConnection.connect(DSN, autocommit=True)


async def append(conn: Any, version: int, previous: bytes | None) -> None:
    new = row(version)
    columns = (
        *(("uuid", GAME.bytes), ("int8", version.to_bytes(8)), ("text", new.topic.encode())),
        *(("bytea", new.state), ("bytea", new.leaf), ("bytea", previous)),
    )
    await conn.execute(APPEND, [Array(type=kind, elements=[value]) for kind, value in columns])


def test_a_server_that_goes_back_has_lost_its_last_commits() -> None:
    async def scene(server: Server, _: Network) -> None:
        async with PostgresStore(DSN) as store:
            for version in range(1, 6):
                await store.append(GAME, [row(version)])
            server.stop(crash=False)
            server.promote(2)
            server.start()
            assert await store.head(GAME) == 3
            assert server.timeline == 2

    play(scene)


def test_a_crash_takes_only_what_was_committed_asynchronously() -> None:
    async def scene(server: Server, _: Network) -> None:
        views = await connected()
        await views.execute("SET synchronous_commit = off")
        async with PostgresStore(DSN) as store:
            await store.append(GAME, [row(1)])
            for position in range(20):
                await views.execute(TRACK, (position + 1, "projections", position))
            server.stop(crash=True)
            assert 0 <= server.tables.views_position < 20
            assert len(server.tables.log) == 1

    play(scene)


@pytest.mark.parametrize("previous", [bytes([2] * 32), bytes(32)], ids=["hole", "other leaf"])
def test_the_row_before_is_demanded(previous: bytes) -> None:
    async def scene(server: Server, _: Network) -> None:
        conn = await connected()
        await append(conn, 1, None)
        with pytest.raises(psycopg.errors.ForeignKeyViolation):
            await append(conn, 3 if previous[0] else 2, previous)
        await append(conn, 2, row(1).leaf)
        assert len(server.tables.log) == 2

    play(scene)


def test_a_swap_of_the_views_does_not_wait_long_for_whoever_writes_them() -> None:
    async def scene(_server: Server, _: Network) -> None:
        writer, operator = await connected(), await connected()
        async with writer.transaction():
            await writer.execute(TRACK, (1, "projections", 0))
            with pytest.raises(psycopg.errors.LockNotAvailable):
                await operator.execute("SELECT swap_projections()")
        cursor = await operator.execute("SELECT swap_projections()")
        assert await cursor.fetchone() == (False,)  # nothing is rebuilt

    play(scene)


def test_a_session_outlives_a_connection_that_was_cut_and_keeps_its_locks_till_then() -> None:
    async def scene(server: Server, network: Network) -> None:
        first, second = await connected(), await connected()
        lock = "SELECT pg_try_advisory_lock(hashtextextended(%s, 0))"
        cursor = await first.execute(lock, ("follow",))
        assert await cursor.fetchone() == (True,)
        first.lose()  # type: ignore[attr-defined]
        cursor = await second.execute(lock, ("follow",))
        assert await cursor.fetchone() == (False,)
        await asyncio.sleep(10)
        cursor = await second.execute(lock, ("follow",))
        assert await cursor.fetchone() == (True,)

    play(scene)


def test_an_answer_may_be_lost_after_the_commit() -> None:
    async def scene(server: Server, network: Network) -> None:
        conn = await connected()
        network.weather(None).loses_after = 1.0
        with pytest.raises(psycopg.OperationalError):
            await append(conn, 1, None)
        assert len(server.tables.log) == 1

    play(scene)


def test_a_stalled_answer_comes_when_somebody_cuts_the_connection() -> None:
    async def scene(server: Server, network: Network) -> None:
        conn = await connected()
        network.weather(None).stalls, network.weather(None).cut_after = 1.0, 30.0
        with pytest.raises(psycopg.OperationalError):
            await append(conn, 1, None)
        assert asyncio.get_running_loop().time() > 30

    play(scene)


def test_a_read_only_server_refuses_to_be_written() -> None:
    async def scene(server: Server, _: Network) -> None:
        async with PostgresStore(DSN) as store:
            server.is_read_only = True
            with pytest.raises(StoreUnavailable, match="read-only"):
                await store.append(GAME, [row(1)])

    play(scene)


def test_a_statement_that_is_not_known_is_an_error_and_noted() -> None:
    async def scene(server: Server, _: Network) -> None:
        conn = await connected()
        with pytest.raises(AssertionError, match="does not know"):
            await conn.execute("SELECT 42")
        assert server.unknown == ["SELECT 42"]

    play(scene)
