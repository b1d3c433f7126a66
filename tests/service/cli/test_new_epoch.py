"""Going on from a restore that lost events, which convicts nobody and is no way to cheat."""

import json
import shutil
from pathlib import Path
from typing import Any

import httpx2
import psycopg
import pytest
from msgspec.structs import replace

from phaseledger.replay.formats.signing.keys import load
from phaseledger.service.settings import Settings
from tests.support.service.api_tables import (
    BOT,
    KEY,
    PERSON,
    Table,
    by_host,
    sit,
    started,
    whole_game,
)
from tests.support.service.lost_ledgers import (
    WHO,
    lost_tail,
    moved,
    published,
    report,
    run,
)
from tests.support.service.server import ledger_client

pytestmark = pytest.mark.system

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
    with ledger_client(ledger) as client:
        kept = opened(client, FIRST)
        over = Table(client, kept["game"], kept["host_token"], {})
        for name in ("Ada", "Grace"):
            assert sit(client, over.game, name=name).status_code == 201
        assert over.start().status_code == 200
        voided = by_host(over, "POST", "/void", json={"reason": "late"})
        assert voided.status_code == 200
        run(ledger, "admin", "backup", tmp_path / "backup")
        lost = opened(client, SECOND)
        rematch = by_host(over, "POST", "/rematch", json={})
        assert rematch.status_code == 201
        published(client, 1, Table(client, lost["game"], "", {}))
    run(elsewhere, "admin", "restore", tmp_path / "backup")
    report(elsewhere, "admin", "new-epoch", "--unpublished", *WHO)
    with ledger_client(elsewhere) as client:
        assert opened(client, FIRST)["game"] == kept["game"]
        other = opened(client, SECOND)
        assert other["game"] != lost["game"]
        assert opened(client, SECOND)["game"] == other["game"]
        refused = by_host(over._replace(client=client), "POST", "/rematch", json={})
        assert (refused.status_code, refused.json()["code"]) == (409, "not_over")


def test_a_restore_that_lost_events_is_gone_on_from_and_convicts_nobody(
    ledger: Settings, elsewhere: Settings, tmp_path: Path
) -> None:
    history = lost_tail(ledger, tmp_path / "backup")
    lost = report(elsewhere, "admin", "restore", history.backup)["lost"]
    assert lost >= 6
    assert "restored from an older backup" in run(elsewhere, "serve", "--port", "0", code=3)
    old_key = str(load(Path(ledger.keys_dir)).current.public)
    epoch = report(elsewhere, "admin", "new-epoch", *WHO)
    assert epoch["epoch"] == 1
    assert set(epoch["voided"]) == {history.table.game, history.lobby.game}
    assert "lacks nothing" in run(elsewhere, "admin", "new-epoch", *WHO, code=2)
    with ledger_client(elsewhere) as client:
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
    output = run(elsewhere, "verify", tmp_path / "after", *kept, *policy)
    assert "6 receipts are of events that were lost" in output
    output = run(elsewhere, "verify", tmp_path / "after", tmp_path / "before", *policy)
    assert "went on from a backup" in output
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
    restored = report(nothing_left, "admin", "restore", history.backup, code=1)
    assert "nobody knows whether more was published" in restored["contradiction"]
    assert "nobody knows" in run(nothing_left, "serve", "--port", "0", code=3)
    assert "--unpublished" in run(nothing_left, "admin", "new-epoch", *WHO, code=2)
    epoch = report(nothing_left, "admin", "new-epoch", "--unpublished", *WHO)
    assert epoch["published"] == 0
    with ledger_client(nothing_left) as client:
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
    with ledger_client(ledger) as client:
        table = started(client)
        published(client, table.version(), table)
        run(ledger, "admin", "backup", tmp_path / "backup")
    epoch = report(ledger, "admin", "new-epoch", "--unpublished", *WHO)
    with ledger_client(ledger) as client:
        game = whole_game(client)
        published(client, 3, Table(client, game, "", {}))
    restored = report(elsewhere, "admin", "restore", tmp_path / "backup")
    assert (restored["log"], restored["lost"] > 0) == (epoch["log"], True)


def test_a_run_that_was_broken_off_is_repeated(
    ledger: Settings, elsewhere: Settings, tmp_path: Path
) -> None:
    """The key comes last: without it a service refuses to write, and there is the way back."""
    history = lost_tail(ledger, tmp_path / "backup")
    run(elsewhere, "admin", "restore", history.backup)
    keys = Path(ledger.keys_dir)
    before = load(keys)
    report(elsewhere, "admin", "new-epoch", *WHO)
    newest = max(path.stem for path in keys.glob("*.pub"))
    for suffix in ("key", "pub"):
        (keys / f"{newest}.{suffix}").unlink()
    (keys / "origin").write_text(before.log + "\n")
    assert "has ended" in run(elsewhere, "serve", "--port", "0", code=3)
    assert report(elsewhere, "admin", "new-epoch", *WHO)["voided"] == []
    with ledger_client(elsewhere) as client:
        assert client.get(f"/games/{history.table.game}").json()["table"]["stage"] == "voided"


def test_a_log_that_has_ended_is_written_by_nobody(
    ledger: Settings, elsewhere: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing published is missing, so only the note of the end says that there is a newer log."""
    monkeypatch.setattr("phaseledger.service.transparency.publisher.BATCH", 0)
    history = lost_tail(ledger, tmp_path / "backup", is_published=False)
    monkeypatch.undo()
    assert report(elsewhere, "admin", "restore", history.backup)["lost"] == 0
    assert "--unpublished" in run(elsewhere, "admin", "new-epoch", *WHO, code=2)
    keys, old_keys = Path(ledger.keys_dir), tmp_path / "old keys"
    first = load(keys).log
    shutil.copytree(keys, old_keys)
    named = ("admin", "new-epoch", "--unpublished", *WHO)
    assert "no name" in run(elsewhere, *named, "--log-origin", "a name", code=2)
    voided = set(report(elsewhere, *named)["voided"])
    assert voided == {history.table.game, history.lobby.game}, "what no checkpoint covered"
    late = replace(elsewhere, keys_dir=str(old_keys))
    assert "has ended" in run(late, "serve", "--port", "0", code=3)
    with ledger_client(late) as client:
        body = {"ruleset": "classic", "seats": [BOT, BOT], "start": True}
        refused = client.post("/games", json=body)
        assert (refused.status_code, refused.json()["code"]) == (503, "ledger_behind")
    # Without a key it is as if the run had been broken off, and nothing need be said.
    epoch = report(late, "admin", "new-epoch", *WHO)
    assert (epoch["epoch"], epoch["voided"]) == (1, [])
    assert "already" in run(late, *named, "--log-origin", first, code=2)


def test_no_other_log_ends_than_the_one_that_was_signed(ledger: Settings) -> None:
    """Its name was set while it was signed, and forgotten since."""
    named = replace(ledger, log_origin="log.example")
    with ledger_client(named) as client:
        table = started(client)
        kept = table.version()
        published(client, kept, table)
    command = ("admin", "new-epoch", "--unpublished", *WHO)
    output = run(ledger, *command, code=2)
    assert "but that of this database is 'log.example', which has" in output
    assert len(load(Path(ledger.keys_dir)).keys) == 1
    assert report(named, *command)["ended"] == "log.example"
    with ledger_client(ledger) as client:  # from here on the keys have the name
        published(client, kept + 1, table._replace(client=client))


def test_what_is_missing_among_older_events_is_gone_on_without(ledger: Settings) -> None:
    with ledger_client(ledger) as client:
        games = [opened(client, f"{number:032}")["game"] for number in range(3)]
        for game in games:
            published(client, 1, Table(client, game, "", {}))
    with psycopg.connect(ledger.database_url) as conn:
        conn.execute("ALTER TABLE phaseledger.stored_events DISABLE TRIGGER ALL")
        conn.execute("DELETE FROM phaseledger.stored_events WHERE originator_id = %s", (games[1],))
        conn.execute("ALTER TABLE phaseledger.stored_events ENABLE ALWAYS TRIGGER append_only")
    epoch = report(ledger, "admin", "new-epoch", *WHO)
    assert set(epoch["voided"]) == {games[0], games[2]}
