"""The connections that a service takes, held against what a real server allows."""

import gc
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psycopg
import pytest
from litestar.testing import TestClient
from msgspec.structs import replace
from psycopg.conninfo import make_conninfo
from psycopg_pool import AsyncConnectionPool

from phaseledger.service.app import in_postgres, routes
from phaseledger.service.database.connections import MOST, SINGLE, require_connections
from phaseledger.service.database.embedded import embedded_postgres
from phaseledger.service.eventlog.errors import StoreUnfit
from phaseledger.service.settings import Settings
from tests.support.ledgers import prepared
from tests.support.service.api_tables import play_on, started
from tests.support.service.nodes import await_ready, client_of, node
from tests.support.service.processes import command
from tests.support.service.server import FREE


@contextmanager
def server_with(short_dir: Path, connections: int, tmp_path: Path) -> Iterator[Settings]:
    """A ledger on a server that has so many connections for roles like ours."""
    with embedded_postgres(short_dir) as dsn, psycopg.connect(dsn, autocommit=True) as conn:
        conn.execute("CREATE ROLE plain LOGIN")
        conn.execute("GRANT CREATE ON DATABASE postgres TO plain")
        conn.execute("ALTER SYSTEM SET superuser_reserved_connections = 3")
        conn.execute(f"ALTER SYSTEM SET max_connections = {connections + 3}")
    with embedded_postgres(short_dir) as dsn:
        yield prepared(make_conninfo(dsn, user="plain"), "phaseledger", tmp_path)


@pytest.mark.system
def test_a_server_with_five_connections_is_refused_in_words(short_dir, tmp_path, port):
    with server_with(short_dir, 2, tmp_path) as settings:
        run = command(settings, "serve", "--port", str(port))
        assert run.returncode == 3, run.stderr
        message = run.stderr.strip().splitlines()[-1]
        assert f"has 2 connections for this service, which takes up to {MOST}" in message
        assert "max_connections is 5, of which 3 are reserved" in message
        assert f"Set max_connections to {MOST + 3} or more" in message


@pytest.mark.system
def test_the_smallest_server_that_is_taken_carries_a_service(short_dir, tmp_path, port):
    names = ("database_url", "schema", "keys_dir", "published_dir")
    with (
        server_with(short_dir, MOST, tmp_path) as settings,
        node(port, {name: getattr(settings, name) for name in names}) as process,
    ):
        await_ready(process, port)
        client = client_of(port)
        play_on(started(client), 6)
        client.close()


@pytest.mark.system
def test_limits_of_roles_and_databases_count(settings):
    most = MOST
    require_connections(settings)
    with psycopg.connect(settings.database_url, autocommit=True) as conn:
        conn.execute(f"CREATE ROLE few LOGIN CONNECTION LIMIT {most}")
        few = replace(settings, database_url=make_conninfo(settings.database_url, user="few"))
        try:
            require_connections(few)
            conn.execute(f"ALTER ROLE few CONNECTION LIMIT {most - 1}")
            words = rf"has {most - 1} .*this role may have {most - 1} .*Raise the CONNECTION LIMIT"
            with pytest.raises(StoreUnfit, match=words):
                require_connections(few)
        finally:
            conn.execute("DROP ROLE few")


@pytest.mark.system
def test_the_figure_is_that_of_the_pools(settings):
    """A new pool, or a larger one, has to be counted."""
    others = {id(pool) for pool in gc.get_objects() if isinstance(pool, AsyncConnectionPool)}
    with TestClient(routes(in_postgres(settings), FREE)):
        sizes = [
            pool.max_size
            for pool in gc.get_objects()
            if isinstance(pool, AsyncConnectionPool) and id(pool) not in others
        ]
    assert sum(sizes) + SINGLE == MOST
