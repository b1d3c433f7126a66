"""Ledgers for tests: a schema or a database of their own, and keys."""

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit
from uuid import uuid4

import psycopg
from psycopg.conninfo import make_conninfo
from psycopg.sql import SQL, Identifier

from phaseledger.replay.formats.signing.keys import load_or_new
from phaseledger.service.database.setup import prepare
from phaseledger.service.eventlog.migrations import SCHEMA
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
            yield name, dsn_of(dsn, name)
        finally:
            conn.execute(SQL("DROP DATABASE {} WITH (FORCE)").format(made))


def dsn_of(dsn: str, database: str) -> str:
    """The DSN of another database of that server: a URL where it is one, as commands want it."""
    if "://" in dsn:
        return urlsplit(dsn)._replace(path=f"/{database}").geturl()
    return make_conninfo(dsn, dbname=database)


@contextmanager
def own_ledger(dsn: str, folder: Path, **more: Any) -> Iterator[Settings]:
    """The settings of a ledger that has its tables, in a database of its own, and its keys.

    The database is a copy of one that was migrated once: to migrate again takes four times as long.
    """
    with own_database(dsn, ledger_template(dsn)) as (_, own_dsn):
        yield with_keys(own_dsn, SCHEMA, folder, **more)


@cache
def ledger_template(dsn: str) -> str:
    """The name of a database of that server with an empty ledger, to be copied."""
    name = f"t_{uuid4().hex[:12]}_template"
    with psycopg.connect(dsn, autocommit=True) as conn:
        conn.execute(SQL("CREATE DATABASE {}").format(Identifier(name)))
    prepare(Settings(database_url=dsn_of(dsn, name), schema=SCHEMA))
    return name


def drop_ledger_template(dsn: str) -> None:
    """Leave a server that is not thrown away as it was."""
    if ledger_template.cache_info().currsize:
        with psycopg.connect(dsn, autocommit=True) as conn:
            conn.execute(SQL("DROP DATABASE {}").format(Identifier(ledger_template(dsn))))


def prepared(dsn: str, schema: str, folder: Path, **more: Any) -> Settings:
    """The settings of a ledger that has its tables and its keys."""
    settings = with_keys(dsn, schema, folder, **more)
    prepare(settings)
    return settings


def with_keys(dsn: str, schema: str, folder: Path, **more: Any) -> Settings:
    """The settings of a ledger, whose keys lie in the folder."""
    load_or_new(folder / "keys")
    return Settings(
        database_url=dsn,
        schema=schema,
        keys_dir=str(folder / "keys"),
        published_dir=str(folder / "published"),
        **more,
    )
