"""Ledgers that are lost and restored."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from msgspec.structs import replace

from phaseledger.service.settings import Settings
from tests.compatibility.store import own_database
from tests.support.ledgers import own_ledger


@pytest.fixture
def ledger(postgres_dsn: str, tmp_path: Path) -> Iterator[Settings]:
    """A ledger in a database of its own."""
    with own_ledger(postgres_dsn, tmp_path) as settings:
        yield settings


@pytest.fixture
def elsewhere(postgres_dsn: str, ledger: Settings) -> Iterator[Settings]:
    """The same ledger, whose database is empty."""
    with own_database(postgres_dsn) as dsn:
        yield replace(ledger, database_url=dsn)
