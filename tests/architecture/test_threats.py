"""docs/evidence.md: each threat that is said to be caught names tests, and they are there."""

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
SECTION = (ROOT / "docs/evidence.md").read_text().partition("\n## Threats\n")[2]
ROWS = [
    [cell.strip() for cell in line.strip("|").split("|")]
    for line in SECTION.partition("\n## ")[0].splitlines()
    if line.startswith("| ")
][1:]


def test_there_are_threats() -> None:
    """Five columns: the attack, what catches it, who, what is left, and the tests."""
    assert len(ROWS) > 20
    assert {len(row) for row in ROWS} == {5}


@pytest.mark.parametrize("row", ROWS, ids=[row[0][:40] for row in ROWS])
def test_each_threat_names_tests_that_are_there(row: list[str]) -> None:
    _, what, who, _, tests = row
    named = re.findall(r"`([\w/.]+)::(\w+)`", tests)
    assert (what != "", who != "", named != []) == (True, True, True)
    for file, name in named:
        tree = ast.parse((ROOT / file).read_text())
        assert name in {
            statement.name for statement in tree.body if isinstance(statement, ast.FunctionDef)
        }, name
