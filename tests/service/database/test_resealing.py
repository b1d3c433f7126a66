"""Sealing anew, under another key, what a database has."""

from hashlib import sha256
from pathlib import Path
from typing import Any
from uuid import UUID

import msgspec
import psycopg
import pytest
from psycopg.sql import SQL, Identifier

from phaseledger.replay.formats import sealing
from phaseledger.replay.formats.sealing import (
    SealingKeyMissing,
    sealed_under,
)
from phaseledger.service.database import sealing as sealing_in_database
from phaseledger.service.database.sealing import count_unsealed, open_sealing, reseal
from phaseledger.service.lobby.join_codes import plain
from phaseledger.service.players.store import sealing_context
from phaseledger.service.schemas.notices import ADDRESSES
from phaseledger.service.settings import Settings
from tests.support.damage import damage
from tests.support.polling import eventually
from tests.support.replay.processes import FOR_TESTS
from tests.support.service.api_tables import bearer, ok
from tests.support.service.applications import made
from tests.support.service.sealed_ledgers import (
    audit,
    command,
    played,
    settings,
    stored,
    unsealed,
    webhooks,
)
from tests.support.service.server import ledger_client

__all__ = ["settings"]


def test_what_is_there_is_sealed_anew_and_says_the_same(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Unsealed rows of an earlier release, and those of an older key; batch by batch."""
    monkeypatch.setattr(sealing_in_database, "BATCH", 2)
    with ledger_client(settings) as client:
        played(client)
    old = open_sealing(settings).made
    with ledger_client(settings) as client:
        table, _ = played(client)
        hooks = webhooks(client, table)
    before, new = unsealed(settings), sealing.new(Path(settings.keys_dir))
    keys = open_sealing(settings).keys
    assert {sealed_under(row[-1]) for row in stored(settings)} == {"", old}
    wanted, advanced = count_unsealed(settings, keys), list[int]()

    def stop(number: int) -> None:
        advanced.append(number)
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):  # the first batch is kept
        reseal(settings, keys, stop)
    assert count_unsealed(settings, keys) == wanted - 2
    done = reseal(settings, keys, advanced.append)

    assert (done.events, done.webhooks, done.damaged) == (wanted - 2, 2, 0)
    assert sum(advanced) == wanted
    assert unsealed(settings) == before
    seals = {sealed_under(row[-1]) for row in stored(settings) if b'"hidden":' in row[-1]}
    assert seals == {new}
    assert count_unsealed(settings, keys) == 0
    # Nothing needs the old key any more.
    (Path(settings.keys_dir) / f"0001-{old}.seal").unlink()
    assert open_sealing(settings).keys.ids == (new,)
    with ledger_client(settings) as client:
        assert webhooks(client, table) == hooks
        assert ok(table._replace(client=client).get(seat=0))
    assert audit(settings, "--sealing-dir", settings.keys_dir) == 0
    edit = SQL("UPDATE {} SET topic = ''").format(Identifier(settings.schema, "stored_events"))
    with (
        psycopg.connect(settings.database_url) as conn,
        pytest.raises(psycopg.errors.InsufficientPrivilege),
    ):
        conn.execute(edit)


def test_addresses_of_players_are_sealed_anew(settings: Settings) -> None:
    open_sealing(settings)
    address = {"kind": "discord", "url": ADDRESSES["discord"].example}
    body = {"name": "Ada", "notices": {"addresses": [address]}}
    with ledger_client(settings) as client:
        named = client.put("/players/ada", json=body, headers=bearer(made(settings))).json()
    new = sealing.new(Path(settings.keys_dir))
    keys = open_sealing(settings).keys
    assert reseal(settings, keys, lambda _: None).webhooks == 1
    with psycopg.connect(settings.database_url) as conn:
        query = SQL("SELECT notices FROM {}").format(Identifier(settings.schema, "players"))
        ((sealed,),) = conn.execute(query).fetchall()
    assert sealed_under(sealed) == new
    assert address["url"].encode() in keys.unseal(sealed, sealing_context(named["pseudonym"]))


def test_an_operator_makes_a_key_and_seals_anew(
    settings: Settings, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    with ledger_client(settings) as client:
        played(client)
    for name in FOR_TESTS:
        monkeypatch.delenv(name, raising=False)
    for name in ("database_url", "schema", "keys_dir", "published_dir"):
        monkeypatch.setenv(f"PHASELEDGER_{name.upper()}", str(getattr(settings, name)))
    assert command("admin", "keys", "seal") == 2
    assert "no key to seal with: `phaseledger admin keys new-sealing`" in capfd.readouterr().err
    assert command("admin", "keys", "new-sealing") == 0
    made = capfd.readouterr().out.strip()
    hidden_parts = len([row for row in stored(settings) if b'"hidden":' in row[-1]])
    assert command("admin", "keys", "seal", "--json") == 0
    report = msgspec.json.decode(capfd.readouterr().out)

    assert report == {"key": made, "events": hidden_parts, "webhooks": 1, "damaged": 0}
    assert command("admin", "keys", "seal") == 0
    assert "0 events and 0 webhooks sealed anew." in capfd.readouterr().out
    assert open_sealing(settings).keys.current == made


def test_what_was_changed_is_left_as_it_is(settings: Settings) -> None:
    open_sealing(settings)
    with ledger_client(settings) as client:
        played(client)
    sealing.new(Path(settings.keys_dir))
    statement = "UPDATE {} SET originator_version = 1000 WHERE originator_version = 1"
    damage(settings.database_url, settings.schema, statement)
    before = [row for row in stored(settings) if row[1] == 1000]
    done = reseal(settings, open_sealing(settings).keys, lambda _: None)

    assert done.damaged == len(before) == 1
    assert [row for row in stored(settings) if row[1] == 1000] == before


def test_a_damaged_secret_of_a_webhook_is_left_as_it_is(settings: Settings) -> None:
    """And the old key goes on being needed, since it may be what the damage hides."""
    old = open_sealing(settings).made
    with ledger_client(settings) as client:
        played(client)
    new = sealing.new(Path(settings.keys_dir))
    secrets = SQL("UPDATE {} SET secret = overlay(secret PLACING 'AAAA' FROM 20)").format(
        Identifier(settings.schema, "webhooks")
    )
    with psycopg.connect(settings.database_url) as conn:
        conn.execute(secrets)
    done = reseal(settings, open_sealing(settings).keys, lambda _: None)

    assert (done.webhooks, done.damaged) == (0, 1)
    (Path(settings.keys_dir) / f"0001-{old}.seal").unlink()
    with pytest.raises(SealingKeyMissing, match=old):
        open_sealing(settings)
    assert new


def test_join_codes_cannot_be_tried_without_a_key_and_outlive_it(settings: Settings) -> None:
    """All 40 bits of a code are tried in minutes, so a plain hash of it in a dump is the code."""
    old = open_sealing(settings).made
    table = {"ruleset": "classic", "seats": [{"kind": "person"}] * 4, "terms": {"private": True}}
    with ledger_client(settings) as client:
        answers = [client.post("/games", json=table).json() for _ in range(2)]
    hashes = [sha256(plain(answer["code"]).encode()).digest() for answer in answers]
    assert not set(hashes) & {entry for entry, _ in codes(settings)}

    with psycopg.connect(settings.database_url) as conn:  # as earlier releases wrote it
        earlier = (hashes[1], answers[1]["game"])
        insert = SQL("INSERT INTO {} (code_hash, game) VALUES (%s, %s)")
        conn.execute(insert.format(Identifier(settings.schema, "join_codes")), earlier)
    new = sealing.new(Path(settings.keys_dir))
    before = codes(settings)
    joined(settings, answers, "Ada")
    reseal(settings, open_sealing(settings).keys, lambda _: None)

    after = codes(settings)
    assert (len(before), len(after)) == (3, 2)
    assert not {entry for entry, _ in before} & {entry for entry, _ in after}
    (Path(settings.keys_dir) / f"0001-{old}.seal").unlink()
    assert open_sealing(settings).keys.ids == (new,)
    joined(settings, answers, "Bob")
    reseal(settings, open_sealing(settings).keys, lambda _: None)
    assert codes(settings) == after


def codes(settings: Settings) -> set[tuple[bytes, str]]:
    """The index of join codes: what stands for each, and its game."""
    query = SQL("SELECT code_hash, game::text FROM {}")
    with psycopg.connect(settings.database_url) as conn:
        return set(conn.execute(query.format(Identifier(settings.schema, "join_codes"))))


def joined(settings: Settings, answers: list[dict[str, Any]], name: str) -> None:
    """Sit down at each table by its code alone."""
    with ledger_client(settings) as client:
        for answer in answers:
            joining = client.post("/joins", json={"name": name, "code": answer["code"]})
            assert joining.status_code == 201, joining.text
            assert joining.json()["game"] == answer["game"]


def test_macs_of_views_are_made_under_the_new_key(settings: Settings) -> None:
    """A row that somebody has edited stays as it is."""

    def macs() -> list[tuple[UUID, str]]:
        with psycopg.connect(settings.database_url) as conn:
            read = SQL("SELECT game, mac FROM {}.table_views ORDER BY game")
            return conn.execute(read.format(Identifier(settings.schema))).fetchall()

    old = open_sealing(settings).made
    with ledger_client(settings) as client:
        sound, edited = sorted(UUID(played(client)[0].game) for _ in range(2))
        eventually(macs, lambda rows: len(rows) == 2)
    with psycopg.connect(settings.database_url) as conn:
        edit = SQL("UPDATE {}.table_views SET version = version + 1 WHERE game = %s")
        conn.execute(edit.format(Identifier(settings.schema)), (edited,))
    new = sealing.new(Path(settings.keys_dir))
    reseal(settings, open_sealing(settings).keys, lambda _: None)
    assert [(game, sealed_under(mac.encode())) for game, mac in macs()] == [
        (sound, new),
        (edited, old),
    ]
    with ledger_client(settings) as client:
        shown = client.get(f"/games/{sound}/table")
    assert shown.json()["version"] > 1
