"""What analysts and auditors do in bulk: odds, runs of games, tables, audits of many games.

    python benchmarks/bulk.py [--games 48] [--rounds 5] [--json FILE]

Whole commands, started anew, so their start is in the figures. One process beside two. The bytes of
an event row are of one run each: the files of the table `events` over its rows.
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

GAMES = ("classic", "standard-deck", "express", "board")
FILES = 4
"""Files of games to audit: one file is one process's work."""
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
    rates = interleaved(works, rounds)
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
        ),
        row(
            "simulate, two processes",
            "games/s",
            rates["simulate, 2"],
            baseline="one",
            beside=rates["simulate, 1"],
        ),
    ]


def main() -> int:
    """Measure and print."""
    parser = arguments(__doc__)
    parser.add_argument("--games", type=int, default=48)
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
