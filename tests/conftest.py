"""What tests of several parts share: a real PostgreSQL, a fresh schema in it, and stores."""

import os
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import settings

from phaseledger.service.database.embedded import embedded_postgres
from phaseledger.service.eventlog.memory import MemoryStore
from phaseledger.service.eventlog.migrations import migrate
from phaseledger.service.eventlog.postgres import PostgresStore
from phaseledger.service.eventlog.protocols import Store
from tests.support.ledgers import own_schema

# The same examples in every run, or coverage would be a matter of luck; another profile explores.
settings.register_profile("repeatable", derandomize=True, deadline=None)
settings.register_profile("exploring", deadline=None)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "repeatable"))


@pytest.fixture
def short_dir() -> Iterator[Path]:
    """A directory whose path leaves room for a Unix socket's; pytest's own are too long."""
    path = Path(tempfile.mkdtemp(prefix="pl-"))
    yield path
    shutil.rmtree(path)


@pytest.fixture(scope="session", autouse=True)
def state_folder() -> Iterator[None]:
    """A user's state folder for the tests, and what they start, where it can be named so."""
    with tempfile.TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_STATE_HOME", folder)
        yield


@pytest.fixture(scope="session")
def postgres_dsn() -> Iterator[str]:
    """A throw-away server for each test process, or the server PHASELEDGER_TEST_DSN names."""
    if dsn := os.environ.get("PHASELEDGER_TEST_DSN"):
        yield dsn
        return
    path = Path(tempfile.mkdtemp(prefix="pl-"))
    try:
        with embedded_postgres(path) as dsn:
            yield dsn
    finally:
        shutil.rmtree(path)


@pytest.fixture
def empty_schema(postgres_dsn: str) -> Iterator[str]:
    """The name of a schema that is not there yet."""
    with own_schema(postgres_dsn) as name:
        yield name


@pytest.fixture
def fresh_schema(postgres_dsn: str, empty_schema: str) -> str:
    """The name of a migrated schema with an empty log."""
    migrate(postgres_dsn, schema=empty_schema)
    return empty_schema


@pytest.fixture(params=["memory", "postgres", "postgres-stock"])
def store(request: pytest.FixtureRequest) -> Store:
    """An empty store, not yet open: `async with store: ...`."""
    if request.param == "memory":
        return MemoryStore()
    dsn, schema = (request.getfixturevalue(name) for name in ("postgres_dsn", "fresh_schema"))
    return PostgresStore(dsn, schema=schema, grouping=request.param == "postgres")
