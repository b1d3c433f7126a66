"""Reading the log in Postgres with a SELECT of its own."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from uuid import UUID

import psycopg
import pytest
from psycopg.sql import SQL, Identifier

from phaseledger.replay.batch import inputs
from phaseledger.replay.cli.main import app
from phaseledger.replay.evidence.audit.audit import audit
from phaseledger.replay.formats.records.source import StoreUnreachable, UnknownGame, read_store
from tests.support.replay.log_edits import GAME, OTHER, rows, short_game


@pytest.fixture
def log(postgres_dsn: str, fresh_schema: str) -> str:
    """The schema of a log with two games, appended alternately."""
    games = [rows(short_game()), rows(short_game(OTHER, "other"))]
    order = sorted((row for game in games for row in game), key=lambda row: row.place)
    with psycopg.connect(postgres_dsn) as conn:
        table = SQL("{}.stored_events").format(Identifier(fresh_schema))
        conn.cursor().executemany(
            SQL(
                "INSERT INTO {} (originator_id, originator_version, topic, state) "
                "VALUES (%s, %s, %s, %s)"
            ).format(table),
            [(UUID(row.game), row.place, row.topic, row.stored) for row in order],
        )
    return fresh_schema


def test_one_game(postgres_dsn: str, log: str) -> None:
    (verdict,) = audit(read_store(postgres_dsn, GAME, schema=log))
    (expected,) = audit(rows(short_game()))

    assert expected == verdict


def test_all_games(postgres_dsn: str, log: str) -> None:
    verdicts = list(audit(read_store(postgres_dsn, schema=log)))

    assert [(v.game, v.sound) for v in verdicts] == [(GAME, True), (OTHER, True)]


def test_edited_row(postgres_dsn: str, log: str) -> None:
    """What an operator can do who gets round the triggers."""
    with psycopg.connect(postgres_dsn) as conn:
        table = SQL("{}.stored_events").format(Identifier(log))
        conn.execute(SQL("ALTER TABLE {} DISABLE TRIGGER USER").format(table))
        conn.execute(
            SQL("DELETE FROM {} WHERE originator_id = %s AND originator_version = 9").format(table),
            (UUID(OTHER),),
        )
        conn.execute(SQL("ALTER TABLE {} ENABLE ALWAYS TRIGGER append_only").format(table))
    good, bad = audit(read_store(postgres_dsn, schema=log))

    assert good.sound
    assert (
        bad.findings[0].code, bad.findings[0].game, bad.findings[0].seq,
    ) == ("gap", OTHER, 9)  # fmt: skip


def test_unknown_game(postgres_dsn: str, log: str) -> None:
    with pytest.raises(UnknownGame, match="no game"):
        list(read_store(postgres_dsn, str(UUID(int=99)), schema=log))


def test_empty_log(postgres_dsn: str, fresh_schema: str) -> None:
    assert list(audit(read_store(postgres_dsn, schema=fresh_schema))) == []


def test_no_log(postgres_dsn: str, empty_schema: str) -> None:
    with pytest.raises(StoreUnreachable, match="run `phaseledger admin migrate`"):
        list(read_store(postgres_dsn, schema=empty_schema))


def test_commands_use_the_default_store(
    postgres_dsn: str, log: str, monkeypatch: pytest.MonkeyPatch,
    capsysbinary: pytest.CaptureFixture[bytes],
) -> None:  # fmt: skip
    @contextmanager
    def here(folder: Path | None) -> Iterator[str]:
        yield postgres_dsn

    monkeypatch.setattr(inputs, "default_dsn", here)
    codes = []
    for arguments in (["export", GAME.upper()], ["audit", "--all"], ["audit", str(UUID(int=99))]):
        with pytest.raises(SystemExit) as ended:
            app([*arguments, "--schema", log])
        codes.append(ended.value.code)
        if arguments[0] == "export":
            exported = capsysbinary.readouterr().out

    assert codes == [0, 0, 4]
    assert b"".join(stored + b"\n" for stored in short_game()) == exported
