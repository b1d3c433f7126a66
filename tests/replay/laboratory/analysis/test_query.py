"""Questions in SQL: right answers in every form, nothing else read, nothing written."""

import csv
import io
import json
import re
import shlex
import signal
import subprocess
import sys
import time
from contextlib import chdir
from pathlib import Path
from shutil import copytree
from typing import Any

import pytest

from phaseledger.replay.batch.pool import Workers
from phaseledger.replay.cli.main import app
from phaseledger.replay.laboratory.columns.schema import TABLES
from phaseledger.replay.laboratory.simulate.game import play
from phaseledger.replay.laboratory.simulate.run import play_run
from tests.support.cases import looped
from tests.support.children import finished
from tests.support.replay.processes import COMMAND, ENVIRON, ROOT, run
from tests.support.replay.simulation_runs import SHORT, content, run_of

QUERY = re.compile(r'phaseledger query (?:--csv )?("SELECT [^"]*" cup)')


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One run of six games in both forms, in a folder whose name wants quoting."""
    folder = tmp_path_factory.mktemp("it's a")
    play_run(run_of(6), folder / "cup.ndjson", Workers(1))
    play_run(run_of(6, "parquet"), folder / "cup", Workers(1))
    return folder


@pytest.fixture
def ask(made: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Any:
    monkeypatch.chdir(made)

    def asked(*arguments: str) -> tuple[object, str, str]:
        with pytest.raises(SystemExit) as ended:
            app(["query", *arguments])
        shown = capsys.readouterr()
        return ended.value.code, shown.out, shown.err

    return asked


def test_both_forms_answer_alike(ask: Any) -> None:
    for table in TABLES:
        sql = f"SELECT * EXCLUDE file FROM {table} ORDER BY ALL"
        (code, first, _), (_, second, _) = (
            ask("--json", sql, name) for name in ("cup", "cup.ndjson")
        )
        assert (code, json.loads(first)) == (0, json.loads(second)), table
        assert len(json.loads(first)) >= 6


def test_the_name_of_a_folder_changes_no_value(ask: Any, made: Path) -> None:
    """Neither partitions in the style of Hive nor globs are read out of it."""
    sql = "SELECT * EXCLUDE file FROM games ORDER BY ALL"
    plain = ask("--json", sql, "cup")
    assert plain[0] == 0
    for name in ("seat=2", "[x]", "*", "q?", "{a,b}"):
        for folder in (name, "x", "qq"):  # what a glob would find
            copytree(made / "cup", made / folder / "cup", dirs_exist_ok=True)
        assert ask("--json", sql, f"{name}/cup") == plain, name


def test_a_column_that_is_a_word_of_sql_wants_quotation_marks(ask: Any) -> None:
    for table, column in (("rounds", "left"), ("events", "at"), ("events", "group")):
        code, _, err = ask("--csv", f"SELECT {column}::text FROM {table}", "cup")
        assert code == 2
        assert f'"{column}"' in err.partition("need quotation marks")[0]
        assert ask("--csv", f'SELECT "{column}"::text FROM {table}', "cup")[0] == 0


PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]


def test_the_lines_of_the_readme_and_the_docs_answer_something(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (line,) = re.findall(r"phaseledger (simulate .* cup)\n", PAGES[0].read_text("utf-8"))
    assert run(*shlex.split(line.replace("100000", "4"))).returncode == 0
    lines = [line for page in PAGES for line in QUERY.findall(page.read_text("utf-8"))]
    assert len(lines) >= 4
    for line in lines:
        done = run("query", "--json", *shlex.split(line))
        assert len(json.loads(done.stdout)) > 1, line


def test_an_unfinished_run_answers_with_what_is_whole(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    play_run(run_of(2, "parquet"), Path("cup"), Workers(1))
    for table in TABLES:
        (part,) = Path("cup", table).iterdir()
        for name in ("000000003-000000004.parquet", ".000000003-000000004.parquet.part"):
            part.with_name(name).write_bytes(part.read_bytes())
    with pytest.raises(SystemExit):
        app(["query", "--csv", "SELECT count(*) AS n FROM games", "cup"])
    assert capsys.readouterr().out == "n\n2\n"


VALUES = (
    "SELECT 'a, \"b\"' AS text, 1 AS n, 0.1 AS f, true AS yes, NULL AS none, [1, 2] AS many, "
    "DATE '2026-01-02' AS day, 170141183460469231731687303715884105727::HUGEINT AS huge, "
    "'nan'::DOUBLE AS nan, {'a': 1} AS both, 1.50::DECIMAL(4, 2) AS money"
)


def test_values_in_json_and_in_csv(ask: Any) -> None:
    huge = 170141183460469231731687303715884105727
    assert json.loads(ask("--json", VALUES, "cup")[1]) == [
        {"text": 'a, "b"', "n": 1, "f": 0.1, "yes": True, "none": None, "many": [1, 2],
         "day": "2026-01-02", "huge": huge, "nan": None, "both": {"a": 1}, "money": 1.5},
    ]  # fmt: skip
    header, row = csv.reader(io.StringIO(ask("--csv", VALUES, "cup")[1]))
    assert dict(zip(header, row, strict=True)) == {
        "text": 'a, "b"', "n": "1", "f": "0.1", "yes": "true", "none": "", "many": "[1,2]",
        "day": "2026-01-02", "huge": str(huge), "nan": "nan", "both": '{"a":1}', "money": "1.50",
    }  # fmt: skip
    for form, empty in (("--csv", "a\n"), ("--json", "[]\n")):
        assert ask(form, "SELECT 1 AS a WHERE false", "cup") == (0, empty, "")


def test_a_table_is_aligned_and_obeys_no_control_characters(ask: Any) -> None:
    sql = "SELECT * FROM (VALUES ('discard', 5, 0.25), ('pile', 12345, NULL)) t(source, n, share)"
    assert ask(sql, "cup")[1].splitlines() == [
        "source       n  share",
        "-------  -----  -----",
        "discard      5   0.25",
        "pile     12345",
    ]
    assert "\x1b" not in ask("SELECT chr(27) || '[2J' AS a", "cup")[1]


def test_a_long_table_and_a_long_value_are_cut_and_say_so(ask: Any) -> None:
    _, out, err = ask("FROM range(1001)", "cup")
    assert out.count("\n") == 1002
    assert err == "There are more than these 1,000 rows: --csv and --json give all.\n"
    assert ask("--csv", "FROM range(1001)", "cup")[1].count("\n") == 1002
    sql = "SELECT repeat('a', 60) AS whole, repeat('b', 61) AS cut"
    _, out, err = ask(sql, "cup")
    assert out.splitlines()[2] == f"{'a' * 60}  {'b' * 59}\N{HORIZONTAL ELLIPSIS}"
    assert "are cut at 60 characters" in err
    assert ask("--csv", sql, "cup")[1:] == (f"whole,cut\n{'a' * 60},{'b' * 61}\n", "")


@pytest.fixture
def wrong(tmp_path: Path) -> Path:
    """A folder with a whole run, and with files that are damaged or no games."""
    play_run(run_of(1, "parquet"), tmp_path / "cup", Workers(1))
    for name in ("empty", "gone", "odd", "mad"):
        copytree(tmp_path / "cup", tmp_path / name)
    journal = json.loads((tmp_path / "empty/run.json").read_text())
    (tmp_path / "empty/run.json").write_text(json.dumps(journal | {"parts": []}))
    next((tmp_path / "gone/turns").iterdir()).unlink()
    next((tmp_path / "odd/turns").iterdir()).write_bytes(b"PAR1 no, it is not PAR1")
    (tmp_path / "mad/run.json").write_text("[" * 100_000)
    lines = play(SHORT, 1).lines
    (tmp_path / "half.ndjson").write_bytes(b"\n".join(lines[:9])[:-5])
    (tmp_path / "late.ndjson").write_bytes(b"\n".join(lines[1:9]) + b"\n")
    return tmp_path


NOTHING_ELSE = "A query reads the files that are given beside it, and nothing else."
REFUSED = {
    "selec": 'Parser Error: syntax error at or near "selec" (LINE 1: selec)',
    "SELECT * FROM evnts": "There are games, rounds, turns, events.",
    "SELECT nope FROM games": 'Binder Error: Referenced column "nope" not found',
    "": "Give one SELECT; these are 0 statements.",
    "COPY games TO 'cup.ndjson'": "nothing is changed; this is COPY.",
    "EXPLAIN ANALYZE COPY games TO 'x.csv'": "nothing is changed; this is EXPLAIN.",
    "INSTALL httpfs": "nothing is changed; this is LOAD.",
    "SET enable_external_access = true": "nothing is changed; this is SET.",
    "SELECT * FROM query('COPY games TO ''x.csv''')": "Expected a single SELECT statement",
    "SELECT * FROM read_text('other.csv')": NOTHING_ELSE,
    "SELECT * FROM read_csv('/etc/passwd')": NOTHING_ELSE,
    "SELECT * FROM read_parquet('https://example.org/x.parquet')": NOTHING_ELSE,
    "SELECT * FROM sources": "Table with name sources does not exist",
    "SELECT " + "(" * 200: "Error",
    "SELECT '\udc80'": "The question is not UTF-8 text.",
}


@looped("sql", REFUSED)
def test_refused(sql: str, ask: Any, made: Path) -> None:
    (made / "other.csv").write_text("a\n1\n")
    before = content(made)
    code, out, err = ask(sql, "cup", "cup.ndjson")
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert REFUSED[sql] in err
    assert content(made) == before


@looped(
    ("arguments", "code", "message"),
    [
        (["SELECT 1"], 2, "Say which games"),
        (["SELECT 1", "cup", "cup"], 2, "cup and cup are the same"),
        (["--csv", "--json", "SELECT 1", "cup"], 2, "exclude one another"),
        (["--json", "SELECT 1 AS a, 2 AS a", "cup"], 2, "Two columns are called a"),
        (["SELECT 1", "--nope"], 2, "There is no option --nope"),
        (["SELECT 1", "\udc80"], 2, "The name of a file is not UTF-8 text."),
        (["SELECT 1", "nope"], 5, "nope: cannot be read: No such file or directory."),
        (["SELECT 1", "."], 5, ".: is no folder of games"),
        (["SELECT 1", "cup/run.json"], 5, "cup/run.json:1: the line is no event"),
        (["SELECT 1", "x.parquet"], 5, "x.parquet: give the folder of the run"),
        (["SELECT 1", "half.ndjson"], 5, "half.ndjson:9: the last line is cut"),
        (["SELECT 1", "late.ndjson"], 5, "its first event is SeatTaken/1"),
        (["SELECT 1", "empty"], 5, "holds no whole part yet"),
        (["SELECT 1", "gone"], 5, "is gone; run.json tells of it."),
        (["SELECT 1", "odd"], 5, "The files of the table turns cannot be read"),
        (["SELECT 1", "mad"], 5, "that is no journal of a run"),
    ],
)
def test_wrong_usage_and_wrong_files(
    arguments: list[str], code: int, message: str, wrong: Path, ask: Any
) -> None:
    with chdir(wrong):
        ended, out, err = ask(*arguments)
    assert (ended, out) == (code, "")
    assert message in err


def test_an_interrupt_ends_a_query_at_once(made: Path, tmp_path: Path) -> None:
    """DuckDB stops between rows only: within a value the process has to end without it."""
    sql = "SELECT levenshtein(repeat('ab', 300000), repeat('ba', 300000))"
    process = subprocess.Popen(
        [*COMMAND, "query", sql, "cup.ndjson"],
        cwd=made,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={**ENVIRON, "TMPDIR": str(tmp_path)},
        # A job that a shell started in the background ignores interrupts, and so would its heirs.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )
    try:
        while not [*tmp_path.iterdir()]:
            assert process.poll() is None
            time.sleep(0.05)
        time.sleep(1)
        process.send_signal(signal.SIGINT)
        printed = finished(process)
    finally:
        process.kill()

    assert (process.returncode, *printed) == (130, b"", b"Interrupted.\n")
    assert not [*tmp_path.iterdir()]


def test_without_duckdb(ask: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "duckdb", None)
    assert ask("SELECT 1", "cup") == (
        2,
        "",
        "Queries need DuckDB, which is not installed: pip install 'phaseledger[analysis]'.\n",
    )
