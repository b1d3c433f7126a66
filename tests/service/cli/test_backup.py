"""Backups and restores: all of a ledger, compared with what was published."""

import json
import shutil
from pathlib import Path
from uuid import UUID

import psycopg
import pytest
from msgspec.structs import replace
from psycopg.sql import SQL, Identifier

from phaseledger.replay.formats.signing.keys import load
from phaseledger.service.settings import Settings
from tests.support.damage import with_bytes
from tests.support.service.api_tables import Table, started, whole_game
from tests.support.service.lost_ledgers import moved, published, report, run
from tests.support.service.server import ledger_client


@pytest.mark.system
def test_a_backup_has_everything_and_may_be_tried_without_a_ledger(
    ledger: Settings, tmp_path: Path
) -> None:
    folder = tmp_path / "backup"
    with ledger_client(ledger) as client:
        whole_game(client)
        table = started(client)
        moved(table, 3)
        published(client, table.version(), table)
        checked = report(ledger, "admin", "backup", folder, "--check")
        assert (checked["sound"], checked["games"], checked["lost"]) == (True, 2, 0)
        assert checked["published"] == checked["events"]
    assert {path.stat().st_mode & 0o077 for path in (folder, folder / "keys")} == {0}
    assert not (folder / "keys" / "admin.token").exists()
    nowhere = replace(ledger, database_url="host=127.0.0.1 port=1")
    assert "It has all" in run(nowhere, "admin", "restore", folder, "--check")


def test_a_restored_ledger_goes_on_where_nothing_was_lost(
    ledger: Settings, elsewhere: Settings, tmp_path: Path
) -> None:
    with ledger_client(ledger) as client:
        table = started(client)
        moved(table, 4)
        published(client, table.version(), table)
        run(ledger, "admin", "backup", tmp_path / "backup")
        view = table.get(seat=0).json()
    shutil.rmtree(ledger.keys_dir)
    assert report(elsewhere, "admin", "restore", tmp_path / "backup")["sound"] is True
    with ledger_client(elsewhere) as client:
        restored = table._replace(client=client)
        assert restored.get(seat=0).json() == view  # with the tokens of before
        moved(restored, 3)
    assert "1 sound" in run(elsewhere, "audit", "--all")


@pytest.mark.system
def test_a_key_that_was_retired_since_stays_retired(
    ledger: Settings, elsewhere: Settings, tmp_path: Path
) -> None:
    keys = Path(ledger.keys_dir)
    old = load(keys).current.public
    run(ledger, "admin", "backup", tmp_path / "backup")
    run(ledger, "admin", "keys", "new")
    run(ledger, "admin", "keys", "retire", old.hash.hex())
    run(elsewhere, "admin", "restore", tmp_path / "backup")
    assert not (keys / f"0001-{old.hash.hex()}.key").exists()


@pytest.mark.system
def test_each_dump_of_an_old_backup_of_several_partitions_is_restored_by_its_number(
    ledger: Settings, elsewhere: Settings, tmp_path: Path
) -> None:
    """Each is a ledger of its own now."""
    folder = tmp_path / "backup"
    run(ledger, "admin", "backup", folder)
    manifest = json.loads((folder / "backup.json").read_text())
    (dump,) = manifest["partitions"]
    manifest["partitions"] = [{**dump, "schema": "another"}, {**dump, "number": 2}]
    (folder / "backup.json").write_text(json.dumps(manifest))
    assert "'phaseledger' (PHASELEDGER_LEDGER=2)" in run(
        elsewhere, "admin", "restore", folder, code=2
    )
    second = replace(elsewhere, ledger=2)
    assert report(second, "admin", "restore", folder)["sound"] is True


def test_what_cannot_be_backed_up_or_restored_says_why(
    ledger: Settings, elsewhere: Settings, tmp_path: Path
) -> None:
    folder = tmp_path / "backup"
    away = replace(ledger, database_url="host=127.0.0.1 port=1")
    run(away, "admin", "backup", folder, code=3)
    run(ledger, "admin", "backup", folder)
    assert "is not empty" in run(ledger, "admin", "backup", folder, code=2)
    assert "nothing is written over it" in run(ledger, "admin", "restore", folder, code=2)
    other = replace(elsewhere, schema="another")
    assert "give --schema" in run(other, "admin", "restore", folder, code=2)
    (tmp_path / "other keys").mkdir()
    stranger = replace(elsewhere, keys_dir=str(tmp_path / "other keys"))
    run(stranger, "admin", "keys", "new")
    for _ in range(2):  # nothing has been restored by then
        assert "keys of another ledger" in run(stranger, "admin", "restore", folder, code=2)
    dump = folder / "partition-1.dump"
    whole = dump.read_bytes()
    dump.write_bytes(whole[:-1])
    assert "is not what was written" in run(elsewhere, "admin", "restore", folder, code=5)
    dump.unlink()
    assert "is not there" in run(elsewhere, "admin", "restore", folder, "--check", code=5)
    dump.write_bytes(whole)
    (folder / "backup.json").unlink()
    assert "is no backup" in run(elsewhere, "admin", "restore", folder, code=5)


@pytest.mark.system
def test_a_backup_of_a_damaged_ledger_is_found_out(ledger: Settings, tmp_path: Path) -> None:
    with ledger_client(ledger) as client:
        game = whole_game(client)
        published(client, 3, Table(client, game, "", {}))
    with psycopg.connect(ledger.database_url) as conn:
        log = Identifier("phaseledger", "stored_events")
        conn.execute(SQL("ALTER TABLE {} DISABLE TRIGGER ALL").format(log))
        conn.execute(SQL("DELETE FROM {} WHERE originator_version = 5").format(log))
        conn.execute(SQL("ALTER TABLE {} ENABLE ALWAYS TRIGGER append_only").format(log))
    checked = report(ledger, "admin", "backup", tmp_path / "backup", "--check", code=1)
    assert checked["unsound"] == [game]


@pytest.mark.system
def test_a_damaged_game_that_is_void_spoils_no_backup(ledger: Settings, tmp_path: Path) -> None:
    with ledger_client(ledger) as client:
        game = whole_game(client)
        published(client, 3, Table(client, game, "", {}))
    with_bytes(ledger.database_url, ledger.schema, UUID(game), 5, b"")
    checked = report(ledger, "admin", "backup", tmp_path / "damaged", code=1)
    assert (checked["sound"], checked["unsound"], checked["voided"]) == (False, [game], [])
    with psycopg.connect(ledger.database_url) as conn:
        aside = Identifier(ledger.schema, "set_aside_games")
        query = "INSERT INTO {} (game, version, reason, voided_at) VALUES (%s, 5, 'x', now())"
        conn.execute(SQL(query).format(aside), (game,))
    checked = report(ledger, "admin", "backup", tmp_path / "given up")
    assert (checked["sound"], checked["unsound"], checked["voided"]) == (True, [game], [game])
