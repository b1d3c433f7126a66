"""What tests of several parts share: a real PostgreSQL, a fresh schema in it, and stores."""

# ruff: noqa: E402 - the assertions of helpers are rewritten only if pytest knows them by then
import gc
import os
import shutil
import signal
import tempfile
from collections.abc import Iterator
from pathlib import Path

import httpcore2
import pytest
import pytest_timeout
from hypothesis import settings
from playwright.sync_api import Browser

pytest.register_assert_rewrite("tests.support")
gc.disable()  # importing and collecting leave little garbage: that saves a sixth of their time

from phaseledger.service.database.embedded import embedded_postgres
from phaseledger.service.eventlog.migrations import migrate
from phaseledger.service.eventlog.postgres import PostgresStore
from phaseledger.service.eventlog.protocols import Store
from phaseledger.service.runtime.process import collect_seldom
from tests.simulation.network import DSN, simulated_postgres
from tests.support.browser import chromium, driven
from tests.support.ledgers import drop_ledger_template, own_schema
from tests.support.longest_files import longest_first
from tests.support.service.memory_store import MemoryStore
from tests.support.watchdog import watch

DOMAIN = Path(__file__).parent / "domain"
KERNEL = DOMAIN / "kernel"

# The same examples in every run, or coverage would be a matter of luck; another profile explores.
settings.register_profile("repeatable", derandomize=True, deadline=None)
settings.register_profile("exploring", deadline=None)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "repeatable"))


def pytest_configure() -> None:
    """Take interrupts, as what tests start does: a shell has its background jobs ignore them."""
    signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark the tests of the domain, and those that need a database server; files that take longest
    come first, so that no worker has one left when all others are done.
    """
    folders = {path: (path, *path.parents) for path in {item.path for item in items}}
    for item in items:
        if DOMAIN in folders[item.path]:
            item.add_marker("domain")
        if KERNEL in folders[item.path]:
            item.add_marker("untraced")  # compiled, it cannot be
        if isinstance(item, pytest.Function) and needs_postgres(item):
            item.add_marker("postgres")
    items[:] = longest_first(items)


def pytest_collection_finish() -> None:
    """Collect garbage as seldom as the service does: there are many modules and tests."""
    collect_seldom()
    gc.enable()


def needs_postgres(item: pytest.Function) -> bool:
    kind = item.callspec.params.get("store") if hasattr(item, "callspec") else None
    return "postgres_dsn" in item.fixturenames or str(kind).startswith("postgres")


def pytest_timeout_set_timer(item: pytest.Item, settings: pytest_timeout.Settings) -> bool | None:
    """The time limit of a test counts while nothing moves."""
    return watch(item, settings)


@pytest.fixture(scope="session")
def anyio_backend() -> str:
    """Tests that are coroutines run on asyncio alone, as the service does."""
    return "asyncio"


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


@pytest.fixture(scope="session", autouse=True)
def one_tls_context() -> Iterator[None]:
    """Clients share what they trust: each would read a hundred authorities that no test asks."""
    context = httpcore2.default_ssl_context()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(httpcore2, "default_ssl_context", lambda **_: context)
        yield


@pytest.fixture(scope="session")
def started_browser() -> Iterator[Browser]:
    """Chromium, one for each test process."""
    with chromium() as browser:
        yield browser


@pytest.fixture(scope="module")
def browser(started_browser: Browser) -> Iterator[Browser]:
    """Chromium, for no longer than a module's tests: they cannot run an event loop beside it."""
    with driven(started_browser) as browser:
        yield browser


@pytest.fixture(scope="session")
def postgres_dsn() -> Iterator[str]:
    """A throw-away server for each test process, or the server PHASELEDGER_TEST_DSN names."""
    if dsn := os.environ.get("PHASELEDGER_TEST_DSN"):
        yield dsn
        drop_ledger_template(dsn)
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


@pytest.fixture(params=["memory", "postgres", "simulated"])
def store(request: pytest.FixtureRequest) -> Iterator[Store]:
    """An empty store, not yet open: `async with store: ...`."""
    if request.param == "memory":
        yield MemoryStore()
        return
    if request.param == "simulated":
        with simulated_postgres():
            yield PostgresStore(DSN)
        return
    dsn, schema = (request.getfixturevalue(name) for name in ("postgres_dsn", "fresh_schema"))
    yield PostgresStore(dsn, schema=schema)
