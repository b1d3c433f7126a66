"""Each threat that is said to be caught has tests that exist, which `threats.txt` names."""

import ast
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs/explanation/what-evidence-proves.md").read_text()
ROWS = [
    [cell.strip() for cell in line.strip("|").split("|")]
    for line in PAGE.partition("\n## Threats\n")[2].partition("\n## ")[0].splitlines()
    if line.startswith("| ")
][1:]
TESTS: dict[str, list[str]] = {}
for line in Path(__file__).with_name("threats.txt").read_text().splitlines():
    if line.startswith("  "):
        [*TESTS.values()][-1].append(line.strip())
    else:
        TESTS[line] = []


def test_there_are_threats() -> None:
    """Four columns: the attack, what catches it, who, and what is left."""
    assert len(ROWS) > 20
    assert {len(row) for row in ROWS} == {4}


@cache
def functions(file: str) -> set[str]:
    """The functions of a file of tests."""
    body = ast.parse((ROOT / file).read_text()).body
    kinds = ast.FunctionDef | ast.AsyncFunctionDef
    return {statement.name for statement in body if isinstance(statement, kinds)}


def test_each_threat_has_tests_that_are_there() -> None:
    assert [*TESTS] == [row[0] for row in ROWS]
    for threat, what, who, _ in ROWS:
        assert (what != "", who != "", TESTS[threat] != []) == (True, True, True), threat
        named = [test.split("::") for test in TESTS[threat]]
        assert [name for file, name in named if name not in functions(file)] == [], threat
