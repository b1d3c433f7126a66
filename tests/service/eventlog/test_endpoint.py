"""An address behind which another server is: connections to the first one are left."""

import asyncio
from collections.abc import Iterator

import psycopg
import pytest
from psycopg.sql import SQL

from phaseledger.service.eventlog.connection import connect
from phaseledger.service.eventlog.pool import pool, run
from tests.support.service.replication import Pair, replicated

WRITE = SQL("INSERT INTO notes VALUES (%s) RETURNING text").format()


@pytest.fixture
def pair() -> Iterator[Pair]:
    with replicated() as servers:
        servers.primary.execute("CREATE TABLE notes (text text)")
        servers.await_standby()
        yield servers


def take_over(pair: Pair) -> None:
    """Promote the standby, which new connections lead to; the primary goes on, with its own."""
    pair.standby.promote()
    pair.wire.lead_to(pair.standby.port, break_off=False)


async def test_a_new_connection_to_another_server_ends_the_older_ones(pair: Pair) -> None:
    async with await connect(pair.dsn) as idle, await connect(pair.dsn) as busy:
        waiting = asyncio.create_task(busy.execute("SELECT pg_sleep(3600)"))
        take_over(pair)
        await idle.execute("SELECT 1")  # nobody knows
        async with await connect(pair.dsn) as conn:
            for old in (idle.execute("SELECT 1"), waiting):
                with pytest.raises(psycopg.OperationalError):
                    await old
            async with await connect(pair.dsn):  # of the same server
                await conn.execute("SELECT 1")


@pytest.mark.system
async def test_a_standby_takes_nobodys_place(pair: Pair) -> None:
    async with await connect(pair.dsn) as conn:
        pair.wire.lead_to(pair.standby.port, break_off=False)
        async with await connect(pair.dsn) as other:
            cursor = await other.execute("SELECT pg_is_in_recovery()")
            assert await cursor.fetchall() == [(True,)]
            await conn.execute("SELECT 1")


@pytest.mark.system
async def test_an_answer_that_an_old_server_owes_is_not_looked_for_at_the_new_one(
    pair: Pair,
) -> None:
    """Whatever the new one's backend of the same id does."""
    async with await connect(pair.dsn) as conn:
        waiting = asyncio.create_task(conn.execute("SELECT pg_sleep(3600)"))
        take_over(pair)
        with pytest.raises(psycopg.OperationalError):
            await waiting


@pytest.mark.system
async def test_a_write_that_a_read_only_server_refuses_is_tried_on_a_new_connection(
    pair: Pair,
) -> None:
    async with pool(pair.dsn, 1) as pooled:
        assert await run(pooled, WRITE, ("first",)) == [("first",)]
        pair.primary.setting("default_transaction_read_only", "on")
        take_over(pair)
        assert await run(pooled, WRITE, ("second",)) == [("second",)]
    assert ("second",) in pair.standby.execute("SELECT text FROM notes")
