"""What a database, a role or the environment sets, which must not change what a ledger does."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from uuid import uuid4

import psycopg
import pytest
from msgspec.structs import replace
from psycopg.sql import SQL, Identifier

from phaseledger.service.database.setup import prepare, upgrade
from tests.support.ledgers import dsn_of, own_database, with_keys
from tests.support.service.api_tables import PERSON, whole_game
from tests.support.service.lost_ledgers import run
from tests.support.service.server import ledger_client


@contextmanager
def in_encoding(dsn: str, encoding: str) -> Iterator[str]:
    """The DSN of an empty database in that encoding, which is gone after the block."""
    name = f"t_{uuid4().hex[:12]}"
    make = SQL("CREATE DATABASE {} ENCODING {} LOCALE 'C' TEMPLATE template0")
    with psycopg.connect(dsn, autocommit=True) as conn:
        conn.execute(make.format(Identifier(name), encoding))
        try:
            yield dsn_of(dsn, name)
        finally:
            conn.execute(SQL("DROP DATABASE {} WITH (FORCE)").format(Identifier(name)))


@pytest.mark.parametrize("encoding", ["SQL_ASCII", "LATIN1", "EUC_JP"])
def test_a_database_that_is_not_in_utf8_is_refused_before_anything_is_made(
    encoding: str, postgres_dsn: str, tmp_path: Path
) -> None:
    good = with_keys(postgres_dsn, "phaseledger", tmp_path)
    with own_database(postgres_dsn) as (_, dsn), in_encoding(postgres_dsn, encoding) as bad:
        whole = replace(good, database_url=dsn)
        prepare(whole)
        run(whole, "admin", "backup", tmp_path / "backup", "--no-check")
        settings = replace(good, database_url=bad)
        commands = [("admin", "migrate"), ("admin", "restore", tmp_path / "backup")]
        commands += [("admin", "backup", tmp_path / "other"), ("serve", "--port", "0"), ("worker",)]
        for arguments in commands:
            (sentence,) = run(settings, *arguments, code=3).splitlines()
            assert f"in {encoding}, and phaseledger needs one in UTF8" in sentence
        with psycopg.connect(bad) as conn:
            assert conn.execute("SELECT to_regnamespace('phaseledger')").fetchone() == (None,)


SETTINGS = {
    "client_encoding": "SQL_ASCII",
    "DateStyle": "German, DMY",
    "IntervalStyle": "iso_8601",
    "TimeZone": "Asia/Kathmandu",
    "bytea_output": "escape",
    "default_transaction_isolation": "serializable",
    "search_path": "elsewhere",
    "standard_conforming_strings": "off",
}


@pytest.mark.system
def test_what_a_database_sets_for_its_sessions_changes_nothing(
    postgres_dsn: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PGCLIENTENCODING", "SQL_ASCII")
    monkeypatch.setenv("PGDATESTYLE", "SQL")
    with own_database(postgres_dsn) as (name, dsn):
        with psycopg.connect(postgres_dsn, autocommit=True) as conn:
            for setting, value in SETTINGS.items():
                conn.execute(
                    SQL("ALTER DATABASE {} SET {} = {}").format(
                        Identifier(name), Identifier(setting), value
                    )
                )
        settings = with_keys(f"{dsn}&client_encoding=LATIN1", "phaseledger", tmp_path)
        upgrade(settings)
        upgrade(replace(settings, database_url=dsn), application_role="postgres")
        with ledger_client(settings) as client:
            whole_game(client)
            lobby = {"ruleset": "classic", "seats": [PERSON, PERSON]}
            path = f"/games/{client.post('/games', json=lobby).json()['game']}"
            client.post(f"{path}/seats", json={"name": "Łukasz 王"})
            table = client.get(f"{path}/table", params={"at_least": 2})
            assert "Łukasz 王" in table.text
        assert "0 not sound" in run(settings, "audit", "--all")
        for arguments in (("rebuild",), ("keys", "new-sealing"), ("keys", "seal")):
            run(settings, "admin", *arguments)
        assert "It has all" in run(settings, "admin", "backup", tmp_path / "backup")
