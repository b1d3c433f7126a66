"""What a release has kept goes on under today's code: its stores, tokens, keys and evidence."""

import re
from pathlib import Path

import httpx2
import msgspec
import pytest

from phaseledger.service.app import in_postgres
from phaseledger.service.database.setup import upgrade
from phaseledger.service.settings import Settings
from tests.compatibility.exchanges import Desk, differences, read_exchanges
from tests.compatibility.program import bundle_of, copied, run, settings_of, store_options
from tests.compatibility.seats import OVER, Table, join, play, start
from tests.compatibility.store import own_database, restore
from tests.support.service.server import serving

HERE = Path(__file__).parent
RELEASES = ("0.2.0",)
LIMIT = 200_000
"""Bytes of what a release keeps, so that a copy of the sources stays small."""


@pytest.mark.parametrize("release", RELEASES)
def test_a_release_keeps_little(release: str) -> None:
    sizes = [path.stat().st_size for path in (HERE / release).rglob("*") if path.is_file()]
    assert 0 < sum(sizes) < LIMIT


@pytest.mark.system
@pytest.mark.parametrize("release", RELEASES)
def test_a_kept_store_goes_on(release: str, postgres_dsn: str, tmp_path: Path) -> None:
    """It repeats its answers byte for byte, is played to the end of all games, and audits sound."""
    home = copied(HERE / release, tmp_path / "ledger")
    exchanges = read_exchanges(home / "requests.jsonl.xz")
    tables = msgspec.json.decode((home / "tables.json").read_bytes(), type=list[Table])
    with own_database(postgres_dsn) as dsn:
        restore(dsn, home / "store.sql.xz")
        given = settings_of(home, dsn)
        settings = Settings(
            database_url=dsn,
            keys_dir=given["keys_dir"],
            webhook_allow_private=True,
            lobby_hours=0,  # the tables are old by the time that this runs
            idle_days=0,
        )
        upgrade(settings)
        with (
            serving(in_postgres(settings)) as served,
            httpx2.Client(base_url=served.url, timeout=None) as client,
        ):
            assert differences(client, exchanges) == []
            bundles = [played_on(client, table, tmp_path) for table in tables]
            assert differences(client, exchanges) == []
        audited = run("audit", "--all", "--jobs", "1", *store_options(given)).stderr
        assert re.search(f"Games: {len(tables)} sound .0 of them without an end", audited), audited
    run("verify", *bundles)


def played_on(client: httpx2.Client, table: Table, folder: Path) -> Path:
    """The bundle of the game after it was played to its end."""
    desk = Desk(client, [])
    if table.stage == "lobby":
        join(desk, table, "Bea")
        start(desk, table)
    if table.stage not in OVER:
        assert play(desk, table)["table"]["stage"] == "ended", table.name
    bundle = folder / f"{table.game}.bundle"
    bundle.write_bytes(bundle_of(client, table))
    return bundle
