"""The ledger's clock: the database's time, whatever the node's own clock says."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import psycopg
import pytest

from phaseledger.service.eventlog import clock as clock_module
from phaseledger.service.eventlog.clock import LOCAL, DatabaseClock
from phaseledger.service.eventlog.errors import LedgerTimeUnknown, StoreUnavailable
from phaseledger.service.eventlog.side_connection import SideConnection
from tests.support.elapsed import pass_seconds
from tests.support.polling import comes_about
from tests.support.service.faulty_proxy import wired_database

DAY = 86_400_000  # milliseconds
NEAR = 1_000  # milliseconds; a busy machine takes its time between two questions


@asynccontextmanager
async def opened(dsn: str) -> AsyncIterator[DatabaseClock]:
    clock = DatabaseClock(SideConnection(dsn))
    await clock.open()
    try:
        yield clock
    finally:
        await clock.close()


def database_ms(dsn: str) -> int:
    with psycopg.connect(dsn) as conn:
        row = conn.execute("SELECT extract(epoch FROM clock_timestamp()) * 1000").fetchone()
    assert row is not None
    return int(row[0])


def test_the_time_is_that_of_the_database(
    postgres_dsn: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By how much the node's own clock is wrong is known, and changes nothing; nor does it matter
    that the clock is set while the node runs.
    """
    right = clock_module.wall_ms

    async def scene(ahead: int) -> None:
        monkeypatch.setattr(clock_module, "wall_ms", lambda: right() + ahead)
        async with opened(postgres_dsn) as clock:
            before = database_ms(postgres_dsn)
            now, skew = clock.now(), clock.skew()
            assert before - NEAR <= now <= database_ms(postgres_dsn) + NEAR
            assert skew is not None
            assert abs(skew - ahead) <= NEAR
            monkeypatch.setattr(clock_module, "wall_ms", lambda: right() - DAY)
            assert abs(clock.now() - database_ms(postgres_dsn)) <= NEAR

    for ahead in (-DAY, 0, 120_000):
        asyncio.run(scene(ahead))


async def test_time_passes_between_two_comparisons(
    postgres_dsn: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with opened(postgres_dsn) as clock:
        before = clock.now()
        pass_seconds(monkeypatch, 2)
        assert 2_000 <= clock.now() - before <= 2_000 + NEAR


async def test_nothing_is_decided_by_a_time_that_is_not_known(
    postgres_dsn: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Before the database was asked, and a while after it was asked last."""
    clock = DatabaseClock(SideConnection(postgres_dsn))
    for ask in (clock.now, clock.estimate):
        with pytest.raises(StoreUnavailable):
            ask()
    assert clock.skew() is None
    await clock.open()
    await clock.close()
    pass_seconds(monkeypatch, clock_module.KNOWN - 1)
    earlier = clock.now()
    pass_seconds(monkeypatch, 2)
    with pytest.raises(LedgerTimeUnknown):
        clock.now()
    assert clock.skew() is None
    assert clock.estimate() >= earlier + 2_000


async def test_a_lost_connection_is_made_again(
    postgres_dsn: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(clock_module, "EVERY", 0.05)
    named = psycopg.conninfo.make_conninfo(postgres_dsn, application_name="clock under test")

    async with opened(named) as clock:
        with psycopg.connect(postgres_dsn, autocommit=True) as conn:
            ended = conn.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
                "WHERE application_name = 'clock under test'"
            ).fetchall()
        assert ended == [(True,)]
        at = clock._last
        await comes_about(lambda: asyncio.sleep(0, clock._last), lambda last: last != at)
        assert abs(clock.now() - database_ms(postgres_dsn)) <= NEAR


async def test_a_server_that_swallows_answers_holds_the_clock_up_no_longer_than_that(
    postgres_dsn: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The connection on which nothing was answered is cut, though its peer lives."""
    monkeypatch.setattr(clock_module, "EVERY", 0.05)
    monkeypatch.setattr(clock_module, "SECONDS", 0.2)

    with wired_database(postgres_dsn) as proxy:
        async with opened(proxy.dsn) as clock:
            proxy.swallows = True
            await comes_about(lambda: asyncio.sleep(0, proxy.swallowed))
            at = clock._last
            proxy.swallows = False
            await comes_about(lambda: asyncio.sleep(0, clock._last), lambda last: last != at)


def test_a_ledger_in_memory_goes_by_the_nodes_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(clock_module, "wall_ms", lambda: 5)
    assert (LOCAL.now(), LOCAL.estimate(), LOCAL.skew()) == (5, 5, 0)
