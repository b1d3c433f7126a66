"""What analysts and auditors do in bulk: odds, runs of games, tables, audits of many games.

    python benchmarks/bulk.py [--games 600] [--rounds 5] [--json FILE]

Whole commands, started anew, so their start is in the figures. One process beside two, over work
that takes one of them ten seconds or more: of less, the start is what would be measured. The start
of two workers by itself is from the first task to the end of both. The bytes of an event row are of
one run each: the files of the table `events` over its rows.
"""

import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from benchmarks.results import Goal, Results, Row, arguments, interleaved, row, show, write
from phaseledger.replay.batch.pool import Workers, in_order
from phaseledger.replay.laboratory.simulate.game import game_id

GAMES = ("classic", "standard-deck", "express", "board")
FILES = 24
"""Files of games to audit: one file is one process's work, and two should end together."""
ENOUGH = 10.0
"""Seconds that one process has to work for its figures to count."""
NO_START = Goal(0.3, of="figure", at_most=True)
TWICE = Goal(1.8, obstacle="both cores are shared with whatever else this machine does")
START = "a command's start (rules list)"


def run(*words: object) -> str:
    """What the command says on standard error; it may find nothing wrong."""
    command = [sys.executable, "-m", "phaseledger.replay.cli.main", *map(str, words)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    return done.stderr


def seconds(*words: object) -> float:
    """How long the command takes."""
    began = time.perf_counter()
    run(*words)
    return time.perf_counter() - began


def rate(number: int, timed: Callable[[], float]) -> float:
    """So many things a second."""
    return number / timed()


def start_of_workers() -> float:
    """Seconds from the first task for two workers, which imports what a simulation does, until both
    have ended.
    """
    began = time.perf_counter()
    with in_order(partial(game_id, "seed"), range(2), Workers(2)) as ids:
        assert [*ids] == [game_id("seed", index) for index in range(2)]
    return time.perf_counter() - began


def size_of_rows(folder: Path, ruleset: str, games: int) -> Row:
    """Bytes of a row of the table of events, beside those of the event's line in NDJSON."""
    import pyarrow.parquet as pq

    lines, tables = folder / f"{ruleset}.ndjson", folder / ruleset
    asked = ("simulate", "--ruleset", ruleset, "--games", games, "--seed", "size", "--out")
    run(*asked, lines)
    run(*asked, tables, "--format", "parquet")
    files = [*(tables / "events").glob("*.parquet")]
    rows = sum(pq.read_metadata(file).num_rows for file in files)
    mine, line = (sum(file.stat().st_size for file in of) / rows for of in (files, [lines]))
    goal = Goal(3, of="figure", at_most=True)
    return row(
        f"{ruleset}: an event in Parquet",
        "bytes",
        [mine],
        baseline="its line in NDJSON",
        beside=[line],
        goal=goal,
    )


def measured(folder: Path, games: int, rounds: int) -> list[Row]:
    """The rows of what takes time."""
    for number in range(FILES):
        out = folder / "all" / f"{number}.ndjson"
        out.parent.mkdir(exist_ok=True)
        run("simulate", "--games", -(-games // FILES), "--seed", f"audit {number}", "--out", out)
    output = run("audit", "--all", folder / "all")
    events = int(re.findall(r"Events: ([\d,]+) ", output)[0].replace(",", ""))
    played = ("simulate", "--games", games, "--seed", "speed", "--out", folder / "played")

    def fresh(jobs: int) -> float:
        (folder / "played").unlink(missing_ok=True)
        return seconds(*played, "--jobs", jobs)

    works: dict[str, Callable[[], float]] = {
        START: partial(seconds, "rules", "list"),
        "odds": partial(seconds, "odds", "classic"),
    }
    for jobs in (1, 2):
        audited = partial(seconds, "audit", "--all", folder / "all", "--jobs", jobs)
        works[f"audit, {jobs}"] = partial(rate, events, audited)
        works[f"simulate, {jobs}"] = partial(rate, games, partial(fresh, jobs))
    works["start"] = start_of_workers
    rates = interleaved(works, rounds)
    for what, number in (("audit", events), ("simulate", games)):
        if number / max(rates[f"{what}, 1"]) < ENOUGH and rounds > 1:
            raise SystemExit(f"{what} takes less than {ENOUGH:g} s: give more --games")
    five = Goal(5, of="figure", at_most=True)
    odds, start = rates["odds"], rates[START]
    return [
        row("odds of the ten phases, classic", "s", odds, baseline=START, beside=start, goal=five),
        row(
            "audit --all, two processes",
            "events/s",
            rates["audit, 2"],
            baseline="one",
            beside=rates["audit, 1"],
            goal=TWICE,
        ),
        row(
            "simulate, two processes",
            "games/s",
            rates["simulate, 2"],
            baseline="one",
            beside=rates["simulate, 1"],
            goal=TWICE,
        ),
        row("start and end of two workers", "s", rates["start"], goal=NO_START),
    ]


def main() -> int:
    """Measure and print."""
    parser = arguments(__doc__)
    parser.add_argument("--games", type=int, default=600)
    given = parser.parse_args()
    games, rounds = (FILES, 1) if given.quick else (given.games, given.rounds)
    with tempfile.TemporaryDirectory() as folder:
        rows = measured(Path(folder), games, rounds)
        rows += [size_of_rows(Path(folder), ruleset, games) for ruleset in GAMES]
    for line in rows:
        print(show(line))
    notes = [f"{games:,} games of four greedy bots each; whole commands with their start."]
    write(Results("bulk", rows, {}, notes), given.json)
    return 0


if __name__ == "__main__":
    sys.exit(main())
