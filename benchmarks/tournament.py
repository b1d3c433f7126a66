"""How often `expert` wins, against `greedy` and in mixed company, and how long it thinks.

    python benchmarks/tournament.py [--games 2000] [--json FILE]

The figures of docs/replay.md, by the command that it shows. Each deal is played once for every
order of the bots; the interval is over deals, so there is one round.
"""

import subprocess
import sys
from pathlib import Path

import msgspec
from msgspec import Struct

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from benchmarks.results import Goal, Results, Row, arguments, show, write

COMPLETE = ("style=complete_ordered",)
TABLES: tuple[tuple[str, tuple[str, ...], tuple[str, ...], float | None], ...] = (
    ("classic", (), ("expert", "greedy", "greedy", "greedy"), 40.0),
    ("standard-deck", COMPLETE, ("expert", "greedy", "greedy"), 45.0),
    ("classic", (), ("expert", "greedy", "greedy", "random"), None),
    ("standard-deck", COMPLETE, ("expert", "greedy", "random"), None),
)
"""Rule set, its options, a bot for each seat, and the percentage that `expert` is to win at least.

In mixed company whoever sits after `random` is fed: all orders of the bots are played.
"""


class _Bot(Struct):
    bot: str
    seats: int
    win_rate: float
    low: float
    high: float


class _Tournament(Struct):
    bots: list[_Bot]
    games: int
    measured: dict[str, float]
    """Milliseconds a decision."""


def play(ruleset: str, options: tuple[str, ...], bots: tuple[str, ...], games: int) -> _Tournament:
    """A tournament of the bots, one for each seat."""
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
            *("--bots", ",".join(bots), "--players", str(len(bots))),
            *("--seed", "readme", "--games", str(games)),
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
    for ruleset, options, bots, least in TABLES:
        table = f"{' '.join((ruleset, *options))}, {'-'.join(bots)}"
        # Two deals at least, in the smoke run as well: one has no interval.
        tournament = play(ruleset, options, bots, 20 if given.quick else given.games)
        chance = 100 / len(bots)
        for bot in tournament.bots:
            won, low, high = (100 * share for share in (bot.win_rate, bot.low, bot.high))
            goal = Goal(least, of="figure") if least and bot.bot == "expert" else None
            what = f"{table}: {bot.bot} wins a seat"
            beside = ("chance", chance, won / chance)
            met = won >= least if goal and least else None
            rows.append(Row(what, won, "%", low, high, *beside, goal=goal, met=met))
        mine, its = tournament.measured["expert"], tournament.measured["greedy"]
        rows.append(Row(f"{table}: a decision", mine, "ms", mine, mine, "greedy", its, mine / its))
    for line in rows:
        print(show(line))
    note = (
        f"{given.games:,} games each or the next whole deal, --seed readme, on the same cards in "
        "all orders of the bots; ranges of wins are 95 % intervals."
    )
    write(Results("tournament", rows, {}, [note]), given.json)
    return 0


if __name__ == "__main__":
    sys.exit(main())
