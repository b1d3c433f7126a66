"""Mutation testing: which planted faults the tests notice.

    python benchmarks/mutants.py [--only domain,api] [--jobs 2] [--project DIR] [--json FILE]

`mutants.jsonl` is a fixed list of faults, drawn once at commit c1c75bdb: one comparison, `and`,
`not`, sum or number of a line is another. Each is planted in a copy of the project, and the tests
of its area run until one fails. A mutant is found by its function and line, in whichever module
these stand today; a line that was rewritten or removed is counted as gone. `--project` runs the
list against another checkout, with this environment. Exits with 1 where a mutant survives that the
list does not call equivalent.
"""

import argparse
import ast
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from queue import SimpleQueue

import msgspec

ROOT = Path(__file__).resolve().parent.parent
LIST = Path(__file__).with_suffix(".jsonl")
PLACES = ("domain", "projections", "replay", "service", "tests/support/service")
"""The product, and the ledger in memory that was a part of it when the list was drawn."""
AREAS: dict[str, tuple[str, ...]] = {
    "domain": ("tests/domain", "tests/golden", "tests/replay/evidence/referee"),
    "verify": (
        "tests/replay/evidence/verify",
        "tests/replay/evidence/audit",
        "tests/replay/formats",
    ),
    "referee": ("tests/replay/evidence/referee", "tests/replay/evidence/verify"),
    "eventlog": ("tests/service/eventlog", "tests/simulation", "tests/service/transparency"),
    "games": (
        "tests/service/games",
        "tests/service/lobby",
        "tests/service/automation",
        "tests/service/readmodels",
        "tests/service/api/test_hidden_information.py",
        "tests/simulation",
        "tests/service/api/routes",
    ),
    "api": (
        "tests/service/api",
        "tests/service/lobby",
        "tests/service/streams",
        "tests/contract/test_matrix.py",
    ),
}
"""The tests of each area, those that notice most first."""
LIMIT = 1200
"""Seconds after which a mutant that runs for ever counts as noticed."""


class Mutant(msgspec.Struct, frozen=True, omit_defaults=True):
    """One changed line."""

    number: int
    area: str
    path: str
    """The file at the time of the list, from the project's root."""
    function: str
    before: str
    """The line without its indentation."""
    after: str
    equivalent: str = ""
    """Why the change means nothing."""


class Outcome(msgspec.Struct, frozen=True):
    """What became of a mutant: ``noticed``, ``survived`` or ``gone``, and the test that failed."""

    number: int
    area: str
    fate: str
    test: str
    seconds: float


def mutants() -> list[Mutant]:
    """The list, by number."""
    return msgspec.json.Decoder(Mutant).decode_lines(LIST.read_bytes())


def planted(mutant: Mutant, project: Path) -> tuple[Path, str] | None:
    """The file that has the line today, from the project's root, and its text with the change;
    None where no function of that name has the line.
    """
    named = Path(mutant.path)
    files = sorted(
        (file for part in PLACES for file in (project / part).rglob("*.py")),
        key=lambda file: (
            file.relative_to(project) != named,
            file.name != named.name,
            file.as_posix(),
        ),
    )
    for file in files:
        text = file.read_text()
        if mutant.before not in text:
            continue
        lines = text.splitlines(keepends=True)
        for first, last in _spans(text, mutant.function):
            for at in range(first - 1, last):
                if lines[at].strip() == mutant.before:
                    lines[at] = lines[at].replace(mutant.before, mutant.after)
                    return file.relative_to(project), "".join(lines)
    return None


def _spans(text: str, function: str) -> Iterator[tuple[int, int]]:
    """First and last lines of the functions of that name."""
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name == function:
            yield node.lineno, node.end_lineno or node.lineno


def tried(mutant: Mutant, project: Path) -> Outcome:
    """Plant a mutant in a copy of the project, run its area's tests, and take it out again."""
    began = time.monotonic()
    place = planted(mutant, project)
    if place is None:
        return Outcome(mutant.number, mutant.area, "gone", "", 0.0)
    file, changed = project / place[0], place[1]
    original = file.read_text()
    replace(file, changed)
    try:
        failed = failure(tests_of(mutant, project), project)
    finally:
        replace(file, original)
    fate = "noticed" if failed else "survived"
    return Outcome(mutant.number, mutant.area, fate, failed, time.monotonic() - began)


def replace(file: Path, text: str) -> None:
    """Change a module, and remove what Python compiled of it: two changes within a second, of the
    same length, look the same to it.
    """
    file.write_text(text)
    for compiled in file.parent.glob(f"__pycache__/{file.stem}.*"):
        compiled.unlink()


def tests_of(mutant: Mutant, project: Path) -> list[str]:
    """The test files of the mutant's area, those that name its module or its function first."""
    module, function = Path(mutant.path).stem, mutant.function.strip("_")

    def rank(file: Path) -> tuple[bool, bool, bool]:
        text = file.read_text()
        return file.name != f"test_{module}.py", function not in text, module not in text

    rooms = [project / room for room in AREAS[mutant.area]]
    files = [file for room in rooms for file in (sorted(room.rglob("test_*.py")) or [room])]
    return [str(file.relative_to(project)) for file in sorted(files, key=rank)]


def failure(tests: list[str], project: Path) -> str:
    """The first test that fails, or that time ran out; empty where all pass.

    Raises:
        RuntimeError: no test ran.

    """
    command = [sys.executable, "-m", "pytest", "-x", "-q", "--tb=no", "-n0", "-m", "not campaign"]
    options = ["-p", "no:cacheprovider", "-r", "fE"]
    path = f"{project}{os.pathsep}{os.environ.get('PYTHONPATH', '')}"
    try:
        ended = subprocess.run(
            [*command, *options, *tests],
            cwd=project,
            env={**os.environ, "PYTHONPATH": path},
            capture_output=True,
            text=True,
            timeout=LIMIT,
        )
    except subprocess.TimeoutExpired:
        return "runs for ever"
    if ended.returncode == 0:
        return ""
    named = [line for line in ended.stdout.splitlines() if line.startswith(("FAILED", "ERROR"))]
    if named:
        return named[0].split(" - ")[0].partition(" ")[2]
    if "while loading conftest" in ended.stderr:
        return "tests/conftest.py"
    raise RuntimeError(ended.stdout[-2000:] + ended.stderr[-2000:])


def main() -> int:
    """Try the list, print what survived, and the counts of each area."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--only", default=",".join(AREAS), help="areas, with commas")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--project", type=Path, default=ROOT, help="another checkout")
    parser.add_argument("--json", type=Path, help="write what became of each mutant")
    given = parser.parse_args()
    due = [mutant for mutant in mutants() if mutant.area in given.only.split(",")]
    hidden = shutil.ignore_patterns(".*", "__pycache__", "*.egg-info")
    with tempfile.TemporaryDirectory(prefix="mutants-") as folder:
        copies: SimpleQueue[Path] = SimpleQueue()
        for job in range(given.jobs):
            copy = Path(folder) / f"project-{job}"
            shutil.copytree(given.project, copy, ignore=hidden, symlinks=True)
            copies.put(copy)

        def attempt(mutant: Mutant) -> Outcome:
            copy = copies.get()
            try:
                outcome = tried(mutant, copy)
            finally:
                copies.put(copy)
            print(
                f"{mutant.number:4} {mutant.area:9}{outcome.fate:9}{outcome.seconds:6.0f} s  "
                f"{outcome.test or f'{mutant.path} {mutant.function}: {mutant.after}'}",
                flush=True,
            )
            return outcome

        with ThreadPoolExecutor(given.jobs) as pool:
            outcomes = list(pool.map(attempt, due))
    for area in given.only.split(","):
        fates = Counter(outcome.fate for outcome in outcomes if outcome.area == area)
        print(f"{area:10}{json.dumps(dict(sorted(fates.items())))}")
    if given.json:
        given.json.write_bytes(msgspec.json.format(msgspec.json.encode(outcomes)))
    equivalent = {mutant.number for mutant in due if mutant.equivalent}
    alive = {outcome.number for outcome in outcomes if outcome.fate == "survived"}
    return 1 if alive - equivalent else 0


if __name__ == "__main__":
    sys.exit(main())
