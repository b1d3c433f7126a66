"""A public log, empty or with events that were published."""

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest

from phaseledger.service.settings import Settings
from tests.support.ledgers import own_ledger
from tests.support.service.public_log import LOG, Place, publish


@pytest.fixture
def place(postgres_dsn: str, empty_schema: str, tmp_path: Path) -> Place:
    """Nothing has been published yet."""
    return Place(postgres_dsn, empty_schema, tmp_path)


@pytest.fixture
def settings(postgres_dsn: str, tmp_path: Path) -> Iterator[Settings]:
    """A log of 600 events, published at 300 and at 600."""
    with own_ledger(postgres_dsn, tmp_path, log_origin=LOG) as ledger:
        asyncio.run(publish(ledger, 1, 300))
        asyncio.run(publish(ledger, 301, 600))
        yield ledger
