"""Logs that are no games, or no whole ones, in a report on many games."""

import json
import re
from collections import Counter
from typing import Any

from phaseledger.replay.laboratory.columns.rows import of_rows
from phaseledger.replay.laboratory.report.games import Sorter
from tests.support.cases import looped
from tests.support.replay.bundle_variety import stored
from tests.support.replay.report_games import games, only, rows, studied


def changed(name: str, kind: str, **fields: object) -> list[bytes]:
    lines = list(games(name, 1)[0])
    place = next(n for n, line in enumerate(lines) if f'"{kind}/1"'.encode() in line)
    tree = json.loads(lines[place])
    tree["data"].update(fields)
    lines[place] = json.dumps(tree, separators=(",", ":"), sort_keys=True).encode()
    return lines


@looped(
    ("kind", "fields", "message"),
    [
        ("RoundDealt", {"stock": 2**40}, "more cards than there are"),
        ("RoundDealt", {"hands": [2**40] * 3}, "more cards than there are"),
        ("RoundDealt", {"discard": "R1 R1 R1"}, "the cards dealt are not the deck"),
        ("RoundDealt", {"phases": "many"}, "does not follow"),
        ("TurnBegan", {"seat": 9}, "does not follow"),
        ("PhaseLaid", {"phase": 77}, "does not follow"),
        ("GameOpened", {"seats": 2**30}, "is not what its opener asked for"),
        ("CardDrawn", {"source": "sleeve"}, "does not follow"),
    ],
)
def test_a_damaged_game_is_left_out_and_told(
    kind: str, fields: dict[str, Any], message: str
) -> None:
    study = studied(changed("classic", kind, **fields), games("classic", 2)[1])
    assert study.left_out["damaged"] == 1
    assert message in study.first_faults[0]
    assert [chapter.games for chapter in study.chapters.values()] == [1]


def test_numbers_beyond_measure() -> None:
    result = {"points": 10**30, "total": 1, "laid": 0, "phase": 1}
    lines = [re.sub(rb'"turn":\d+', b'"turn":99999999999', line) for line in games("classic", 2)[1]]
    study = studied(changed("classic", "RoundEnded", results=[result] * 3), lines)
    assert [fault.rpartition(": ")[2] for fault in study.first_faults] == [
        "a number in it is out of all measure"
    ] * 2


def test_tables_for_tests_are_left_out() -> None:
    first, second = games("classic", 2)
    study = studied(stored("scripted"), first, stored("scripted-board"), second)
    assert study.left_out == Counter({"for tests": 2})
    assert [chapter.games for chapter in study.chapters.values()] == [2]
    assert [tables.games[0].id for tables in of_rows(rows([*stored("scripted"), *first]))] == [
        json.loads(first[0])["game"]
    ]


def test_games_are_told_apart_and_counted_once_whole() -> None:
    first, second = games("classic", 2)
    study = studied(first, first, second[:-1])
    assert study.left_out == {"repeated": 1, "not over": 1}
    assert [chapter.games for chapter in study.chapters.values()] == [1]
    mixed = [line for pair in zip(first, second, strict=False) for line in pair]
    short = min(len(first), len(second))
    assert only(studied([*mixed, *first[short:], *second[short:]])).games == 2


def test_memory_holds_open_games_only() -> None:
    left: Counter[str] = Counter()
    sorter = Sorter(left)
    for _ in sorter.games(row for lines in games("express", 4) for row in rows(lines)):
        assert (len(sorter._open), len(sorter._size)) == (0, 0)
