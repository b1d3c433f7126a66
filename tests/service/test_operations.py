"""The record of admin actions, what other processes learn of it, and its command line."""

import json
import stat
import subprocess
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any
from uuid import uuid4

import psycopg
import pytest
from psycopg.sql import SQL, Identifier

from phaseledger.service import operations
from phaseledger.service.api.operator.record import carry_out
from phaseledger.service.app import in_postgres
from phaseledger.service.credentials.tokens import digest, public_id
from phaseledger.service.database.setup import upgrade
from phaseledger.service.eventlog.errors import StoreUnavailable
from phaseledger.service.operations import AdminLog, AdminRecord, Gate
from phaseledger.service.settings import Settings, SettingsError, operator_token
from tests.support import forked
from tests.support.polling import eventually
from tests.support.service.api_tables import bearer, started
from tests.support.service.memory_ledger import MemoryAdminLog
from tests.support.service.operator import ANN, TOKEN, Both, running
from tests.support.service.problems import problem

# --- the record, and other processes --------------------------------------------------------------


@pytest.fixture(params=["memory", "postgres"])
def record(request: pytest.FixtureRequest) -> AdminLog:
    if request.param == "memory":
        return MemoryAdminLog()
    settings = request.getfixturevalue("settings")
    return AdminLog(settings.database_url, schema=settings.schema)


def _entry(action: Any = "drain", **details: Any) -> AdminRecord:
    return AdminRecord(uuid4(), "ann", action, "because", details)


async def test_the_record_keeps_its_order_and_its_keys(record: AdminLog) -> None:
    await record.open()
    entries = [_entry(), _entry("void_game", game="g"), _entry("undrain"), _entry()]
    noted = [await record.note(entry) for entry in entries]
    assert [event.id for event in noted] == sorted({event.id for event in noted})
    assert await record.note(entries[1]) == noted[1]
    assert await record.events() == noted
    assert await record.events(noted[1].id, 1) == [noted[2]]
    assert await record.is_draining()
    await record.note(_entry("undrain"))
    await record.note(_entry("void_game"))
    assert not await record.is_draining()
    await record.close()


def test_two_at_once_are_both_in_the_record(settings: Settings) -> None:
    """Through two processes: every action once, none lost, each with its own id."""
    with (
        running(in_postgres(settings)) as first,
        running(in_postgres(settings)) as second,
    ):
        table = started(first.api)
        path = f"/admin/games/{table.game}/void"

        def act(number: int) -> int:
            side = (first, second)[number % 2]
            return side.operator.post(path, json={**ANN, "actor": f"a{number}"}).status_code

        with ThreadPoolExecutor(8) as many:
            codes = list(many.map(act, range(16)))
        assert sorted(codes) == [200] + [409] * 15
        record = first.record()
        assert record == second.record()
    done = [event for event in record if event["action"] == "void_game"]
    assert sorted(event["actor"] for event in done) == sorted(f"a{n}" for n in range(16))
    refused = {event["details"]["about"] for event in record if event["action"] == "refused"}
    assert len({event["id"] for event in done} - refused) == 1
    assert len(record) == 31


def test_what_was_done_outlives_the_process_and_reaches_others(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(operations, "NEWS", 0.05)
    with (
        running(in_postgres(settings)) as first,
        running(in_postgres(settings)) as second,
    ):
        assert first.operator.post("/admin/drain", json=ANN).status_code == 200
        problem(first.api.post("/games", json={}), 503, "draining")
        problem(first.api.post("/replays"), 415, "unsupported_file_type")  # which stores nothing
        answer = eventually(
            lambda: second.api.post("/games", json={}), lambda answer: answer.status_code == 503
        )
        problem(answer, 503, "draining")
        kept = first.record()
    with running(in_postgres(settings)) as later:
        assert later.record() == kept
        problem(later.api.post("/games", json={}), 503, "draining")
        assert later.operator.post("/admin/undrain", json=ANN).status_code == 200
        assert later.api.post("/games", json={}).status_code == 400


def test_the_record_cannot_be_edited(settings: Settings) -> None:
    role = f"r_admin_{uuid4().hex[:8]}"
    table = Identifier(settings.schema, "admin_events")
    insert = SQL(
        "INSERT INTO {} (key, actor, action, reason, details) "
        "VALUES (gen_random_uuid(), 'a', 'drain', 'b', '{{}}')"
    ).format(table)
    edits = ("UPDATE {} SET actor = 'x'", "DELETE FROM {}", "TRUNCATE {}")
    with psycopg.connect(settings.database_url, autocommit=True) as conn:
        conn.execute(insert)
        for edit in edits:
            with pytest.raises(psycopg.errors.InsufficientPrivilege, match="append-only"):
                conn.execute(SQL(edit).format(table))
        conn.execute(SQL("CREATE ROLE {}").format(Identifier(role)))
        try:
            upgrade(settings, application_role=role)
            conn.execute(SQL("SET ROLE {}").format(Identifier(role)))
            conn.execute(insert)
            for edit in edits:
                with pytest.raises(psycopg.errors.InsufficientPrivilege):
                    conn.execute(SQL(edit).format(table))
            conn.execute("RESET ROLE")
            conn.execute(SQL("DROP OWNED BY {}").format(Identifier(role)))
            upgrade(settings, projection_role=role)
            conn.execute(SQL("SET ROLE {}").format(Identifier(role)))
            with pytest.raises(psycopg.errors.InsufficientPrivilege):
                conn.execute(insert)
        finally:
            conn.execute("RESET ROLE")
            conn.execute(SQL("DROP OWNED BY {}").format(Identifier(role)))
            conn.execute(SQL("DROP ROLE {}").format(Identifier(role)))


async def test_a_lost_database_is_no_refusal() -> None:
    """The action stands in the record, is answered 503, and is done by repeating it."""

    class Away(MemoryAdminLog):
        async def is_draining(self) -> bool:
            if away:
                raise StoreUnavailable("not now")
            return await super().is_draining()

    away = [True]
    record = Away()
    gate, entry = Gate(record), _entry()

    with pytest.raises(StoreUnavailable):
        await carry_out(record, entry, lambda _: gate.look())
    assert not gate.draining
    away.clear()
    await carry_out(record, entry, lambda _: gate.look())
    assert gate.draining
    assert [event.action for event in await record.events()] == ["drain"]


# --- the token, and the command line --------------------------------------------------------------


def test_the_token_is_made_once_and_kept_from_others(tmp_path: Path) -> None:
    settings = Settings(keys_dir=str(tmp_path / "keys"))
    token = operator_token(settings)
    path = tmp_path / "keys" / "admin.token"
    assert (path.read_text(), stat.S_IMODE(path.stat().st_mode)) == (token + "\n", 0o600)
    assert operator_token(settings) == token
    path.chmod(0o644)
    with pytest.raises(SettingsError, match="chmod 600"):
        operator_token(settings)
    path.chmod(0o600)
    path.write_text("short\n")
    with pytest.raises(SettingsError, match="holds no token"):
        operator_token(settings)


@pytest.fixture
def both() -> Iterator[Both]:
    with running() as both:
        yield both


def test_the_command_line_does_it_all(both: Both, tmp_path: Path) -> None:
    table, url = started(both.api), str(both.operator.base_url)

    def run(*arguments: str, token: str = TOKEN) -> subprocess.CompletedProcess[str]:
        (tmp_path / "admin.token").write_text(token)
        given = {"PHASELEDGER_KEYS_DIR": str(tmp_path), "PATH": "/usr/bin"}
        return forked.phaseledger("admin", *arguments, env=given)

    why = ("--actor", "ann", "--reason", "because", "--url", url)
    token = table.tokens[0]
    for arguments, sentence in (
        (("tokens", table.game, "--url", url), "seat 1"),
        (("revoke", token, *why), f"The token {public_id(digest(token))} is revoked."),
        (("revoke", table.game, "--seat", "1", *why), "revoked"),
        (("revoke", table.game, "--host", *why), "revoked"),
        (("drain", *why), "refused"),
        (("undrain", *why), "taken again"),
        (("void", table.game, *why), "is void"),
    ):
        ran = run(*arguments)
        assert (ran.returncode, sentence in ran.stdout) == (0, True), ran.stdout + ran.stderr
        assert token not in ran.stdout
    log = run("log", "--url", url, "--json").stdout
    actions = [event["action"] for event in json.loads(log)["events"]]
    assert actions[-6:] == [
        *("revoke_token", "revoke_seat", "revoke_seat", "drain", "undrain", "void_game")
    ]
    assert "ann: undrain (because)" in run("log", "--url", url).stdout
    for arguments, code, words in (
        (("void", table.game, *why), 2, "The game is over"),
        (("void", str(uuid4()), *why), 4, "There is no such game"),
        (("revoke", table.game, "--seat", "7", *why), 2, "no such seat: they are 0 to 1"),
        (("revoke", token[:-1], *why), 2, "no public id"),
        (("revoke", "x", "--seat", "1", *why), 2, "give its id"),
        (("revoke", table.game, "--seat", "1", "--host", *why), 2, "do not go together"),
        (("log", "--url", "http://127.0.0.1:1"), 3, "does not answer"),
    ):
        ran = run(*arguments)
        assert (ran.returncode, words in ran.stderr) == (code, True), ran.stdout + ran.stderr
        assert len(ran.stderr.strip().splitlines()) == 1
        assert token[:-1] not in ran.stderr
    assert "token is not known" in run("log", "--url", url, token=TOKEN[:-1] + "f").stderr
    assert "--keys-dir" in run("log", "--url", url, token="").stderr


def test_the_command_line_makes_and_ends_applications(settings: Settings, tmp_path: Path) -> None:
    with running(in_postgres(settings)) as both:
        (tmp_path / "admin.token").write_text(TOKEN)
        given = {"PHASELEDGER_KEYS_DIR": str(tmp_path), "PATH": "/usr/bin"}
        url = ("--url", str(both.operator.base_url))
        why = ("--actor", "ann", "--reason", "because", *url)

        def run(*arguments: str) -> subprocess.CompletedProcess[str]:
            return forked.phaseledger("admin", "apps", *arguments, env=given)

        first = run("create", "Club", "--scope", "open", "--scope", "read", *why).stdout.split()[-1]
        answer = both.api.get("/application", headers=bearer(first)).json()
        assert (answer["name"], answer["scopes"]) == ("Club", ["open", "read"])
        listed = run("list", *url).stdout
        assert f"{public_id(digest(first))}  open read  valid" in listed
        assert first not in listed
        last = json.loads(run("rotate", "Club", "--keep", "0", "--json", *why).stdout)["key"]
        assert "open read  ended 2" in run("list", *url).stdout
        assert run("revoke", public_id(digest(last)), *why).returncode == 0
        assert both.api.get("/application", headers=bearer(last)).status_code == 401
        for arguments, sentence in (
            (("create", "Club", *why), "There is an application of that name already"),
            (("rotate", "Chess", *why), "There is: Club."),
            (("revoke", "Chess", *why), "There is: Club."),
            (("create", "x" * 41, *why), "name"),
        ):
            ran = run(*arguments)
            assert (ran.returncode, sentence in ran.stderr) == (2, True), ran.stdout + ran.stderr
