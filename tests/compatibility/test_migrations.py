"""Stores of releases, and of commits between two, get the very tables of a new one, and the last
before 0.2.0 goes on: its keys and tokens were made for it, and are no secrets.
"""

import re
from pathlib import Path

import httpx2
import msgspec
import psycopg
import pytest

from phaseledger.service.app import in_postgres
from phaseledger.service.database.setup import prepare, upgrade
from phaseledger.service.settings import Settings
from tests.compatibility.exchanges import Desk, differences, read_exchanges
from tests.compatibility.program import copied, run, settings_of, store_options
from tests.compatibility.seats import Table, play
from tests.compatibility.store import dumped, own_database, restore
from tests.support.polling import eventually
from tests.support.service.server import serving

HERE = Path(__file__).parent
LAST = HERE / "5fff33be"
"""The last one before tables for tests were told apart in statistics."""
STORES = {
    "0.1.0": HERE / "0.1.0" / "one",
    "c1c75bdb": HERE / "c1c75bdb",
    "5fff33be": LAST,
    "0.2.0": HERE / "0.2.0",
}


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


def test_a_store_of_players_goes_on(postgres_dsn: str, tmp_path: Path) -> None:
    """It repeats the answers to old keys byte for byte, plays on, and counts no table for tests."""
    home = copied(LAST, tmp_path / "ledger")
    exchanges = [
        exchange
        for exchange in read_exchanges(home / "requests.jsonl.xz")
        if '"cy"' not in exchange.body  # the store has forgotten that player
    ]
    tables = msgspec.json.decode((home / "tables.json").read_bytes(), type=list[Table])
    running = next(table for table in tables if table.name == "running")
    keyed = next(exchange for exchange in exchanges if exchange.path == "/v1/games")
    key = {"Authorization": keyed.headers["Authorization"]}
    with own_database(postgres_dsn) as dsn:
        restore(dsn, home / "store.sql.xz")
        given = settings_of(home, dsn)
        settings = Settings(database_url=dsn, keys_dir=given["keys_dir"])
        upgrade(settings)
        with (
            serving(in_postgres(settings)) as served,
            httpx2.Client(base_url=served.url, timeout=None) as client,
        ):

            def counted(*kinds: str) -> list[int]:
                answer = client.get("/v1/players/ada/statistics", headers=key).raise_for_status()
                (record,) = answer.json()["rulesets"]
                return [record[kind] for kind in kinds]

            assert differences(client, exchanges) == []
            assert counted("unfinished", "ended") == [1, 2]
            assert play(Desk(client, exchanges), running)["table"]["stage"] == "ended"
            eventually(lambda: counted("unfinished", "ended"), lambda now: now == [0, 3])
            assert differences(client, exchanges) == []
            run("admin", "rebuild", settings=given)
            assert counted("unfinished", "ended") == [0, 3]
        audited = run("audit", "--all", "--jobs", "1", *store_options(given))
        assert f"Games: {len(tables)} sound" in audited.stderr
