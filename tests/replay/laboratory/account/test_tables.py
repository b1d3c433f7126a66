"""The tables of analyses: what is read back is what the documents say, and nothing by halves."""

from pathlib import Path
from typing import Any

import duckdb
import pyarrow.parquet as pq
import pytest
from msgspec.structs import replace

from phaseledger.domain.events import GameOpened
from phaseledger.domain.evidence.codec import decode
from phaseledger.domain.terms import Terms
from phaseledger.replay.cli.main import app
from phaseledger.replay.laboratory.account import tables
from phaseledger.replay.laboratory.account.analysis import AnalysisPlan, analyse
from phaseledger.replay.laboratory.account.tables import open_tables
from phaseledger.replay.laboratory.columns.rows import by_topic
from phaseledger.replay.laboratory.columns.schema import ANALYSIS_TABLES, TableName
from phaseledger.replay.laboratory.simulate.game import SimulationPlan, play
from tests.support.service.api_tables import rows_of

PLAN = SimulationPlan("tables", "express", 2, ("greedy", "expert"))


def read_back(out: Path) -> dict[TableName, list[dict[str, Any]]]:
    return {
        table: [
            row
            for path in sorted((out / table).iterdir())
            for row in pq.read_table(path).to_pylist()
        ]
        for table in ANALYSIS_TABLES
    }


def for_tests(game: list[tuple[str, bytes]]) -> list[tuple[str, bytes]]:
    """The game at a table for tests."""
    opened, *others = (decode(*record)[1] for record in game)
    assert isinstance(opened, GameOpened)
    assert opened.act
    asked = replace(opened.act.command, table=Terms(test=True))
    tested = replace(opened, table=Terms(test=True), act=replace(opened.act, command=asked))
    rows = rows_of([tested, *others])
    return [(row.topic, row.state) for row in rows]


def test_the_tables_say_what_the_documents_say(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tables, "_PART_ROWS", 1)  # files of their own for each game
    games = [[*by_topic(play(PLAN, index).lines)] for index in (1, 2)]
    analyses = [analyse(game, AnalysisPlan(worlds=2)) for game in (games[0], for_tests(games[1]))]
    out = tmp_path / "tables"
    with open_tables(out) as folder:
        for analysis in analyses:
            folder.add(analysis)
        assert not out.exists()
    assert [len([*(out / table).iterdir()]) for table in ANALYSIS_TABLES] == [2, 2, 2]
    read = read_back(out)
    for number, analysis in enumerate(analyses, 1):
        mine = {
            table: [row for row in rows if row["game"] == number] for table, rows in read.items()
        }
        of_game = {(row["id"], row["test"]) for row in mine["players"]}
        assert of_game == {(analysis.game, number == 2)}
        assert [row["luck"] for row in mine["players"]] == [p.luck for p in analysis.players]
        for name in ("start_points", "points"):
            shown = [getattr(player, name) for player in analysis.players]
            assert [row[name] for row in mine["players"]] == shown != [None, None]
        for row, decision in zip(mine["decisions"], analysis.decisions, strict=True):
            assert (row["seq"], row["cost"]) == (decision.seq, decision.cost)
            assert (row["played"] == row["best"]) == (decision.played == 0)
        changes = [change for luck in analysis.luck for change in luck.change]
        assert [row["change"] for row in mine["luck"]] == changes
    sums = duckdb.sql(
        f"SELECT abs(p.luck - sum(l.change)) FROM '{out}/players/*.parquet' p "
        f"JOIN '{out}/luck/*.parquet' l USING (game, seat) GROUP BY p.game, p.seat, p.luck"
    ).fetchall()
    assert len(sums) == 4
    assert max(sums)[0] < 1e-3


def command(*arguments: object) -> int:
    with pytest.raises(SystemExit) as ended:
        app(["analyse", "--jobs", "1", "--worlds", "0", *map(str, arguments)])
    return int(str(ended.value.code))


def test_a_folder_is_whole_or_not_there(tmp_path: Path) -> None:
    """What is there stays as it is, and a run that fails or finds nothing leaves nothing."""
    games, out = tmp_path / "games", tmp_path / "out"
    games.mkdir()
    out.mkdir()
    first, second = (play(PLAN, index).lines for index in (1, 2))
    damaged = [line.replace(b"CardDrawn/1", b"CardDrawn/9") for line in first]
    for name, lines in (("1", damaged), ("2", second)):
        (games / f"{name}.ndjson").write_bytes(b"".join(line + b"\n" for line in lines))
    assert command(games / "1.ndjson", "--parquet", out / "damaged") == 1
    assert command(games / "none.ndjson", "--parquet", out / "none") == 5
    assert [*out.iterdir()] == []
    assert command(games, "--parquet", out) == 1
    read = read_back(out)
    assert [len(rows) for rows in read.values()][:2] == [2, 0]
    assert command(games, "--parquet", out) == 2
    assert read_back(out) == read
    (tmp_path / "taken.part").mkdir()
    assert command(games, "--parquet", tmp_path / "taken") == 2
    assert {path.name for path in tmp_path.iterdir()} == {"games", "out", "taken.part"}
