"""docs/reference/evidence.md: each threat that is said to be caught names tests that exist."""

import ast
import re
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SECTION = (ROOT / "docs/reference/evidence.md").read_text().partition("\n## Threats\n")[2]
ROWS = [
    [cell.strip() for cell in line.strip("|").split("|")]
    for line in SECTION.partition("\n## ")[0].splitlines()
    if line.startswith("| ")
][1:]


def test_there_are_threats() -> None:
    """Five columns: the attack, what catches it, who, what is left, and the tests."""
    assert len(ROWS) > 20
    assert {len(row) for row in ROWS} == {5}


@cache
def functions(file: str) -> set[str]:
    """The functions of a file of tests."""
    body = ast.parse((ROOT / file).read_text()).body
    kinds = ast.FunctionDef | ast.AsyncFunctionDef
    return {statement.name for statement in body if isinstance(statement, kinds)}


def test_each_threat_names_tests_that_are_there() -> None:
    for threat, what, who, _, tests in ROWS:
        named = re.findall(r"`([\w/.]+)::(\w+)`", tests)
        assert (what != "", who != "", named != []) == (True, True, True), threat
        assert [name for file, name in named if name not in functions(file)] == [], threat
