"""`audit` understands archived games: their tombstones, their leaves and their files."""

import json
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, get_args
from uuid import UUID

import psycopg
import pytest

from phaseledger.replay.cli.main import app
from phaseledger.replay.evidence.audit.public_log import EXPLAIN_LOG
from phaseledger.replay.formats.records.findings import FindingCode, meaning
from phaseledger.service.database.game_archive import file_name
from tests.support.damage import restored, without
from tests.support.ledgers import own_database, prepared
from tests.support.service.archived_ledgers import Ledger, archivable


@pytest.fixture(scope="module")
def whole_ledger(postgres_dsn: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Ledger]:
    """The ledger of a service that has archived its games, and has ended."""
    folder = tmp_path_factory.mktemp("ledger")
    with own_database(postgres_dsn) as (_, dsn):
        with archivable(prepared(dsn, "log", folder), folder / "archive") as made:
            made.archive()
            assert made.going.get("/bundle").is_success  # once a checkpoint covers all of it
        yield made


TABLES = ("stored_events", "archived_games", "archived_events")


@pytest.fixture
def ledger(whole_ledger: Ledger, tmp_path: Path) -> Iterator[Ledger]:
    """It, with a copy of the files, to be tampered with."""
    shutil.copytree(whole_ledger.folder, tmp_path / "archive")
    with restored(*whole_ledger.store, *TABLES):
        yield whole_ledger._replace(folder=tmp_path / "archive")


def audited(
    ledger: Ledger, capsysbinary: pytest.CaptureFixture[bytes], *more: object
) -> tuple[int, list[dict[str, Any]], str]:
    """The exit code of `audit --all`, its findings, and what it says."""
    dsn, schema = ledger.store
    named = ["--database-url", dsn, "--schema", schema, "--jobs", "1"]
    capsysbinary.readouterr()
    with pytest.raises(SystemExit) as ended:
        app(["audit", "--all", *named, *map(str, more)])
    printed = capsysbinary.readouterr()
    findings = [json.loads(line) for line in printed.out.splitlines()]
    sentences = (*EXPLAIN_LOG.values(), *map(meaning, get_args(FindingCode)))
    assert all(finding["text"].startswith(sentences) for finding in findings)
    return int(str(ended.value.code)), findings, printed.err.decode()


def tampered(ledger: Ledger, *statements: str) -> None:
    """Change what nobody should, with the triggers off."""
    dsn, schema = ledger.store
    with psycopg.connect(dsn) as conn:
        conn.execute(f"SET search_path = {schema}")
        for table in TABLES:
            conn.execute(f"ALTER TABLE {table} DISABLE TRIGGER USER")
        for statement in statements:
            conn.execute(statement)


def last_event(ledger: Ledger, game: str) -> int:
    dsn, schema = ledger.store
    with psycopg.connect(dsn) as conn:
        query = (
            f"SELECT max(originator_version) FROM {schema}.stored_events WHERE originator_id = %s"
        )
        (row,) = conn.execute(query, (UUID(game),)).fetchall()  # type: ignore[arg-type]
    return int(row[0])


def test_a_store_with_archived_games_is_sound(
    ledger: Ledger, capsysbinary: pytest.CaptureFixture[bytes]
) -> None:
    code, findings, words = audited(ledger, capsysbinary)
    assert (code, findings) == (0, [])
    assert "Games: 1 sound" in words
    assert "Archived games: 2, whose files --archive audits." in words
    code, findings, words = audited(ledger, capsysbinary, "--archive", ledger.folder)
    assert (code, findings) == (0, [])
    assert "Games: 3 sound" in words


def test_the_files_are_audited_by_themselves(
    ledger: Ledger, capsysbinary: pytest.CaptureFixture[bytes]
) -> None:
    code, findings, words = audited(ledger, capsysbinary, ledger.folder)
    assert (code, findings) == (0, [])
    assert "Games: 2 sound (0 of them without an end), 0 not sound." in words
    dsn, schema = ledger.store
    with pytest.raises(SystemExit) as ended:
        app(["audit", ledger.whole, "--database-url", dsn, "--schema", schema])
    assert ended.value.code == 4
    printed = capsysbinary.readouterr().err.decode()
    assert f"is archived: its events are in the file {file_name(UUID(ledger.whole))}" in printed


def gone(path: Path, _ledger: Ledger) -> None:
    path.unlink()


def changed(path: Path, _ledger: Ledger) -> None:
    path.write_text(path.read_text().replace('{"event":{"at":1', '{"event":{"at":2', 1))


def cut(path: Path, _ledger: Ledger) -> None:
    path.write_text(path.read_text().rpartition("\n")[0].rpartition("\n")[0] + "\n")


def empty(path: Path, _ledger: Ledger) -> None:
    path.write_text("")


def exchanged(path: Path, ledger: Ledger) -> None:
    """Another game's file, whole in itself."""
    path.write_bytes((ledger.folder / file_name(UUID(ledger.broken.game))).read_bytes())


@pytest.mark.parametrize(
    ("hurt", "expected"),
    [
        (gone, {"archive_lost"}),
        (changed, {"archive_differs", "broken_chain"}),
        (cut, {"archive_differs"}),
        (empty, {"archive_differs"}),
        (exchanged, {"archive_differs"}),
    ],
)
def test_a_file_that_is_not_what_was_written(
    ledger: Ledger,
    capsysbinary: pytest.CaptureFixture[bytes],
    hurt: Callable[[Path, Ledger], None],
    expected: set[str],
) -> None:
    hurt(ledger.file(), ledger)
    code, findings, _ = audited(ledger, capsysbinary, "--archive", ledger.folder)
    assert code == 1
    assert {finding["code"] for finding in findings} >= expected
    assert ledger.whole in {finding["game"] for finding in findings}
    # Without the files nobody can tell.
    assert audited(ledger, capsysbinary)[:2] == (0, [])


WITHOUT_A_LEAF = (
    "DELETE FROM archived_events WHERE originator_id = '{game}' AND originator_version = 5"
)
IN_THE_LOG = (
    "UPDATE stored_events SET originator_id = '{game}', originator_version = 9999 "
    "WHERE (originator_id, originator_version) = (SELECT originator_id, max(originator_version) "
    "FROM stored_events GROUP BY 1 LIMIT 1)"
)


@pytest.mark.parametrize(
    ("statements", "expected"),
    [
        (("UPDATE archived_events SET leaf = sha256('x') WHERE originator_version = 9",), set()),
        ((WITHOUT_A_LEAF,), {"event_lost", "tombstone_differs"}),
        (("UPDATE archived_games SET head = sha256('x')",), {"tombstone_differs"}),
        (("DELETE FROM archived_events", "DELETE FROM archived_games"), {"event_lost"}),
        ((IN_THE_LOG,), {"tombstone_differs"}),
    ],
    ids=("leaf", "place", "head", "tombstone", "events"),
)
def test_a_tombstone_that_was_changed(
    ledger: Ledger,
    capsysbinary: pytest.CaptureFixture[bytes],
    statements: tuple[str, ...],
    expected: set[str],
) -> None:
    tampered(ledger, *(statement.format(game=ledger.whole) for statement in statements))
    code, findings, _ = audited(ledger, capsysbinary)
    assert code == 1
    assert {finding["code"] for finding in findings} >= (expected or {"event_not_logged"})


def test_a_tail_without_a_tombstone_is_still_missed(
    ledger: Ledger, capsysbinary: pytest.CaptureFixture[bytes]
) -> None:
    without(*ledger.store, UUID(ledger.going.game), last_event(ledger, ledger.going.game))
    code, findings, _ = audited(ledger, capsysbinary)
    assert code == 1
    assert "event_lost" in {finding["code"] for finding in findings}
