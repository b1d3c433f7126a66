"""Stores of releases, and of a commit between two, get the very tables of a new one."""

import re
from pathlib import Path

import psycopg
import pytest

from phaseledger.service.database.setup import prepare, upgrade
from phaseledger.service.settings import Settings
from tests.compatibility.program import copied, run, settings_of, store_options
from tests.compatibility.store import dumped, own_database, restore

HERE = Path(__file__).parent
STORES = {"0.1.0": HERE / "0.1.0" / "one", "c1c75bdb": HERE / "c1c75bdb", "0.2.0": HERE / "0.2.0"}


def tables(dsn: str) -> list[str]:
    """All objects of the database, as statements, but for names that the server makes up."""
    text = dumped(dsn, "--schema-only").decode()
    return re.sub(r" CONSTRAINT \w+ NOT NULL", " NOT NULL", text).splitlines()


@pytest.mark.parametrize("name", STORES)
def test_an_older_store_gets_the_tables_of_a_new_one(
    name: str, postgres_dsn: str, tmp_path: Path
) -> None:
    home = copied(STORES[name], tmp_path / "ledger")
    with (
        own_database(postgres_dsn) as dsn,
        own_database(postgres_dsn) as fresh,
        own_database(postgres_dsn) as copied_once,
    ):
        restore(dsn, home / "store.sql.xz")
        settings = Settings(database_url=dsn)
        upgrade(Settings(database_url=fresh))
        with psycopg.connect(copied_once) as conn:  # some conditions read otherwise after a dump
            conn.execute(dumped(fresh, "--schema-only"))
        before = tables(dsn)
        is_older = before != tables(copied_once)  # the newest release may have today's tables
        checked = run("admin", "migrate", "--check", "--database-url", dsn, code=int(is_older))
        assert ("\nwarning  backup: there was none yet" in checked.stdout) == is_older
        assert tables(dsn) == before
        named = re.findall("^would apply (.*)$", checked.stdout, re.MULTILINE)
        assert upgrade(settings) == named
        assert upgrade(settings) == []
        checked = run("admin", "migrate", "--check", "--database-url", dsn)
        assert checked.stdout == "Everything is there already.\n"
        prepare(settings, migrating=False)
        assert tables(dsn) == tables(copied_once)
        audited = run("audit", "--all", "--jobs", "1", *store_options(settings_of(home, dsn)))
        assert re.search("Games: [1-9][0-9]* sound", audited.stderr), audited.stderr
