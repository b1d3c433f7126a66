"""What compiling the same sources with mypyc brings: `domain/` as it is and compiled, in turn.

    python benchmarks/compiled.py [--rounds N] [--seconds S] [--quick] [--json FILE]

Builds in a copy in a temporary folder, with mypyc in an environment of its own; needs a C compiler.
With --quick nothing is built and nothing measured.
"""

import json
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from functools import partial
from importlib.metadata import version
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from benchmarks import core_work as work
from benchmarks import peers
from benchmarks.results import Goal, Results, arguments, interleaved, row, show, write

REQUIREMENTS = ("mypy>=2.4,<3", "setuptools>=80,<81", f"msgspec=={version('msgspec')}")
MODULES = (
    *(
        "cards",
        "groups/melds",
        "groups/least_wilds",
        "groups/lays",
        "policies",
        "evolve",
        "draft",
        "deal",
        "play/rounds",
        "play/turn",
        "play/board_actions",
    ),
    *("seating", "decide", "legal", "view", "bots/phase_cards", "bots/outlook", "bots/best_hits"),
    *("bots/board_answers", "bots/greedy", "bots/expert", "bots/registry"),
)
"""What a decision runs through. Structs stay as they are, since msgspec makes their classes."""
UNCOMPILABLE = ("enumerate(names)", "enumerate(bytes(names))")
"""A loop over a bytearray in evolve.py, at which mypyc stops with an error of its own."""
BUILD = """
import sys
from mypyc.build import mypycify
from setuptools import setup
setup(name="compiled", packages=[], ext_modules=mypycify(sys.argv.pop(1).split(), opt_level="3"))
"""
WORTH = Goal(2, obstacle="Compiling gains less than that, so no compiled wheel is shipped.")
"""Of the random play: what an optional wheel has to bring (issue 6, point 2)."""


def loops() -> dict[str, Callable[[], Iterator[int]]]:
    """What is measured, classic, 4 seats; made when asked for."""

    def repeated(done: Callable[[work.Recorded], int]) -> Iterator[int]:
        return work.repeated(partial(done, work.recorded("classic", None)))

    return {
        "random legal play": lambda: work.random_play("classic"),
        "greedy": lambda: work.decisions("classic", "greedy"),
        "expert": lambda: work.decisions("classic", "expert"),
        "decode and fold": lambda: repeated(lambda game: work.decoded_and_folded(game.rows)),
        "full audit": lambda: repeated(lambda game: work.audited(game.rows)),
        "view of a seat": lambda: repeated(lambda game: work.viewed(game.states)),
        "legal commands": lambda: repeated(lambda game: work.listed(game.states)),
        "shuffle of 108 cards": lambda: work.repeated(work.shuffles),
    }


def build(place: Path) -> None:
    """A copy of the project's code, compiled."""
    hidden = shutil.ignore_patterns("__pycache__")
    for name in ("phaseledger", "benchmarks"):  # what the links lead to, copied
        shutil.copytree(ROOT / name, place / name, ignore=hidden)
    evolve = place / "phaseledger" / "domain" / "evolve.py"
    evolve.write_text(evolve.read_text().replace(*UNCOMPILABLE))
    program = peers.environment("mypyc", REQUIREMENTS)
    sources = " ".join(f"phaseledger/domain/{name}.py" for name in MODULES)
    command = [str(program), "-c", BUILD, sources, "build_ext", "--inplace"]
    done = subprocess.run(command, cwd=place, capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(f"mypyc: {done.stdout[-1000:]}{done.stderr[-1000:]}")


def measure(place: Path, name: str, seconds: float) -> float:
    """One loop in a new process over the tree at that place."""
    script = str(place / "benchmarks" / "compiled.py")
    command = [sys.executable, script, "--loop", name, "--seconds", str(seconds)]
    output = subprocess.run(command, cwd=place, capture_output=True, text=True, check=True).stdout
    rate: float = json.loads(output)["rate"]
    return rate


def main() -> int:
    """Build, measure and print."""
    parser = arguments(__doc__)
    parser.add_argument("--seconds", type=float, default=0.5, help="each figure in each round")
    parser.add_argument("--loop", help="measure this alone, here")
    given = parser.parse_args()
    if given.loop:
        print(json.dumps({"rate": peers.per_second(loops()[given.loop](), given.seconds)}))
        return 0
    if given.quick or not shutil.which("cc"):
        why = "a smoke run" if given.quick else "there is no C compiler"
        write(Results("compiled", [], {}, [f"Not measured: {why}."]), given.json)
        return 0
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        build(place)
        measured = interleaved(
            {
                f"{name}{end}": partial(measure, tree, name, given.seconds)
                for name in loops()
                for end, tree in (("", place), (" plain", ROOT))
            },
            given.rounds,
        )
    rows = [
        row(
            f"{name}, compiled",
            "/s",
            measured[name],
            baseline="as it is",
            beside=measured[f"{name} plain"],
            goal=WORTH if name == "random legal play" else None,
        )
        for name in loops()
    ]
    for line in rows:
        print(show(line))
    note = "mypyc over the modules of domain/ that a decision runs through; classic, 4 seats."
    write(Results("compiled", rows, {}, [note]), given.json)
    return 0


if __name__ == "__main__":
    sys.exit(main())
