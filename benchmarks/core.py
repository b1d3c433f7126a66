"""The core on one processor: random play, bots, fold and audit, for each game.

    python benchmarks/core.py [--rounds N] [--seconds S] [--rulesets NAMES] [--quick] [--json FILE]

Each figure stands beside a baseline measured in the same rounds: other libraries (`peers.py`, in
an environment of their own) or a part of Python. All rates are per second of processor time, so
that neighbours disturb them less; read the ratios. With --quick nothing is installed, and the
peers are left out.
"""

import platform
import sys
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from importlib.metadata import version
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from benchmarks import core_work as work
from benchmarks import peers
from benchmarks.results import Goal, Results, Row, arguments, interleaved, row, show, write

FEW = 30
"""Decisions of a game in a smoke run."""

SPIEL, EIGHTS = "OpenSpiel gin_rummy", "OpenSpiel crazy_eights"
TRUSTED = "python-chess UCI, trusted"
HASHED = "SHA-256 of the bytes"

LINES: tuple[tuple[str, str, tuple[str, ...]], ...] = (
    ("random legal play", "decisions/s", (SPIEL,)),
    ("greedy, whole games", "games/s", ()),
    ("expert, whole games", "games/s", ()),
    ("kernel: random play", "decisions/s", ("random legal play",)),
    ("kernel: greedy, whole games", "games/s", ("kernel uncompiled: greedy, whole games",)),
    ("kernel: expert, whole games", "games/s", ("kernel uncompiled: expert, whole games",)),
    ("kernel uncompiled: random play", "decisions/s", ("random legal play",)),
    ("kernel: stepped from Python", "decisions/s", (SPIEL, EIGHTS)),
    ("decode and fold", "events/s", (TRUSTED,)),
    ("full audit, chain and seals", "events/s", (HASHED,)),
)
"""What is measured for each game, and the baselines beside it."""

FLAT = (
    "The profile is flat: a discard is some 60 calls of Python, none of which takes a tenth. "
    "Values are cheap beside them: msgspec makes an event or a state in 0.06 to 0.25 us. Tried and "
    "left out: a table changed in place, and events made of facts when somebody asks. "
)
GOALS = {
    ("classic: random legal play", ""): Goal(
        180_000,
        of="figure",
        obstacle=FLAT + "Half of the time is the list of legal commands: the proof that nothing "
        "can be laid, the discards, and the lays of one hand in twelve. CPython 3.14, which the "
        "goal counts on, brings 1.13 times.",
    ),
    ("classic: random legal play", SPIEL): Goal(2, obstacle="As above."),
    ("classic: greedy, whole games", ""): Goal(
        100,
        of="figure",
        obstacle=FLAT + "Tried: bots that see cards, `collect` by masks and counts (1.5 times).",
    ),
    ("classic: expert, whole games", ""): Goal(
        20,
        of="figure",
        obstacle="Weighing the plans of the hand and of the next player takes most of a decision. "
        "Tried: all discards in one pass by classes, plans that lack alike weighed once (1.4 "
        "times).",
    ),
    ("classic: kernel: random play", "random legal play"): Goal(40),
    ("classic: kernel uncompiled: random play", "random legal play"): Goal(0.8),
    ("classic: kernel: stepped from Python", SPIEL): Goal(3),
    ("classic: kernel: stepped from Python", EIGHTS): Goal(1.2),
    ("classic: full audit, chain and seals", HASHED): Goal(
        120_000,
        of="figure",
        obstacle="By the profile, deciding again is 38 %, encoding, seals and hashes 18 %, the "
        "second fold 9 %, decoding 8 %: none can go without weakening a check.",
    ),
    ("classic: decode and fold", TRUSTED): Goal(
        3,
        obstacle="An event is 1.6 us: some 360 bytes of JSON decoded and checked by msgspec, which "
        "plain `json.loads` alone takes longer for, and then one new immutable state.",
    ),
}
"""Issues 17 and 32: what pure Python and the kernel are to reach, one core, four seats."""

Loop = Iterator[int]


def loops(ruleset: str, most: int | None) -> dict[str, Loop]:
    """What is measured for one game."""
    game = work.recorded(ruleset, most)

    def repeated(done: Callable[[], int]) -> Loop:
        return work.repeated(done)

    return {
        "random legal play": work.random_play(ruleset),
        "greedy, whole games": work.whole_games(ruleset, "greedy", most),
        "expert, whole games": work.whole_games(ruleset, "expert", most),
        **_in_kernel(ruleset),
        "decode and fold": repeated(partial(work.decoded_and_folded, game.rows)),
        "full audit, chain and seals": repeated(partial(work.audited, game.rows)),
        HASHED: repeated(partial(work.hashed, game.rows)),
    }


def _in_kernel(ruleset: str) -> dict[str, Loop]:
    rules = work.rules_in_kernel(ruleset)
    made = {"kernel: stepped from Python": work.kernel_steps(rules)}
    for name, compiled in (("kernel", True), ("kernel uncompiled", False)):
        made[f"{name}: random play"] = work.kernel_games(
            rules, "random", compiled=compiled, decisions=True
        )
        for bot in ("greedy", "expert"):
            games = work.kernel_games(rules, bot, compiled=compiled)
            made[f"{name}: {bot}, whole games"] = games
    return made


def rows_of(
    ruleset: str, measured: dict[str, list[float]], goals: Mapping[tuple[str, str], Goal]
) -> Iterator[Row]:
    """The game's rows: one for each baseline that was measured."""
    for what, unit, baselines in LINES:
        name, values = f"{ruleset}: {what}", measured.get(f"{ruleset}: {what}")
        if values is None:
            continue
        beside = {
            other: measured.get(f"{ruleset}: {other}") or measured.get(other) for other in baselines
        }
        held = {other: rates for other, rates in beside.items() if rates}
        if not held or (name, "") in goals:
            held = {"": [], **held}
        for baseline, rates in held.items():
            goal = goals.get((name, baseline))
            yield row(name, unit, values, baseline=baseline, beside=rates, goal=goal)


def main() -> int:
    """Measure and print."""
    parser = arguments(__doc__)
    parser.add_argument("--seconds", type=float, default=0.5, help="each figure in each round")
    parser.add_argument("--rulesets", default="classic", help="with commas")
    given = parser.parse_args()
    rounds, seconds = (1, 0.001) if given.quick else (given.rounds, given.seconds)
    rulesets: list[str] = given.rulesets.split(",")
    program = None if given.quick else peers.python()
    every: dict[str, Loop] = {}
    for ruleset in rulesets:
        made = loops(ruleset, FEW if given.quick else None)
        every |= {f"{ruleset}: {what}": loop for what, loop in made.items()}
    measures: dict[str, Callable[[], float]] = {
        name: partial(peers.per_second, loop, seconds) for name, loop in every.items()
    }
    if program:
        for name in peers.LOOPS:
            measures[name] = partial(peers.measure, program, name, seconds)
    measured = interleaved(measures, rounds)
    goals = {} if given.quick else GOALS
    rows = [made for ruleset in rulesets for made in rows_of(ruleset, measured, goals)]
    print(f"one core, {work.SEATS} seats, medians of {rounds} rounds of {seconds:g} s each")
    for line in rows:
        print(show(line))
    versions = {"CPython": platform.python_version(), "msgspec": version("msgspec")}
    if program:
        versions |= peers.versions(program)
    note = (
        "Rates are per second of processor time, one process. "
        "Random legal play lists all legal commands, chooses one and calls `step`; so do "
        "OpenSpiel, from clones of a fresh state. Its chance nodes count as time alone. "
        "In the kernel whole games are played by one call; stepped from Python, one call lists the "
        "moves and one plays a random one of them. "
        "python-chess makes UCI moves on a board, trusted, as the fold trusts events."
    )
    write(Results("core", rows, versions, [note]), given.json)
    return 0


if __name__ == "__main__":
    sys.exit(main())
