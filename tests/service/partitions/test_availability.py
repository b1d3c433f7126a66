"""A partition that is away is remembered, and one that is slow is waited for."""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import psutil
import psycopg
import pytest
from psycopg.sql import SQL, Identifier

from phaseledger.projections import store
from phaseledger.projections.pages import ViewsUnavailable
from phaseledger.service.database.embedded import embedded_postgres
from phaseledger.service.database.setup import prepare
from phaseledger.service.eventlog.migrations import SCHEMA
from phaseledger.service.partitions import availability
from phaseledger.service.partitions.availability import PartitionViews
from phaseledger.service.settings import Settings
from tests.support.crash_campaign import kill_database, postmaster
from tests.support.polling import ENDLESS, comes_about

AWAY = r"^Partition 2 does not answer\.$"


@pytest.fixture(autouse=True)
def endless_patience(monkeypatch: pytest.MonkeyPatch) -> None:
    """What ends a read here is what is known of the partition."""
    monkeypatch.setattr(store, "PATIENCE", ENDLESS)


async def reached(views: PartitionViews) -> bool:
    with suppress(ViewsUnavailable):
        return await views.position() == 0
    return False


@contextmanager
def frozen(data_dir: Path) -> Iterator[None]:
    """A server whose machine takes connections and gives no answer."""
    parent = psutil.Process(postmaster(data_dir))
    processes = [parent, *parent.children()]
    for process in processes:
        process.suspend()
    try:
        yield
    finally:
        for process in reversed(processes):
            process.resume()


def test_a_partition_that_falls_silent_fails_every_read_until_it_is_back(short_dir: Path) -> None:
    async def scene(dsn: str) -> None:
        async with PartitionViews(dsn, SCHEMA, 2) as views:
            assert await reached(views)
            with frozen(short_dir):
                for _ in range(3):
                    with pytest.raises(ViewsUnavailable, match=AWAY):
                        await views.position()
            await comes_about(lambda: reached(views))

    with embedded_postgres(short_dir) as dsn:
        prepare(Settings(database_url=dsn))
        asyncio.run(scene(dsn))


def test_a_partition_that_is_gone_fails_every_read_until_it_is_back(short_dir: Path) -> None:
    async def scene(dsn: str) -> None:
        async with PartitionViews(dsn, SCHEMA, 2) as views:
            assert await reached(views)
            kill_database(short_dir)
            for _ in range(3):
                with pytest.raises(ViewsUnavailable, match=AWAY):
                    await views.position()
            with embedded_postgres(short_dir):
                await comes_about(lambda: reached(views))

    with embedded_postgres(short_dir) as dsn:
        prepare(Settings(database_url=dsn))
        asyncio.run(scene(dsn))


def test_what_is_known_to_be_away_is_not_asked_by_reads(short_dir: Path) -> None:
    async def scene() -> None:
        views = PartitionViews(f"host={short_dir} port=5432 dbname=postgres", SCHEMA, 2)
        assert not await views.availability.answers()
        with pytest.raises(ViewsUnavailable, match=AWAY):  # the pool, not even open, says otherwise
            await views.position()
        await views.availability.close()

    asyncio.run(scene())


def test_a_slow_read_is_waited_for_while_the_partition_answers(
    postgres_dsn: str, empty_schema: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(availability, "GRACE", 0.0)
    monkeypatch.setattr(availability, "PROBE", ENDLESS)  # on a machine that is as slow as it likes
    prepare(Settings(database_url=postgres_dsn, schema=empty_schema))
    lock = SQL("LOCK TABLE {}").format(Identifier(empty_schema, "notification_tracking"))

    async def scene() -> None:
        async with PartitionViews(postgres_dsn, empty_schema, 2) as views:
            with psycopg.connect(postgres_dsn) as conn:
                conn.execute(lock)
                reading = asyncio.create_task(views.position())
                await asyncio.sleep(0)
                assert await views.availability.answers()
                assert await views.availability.answers()
                assert not reading.done()
            assert await reading == 0

    asyncio.run(scene())
