"""A ledger's way back: backup, restore, and going on from a restore that lost events."""

import json
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import httpx2
import psycopg
import pytest
from msgspec.structs import replace
from psycopg.sql import SQL, Identifier

from phaseledger.replay.signing.keys import load
from phaseledger.service.components import in_postgres
from phaseledger.service.settings import Settings
from tests.compatibility.store import own_database
from tests.support.ledgers import prepared
from tests.support.polling import eventually
from tests.support.service.api_tables import (
    BOT,
    KEY,
    PERSON,
    Table,
    answer,
    by_host,
    greedily,
    mover,
    open_table,
    sit,
    started,
)
from tests.support.service.partition_ledgers import listed
from tests.support.service.processes import command
from tests.support.service.server import serving

WHO = ("--actor", "ann", "--reason", "the disk was lost")


@pytest.fixture
def ledger(postgres_dsn: str, tmp_path: Path) -> Iterator[Settings]:
    """A ledger in a database of its own."""
    with own_database(postgres_dsn) as dsn:
        yield prepared(dsn, "phaseledger", tmp_path)


@pytest.fixture
def elsewhere(postgres_dsn: str, ledger: Settings) -> Iterator[Settings]:
    """The same ledger, whose database is empty."""
    with own_database(postgres_dsn) as dsn:
        yield replace(ledger, database_url=dsn)


@contextmanager
def served(settings: Settings) -> Iterator[httpx2.Client]:
    with (
        serving(in_postgres(settings)) as service,
        httpx2.Client(base_url=f"{service.url}/v1", timeout=None) as client,
    ):
        yield client


def run(settings: Settings, *arguments: str | Path, code: int = 0) -> str:
    """What the command prints and says."""
    variables = {"PHASELEDGER_PUBLISHED_DIR": settings.published_dir}
    if settings.partitions:
        variables["PHASELEDGER_PARTITIONS"] = settings.partitions
    ended = command(settings, *map(str, arguments), **variables)
    assert ended.returncode == code, ended.stdout + ended.stderr
    return str(ended.stdout + ended.stderr)


def report(settings: Settings, *arguments: str | Path, code: int = 0) -> dict[str, Any]:
    """What the command prints as JSON, without what it says beside that."""
    lines = run(settings, *arguments, "--json", code=code).splitlines()
    (document,) = [json.loads(line) for line in lines if line.startswith("{")]
    return dict(document)


def moved(table: Table, count: int) -> list[dict[str, Any]]:
    """The answers to the players' moves, with receipts and all."""
    answers = [answer(table, mover(table), greedily, number) for number in range(count)]
    assert [answered.status_code for answered in answers] == [200] * count
    return [answered.json() for answered in answers]


def published(client: httpx2.Client, version: int, table: Table) -> None:
    """Wait until a checkpoint covers the event."""
    eventually(
        lambda: client.get(f"/log/inclusion?game={table.game}&seq={version}").status_code == 200
    )


def whole_game(client: httpx2.Client) -> str:
    body = {"ruleset": "classic", "seats": [BOT, BOT], "start": True}
    game = str(client.post("/games", json=body).json()["game"])
    eventually(lambda: client.get(f"/games/{game}").json()["table"]["stage"] == "ended")
    return game


OPENING = {"ruleset": "classic", "seats": [PERSON, PERSON]}
FIRST, SECOND = "0" * 32, "1" * 32
"""Idempotency keys."""


def opened(client: httpx2.Client, key: str) -> dict[str, Any]:
    answered = client.post("/games", json=OPENING, headers={"Idempotency-Key": key})
    assert answered.status_code == 201, answered.text
    return dict(answered.json())


def test_an_id_that_a_lost_game_had_is_not_used_again(
    ledger: Settings, elsewhere: Settings, tmp_path: Path
) -> None:
    """There are receipts for the lost game's events, which another game must not contradict."""
    with served(ledger) as client:
        kept = opened(client, FIRST)
        over = Table(client, kept["game"], kept["host_token"], {})
        for _ in range(2):
            assert sit(client, over.game).status_code == 201
        assert over.start().status_code == 200
        voided = by_host(over, "POST", "/void", json={"reason": "late"})
        assert voided.status_code == 200
        run(ledger, "backup", tmp_path / "backup")
        lost = opened(client, SECOND)
        rematch = by_host(over, "POST", "/rematch", json={})
        assert rematch.status_code == 201
        published(client, 1, Table(client, lost["game"], "", {}))
    run(elsewhere, "restore", tmp_path / "backup")
    report(elsewhere, "new-epoch", "--partition", "1", *WHO)
    with served(elsewhere) as client:
        assert opened(client, FIRST)["game"] == kept["game"]
        other = opened(client, SECOND)
        assert other["game"] != lost["game"]
        assert opened(client, SECOND)["game"] == other["game"]
        refused = by_host(over._replace(client=client), "POST", "/rematch", json={})
        assert (refused.status_code, refused.json()["code"]) == (409, "not_over")


class History(NamedTuple):
    """What was played before a backup, and what came after it."""

    backup: Path
    over: str
    table: Table
    lobby: Table
    kept: int
    """The version of the table that the backup has."""
    receipts: list[dict[str, Any]]
    """Of the moves after it."""
    bundle: str
    """Of the table, as it was before the disaster."""


def lost_tail(settings: Settings, folder: Path, *, is_published: bool = True) -> History:
    """Play, back up while the service runs, and play on."""
    with served(settings) as client:
        over, table, lobby = whole_game(client), started(client), open_table(client)
        moved(table, 4)
        kept = table.version()
        run(settings, "backup", folder)
        receipts = [done["receipt"] for done in moved(table, 6)]
        if is_published:
            published(client, table.version(), table)
        bundle = table.get("/bundle").text
    return History(folder, over, table, lobby, kept, receipts, bundle)


def test_a_backup_has_everything_and_may_be_tried_without_a_ledger(
    ledger: Settings, tmp_path: Path
) -> None:
    folder = tmp_path / "backup"
    with served(ledger) as client:
        over, table = whole_game(client), started(client)
        moved(table, 3)
        published(client, table.version(), table)
        checked = report(ledger, "backup", folder, "--check")
        (partition,) = checked["partitions"]
        assert (checked["sound"], partition["games"], partition["lost"]) == (True, 2, 0)
        assert partition["published"] == partition["events"]
    assert {path.stat().st_mode & 0o077 for path in (folder, folder / "keys")} == {0}
    assert not (folder / "keys" / "admin.token").exists()
    nowhere = replace(ledger, database_url="host=127.0.0.1 port=1")
    assert "It has all" in run(nowhere, "restore", folder, "--check")
    assert over


def test_a_restored_ledger_goes_on_where_nothing_was_lost(
    ledger: Settings, elsewhere: Settings, tmp_path: Path
) -> None:
    with served(ledger) as client:
        table = started(client)
        moved(table, 4)
        published(client, table.version(), table)
        run(ledger, "backup", tmp_path / "backup")
        view = table.get(seat=0).json()
    shutil.rmtree(ledger.keys_dir)
    assert report(elsewhere, "restore", tmp_path / "backup")["sound"] is True
    with served(elsewhere) as client:
        again = table._replace(client=client)
        assert again.get(seat=0).json() == view  # with the tokens of before
        moved(again, 3)
    assert "1 sound" in run(elsewhere, "audit", "--all")


def test_a_restore_that_lost_events_is_gone_on_from_and_convicts_nobody(
    ledger: Settings, elsewhere: Settings, tmp_path: Path
) -> None:
    history = lost_tail(ledger, tmp_path / "backup")
    lost = report(elsewhere, "restore", history.backup)["partitions"][0]["lost"]
    assert lost >= 6
    assert "restored from an older backup" in run(elsewhere, "serve", "--port", "0", code=3)
    old_key = str(load(Path(ledger.keys_dir)).current.public)
    epoch = report(elsewhere, "new-epoch", *WHO)
    (partition,) = epoch["partitions"]
    assert partition["epoch"] == 1
    assert set(partition["voided"]) == {history.table.game, history.lobby.game}
    assert "No partition lacks" in run(elsewhere, "new-epoch", *WHO, code=2)
    with served(elsewhere) as client:
        table = history.table._replace(client=client)
        view = table.get().json()
        assert (view["version"], view["table"]["stage"]) == (history.kept + 1, "voided")
        # A lost command that is sent again finds no game that could deal the same cards.
        refused = table.send(0, {"type": "draw"}, Idempotency_Key=KEY)
        assert (refused.status_code, refused.json()["code"]) == (409, "game_over")
        assert client.get(f"/games/{history.over}").json()["table"]["stage"] == "ended"
        another = started(client)
        moved(another, 2)
        published(client, another.version(), another)
        published(client, history.kept + 1, table)
        after = table.get("/bundle").text
    assert "4 sound" in run(elsewhere, "audit", "--all")
    for name, text in {"after": after, "before": history.bundle}.items():
        (tmp_path / name).write_text(text)
    lines = "".join(json.dumps(receipt) + "\n" for receipt in history.receipts)
    (tmp_path / "receipts").write_text(lines)
    keys = json.dumps([old_key, epoch["key"]])
    (tmp_path / "policy.toml").write_text(f'keys = {keys}\nrequire = ["receipts", "checkpoint"]\n')
    policy, kept = ("--policy", tmp_path / "policy.toml"), ("--receipt", tmp_path / "receipts")
    said = run(elsewhere, "verify", tmp_path / "after", *kept, *policy)
    assert "6 receipts are of events that were lost" in said
    said = run(elsewhere, "verify", tmp_path / "after", tmp_path / "before", *policy)
    assert "went on from a backup" in said
    with psycopg.connect(elsewhere.database_url) as conn:
        rows = conn.execute("SELECT action FROM phaseledger.admin_events").fetchall()
    assert rows == [("new_epoch",)]


def test_a_restore_says_that_nobody_knows_what_was_published(
    ledger: Settings, elsewhere: Settings, tmp_path: Path
) -> None:
    """The checkpoints are lost as well, and those of the backup say nothing of what came later."""
    history = lost_tail(ledger, tmp_path / "backup")
    nothing_left = replace(elsewhere, published_dir=str(tmp_path / "new disk"))
    old_key = str(load(Path(ledger.keys_dir)).current.public)
    restored = report(nothing_left, "restore", history.backup, code=1)
    assert "nobody knows whether more was published" in restored["partitions"][0]["contradiction"]
    assert "nobody knows" in run(nothing_left, "serve", "--port", "0", code=3)
    assert "--partition 1" in run(nothing_left, "new-epoch", *WHO, code=2)
    epoch = report(nothing_left, "new-epoch", "--partition", "1", *WHO)
    assert epoch["partitions"][0]["published"] == 0
    with served(nothing_left) as client:
        table = history.table._replace(client=client)
        published(client, history.kept + 1, table)
        after = table.get("/bundle").text
    for name, text in {"after": after, "before": history.bundle}.items():
        (tmp_path / name).write_text(text)
    keys = json.dumps([old_key, epoch["key"]])
    (tmp_path / "policy.toml").write_text(f"keys = {keys}\n")
    files = (tmp_path / "after", tmp_path / "before", "--policy", tmp_path / "policy.toml")
    assert "went on from a backup" in run(nothing_left, "verify", *files)


def test_a_backup_of_an_earlier_log_is_compared_with_the_newest(
    ledger: Settings, elsewhere: Settings, tmp_path: Path
) -> None:
    with served(ledger) as client:
        table = started(client)
        published(client, table.version(), table)
        run(ledger, "backup", tmp_path / "backup")
    epoch = report(ledger, "new-epoch", "--partition", "1", *WHO)
    with served(ledger) as client:
        game = whole_game(client)
        published(client, 3, Table(client, game, "", {}))
    (partition,) = report(elsewhere, "restore", tmp_path / "backup")["partitions"]
    assert (partition["log"], partition["lost"] > 0) == (epoch["log"], True)


def test_a_key_that_was_retired_since_stays_retired(
    ledger: Settings, elsewhere: Settings, tmp_path: Path
) -> None:
    keys = Path(ledger.keys_dir)
    old = load(keys).current.public
    run(ledger, "backup", tmp_path / "backup")
    run(ledger, "keys", "new")
    run(ledger, "keys", "retire", old.hash.hex())
    run(elsewhere, "restore", tmp_path / "backup")
    assert not (keys / f"0001-{old.hash.hex()}.key").exists()


def test_one_partition_of_several_is_restored(postgres_dsn: str, tmp_path: Path) -> None:
    with own_database(postgres_dsn) as first, own_database(postgres_dsn) as second:
        file = tmp_path / "partitions.toml"
        listed(file, [{"database_url": first}, {"database_url": second}])
        settings = prepared("", "phaseledger", tmp_path, partitions=str(file))
        run(settings, "backup", tmp_path / "backup")
        with own_database(postgres_dsn) as anew:
            listed(file, [{"database_url": first}, {"database_url": anew}])
            restored = ("restore", tmp_path / "backup", "--partition")
            (partition,) = report(settings, *restored, "2")["partitions"]
            assert partition["partition"] == 2
            assert "already" in run(settings, *restored, "1", code=2)
            assert "no partition 3" in run(settings, *restored, "3", code=2)


def test_what_no_checkpoint_covered_is_named(
    ledger: Settings, elsewhere: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("phaseledger.service.transparency.publisher.BATCH", 0)
    history = lost_tail(ledger, tmp_path / "backup", is_published=False)
    monkeypatch.undo()
    assert report(elsewhere, "restore", history.backup)["partitions"][0]["lost"] == 0
    assert "--partition 1" in run(elsewhere, "new-epoch", *WHO, code=2)
    assert "no partition 2" in run(elsewhere, "new-epoch", "--partition", "2", *WHO, code=2)
    (partition,) = report(elsewhere, "new-epoch", "--partition", "1", *WHO)["partitions"]
    assert set(partition["voided"]) == {history.table.game, history.lobby.game}


def test_a_run_that_was_broken_off_is_repeated(
    ledger: Settings, elsewhere: Settings, tmp_path: Path
) -> None:
    """The key comes last: without it a service refuses to write, and there is the way back."""
    history = lost_tail(ledger, tmp_path / "backup")
    run(elsewhere, "restore", history.backup)
    keys = Path(ledger.keys_dir)
    before = load(keys)
    report(elsewhere, "new-epoch", *WHO)
    newest = max(path.stem for path in keys.glob("*.pub"))
    for suffix in ("key", "pub"):
        (keys / f"{newest}.{suffix}").unlink()
    (keys / "origin").write_text(before.log + "\n")
    assert "has ended" in run(elsewhere, "serve", "--port", "0", code=3)
    assert report(elsewhere, "new-epoch", *WHO)["partitions"][0]["voided"] == []
    with served(elsewhere) as client:
        assert client.get(f"/games/{history.table.game}").json()["table"]["stage"] == "voided"


def test_a_log_that_has_ended_is_written_by_nobody(
    ledger: Settings, elsewhere: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing published is missing, so only the note of the end says that there is a newer log."""
    monkeypatch.setattr("phaseledger.service.transparency.publisher.BATCH", 0)
    history = lost_tail(ledger, tmp_path / "backup", is_published=False)
    monkeypatch.undo()
    run(elsewhere, "restore", history.backup)
    keys, old_keys = Path(ledger.keys_dir), tmp_path / "old keys"
    first = load(keys).log
    shutil.copytree(keys, old_keys)
    named = ("new-epoch", "--partition", "1", *WHO)
    assert "no name" in run(elsewhere, *named, "--log-origin", "a name", code=2)
    report(elsewhere, *named)
    late = replace(elsewhere, keys_dir=str(old_keys))
    assert "has ended" in run(late, "serve", "--port", "0", code=3)
    with served(late) as client:
        body = {"ruleset": "classic", "seats": [BOT, BOT], "start": True}
        refused = client.post("/games", json=body)
        assert (refused.status_code, refused.json()["code"]) == (503, "ledger_behind")
    # Without a key it is as if the run had been broken off, and no partition need be named.
    (partition,) = report(late, "new-epoch", *WHO)["partitions"]
    assert (partition["epoch"], partition["voided"]) == (1, [])
    assert "already" in run(late, *named, "--log-origin", first, code=2)


def test_no_epoch_begins_while_a_service_signs(ledger: Settings) -> None:
    with served(ledger) as client:
        table = started(client)
        published(client, table.version(), table)
        said = run(ledger, "new-epoch", "--partition", "1", *WHO, code=2)
    assert "stop every service" in said
    assert len(load(Path(ledger.keys_dir)).keys) == 1


def test_what_cannot_be_backed_up_or_restored_says_why(
    ledger: Settings, elsewhere: Settings, tmp_path: Path
) -> None:
    folder = tmp_path / "backup"
    away = replace(ledger, database_url="host=127.0.0.1 port=1")
    run(away, "backup", folder, code=3)
    run(ledger, "backup", folder)
    assert "is not empty" in run(ledger, "backup", folder, code=2)
    assert "nothing is written over it" in run(ledger, "restore", folder, code=2)
    other = replace(elsewhere, schema="another")
    assert "give --schema" in run(other, "restore", folder, code=2)
    (tmp_path / "other keys").mkdir()
    stranger = replace(elsewhere, keys_dir=str(tmp_path / "other keys"))
    run(stranger, "keys", "new")
    for _ in range(2):  # nothing has been restored by then
        assert "keys of another ledger" in run(stranger, "restore", folder, code=2)
    dump = folder / "partition-1.dump"
    whole = dump.read_bytes()
    dump.write_bytes(whole[:-1])
    assert "is not what was written" in run(elsewhere, "restore", folder, code=5)
    dump.unlink()
    assert "is not there" in run(elsewhere, "restore", folder, "--check", code=5)
    dump.write_bytes(whole)
    (folder / "backup.json").unlink()
    assert "is no backup" in run(elsewhere, "restore", folder, code=5)


def test_a_backup_of_a_damaged_ledger_is_found_out(ledger: Settings, tmp_path: Path) -> None:
    with served(ledger) as client:
        game = whole_game(client)
        published(client, 3, Table(client, game, "", {}))
    with psycopg.connect(ledger.database_url) as conn:
        log = Identifier("phaseledger", "stored_events")
        conn.execute(SQL("ALTER TABLE {} DISABLE TRIGGER ALL").format(log))
        conn.execute(SQL("DELETE FROM {} WHERE originator_version = 5").format(log))
        conn.execute(SQL("ALTER TABLE {} ENABLE ALWAYS TRIGGER append_only").format(log))
    checked = report(ledger, "backup", tmp_path / "backup", "--check", code=1)
    assert checked["partitions"][0]["unsound"] == [game]
