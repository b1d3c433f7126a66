"""A public log, empty or with events that were published."""

import asyncio
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from phaseledger.service.eventlog.migrations import SCHEMA
from phaseledger.service.settings import Settings
from tests.support.ledgers import ledger_template, own_database, with_keys
from tests.support.service.public_log import LOG, Place, publish


@pytest.fixture
def place(postgres_dsn: str, empty_schema: str, tmp_path: Path) -> Place:
    """Nothing has been published yet."""
    return Place(postgres_dsn, empty_schema, tmp_path)


@pytest.fixture(scope="session")
def published(
    postgres_dsn: str, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[str, Path]]:
    """The database and the folder of a log of 600 events, published at 300 and at 600."""
    folder = tmp_path_factory.mktemp("published")
    with own_database(postgres_dsn, ledger_template(postgres_dsn)) as (name, dsn):
        ledger = with_keys(dsn, SCHEMA, folder, log_origin=LOG)
        asyncio.run(publish(ledger, 1, 300))
        asyncio.run(publish(ledger, 301, 600))
        yield name, folder


@pytest.fixture
def settings(postgres_dsn: str, published: tuple[str, Path], tmp_path: Path) -> Iterator[Settings]:
    """A copy of this log."""
    database, folder = published
    shutil.copytree(folder, tmp_path, dirs_exist_ok=True)
    with own_database(postgres_dsn, database) as (_, dsn):
        yield with_keys(dsn, SCHEMA, tmp_path, log_origin=LOG)
