"""Every rule of the catalogue that is built has a test that carries its ID."""

import re
from pathlib import Path

HERE = Path(__file__).parent
ID = re.compile(r"[CT]-P?\d+")


def carried() -> set[str]:
    """IDs in the names, docstrings and case tables of the tests."""
    found: set[str] = set()
    for file in HERE.glob("test_*.py"):
        if file.name == Path(__file__).name:
            continue
        text = file.read_text()
        found |= set(ID.findall(text))
        for name in re.findall(r"def test_((?:[ct]_p?\d+_(?:to_)?)+)", text):
            parts = re.findall(r"([ct])_(p?)(\d+)", name)
            found |= {f"{game}-{kind}{number}".upper() for game, kind, number in parts}
            if "_to_" in name:
                (game, kind, first), (_, _, last) = parts[0], parts[-1]
                numbers = range(int(first), int(last) + 1)
                found |= {f"{game}-{kind}{n:02}".upper() for n in numbers}
    return found


def test_every_rule_is_tested() -> None:
    """C-01..C-75, C-P01..C-P10 and T-01..T-03."""
    missing = sorted(set((HERE / "rule-ids.txt").read_text().split()) - carried())
    assert missing == []


def test_every_worked_case_is_a_row() -> None:
    """Section 8: the cases of the classic game, of Twist and of all games."""
    files = [file for file in HERE.glob("test_*.py") if file.name != Path(__file__).name]
    text = "".join(file.read_text() for file in files)
    missing = [case for case in CASES.split() if case not in text]
    assert missing == []


CASES = """
HC-001 HC-002 HC-003 HC-008 HC-010 HC-011 HC-012 HC-015 HC-016 HC-017 HC-018 HC-019 HC-020 HC-021
HC-022 HC-024 HC-025 HC-027 HC-028 HC-029 HC-030 HC-100 HC-101 HC-103 HC-104 HC-105 HC-106 HC-109
HC-154 HC-155 HC-156 HC-157 HC-166 HC-167 HC-168 HC-170 HC-172 HC-174 HC-180 HC-184 HC-192 HC-197
HC-198 HC-201 HC-203 HC-210 HC-212
"""
