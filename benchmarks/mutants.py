"""Mutation testing: whether the tests notice when the code that proves things is changed.

    python benchmarks/mutants.py [--only domain/deal.py,...] [--jobs 1] [--floor 95]

mutmut (its own dependency group: `pip install --group mutants`) changes one operator, constant or
argument at a time, in every function without a decorator, and runs the tests named below. This
script gives it a copy of the project, so that nothing here is touched, and prints what nobody
noticed. A mutant that runs for ever counts as noticed, one that no test reaches does not. Exits
with 1 where less than the floor is noticed. `docs/evidence.md` explains the survivors.
"""

import argparse
import json
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent

VERDICTS = (
    "tests/replay/verify/test_verify.py",
    "tests/replay/verify/test_seat_changes.py",
    "tests/replay/verify/test_compare.py",
    "tests/replay/verify/test_conduct.py",
    "tests/replay/verify/test_forgeries.py",
    "tests/replay/verify/checks/test_operator.py",
    "tests/replay/audit/test_proofs.py",
    "tests/replay/verify/test_game_summary.py",
    "tests/replay/verify/test_tampering.py",
    "tests/replay/verify/test_verdict_texts.py",
    "tests/replay/bundle/test_writer.py",
    "tests/replay/bundle/test_reader.py",
    "tests/replay/audit/test_audit.py",
)

TESTS: dict[str, tuple[str, ...]] = {
    "domain/deal.py": ("tests/domain/test_deal.py",),
    "domain/evidence/codec.py": (
        "tests/domain/evidence/test_codec.py",
        "tests/domain/test_view.py::test_audiences",
        "tests/domain/test_view.py::test_redacted_events_chain_and_open",
    ),
    "domain/hashing.py": ("tests/domain/test_hashing.py", "tests/domain/test_deal.py"),
    "domain/evidence/merkle.py": ("tests/domain/evidence/test_merkle.py",),
    "replay/signing/notes.py": ("tests/replay/signing/test_notes.py",),
    "replay/signing/receipts.py": ("tests/replay/signing/test_receipts.py",),
    "replay/signing/commands.py": ("tests/replay/signing/test_commands.py",),
    "replay/bundle/line_reader.py": VERDICTS,
    "replay/bundle/reader.py": VERDICTS,
    "replay/audit/opening.py": VERDICTS,
    "replay/audit/proofs.py": VERDICTS,
    "replay/verify/seats.py": VERDICTS,
    "replay/verify/verify.py": VERDICTS,
    "replay/verify/compare.py": VERDICTS,
    "replay/verify/checks/bots.py": VERDICTS,
    "replay/verify/checks/form.py": VERDICTS,
    "replay/verify/checks/game.py": VERDICTS,
    "replay/verify/checks/times.py": VERDICTS,
    "replay/verify/checks/operator.py": VERDICTS,
    "replay/verify/checks/receipts.py": VERDICTS,
}
"""What is changed, and the tests that have to notice."""

FAILED, LATE = {1, 3}, {24, 36, 152, 255, -24}
"""Exit codes of mutmut's workers: a test or pytest itself failed; time ran out."""


class Survivor(NamedTuple):
    """A change that nobody noticed, as a diff."""

    name: str
    diff: str


class Outcome(NamedTuple):
    """What became of one file's mutants."""

    source: str
    mutants: int
    late: int
    """How many of those that were noticed ran for ever."""
    survivors: tuple[Survivor, ...]
    seconds: float

    @property
    def share(self) -> float:
        """Percent of the mutants that were noticed."""
        return 100 * (1 - len(self.survivors) / self.mutants)


def mutate(source: str, tests: Iterable[str], jobs: int = 1) -> Outcome:
    """Change one file in every way, and run the tests on each.

    Raises:
        RuntimeError: mutmut could not; its own words are in it.

    """
    began = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="mutants-") as folder:
        copy = Path(folder) / "project"
        hidden = shutil.ignore_patterns(".*", "__pycache__", "*.egg-info")
        shutil.copytree(ROOT, copy, ignore=hidden)
        parts = [path.name for path in copy.iterdir() if path.is_dir()]
        settings = {
            "source_paths": [f"phaseledger/{source}"],
            "also_copy": parts,
            "pytest_add_cli_args": ["-p", "no:cacheprovider"],
            "pytest_add_cli_args_test_selection": list(tests),
        }
        with (copy / "pyproject.toml").open("a") as file:
            # JSON's strings and lists are TOML's.
            lines = (f"{name} = {json.dumps(value)}" for name, value in settings.items())
            file.write("\n".join(["", "[tool.mutmut]", *lines, ""]))
        talk = _mutmut(copy, "run", "--max-children", str(jobs))
        try:
            codes = json.loads((copy / "mutants" / "phaseledger" / f"{source}.meta").read_text())
            ended = codes["exit_code_by_key"]
        except (OSError, KeyError, ValueError):
            raise RuntimeError(talk[-2000:]) from None
        if not ended or None in ended.values():
            raise RuntimeError(talk[-2000:])
        alive = [name for name, code in ended.items() if code not in FAILED | LATE]
        survivors = tuple(Survivor(name, _diff(_mutmut(copy, "show", name))) for name in alive)
        late = sum(code in LATE for code in ended.values())
    return Outcome(source, len(ended), late, survivors, time.monotonic() - began)


def _mutmut(folder: Path, *arguments: str) -> str:
    ended = subprocess.run(
        [sys.executable, "-m", "mutmut", *arguments],
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    return ended.stdout


def _diff(shown: str) -> str:
    """The changed lines of what mutmut shows."""
    lines = shown.splitlines()
    marks = ("-", "+")
    return "\n".join(x for x in lines if x.startswith(marks) and x[:3] not in ("---", "+++"))


def main() -> int:
    """Mutate, count, and show what survived."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--only", default=",".join(TESTS), help="files, with commas")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--floor", type=float, default=95.0, help="percent that must be noticed")
    given = parser.parse_args()
    outcomes = []
    for source in given.only.split(","):
        outcome = mutate(source, TESTS[source], given.jobs)
        outcomes.append(outcome)
        print(
            f"{source:24}{outcome.mutants:6,} mutants{outcome.late:6,} ran for ever"
            f"{len(outcome.survivors):6,} survived"
            f"{outcome.share:8.1f} % noticed{outcome.seconds:8.0f} s",
            flush=True,
        )
        for survivor in outcome.survivors:
            print(f"  {survivor.name}\n{survivor.diff}", flush=True)
    return 1 if any(outcome.share < given.floor for outcome in outcomes) else 0


if __name__ == "__main__":
    sys.exit(main())
