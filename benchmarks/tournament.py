"""How often `expert` wins against `greedy`, on the same deals in all seats, and how long it thinks.

    python benchmarks/tournament.py [--games 2000] [--json FILE]

The figures of docs/replay.md, by the command that it shows. Each deal is played once for every
seat of `expert`; the interval is over deals, so there is one round.
"""

import subprocess
import sys
from pathlib import Path

import msgspec
from msgspec import Struct

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from benchmarks.results import Goal, Results, Row, arguments, show, write

TABLES = (("classic", (), 4, 40.0), ("standard-deck", ("style=complete_ordered",), 3, 45.0))
"""Rule set, its options, seats, and the percentage to win at least."""


class _Bot(Struct):
    bot: str
    win_rate: float
    low: float
    high: float


class _Tournament(Struct):
    bots: list[_Bot]
    measured: dict[str, float]
    """Milliseconds a decision."""


def play(ruleset: str, options: tuple[str, ...], seats: int, games: int) -> _Tournament:
    """One `expert` against `greedy` in all other seats."""
    output = subprocess.run(
        [
            *(
                sys.executable,
                "-m",
                "phaseledger.replay.cli.main",
                "simulate",
                "--tournament",
                "--json",
            ),
            *("--ruleset", ruleset, *(part for option in options for part in ("--option", option))),
            *("--bots", ",".join(["expert"] + ["greedy"] * (seats - 1)), "--seed", "readme"),
            *("--players", str(seats), "--games", str(-(-games // seats) * seats)),
        ],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        check=True,
    ).stdout
    return msgspec.json.decode(output, type=_Tournament)


def main() -> int:
    """Play, print and write."""
    parser = arguments(__doc__)
    parser.add_argument("--games", type=int, default=2_000)
    given = parser.parse_args()
    rows = []
    for ruleset, options, seats, least in TABLES:
        table = " ".join((ruleset, *options))
        tournament = play(ruleset, options, seats, 2 * seats if given.quick else given.games)
        expert = tournament.bots[0]
        won, low, high = (100 * share for share in (expert.win_rate, expert.low, expert.high))
        goal, chance = Goal(least, of="figure"), 100 / seats
        rows.append(
            Row(
                *(f"{table}: expert wins", won, "%", low, high, "chance", chance, won / chance),
                goal=goal,
                met=won >= least,
            )
        )
        mine, its = tournament.measured["expert"], tournament.measured["greedy"]
        rows.append(Row(f"{table}: a decision", mine, "ms", mine, mine, "greedy", its, mine / its))
    for line in rows:
        print(show(line))
    notes = [f"{given.games:,} games each, --seed readme; ranges of wins are 95 % intervals."]
    write(Results("tournament", rows, {}, notes), given.json)
    return 0


if __name__ == "__main__":
    sys.exit(main())
