"""What all benchmarks share: medians over interleaved rounds, rows with goals, and their JSON.

A script that makes figures has `main()` and takes `--json FILE` (what `write` writes), `--rounds`
and `--quick` (a smoke run of seconds); `all.py` names it in its list, runs it and puts its rows
into RESULTS.md.
"""

import argparse
import statistics
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import msgspec
from msgspec import Struct


class Goal(Struct, frozen=True, omit_defaults=True):
    """What an issue asks of the row's ratio or, with ``of="figure"``, of its figure."""

    number: float
    of: str = "ratio"
    at_most: bool = False
    obstacle: str = ""
    """What stands in the way, told where the goal is missed."""

    def __str__(self) -> str:
        return f"{self.of} {'≤' if self.at_most else '≥'} {self.number:,g}"

    def met_by(self, row: "Row") -> bool:
        """Whether the row reaches it."""
        reached = self.reached(row)
        return reached <= self.number if self.at_most else reached >= self.number

    def reached(self, row: "Row") -> float:
        """The number that is held against the goal."""
        return (row.ratio or 0.0) if self.of == "ratio" else row.figure


class Row(Struct, frozen=True, omit_defaults=True):
    """One line of a table: a median, the range of the rounds, and what it is held against."""

    what: str
    figure: float
    unit: str
    low: float
    high: float
    baseline: str = ""
    """What was measured beside it in the same rounds."""
    base: float | None = None
    """The baseline's median."""
    ratio: float | None = None
    """Median of the rounds' ratios, figure over baseline."""
    goal: Goal | None = None
    met: bool | None = None


class Results(Struct, frozen=True, omit_defaults=True):
    """What one script measured. ``notes`` are sentences for the reader of RESULTS.md."""

    name: str
    rows: list[Row]
    versions: dict[str, str] = {}
    notes: list[str] = []


def row(
    what: str,
    unit: str,
    values: Sequence[float],
    *,
    baseline: str = "",
    beside: Sequence[float] = (),
    goal: Goal | None = None,
) -> Row:
    """The row of one measurement: its value of each round and, beside, the baseline's."""
    ratio = None
    if beside:
        ratio = statistics.median(mine / other for mine, other in zip(values, beside, strict=True))
    base = statistics.median(beside) if beside else None
    figure = statistics.median(values)
    made = Row(what, figure, unit, min(values), max(values), baseline, base, ratio, goal)
    return msgspec.structs.replace(made, met=goal.met_by(made) if goal else None)


def interleaved(works: Mapping[str, Callable[[], float]], rounds: int) -> dict[str, list[float]]:
    """What each work measured in each round; all take turns, after a round for warming up."""
    measured: dict[str, list[float]] = {name: [] for name in works}
    for number in range(rounds + 1):
        for name, work in works.items():
            value = work()
            if number:
                measured[name].append(value)
    return measured


def arguments(description: str | None) -> argparse.ArgumentParser:
    """A parser of what all scripts take."""
    parser = argparse.ArgumentParser(description=(description or "").splitlines()[0])
    parser.add_argument("--rounds", type=int, default=5, help="measurements of each figure")
    parser.add_argument("--quick", action="store_true", help="a smoke run: figures mean nothing")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the rows there as well")
    return parser


def write(results: Results, file: Path | None) -> None:
    """Write the results as JSON, where a file was asked for."""
    if file is not None:
        file.write_bytes(msgspec.json.format(msgspec.json.encode(results), indent=1) + b"\n")


def read(file: Path) -> Results:
    """What a script wrote."""
    return msgspec.json.decode(file.read_bytes(), type=Results)


def show(row: Row) -> str:
    """The row as one line of a terminal."""
    text = f"{row.what:44} {number(row.figure):>12} {row.unit:12}"
    text += f" ({number(row.low)} to {number(row.high)})"
    if row.base is not None and row.ratio is not None:
        text += f"   {row.baseline} {number(row.base)}   x{number(row.ratio)}"
    if row.goal is not None:
        text += f"   {row.goal}: {'met' if row.met else 'MISSED'}"
    return text


def number(value: float) -> str:
    """Three digits that tell something."""
    if value and abs(value) < 100:
        return f"{value:.3g}"
    return f"{value:,.0f}"
