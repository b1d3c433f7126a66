"""`audit --all`: folders and the real store, on any number of processes, some games damaged."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from subprocess import CompletedProcess
from typing import Any
from uuid import UUID

import psycopg
import pytest
from psycopg.sql import SQL, Identifier

from phaseledger.replay.batch import inputs, work
from phaseledger.replay.batch.inputs import StoreOptions
from phaseledger.replay.batch.pool import Workers
from phaseledger.replay.batch.work import files_in, run_on_all
from phaseledger.replay.cli.main import app
from phaseledger.replay.evidence.audit import batch
from phaseledger.replay.formats.records.source import (
    DamagedSource,
    LogPart,
    StoreUnreachable,
    parts_of_store,
    read_part,
)
from tests.support.cases import looped
from tests.support.replay.log_edits import encode, rechained, rows, short_game, trees
from tests.support.replay.processes import run

GAMES = [str(UUID(int=number)) for number in range(20, 27)]


def _game(number: int) -> tuple[bytes, ...]:
    return short_game(GAMES[number], f"bulk {number}")


def _edited(number: int) -> list[bytes]:
    """The game with a score changed, and the chain made anew."""
    made = trees(GAMES[number], f"bulk {number}")
    ended = next(tree for tree in made if tree["type"] == "RoundEnded/1")
    ended["data"]["results"][0]["total"] += 5
    return [encode(tree) for tree in rechained(made)]


def _gap(number: int) -> list[bytes]:
    lines = list(_game(number))
    del lines[30]
    return lines


def _lines(some: list[bytes] | tuple[bytes, ...]) -> bytes:
    return b"".join(line + b"\n" for line in some)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Good games, an edited one, one with a gap, files that are cut or none, and notes."""
    home = tmp_path / "games"
    (home / "below").mkdir(parents=True)
    (home / "a.ndjson").write_bytes(_lines(_game(0)) + _lines(_edited(1)) + _lines(_game(2)))
    (home / "b.jsonl").write_bytes(_lines(_game(3)) + _lines(_game(4))[:-50])
    (home / "below" / "c.ndjson").write_bytes(_lines(_gap(5)))
    (home / "below" / "d.ndjson").write_bytes(_lines(_game(6)[:-1]) + b"\xff\xfe\n")
    (home / "below" / "e.ndjson").symlink_to(home / "nowhere")
    (home / "notes.txt").write_text("not a game")
    return home


def _decoded(out: bytes) -> list[dict[str, Any]]:
    return [json.loads(line) for line in out.splitlines()]


def test_folder(folder: Path) -> None:
    """One process and two give the same."""
    done = run("audit", "--all", folder, "--jobs", 2)
    findings = _decoded(done.stdout)

    assert [
        (finding["code"], Path(finding["source"]).name, finding["game"]) for finding in findings
    ] == [
        ("outcome_differs", "a.ndjson", GAMES[1]),
        ("damaged", "b.jsonl", ""),
        ("gap", "c.ndjson", GAMES[5]),
        ("damaged", "d.ndjson", ""),
        ("damaged", "e.ndjson", ""),
    ]
    assert (findings[2]["seq"], findings[2]["expected"]) == (31, "event 31")
    assert done.returncode == 5
    assert b"Games: 3 sound (0 of them without an end), 2 not sound.\n" in done.stderr
    assert b"Files that cannot be read, or not to their end: 3.\n" in done.stderr
    assert b"the last line is cut" in done.stdout
    assert b"No such file" in done.stdout
    assert findings[0]["rule"]
    assert done.stdout == run("audit", "--all", folder, "--jobs", 1).stdout


def test_a_sound_file(folder: Path) -> None:
    (folder / "a.ndjson").write_bytes(_lines(_game(0)) + _lines(_game(1)[:9]))
    done = run("audit", "--all", folder / "a.ndjson", "--jobs", 1)

    assert (done.returncode, done.stdout) == (0, b"")
    assert b"Games: 2 sound (1 of them without an end), 0 not sound.\n" in done.stderr


def test_a_line_for_each_game(folder: Path) -> None:
    done = run("audit", "--all", folder, "--json", "--jobs", 1)
    answer = _decoded(done.stdout)
    soundness = [(entry["game"], entry["sound"]) for entry in answer if "sound" in entry]

    assert sorted(soundness) == sorted(
        [(GAMES[number], number not in (1, 5)) for number in (0, 1, 2, 3, 5)]
    )
    assert [entry["code"] for entry in answer if "sound" not in entry] == ["damaged"] * 3


@looped(
    "arguments",
    [
        ["audit", "--jobs", "2", "x.ndjson"],
        ["audit", "--all", "--jobs", "0", "x.ndjson"],
        ["audit", "--all", "-"],
        ["audit", "--all", "--nonsense"],
        ["audit"],
    ],
)
def test_usage(arguments: list[str]) -> None:
    done = run(*arguments)

    assert (done.returncode, done.stdout) == (2, b"")


def test_folder_without_games(tmp_path: Path) -> None:
    with pytest.raises(DamagedSource, match=r"no file whose name ends in \.ndjson or \.jsonl"):
        files_in(str(tmp_path))
    assert run("audit", "--all", tmp_path).returncode == 5


# --- the store ----------------------------------------------------------------------------------


def _insert(dsn: str, schema: str, games: list[list[bytes]]) -> None:
    every = sorted((row for game in games for row in rows(game)), key=lambda row: row.place)
    insert = SQL(
        "INSERT INTO {}.stored_events (originator_id, originator_version, topic, state) "
        "VALUES (%s, %s, %s, %s)"
    ).format(Identifier(schema))
    with psycopg.connect(dsn) as conn:
        conn.cursor().executemany(
            insert,
            [
                (UUID(row.game), json.loads(row.stored)["seq"], row.topic, row.stored)
                for row in every
            ],
        )


@pytest.fixture
def log(postgres_dsn: str, fresh_schema: str, monkeypatch: pytest.MonkeyPatch) -> str:
    """The schema of a log with four good games, one that goes on, and two that are wrong."""
    games = [*(list(_game(number)) for number in (0, 1, 2, 3)), list(_game(4)[:20])]
    _insert(postgres_dsn, fresh_schema, [*games, _gap(5), _edited(6)])

    @contextmanager
    def here(folder: Path | None) -> Iterator[str]:
        yield postgres_dsn

    monkeypatch.setattr(inputs, "default_dsn", here)
    monkeypatch.setattr(work, "EVENTS", 150)
    return fresh_schema


def test_store(log: str, capsysbinary: pytest.CaptureFixture[bytes]) -> None:
    with pytest.raises(SystemExit) as ended:
        app(["audit", "--all", "--schema", log, "--jobs", "1"])
    printed = capsysbinary.readouterr()
    findings = _decoded(printed.out)

    assert [(finding["code"], finding["game"], finding.get("place")) for finding in findings] == [
        ("gap", GAMES[5], None), ("outcome_differs", GAMES[6], None),
    ]  # fmt: skip
    assert ended.value.code == 1
    assert b"Games: 5 sound (1 of them without an end), 2 not sound.\n" in printed.err


def test_store_as_of_one_moment(postgres_dsn: str, log: str) -> None:
    """A game that goes on meanwhile, and one that begins, change nothing."""
    task = partial(batch.audit_part, every=True)
    with run_on_all(
        task, (), StoreOptions(postgres_dsn, schema=log), Workers(1), "auditing"
    ) as judged:
        first = next(judged)
        _insert(postgres_dsn, log, [list(_game(4)[20:]), [*short_game(str(UUID(int=99)), "new")]])
        verdicts = [verdict for part in (first, *judged) for verdict in part.verdicts]

    assert [verdict.game for verdict in verdicts] == GAMES
    assert (verdicts[4].status, verdicts[4].events) == ("unfinished", 20)


def test_parts_are_the_whole_store(postgres_dsn: str, log: str) -> None:
    with parts_of_store(postgres_dsn, log, 1, 2) as (total, some):
        made = list(some)
        games = [row.game for part, _ in made for row in read_part(part)]

    assert [len(part.games) for part, _ in made] == [1] * len(GAMES) + [0]
    assert list(dict.fromkeys(games)) == GAMES
    assert total == len(games) == sum(size for _, size in made)
    with parts_of_store(postgres_dsn, log, 10**9, 3) as (_, some):
        assert [len(part.games) for part, _ in some] == [3, 3, 1, 0]


def test_parts_end_where_they_ended_before(postgres_dsn: str, log: str) -> None:
    with parts_of_store(postgres_dsn, log, 10**9, 2) as (_, some):
        before = [part.games for part, _ in some]
    new = str(UUID(int=19)), str(UUID(int=99))  # the first and the last of all
    _insert(postgres_dsn, log, [[*short_game(game, "new")] for game in new])
    ends = [games[-1] for games in before[:-2]]
    with parts_of_store(postgres_dsn, log, 10**9, 2, ends=ends) as (_, some):
        after = [part.games for part, _ in some]
    assert after[2:4] == before[1:3]
    assert [game for games in after for game in games] == [new[0], *GAMES, new[1]]


def test_an_audit_of_a_store_goes_on(
    postgres_dsn: str, log: str, tmp_path: Path,
    capsysbinary: pytest.CaptureFixture[bytes], monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    """Games have begun and gone on meanwhile, and one was falsified."""
    monkeypatch.setattr(work, "EVENTS", 1)
    audit = ["audit", "--all", "--json", "--schema", log, "--jobs", "1"]
    results = tmp_path / "results"

    def printed(*more: str) -> bytes:
        with pytest.raises(SystemExit):
            app([*audit, *more])
        return capsysbinary.readouterr().out

    alone = printed()
    assert printed("--resume", str(results)) == alone
    whole = results.read_bytes().splitlines(keepends=True)
    assert len(whole) == 1 + len(GAMES)
    assert postgres_dsn.encode() not in results.read_bytes()
    results.write_bytes(b"".join(whole[:4]))
    assert printed("--resume", str(results)) == alone
    assert len(results.read_bytes().splitlines()) == 1 + len(GAMES)
    _insert(postgres_dsn, log, [list(_game(4)[20:]), [*short_game(str(UUID(int=9)), "new")]])
    with psycopg.connect(postgres_dsn) as conn:
        table = SQL("{}.stored_events").format(Identifier(log))
        conn.execute(SQL("ALTER TABLE {} DISABLE TRIGGER USER").format(table))
        conn.execute(
            SQL(
                "UPDATE {} SET state = %s WHERE originator_id = %s AND originator_version = 3"
            ).format(table),
            (b"{}", UUID(GAMES[2])),
        )
    changed = printed()
    assert changed != alone
    assert printed("--resume", str(results)) == changed
    assert len(results.read_bytes().splitlines()) == 1 + len(GAMES) + 3


def test_moment_that_has_passed(postgres_dsn: str, log: str) -> None:
    with pytest.raises(StoreUnreachable):
        list(read_part(LogPart(postgres_dsn, log, "00000000-00000000-1", (GAMES[0],))))


def test_some_games_of_the_store(
    log: str, folder: Path, capsysbinary: pytest.CaptureFixture[bytes]
) -> None:
    """Together with a file, and one that the store has not."""
    named = [GAMES[0], GAMES[5], str(folder / "a.ndjson")]
    codes = []
    for targets in (named, [GAMES[0], str(UUID(int=99))]):
        with pytest.raises(SystemExit) as ended:
            app(["audit", "--all", *targets, "--schema", log, "--jobs", "1"])
        codes.append(ended.value.code)
    findings = _decoded(capsysbinary.readouterr().out)

    assert [(finding["code"], finding["game"]) for finding in findings] == [
        ("gap", GAMES[5]), ("outcome_differs", GAMES[1]),
    ]  # fmt: skip
    assert codes == [1, 4]


def _of_store(dsn: str, schema: str) -> CompletedProcess[bytes]:
    return run("audit", "--all", "--jobs", 1, "--database-url", dsn, "--schema", schema)


def test_empty_store(postgres_dsn: str, fresh_schema: str) -> None:
    done = _of_store(postgres_dsn, fresh_schema)
    assert (done.returncode, done.stdout) == (0, b"")


def test_no_store(postgres_dsn: str, empty_schema: str) -> None:
    done = _of_store(postgres_dsn, empty_schema)
    assert (done.returncode, done.stdout) == (3, b"")
    assert b"run `phaseledger admin migrate`" in done.stderr
