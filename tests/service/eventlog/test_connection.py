"""Connections that wait for an answer: which they give up, and which they go on waiting for."""

import asyncio
from collections.abc import Callable
from uuid import UUID

import psycopg
import pytest
from psycopg.conninfo import make_conninfo

from phaseledger.service.eventlog import connection
from phaseledger.service.eventlog.connection import ROW_WORK, STATEMENT_WORK, connect
from phaseledger.service.eventlog.postgres import PostgresStore
from phaseledger.service.eventlog.rows import Row
from phaseledger.service.runtime.work import CURRENT, RequestWork
from tests.support.polling import ENDLESS, comes_about
from tests.support.service.database_locks import until_blocked
from tests.support.service.faulty_proxy import DatabaseWire, wired_database

GAME = UUID(int=1)
ROWS = [Row(version, "T/1", b"event") for version in (1, 2, 3)]
QUESTIONS = 3


@pytest.fixture(autouse=True)
def _no_deadline(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is given up here is given up for what the server says of it."""
    monkeypatch.setattr(connection, "DEADLINE", ENDLESS)


def lost_request(wire: DatabaseWire) -> None:
    """Lose the next piece that anybody sends: here a statement."""
    left = [True]
    wire.drop = lambda: bool(left) and left.pop()


def lost_answer(wire: DatabaseWire) -> None:
    """Carry the next statement, and lose its answer."""
    left = [True]
    wire.mute = lambda _: bool(left) and left.pop()


@pytest.mark.parametrize("lose", [lost_request, lost_answer])
def test_the_writer_goes_on_and_doubles_nothing_and_a_read_is_repeated(
    postgres_dsn: str, fresh_schema: str, lose: Callable[[DatabaseWire], None]
) -> None:
    async def scenario() -> None:
        async with PostgresStore(wire.dsn, schema=fresh_schema) as store:
            await store.append(GAME, ROWS[:1])
            lose(wire)
            await store.append(GAME, ROWS[1:2])
            await store.append(GAME, ROWS[2:])
            assert await store.head(GAME) == len(ROWS)  # the connection for reading is there
            lose(wire)
            assert await store.read(GAME) == ROWS
            assert len(await store.tail(0)) == len(ROWS)

    with wired_database(postgres_dsn) as wire:
        asyncio.run(scenario())


def test_a_backend_that_is_gone_is_not_waited_for(postgres_dsn: str) -> None:
    async def scenario() -> None:
        async with await connect(wire.dsn) as conn:
            lost_request(wire)
            asked = asyncio.create_task(conn.execute("SELECT 1"))
            async with await psycopg.AsyncConnection.connect(postgres_dsn) as other:
                await other.execute("SELECT pg_terminate_backend(%s)", (conn.info.backend_pid,))
            with pytest.raises(psycopg.OperationalError):
                await asked

    with wired_database(postgres_dsn) as wire:
        wire.mute = lambda part: b"terminating connection" in part
        asyncio.run(scenario())


def test_a_statement_that_takes_its_time_is_waited_for(
    postgres_dsn: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connection, "SILENCE", 0.1)

    async def scenario() -> None:
        async with (
            await psycopg.AsyncConnection.connect(postgres_dsn) as other,
            await connect(wire.dsn) as conn,
        ):
            await other.execute("SELECT pg_advisory_lock(1)")
            asked = asyncio.create_task(conn.execute("SELECT pg_advisory_lock(1), 'answer'"))
            await until_blocked(postgres_dsn)
            await questions(wire)
            await other.execute("SELECT pg_advisory_unlock(1)")
            cursor = await asked
            assert await cursor.fetchall() == [("", "answer")]

    with wired_database(postgres_dsn) as wire:
        asyncio.run(scenario())


async def questions(wire: DatabaseWire) -> None:
    """Wait until the server was asked again and again what it does: each over a new connection."""
    goal = wire.connections + QUESTIONS

    async def connections() -> int:
        return wire.connections

    await comes_about(connections, lambda count: count >= goal)


def test_a_server_that_cannot_be_asked_is_waited_for_until_it_can(postgres_dsn: str) -> None:
    async def scenario() -> None:
        async with await connect(wire.dsn) as conn:
            wire.swallows = True
            asked = asyncio.create_task(conn.execute("SELECT 1"))
            await questions(wire)
            assert not asked.done()
            wire.swallows = False
            with pytest.raises(psycopg.OperationalError):
                await asked

    with wired_database(postgres_dsn) as wire:
        asyncio.run(scenario())


def pooled(part: bytes) -> bytes:
    """The server's part as a pooler has it, which gives its clients ids of its own."""
    head, key, rest = part.partition(b"K\0\0\0\x0c")
    return head + key + b"\x7f\xff\xff\xff" + rest[4:] if key else part


def behind_a_pooler(wire: DatabaseWire) -> str:
    wire.alter = pooled
    return wire.dsn


def tracking_nothing(wire: DatabaseWire) -> str:
    return make_conninfo(wire.dsn, options="-c track_activities=off")


@pytest.mark.parametrize("reached", [behind_a_pooler, tracking_nothing])
def test_where_the_server_does_not_know_only_the_deadline_counts(
    postgres_dsn: str, monkeypatch: pytest.MonkeyPatch, reached: Callable[[DatabaseWire], str]
) -> None:
    monkeypatch.setattr(connection, "SILENCE", 0.1)

    async def scenario(dsn: str) -> None:
        async with await connect(dsn) as conn:
            lost_answer(wire)
            asked = asyncio.create_task(conn.execute("SELECT 1"))
            await questions(wire)
            assert not asked.done()
            monkeypatch.setattr(connection, "DEADLINE", 0.2)
            async with await connect(dsn) as late:
                wire.mute = lambda part: b"late" in part  # not the answer to a question about asked
                with pytest.raises(psycopg.OperationalError):
                    await late.execute("SELECT 'late'")
            assert not asked.done()
            wire.break_off()
            with pytest.raises(psycopg.OperationalError):
                await asked

    with wired_database(postgres_dsn) as wire:
        asyncio.run(scenario(reached(wire)))


async def test_statements_and_rows_are_work_of_the_request_in_hand(postgres_dsn: str) -> None:
    async with await connect(postgres_dsn) as conn:
        for rows in (0, 1, 10_000):
            CURRENT.set(total := RequestWork())
            await conn.execute("SELECT generate_series(1, %s)", (rows,), prepare=True)
            assert total.seconds == pytest.approx(STATEMENT_WORK + rows * ROW_WORK)
