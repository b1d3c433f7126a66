"""How often `expert` wins, against `greedy` and in mixed company, how long it thinks, and what
shares less luck are worth.

    python benchmarks/tournament.py [--games 2000] [--json FILE]

The figures of docs/how-to/replay-and-simulate.md, by the command that it shows. Each deal is played
once for every order of the bots; the interval is over deals, so there is one round. Of shares less
luck: how many times as many games the plain shares need, the work of a game, and the mean luck,
which is to be 0.
"""

import subprocess
import sys
import time
from itertools import chain
from math import sqrt
from pathlib import Path
from statistics import fmean, stdev

import msgspec
from msgspec import Struct, structs

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from benchmarks.results import Goal, Results, Row, arguments, show, write
from phaseledger.replay.laboratory.intervals import jackknife
from phaseledger.replay.laboratory.simulate.game import SimulationPlan
from phaseledger.replay.laboratory.simulate.tournament import (
    Deal,
    bot_luck,
    plan_seatings,
    play_deal,
    standings,
)

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
LUCK: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("classic", ("expert", "greedy")),
    ("classic", ("expert", "greedy", "greedy", "greedy")),
    ("classic", ("master", "expert", "expert", "expert")),
    ("standard-deck", ("expert", "greedy", "greedy")),
    ("express", ("expert", "greedy", "random")),
    ("board", ("expert", "greedy")),
    ("board", ("expert", "greedy", "greedy", "greedy")),
)
"""Rule set and bots of the tournaments whose shares are taken less luck."""
TWICE, GROUPS = 2, 20


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


def luck_rows(ruleset: str, bots: tuple[str, ...], games: int) -> list[Row]:
    """What luck-adjusted shares are worth in a tournament of the bots, and what they cost."""
    plan = SimulationPlan("luck", ruleset, len(bots), bots)
    count = max(2 * GROUPS, games // len(plan_seatings(plan).seatings))
    spent = []
    for with_luck in (False, True):
        began = time.process_time()
        deals = [play_deal(plan, index, with_luck=with_luck) for index in range(1, 1 + count)]
        spent.append(1e3 * (time.process_time() - began) / sum(len(deal.games) for deal in deals))

    def times(some: list[Deal]) -> float:
        """How many times as many games the plain share of the first bot needs."""
        adjusted = next(row for row in standings(plan, some).bots if row.bot == bots[0]).adjusted
        return (adjusted and adjusted.times) or 0.0

    groups = [deals[number::GROUPS] for number in range(GROUPS)]
    low, high = jackknife(groups, lambda parts: [*chain(*parts)], times) or (0.0, 0.0)
    lucks = [
        *([fmean(bot_luck(bot, game) for game in deal.games) for deal in deals] for bot in {*bots}),
        *(
            [fmean(game.luck[at] for game in deal.games) for deal in deals]
            for at in range(len(bots))
        ),
    ]
    errors = [abs(fmean(luck)) / (stdev(luck) / sqrt(count)) for luck in lucks]
    table, figure = f"{ruleset}, {'-'.join(bots)}", times(deals)
    goals = Goal(TWICE, of="figure"), Goal(3, of="figure", at_most=True)
    rows = [
        Row(f"{table}: less luck, as good as", figure, "times the games", low, high, goal=goals[0]),
        Row(
            f"{table}: mean luck",
            max(errors),
            "standard errors",
            min(errors),
            max(errors),
            goal=goals[1],
        ),
        Row(
            f"{table}: a game with luck",
            *(spent[1], "ms", spent[1], spent[1], "without", spent[0], spent[1] / spent[0]),
        ),
    ]
    return [structs.replace(row, met=row.goal.met_by(row) if row.goal else None) for row in rows]


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
    for ruleset, bots in LUCK:
        rows += luck_rows(ruleset, bots, 0 if given.quick else 2 * given.games)
    for line in rows:
        print(show(line))
    note = (
        f"{given.games:,} games each or the next whole deal, --seed readme, on the same cards in "
        "all orders of the bots; ranges of wins are 95 % intervals. Less luck: twice the games, "
        "--seed luck, with the interval of a jackknife. Mean luck: that of the bot or the seat "
        "which is most standard errors away from 0."
    )
    write(Results("tournament", rows, {}, [note]), given.json)
    return 0


if __name__ == "__main__":
    sys.exit(main())
