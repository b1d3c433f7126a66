"""Tables of games: the same as the records say, in memory, in Parquet, and in the documentation."""

import json
import re
import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any, get_args

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from msgspec import structs, to_builtins

from phaseledger.domain.evidence.codec import UnreadableEvent
from phaseledger.replay.batch.pool import Workers
from phaseledger.replay.cli.main import app
from phaseledger.replay.laboratory.columns import parquet
from phaseledger.replay.laboratory.columns.rows import by_topic, of_rows, tables
from phaseledger.replay.laboratory.columns.schema import ANALYSIS_TABLES, TABLES, TableName, Tables
from phaseledger.replay.laboratory.simulate.game import play
from phaseledger.replay.laboratory.simulate.journal import Run
from phaseledger.replay.laboratory.simulate.run import play_run
from phaseledger.replay.terminal import UsageError
from tests.support.campaigns import sampled
from tests.support.cases import looped
from tests.support.replay.game_beginnings import BEGINNINGS, stored
from tests.support.replay.log_edits import rows, short_game, trees
from tests.support.replay.simulation_runs import PLANS

ROOT = Path(__file__).parents[4]

Values = dict[TableName, list[dict[str, Any]]]


def values(made: Tables) -> Values:
    return to_builtins(made)  # type: ignore[no-any-return]


def read_back(out: Path) -> Values:
    return {
        table: pa.concat_tables(
            pq.read_table(path, partitioning=None) for path in sorted((out / table).iterdir())
        ).to_pylist()
        for table in TABLES
    }


def merged(parts: Sequence[Values]) -> Values:
    return {table: [row for part in parts for row in part[table]] for table in TABLES}


@pytest.mark.parametrize("plan", sampled(PLANS, "classic", "board"))
def test_what_is_read_back_is_what_the_records_say(plan: str, tmp_path: Path) -> None:
    asked = Run(PLANS[plan], 3, format="parquet")
    play_run(asked, tmp_path / "run", Workers(1))
    lines = [play(asked.plan, index).lines for index in (1, 2, 3)]
    whole = read_back(tmp_path / "run")
    assert whole == merged([values(tables(i, by_topic(some))) for i, some in enumerate(lines, 1)])
    assert whole == merged(list(map(values, of_rows(rows([x for some in lines for x in some])))))
    for index, some in enumerate(lines, 1):
        agree(whole, index, [json.loads(line) for line in some])


def agree(whole: Values, game: int, records: Sequence[dict[str, Any]]) -> None:
    """Hold the rows of a game against counts made of its JSON, without the program's decoder."""
    mine = {table: [row for row in rows if row["game"] == game] for table, rows in whole.items()}
    (summary,) = mine["games"]
    events = mine["events"]
    kinds = Counter(record["type"].removesuffix("/1") for record in records)
    data: dict[str, list[dict[str, Any]]] = {}
    for record in records:
        data.setdefault(record["type"], []).append(record["data"])

    assert Counter(row["type"] for row in events) == kinds
    assert [row["seq"] for row in events] == [*range(1, len(records) + 1)]
    assert summary["events"] == len(records)
    assert summary["decisions"] == sum("act" in record["data"] for record in records)
    assert sum(row["decision"] for row in events) == summary["decisions"]
    assert (summary["id"], summary["rounds"]) == (records[0]["game"], kinds["RoundDealt"])
    assert summary["turns"] == len(mine["turns"]) == kinds["TurnBegan"] + kinds["SkipServed"]
    assert sum(row["turns"] for row in mine["rounds"]) == summary["turns"]
    assert len(mine["rounds"]) == sum(len(dealt["players"]) for dealt in data["RoundDealt/1"])
    if ended := data.get("GameEnded/1"):
        assert (summary["status"], summary["winners"]) == ("finished", ended[0]["winners"])
    for result, row in zip(
        [score for rounds in data.get("RoundEnded/1", ()) for score in rounds["results"]],
        [row for row in mine["rounds"] if row["points"] is not None],
        strict=True,
    ):
        assert (row["points"], row["total"]) == (result["points"], result["total"])
        assert (row["laid"] or 0, row["next_phase"]) == (result["laid"], result["phase"])
    cards = [row for row in events if row["type"] in ("CardDrawn", "CardDiscarded", "SkipPlaced")]
    assert [row["card"] or row["cards"] for row in cards] == [
        moved_card(record)
        for record in records
        if record["type"] in ("CardDrawn/1", "CardDiscarded/1", "SkipPlaced/1")
    ]
    hits = [row["card"] or row["cards"] for row in events if row["type"] == "CardsHit"]
    assert hits == [hit["cards"] for hit in data.get("CardsHit/1", ())]
    assert sum(row["hits"] for row in mine["turns"]) == sum(len(hit.split()) for hit in hits)


def moved_card(record: dict[str, Any]) -> str:
    """The card of a draw or discard, hidden or not; of a card game, where it is one."""
    data, hidden = record["data"], record.get("hidden", {})
    shown = data.get("card") or data.get("cards")
    return shown or next(secret["card"] for secret in hidden.values() if "card" in secret)


@looped("name", BEGINNINGS)
def test_rows_of_every_kind_of_event(name: str) -> None:
    """Beginnings chosen for their variety, unfinished as they are."""
    (made,) = of_rows(rows(stored(name)))
    columns = {table: batch.to_pylist() for table, batch in parquet.batches(made).items()}
    assert columns == values(made)
    assert made.games[0].status == "unfinished"
    agree(values(made), 1, [json.loads(line) for line in stored(name)])


def test_interleaved_games_are_numbered_by_their_beginnings() -> None:
    first, second = short_game(), short_game(seed="b", gid="00000000-0000-0000-0000-000000000009")
    mixed = [*second[:3], *first, *second[3:]]
    made = list(of_rows(rows(mixed)))
    assert [(columns.games[0].game, columns.games[0].events) for columns in made] == [
        (2, len(first)),
        (1, len(second)),
    ]


@looped(
    ("damage", "message"),
    [
        (lambda game: game[1:], "its first event is SeatTaken/1, not GameOpened/1"),
        (lambda game: [*game[:9], *game[10:]], "event 11 stands where event 10 belongs"),
        (lambda game: [*game[:4], game[3], *game[4:]], "event 4 stands where event 5 belongs"),
        (lambda game: [game[0], game[1] | {"data": {"seat": 9, "name": "", "commit": ""}}],
         "event 2 contradicts those before it"),
        (lambda game: [game[0], game[1] | {"data": {}}], "missing required field"),
        (lambda game: [game[0] | {"type": "New/1"}], "unknown event type 'New/1'"),
    ],
)  # fmt: skip
def test_what_is_no_game_makes_no_rows(damage: Any, message: str) -> None:
    with pytest.raises(ValueError, match=re.escape(message)) as refused:
        list(of_rows(rows(damage(trees()))))
    assert str(refused.value).startswith("game 0000")
    assert not isinstance(refused.value, UnreadableEvent)


def test_an_event_takes_three_bytes(tmp_path: Path) -> None:
    """Whole files of whole games, footer and dictionaries included; more games take less."""
    plan = structs.replace(PLANS["express"], options={}, players=4, bots=("greedy",))
    tally = play_run(Run(plan, 12, format="parquet"), tmp_path / "run", Workers(1))
    (file,) = (tmp_path / "run" / "events").iterdir()
    assert pq.read_metadata(file).num_rows == tally.events
    assert file.stat().st_size <= 3 * tally.events


NAMES = {
    int: "int",
    str: "text",
    bool: "bool",
    float: "number",
    list[int]: "list of int",
    list[str]: "list of text",
}


def name_of(kind: object) -> str:
    arguments = get_args(kind)
    if type(None) in arguments:
        return f"{name_of(arguments[0])}?"
    return NAMES.get(kind, "text")  # type: ignore[call-overload,no-any-return]


@looped("table", TABLES | ANALYSIS_TABLES)
def test_the_columns_are_documented(table: TableName) -> None:
    text = (ROOT / "docs" / "reference" / "tables.md").read_text()
    section = re.split(r"^### ", text, flags=re.MULTILINE)
    (about,) = (part for part in section if part.startswith(f"{table}\n"))
    written = re.findall(r"^\| `(\w+)` \| ([^|]+) \| [^|]+ \|$", about, flags=re.MULTILINE)
    assert written == [
        (field.name, name_of(field.type))
        for field in structs.fields((TABLES | ANALYSIS_TABLES)[table])
    ]
    assert [field.nullable for field in parquet.schema(table)] == [
        kind.endswith("?") for _, kind in written
    ]


def test_without_pyarrow(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for module in [name for name in sys.modules if name.partition(".")[0] == "pyarrow"]:
        monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(UsageError, match=r"pip install 'phaseledger\[analysis\]'"):
        parquet.require()
    with pytest.raises(SystemExit) as ended:
        app(["simulate", "--seed", "x", "--format", "parquet", "--out", str(tmp_path / "x")])
    assert (ended.value.code, [*tmp_path.iterdir()]) == (2, [])
