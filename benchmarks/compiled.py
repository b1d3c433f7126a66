"""The compiled wheel (`hatch_build.py`) beside the pure sources: tested, and measured in turn.

    python benchmarks/compiled.py [--rounds N] [--seconds S] [--quick] [--json FILE]
    python benchmarks/compiled.py --test [PATH ...]

Builds the wheel as users do, by pip, in a temporary folder; needs a C compiler. With --test the
tests of the domain and the golden games, or those that are named, run on it, but for those that
look into modules. With --quick nothing is built and nothing measured.
"""

import json
import os
import shutil
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from benchmarks import core_work as work
from benchmarks import peers
from benchmarks.results import Goal, Results, Row, arguments, interleaved, row, show, write
from phaseledger import is_compiled

PIP = (sys.executable, "-m", "pip", "--disable-pip-version-check")
TESTS = ("tests/domain", "tests/golden")
UNMARKED = "not slow and not campaign and not interpreted"
NEEDED = ("tests", "benchmarks", "docs", "examples", "openapi", "pyproject.toml", "README.md")
"""What the tests and the benchmarks need beside the installed package."""
PACKAGES = ("domain", "projections", "replay", "service")
GIN = "OpenSpiel gin_rummy"
GOALS = {
    "random legal play": Goal(400_000, of="figure"),
    "greedy, whole games": Goal(200, of="figure"),
    "expert, whole games": Goal(60, of="figure"),
    "round rollouts with greedy": Goal(8_000, of="figure"),
    "full audit, chain and seals": Goal(200_000, of="figure"),
}
"""Issue 17: what the compiled core is to reach, classic, 4 seats."""
ABOVE = "As above."
OBSTACLES = {
    "random legal play": "By a profile (perf) of the processor, 12 % is native code of ours and "
    "70 % the interpreter's own functions: events, states and commands are msgspec values, whose "
    "fields are read by name, and which are made by calls, as in pure Python. A mutable table of "
    "native classes would change that; in pure Python it brought 1.14 times random play and cost "
    "`step` a tenth, and was left out. Tried: policies compiled too (1.01 times).",
    "expert, whole games": "23 % is native code of ours: plans are weighed over lists of numbers, "
    "which stay objects of Python. Tried: outlook, plans and counts as native classes.",
    "full audit, chain and seals": "Decoding, encoding, hashes and seals, a quarter of it, are "
    "native code without it; the rest, as above.",
}


def loops() -> dict[str, Callable[[], Iterator[int]]]:
    """What is measured, classic, 4 seats; made when asked for."""

    def repeated(done: Callable[[work.Recorded], int]) -> Iterator[int]:
        return work.repeated(partial(done, work.recorded("classic", None)))

    def rollouts() -> Iterator[int]:
        return work.round_rollouts(work.recorded("classic", None).states[::20])

    return {
        "random legal play": lambda: work.random_play("classic"),
        "step alone": lambda: work.re_decided(work.recorded("classic", None).acts),
        "greedy, whole games": lambda: work.whole_games("classic", "greedy", None),
        "expert, whole games": lambda: work.whole_games("classic", "expert", None),
        "round rollouts with greedy": rollouts,
        "decode and fold": lambda: repeated(lambda game: work.decoded_and_folded(game.rows)),
        "full audit, chain and seals": lambda: repeated(lambda game: work.audited(game.rows)),
        "view of a seat": lambda: repeated(lambda game: work.viewed(game.states)),
        "legal commands": lambda: repeated(lambda game: work.listed(game.states)),
        "shuffle of 108 cards": lambda: work.repeated(work.shuffles),
    }


def installed(place: Path) -> None:
    """Build the compiled wheel, and lay it out in that folder with what runs on it.

    Raises SystemExit with pip's words where it cannot be built.
    """
    wheels = place / "wheels"
    command = [*PIP, "wheel", "--quiet", "--no-deps", "--wheel-dir", str(wheels), str(ROOT)]
    environment = os.environ | {"HATCH_BUILD_HOOKS_ENABLE": "1"}
    ended = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    if ended.returncode:
        raise SystemExit(f"No wheel could be built:\n{ended.stdout}{ended.stderr}")
    (wheel,) = wheels.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(place)
    for name in NEEDED:
        source = ROOT / name
        if source.is_dir():
            shutil.copytree(source, place / name, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(source, place / name)
    for name in PACKAGES:  # where the source tree has them, for tests that read files
        (place / name).symlink_to(Path("phaseledger", name))


def test(place: Path, paths: list[str]) -> int:
    """Run tests on what is there; the exit code of pytest."""
    environment = os.environ | {"PYTHONPATH": str(place)}
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-n",
        "2",
        "-m",
        "not slow and not campaign and not interpreted",
    ]
    shown = subprocess.run(
        [sys.executable, "-c", "import phaseledger; print(phaseledger.is_compiled())"],
        cwd=place,
        env=environment,
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    assert shown == "True\n", shown
    return subprocess.run(
        [*command, *(paths or TESTS)], cwd=place, env=environment, check=False
    ).returncode


def measure(place: Path, name: str, seconds: float, *, compiled: bool) -> float:
    """One loop in a new process over the tree at that place."""
    script = str(place / "benchmarks" / "compiled.py")
    command = [sys.executable, script, "--loop", name, "--seconds", str(seconds)]
    output = subprocess.run(command, cwd=place, capture_output=True, text=True, check=True).stdout
    given = json.loads(output)
    assert given["compiled"] is compiled
    rate: float = given["rate"]
    return rate


def rows(place: Path, rounds: int, seconds: float) -> list[Row]:
    """Each loop over the compiled tree beside the pure one, and random play beside OpenSpiel."""
    works: dict[str, Callable[[], float]] = {}
    for name in loops():
        works[name] = partial(measure, place, name, seconds, compiled=True)
        works[f"{name} pure"] = partial(measure, ROOT, name, seconds, compiled=False)
    works[GIN] = partial(peers.measure, peers.python(), GIN, seconds)
    measured = interleaved(works, rounds)
    made = []
    for name in loops():
        goal = GOALS.get(name)
        if goal:
            goal = Goal(goal.number, of=goal.of, obstacle=OBSTACLES.get(name, ABOVE))
        values, pure = measured[name], measured[f"{name} pure"]
        made.append(row(f"{name}, compiled", "/s", values, baseline="pure", beside=pure, goal=goal))
    made.append(
        row(
            "random legal play, compiled",
            "/s",
            measured["random legal play"],
            baseline=GIN,
            beside=measured[GIN],
            goal=Goal(2, obstacle=ABOVE),
        )
    )
    return made


def main() -> int:
    """Build, then test, or measure and print."""
    parser = arguments(__doc__)
    parser.add_argument("--seconds", type=float, default=0.5, help="each figure in each round")
    parser.add_argument("--loop", help="measure this alone, here")
    parser.add_argument("--test", nargs="*", metavar="PATH", help="run tests on the compiled wheel")
    given = parser.parse_args()
    if given.loop:
        rate = peers.per_second(loops()[given.loop](), given.seconds)
        print(json.dumps({"rate": rate, "compiled": is_compiled()}))
        return 0
    if given.quick or not shutil.which("cc"):
        why = "a smoke run" if given.quick else "there is no C compiler"
        write(Results("compiled", [], {}, [f"Not measured: {why}."]), given.json)
        return 0 if given.test is None else 2
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        installed(place)
        if given.test is not None:
            return test(place, given.test)
        made = rows(place, given.rounds, given.seconds)
    for line in made:
        print(show(line))
    note = "The compiled wheel beside the pure sources, classic, 4 seats; the same Python."
    write(Results("compiled", made, {}, [note]), given.json)
    return 0


if __name__ == "__main__":
    sys.exit(main())
