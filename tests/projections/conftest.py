"""What tests of the projections share."""

import pytest

from phaseledger.projections.sql import MIGRATIONS
from phaseledger.service.eventlog.migrations import migrate


@pytest.fixture
def schema(postgres_dsn: str, empty_schema: str) -> str:
    migrate(postgres_dsn, schema=empty_schema, extra=MIGRATIONS)
    return empty_schema
