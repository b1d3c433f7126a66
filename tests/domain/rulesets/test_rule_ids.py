"""Every rule of the catalogue has a test that carries its ID, and every worked case is a row."""

import re
from pathlib import Path

HERE = Path(__file__).parent
ID = re.compile(r"\b[CTDXB]-P?\d+")
NAMED = re.compile(r"def test_((?:[ctdxb]_p?\d+_(?:to_)?)+)")
RANGE = re.compile(r"\b([CTDXB]-P?)(\d+)(?: to | \.\. )\1(\d+)")
WORKED = HERE.parents[1] / "support" / "worked-cases.txt"
ITSELF = Path(__file__).name
GAMES = {
    "C": ("test_worked_card_games.py", "test_classic*.py"),
    "T": ("test_classic*.py",),
    "D": ("test_worked_card_games.py", "test_standard_deck.py"),
    "X": ("test_worked_card_games.py",),
    "B": ("test_worked_board.py", "test_board*.py"),
}
"""Where the rows of each game's worked cases stand."""


def carried(text: str) -> set[str]:
    """IDs in the names, docstrings and tables of tests; `to` between two of them is a range."""
    ids = set(ID.findall(text))
    for game, first, last in RANGE.findall(text):
        ids |= {f"{game}{number:02}" for number in range(int(first), int(last) + 1)}
    for name in NAMED.findall(text):
        parts = re.findall(r"([ctdxb])_(p?)(\d+)", name)
        ids |= {f"{game}-{kind}{number}".upper() for game, kind, number in parts}
        if "_to_" in name:
            (game, kind, first), (_, _, last) = parts[0], parts[-1]
            numbers = range(int(first), int(last) + 1)
            ids |= {f"{game}-{kind}{n:02}".upper() for n in numbers}
    return ids


def texts(*patterns: str) -> str:
    """The test files of those names, this one left out."""
    files = {
        file for pattern in patterns for file in HERE.parent.rglob(pattern) if file.name != ITSELF
    }
    return "".join(file.read_text() for file in files)


def test_every_rule_is_tested() -> None:
    """Sections 1 to 5: C, T-01 to T-03, D, X and B."""
    missing = set((HERE / "rule-ids.txt").read_text().split()) - carried(texts("test_*.py"))
    assert sorted(missing) == []


def test_every_worked_case_is_a_row() -> None:
    """Section 8: each case stands in the table of each game it names."""
    rows = {game: texts(*files) for game, files in GAMES.items()}
    for game in "CDXB":  # sections 8.1 and 8.2 are read from a file
        rows[game] += WORKED.read_text()
    missing = []
    for line in (HERE / "worked-cases.txt").read_text().splitlines():
        case, *games = line.split()
        missing += [f"{case} {game}" for game in games if case not in rows[game]]
    assert missing == []
