"""Ledgers for tests: a schema of their own, and keys."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from uuid import uuid4

import psycopg
from psycopg.conninfo import make_conninfo
from psycopg.sql import SQL, Identifier

from phaseledger.replay.signing.keys import load_or_new
from phaseledger.service.database.setup import prepare
from phaseledger.service.settings import Settings


@contextmanager
def own_schema(dsn: str) -> Iterator[str]:
    """The name of a schema that is not there yet, and is gone after the block."""
    name = f"t_{uuid4().hex[:12]}"
    yield name
    with psycopg.connect(dsn) as conn:
        conn.execute("SET client_min_messages = warning")
        conn.execute(SQL("DROP SCHEMA IF EXISTS {} CASCADE").format(Identifier(name)))


@contextmanager
def own_database(dsn: str, template: str = "template1") -> Iterator[tuple[str, str]]:
    """A database that is gone after the block, made as a copy of another: its name and its DSN."""
    name = f"t_{uuid4().hex[:12]}"
    made, source = Identifier(name), Identifier(template)
    with psycopg.connect(dsn, autocommit=True) as conn:
        conn.execute(SQL("CREATE DATABASE {} TEMPLATE {} STRATEGY FILE_COPY").format(made, source))
        try:
            yield name, make_conninfo(dsn, dbname=name)
        finally:
            conn.execute(SQL("DROP DATABASE {} WITH (FORCE)").format(made))


def prepared(dsn: str, schema: str, folder: Path, **more: Any) -> Settings:
    """The settings of a ledger that has its tables and its keys."""
    given = Settings(
        database_url=dsn,
        schema=schema,
        keys_dir=str(folder / "keys"),
        published_dir=str(folder / "published"),
        **more,
    )
    prepare(given)
    load_or_new(folder / "keys")
    return given
