"""A ledger of the test's own, whose read models are empty."""

from collections.abc import Iterator

import pytest

from phaseledger.service.eventlog.migrations import SCHEMA
from tests.support.ledgers import ledger_template, own_database


@pytest.fixture
def postgres_dsn(postgres_dsn: str) -> Iterator[str]:
    """The database of the ledger."""
    with own_database(postgres_dsn, ledger_template(postgres_dsn)) as (_, dsn):
        yield dsn


@pytest.fixture
def schema() -> str:
    return SCHEMA
