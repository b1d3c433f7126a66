"""`phaseledger doctor`: each fault of a ledger is found by its check, and by no other."""

import time
from pathlib import Path

import psycopg
import pytest
from msgspec.structs import replace
from psycopg.conninfo import make_conninfo

from phaseledger.service.cli.doctor import looked_at
from phaseledger.service.database import ledger_checks, server_checks
from phaseledger.service.database.examination import CHECKS, examined
from phaseledger.service.database.examined_ledger import Ledger
from phaseledger.service.settings import Settings
from tests.support.service.api_tables import BOT, started
from tests.support.service.database_locks import locked_log
from tests.support.service.lost_ledgers import report, run
from tests.support.service.memory_ledger import in_memory
from tests.support.service.server import ledger_client, serving

S = "phaseledger"
BACKED_UP = f"""INSERT INTO {S}.admin_events (key, at, actor, action, reason, details)
    VALUES (gen_random_uuid(), now() - interval '%s hours', 'ann', 'back_up', 'nightly', '%s')"""
FAULTS: dict[str, tuple[str, str, str]] = {
    f"DELETE FROM {S}.migrations WHERE name LIKE 'players/1'": ("tables", "fault", "players/1"),
    "SET synchronous_commit = off": ("durability", "fault", "synchronous_commit=off"),
    f"ALTER TABLE {S}.stored_events ENABLE TRIGGER append_only": (
        *("guards", "fault", "ENABLE ALWAYS TRIGGER append_only"),
    ),
    f"ALTER SEQUENCE {S}.stored_events_notification_id_seq RESTART WITH 1": (
        *("sequences", "warning", "behind what is stored"),
    ),
    f"INSERT INTO {S}.sealing_keys (id) VALUES ('0badcafe')": ("keys", "fault", "0badcafe"),
    f"INSERT INTO {S}.checkpoints SELECT 'another', size, root, position, note, at "
    f"FROM {S}.checkpoints WHERE note IS NOT NULL LIMIT 1": (
        "public log",
        "fault",
        "several go on: ",
    ),
    f"DELETE FROM {S}.admin_events": ("backup", "warning", "there was none yet"),
    BACKED_UP % (1, '{"sound": "no"}'): ("backup", "fault", "was not sound"),
    BACKED_UP % (1, '{"sound": "not tried"}'): ("backup", "warning", "was never restored"),
    BACKED_UP % (40, '{"sound": "yes"}'): ("backup", "warning", "40 hours old"),
    f"UPDATE {S}.notification_tracking SET notification_id = -2000 "
    "WHERE application_name = 'projections'": ("views", "warning", "events behind"),
    f"INSERT INTO {S}.set_aside_games (game, version, reason) VALUES (gen_random_uuid(), 1, 'x')": (
        "games",
        "fault",
        "the records of 1 are damaged",
    ),
    f"INSERT INTO {S}.webhook_deliveries (id, hook, body, due_at) SELECT gen_random_uuid(), id, "
    f"'', now() - interval '10 minutes' FROM {S}.webhooks": (
        *("webhooks", "warning", "for 10 minutes"),
    ),
}
"""By what is done to a ledger: which check finds it, how bad it is, and what it says."""


def ills(settings: Settings, conn: psycopg.Connection) -> dict[str, tuple[str, str]]:
    """What is not well, and what to do, by the check; each finding has a cure."""
    unwell = [
        finding for finding in examined(Ledger(settings, conn, False)) if finding.severity != "ok"
    ]
    assert all(ill.cure for ill in unwell)
    return {ill.check: (ill.severity, f"{ill.says}; {ill.cure}") for ill in unwell}


@pytest.fixture
def played(ledger: Settings) -> Settings:
    """A ledger in which there is all that checks look at."""
    with ledger_client(ledger) as client:
        table = started(client, (BOT, BOT))
        hook = {"url": "https://hooks.example/x"}
        client.post(f"{table.path}/webhooks", json=hook)
    return ledger


def test_each_fault_is_found_with_its_cure(played: Settings) -> None:
    with psycopg.connect(played.database_url) as conn:
        conn.execute(f"ALTER TABLE {S}.admin_events DISABLE TRIGGER append_only")
        conn.execute(BACKED_UP % (1, '{"sound": "yes"}'))
        conn.execute(
            f"INSERT INTO {S}.webhooks (id, url, types, secret, since) "
            "VALUES (gen_random_uuid(), '', '{}', '', 0)",
        )
        conn.commit()
        well = ills(played, conn)
        assert {*well} == {"role"}  # the tests' role owns the tables
        for done, (check, severity, says) in FAULTS.items():
            conn.execute(done)
            diagnosed = ills(played, conn)
            conn.rollback()
            assert {*diagnosed} - {*well} == {check}, done
            assert (diagnosed[check][0], says in diagnosed[check][1]) == (severity, True), (
                done,
                diagnosed[check],
            )


def test_who_holds_writers_up_is_found(played: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    with psycopg.connect(played.database_url) as conn:
        with locked_log(played.database_url, S) as other:
            pid = other.info.backend_pid
            assert f"SELECT pg_terminate_backend({pid})" in ills(played, conn)["locks"][1]
        assert "locks" not in ills(played, conn)
        monkeypatch.setattr(server_checks, "CROWDED", 0.0)
        assert "raise max_connections" in ills(played, conn)["connections"][1]


def test_a_worker_is_told_from_a_service_that_lost_a_right(played: Settings) -> None:
    with psycopg.connect(played.database_url, autocommit=True) as conn:
        conn.execute("CREATE ROLE doctors_worker LOGIN; CREATE ROLE doctors_service LOGIN")
        try:
            run(
                *(played, "admin", "migrate", "--projection-role", "doctors_worker"),
                *("--application-role", "doctors_service"),
            )
            worker, service = (as_role(played, f"doctors_{part}") for part in ("worker", "service"))
            assert "role" not in worker
            assert {severity for severity, _ in worker.values()} == {"warning"}
            assert "role" not in service
            conn.execute(f"REVOKE INSERT ON {S}.admin_events FROM doctors_service")
            assert as_role(played, "doctors_service")["role"][0] == "fault"
        finally:
            for role in ("doctors_worker", "doctors_service"):
                conn.execute(f"DROP OWNED BY {role}; DROP ROLE {role}")


def as_role(settings: Settings, role: str) -> dict[str, tuple[str, str]]:
    """What is not well, as the role sees it."""
    dsn = make_conninfo(settings.database_url, user=role)
    with psycopg.connect(dsn) as conn:
        return ills(replace(settings, database_url=dsn, projections=False), conn)


def test_what_is_wrong_on_this_machine_is_found(
    played: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    keys = [*Path(played.keys_dir).iterdir()]
    with psycopg.connect(played.database_url) as conn:
        signing = next(path for path in keys if path.suffix == ".key")
        signing.chmod(0o644)
        assert ills(played, conn)["keys"][1].endswith("chmod 600 it.")
        signing.write_text("damaged")
        assert "they cannot be read" in ills(played, conn)["keys"][1]
        now = time.time
        monkeypatch.setattr(server_checks.time, "time", lambda: now() - 7)
        assert "7.0 s behind the database's" in ills(played, conn)["clock"][1]
        monkeypatch.setattr(ledger_checks, "FREE_BYTES", 1 << 60)
        assert "are free at" in ills(played, conn)["disk"][1]


def test_it_says_all_without_tables_and_without_a_database(ledger: Settings) -> None:
    lines = run(ledger, "doctor", code=1).splitlines()
    checks = [line[9:].partition(":")[0] for line in lines]
    assert [name for name in checks if name != "disk"] == [
        name for name in CHECKS if name != "disk"
    ]
    away = replace(ledger, database_url="host=127.0.0.1 port=1")
    document = report(away, "doctor", code=3)
    (finding,) = document["diagnoses"]
    assert (finding["check"], finding["severity"]) == ("database", "fault")
    with psycopg.connect(ledger.database_url, autocommit=True) as conn:
        conn.execute(f"DROP SCHEMA {S} CASCADE")
        diagnosed = ills(ledger, conn)
    assert {*diagnosed} == {"tables"}
    assert "phaseledger admin migrate" in diagnosed["tables"][1]


def test_a_proxy_is_looked_at_as_a_client_would(monkeypatch: pytest.MonkeyPatch) -> None:
    def lines_of(url: str) -> list[str]:
        return [f"{finding.severity} {finding.says}" for finding in looked_at(url)]

    with serving(in_memory(), patience_seconds=0.1) as service:
        shown = lines_of(service.url)
        assert shown[:2] == [
            "ok it leads to the service",
            "warning it shows readiness to strangers",
        ]
        assert "warning no game is played, so no wait was tried" in shown
        assert shown[-1] == "warning it speaks no TLS"
    (away,) = lines_of(service.url)
    assert away.startswith(f"fault {service.url} does not answer: ")
