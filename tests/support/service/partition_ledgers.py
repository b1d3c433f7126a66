"""Ledgers of several partitions for tests: roles that see one schema each, and the file of them."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from uuid import uuid4

import psycopg
from psycopg.conninfo import conninfo_to_dict, make_conninfo
from psycopg.sql import SQL, Identifier

from phaseledger.replay.signing.keys import load_or_new


def listed(path: Path, entries: Sequence[dict[str, str]]) -> Path:
    """The file of these partitions, in TOML."""
    lines = []
    for entry in entries:
        lines.append("[[partition]]")
        lines += [
            f"{name} = {value}" if name in ("since", "until") else f'{name} = "{value}"'
            for name, value in entry.items()
        ]
    path.write_text("\n".join(lines) + "\n")
    return path


@contextmanager
def own_schemas(dsn: str, count: int) -> Iterator[list[dict[str, str]]]:
    """So many schemas of one server, each with a role that may use nothing but it."""
    names = [f"part_{uuid4().hex[:10]}" for _ in range(count)]
    with psycopg.connect(dsn, autocommit=True) as conn:
        conn.execute("REVOKE ALL ON SCHEMA public FROM PUBLIC")
        for name in names:
            conn.execute(SQL("CREATE ROLE {} LOGIN").format(Identifier(name)))
            conn.execute(
                SQL("CREATE SCHEMA {} AUTHORIZATION {}").format(Identifier(name), Identifier(name))
            )
            conn.execute(SQL("GRANT CREATE ON DATABASE postgres TO {}").format(Identifier(name)))
    try:
        yield [
            {
                "database_url": make_conninfo(**{**conninfo_to_dict(dsn), "user": name}),
                "schema": name,
            }
            for name in names
        ]
    finally:
        with psycopg.connect(dsn, autocommit=True) as conn:
            conn.execute("SET client_min_messages = warning")
            for name in names:
                conn.execute(SQL("DROP OWNED BY {} CASCADE").format(Identifier(name)))
                conn.execute(SQL("DROP ROLE {}").format(Identifier(name)))


def settings_of(file: Path, folder: Path) -> dict[str, str]:
    """The settings of a node with these partitions, and keys of its own."""
    load_or_new(folder / "keys")
    return {
        "partitions": str(file),
        "keys_dir": str(folder / "keys"),
        "published_dir": str(folder / "published"),
        "read_rate": "0",
        "work_rate": "0",
        "tables_per_address": "0",
        "bot_games_per_address": "0",
        "write_rate": "0",
    }
