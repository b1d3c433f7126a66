"""Evidence for the account of luck and error (docs/explanation/luck-and-skill.md).

    python benchmarks/account.py [--only parts,endings,chances] [--games 1000]
                                 [--endings 50] [--unseen 10000] [--rules NAME]

- `parts`: games of the three card games at 2 to 6 seats by `random`, `greedy` and `expert`: how far
  a result is from the sum of its parts, and the mean luck of each bot's seats beside its standard
  error over games.
- `endings`: decisions of two seats near the end of a round, solved by full enumeration of the
  other's hidden cards and of every draw, `expert` going on, beside the judgement by rollouts.
- `chances`: the value models (`--rules`: of these alone) on unseen games: the slope of results
  over chances, and the Brier score beside those of the scoreboard alone and of equal chances.

Exits with 1 where a goal is missed.
"""

import argparse
import sys
from collections import defaultdict
from itertools import cycle, islice
from math import sqrt
from pathlib import Path
from statistics import fmean, stdev

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from benchmarks.endings import events, solved_endings
from benchmarks.value_models import released, reliability
from phaseledger.domain.kernel.rollouts.values import BETWEEN, FEATURES
from phaseledger.domain.rulesets import preset
from phaseledger.replay.laboratory.account.account import account
from phaseledger.replay.laboratory.account.fit import samples
from phaseledger.replay.laboratory.account.models import model
from phaseledger.replay.laboratory.account.moments import moments
from phaseledger.replay.laboratory.simulate.game import SimulationPlan

RULESETS = ("classic", "standard-deck", "express", "board")
BOTS = ("random", "greedy", "expert")


def say(text: str) -> None:
    """Print, over the line of progress."""
    print(f"\r{text}", flush=True)


# --- parts ----------------------------------------------------------------------------------------


def parts(games: int) -> bool:
    """Whether results are the sums of their parts, and luck is 0 in the mean."""
    luck: defaultdict[str, list[float]] = defaultdict(list)
    furthest = 0.0
    for number in range(games):
        rules = preset(RULESETS[number % 4])
        seats = rules.seats_min + number // 4 % (rules.seats_max - rules.seats_min + 1)
        bots = tuple(islice(cycle(BOTS), number % 7, number % 7 + seats))
        of_game: defaultdict[str, list[float]] = defaultdict(list)
        plan = SimulationPlan("account", rules.name, seats, bots)
        for seat in account([*moments(events(plan, number))]).seats:
            total = seat.start + seat.luck + seat.own + seat.others
            furthest = max(furthest, abs(seat.result - total))
            of_game[bots[seat.seat]].append(seat.luck)
        for bot, values in of_game.items():
            luck[bot].append(fmean(values))
        print(f"\r{number:,} games", end="", flush=True)
    say(f"{games:,} games: results are the sums of their parts to {furthest:.1e}")
    fair = [_is_fair(bot, values) for bot, values in luck.items()]
    return all(fair) and furthest < 1e-9


def _is_fair(bot: str, luck: list[float]) -> bool:
    """Whether the mean luck is within three standard errors of 0."""
    mean, error = fmean(luck), stdev(luck) / sqrt(len(luck))
    say(
        f"luck of {bot}: {100 * mean:+.2f} hundredths, standard error {100 * error:.2f} "
        f"({mean / error:+.1f}) over {len(luck):,}"
    )
    return abs(mean) < 3 * error


# --- endings --------------------------------------------------------------------------------------


def endings(wanted: int) -> bool:
    """Whether rollouts find the best move and the equity of solved decisions."""
    results = []
    for result in islice(solved_endings(), wanted):
        results.append(result)
        print(f"\r{len(results)} endings", end="", flush=True)
    equal, furthest = sum(same for same, _ in results), max(away for _, away in results)
    say(
        f"{wanted} endings: best move equal in {equal}, equity at most {100 * furthest:.2f} "
        "hundredths away"
    )
    return equal == wanted and furthest < 0.005


# --- chances --------------------------------------------------------------------------------------


def chances(games: int, prefix: str) -> bool:
    """Whether the models' chances are right on unseen games, and better than simpler ones."""
    met = True
    for name, rules, seats in released():
        label = f"{name}, {seats} seats"
        if not label.startswith(prefix):
            continue
        weights = list(model(rules, seats))
        unseen = samples(rules, seats, 2, range(games), within=True)
        slope, brier = reliability(unseen, weights[:FEATURES], FEATURES)
        _, board = reliability(unseen, weights[BETWEEN:], FEATURES)
        base = (1 - 1 / seats) / seats
        is_met = 0.95 <= slope <= 1.05 and brier < min(board, base)
        met = met and is_met
        say(
            f"{label}: slope {slope:.3f}, Brier {brier:.4f}, scoreboard {board:.4f}, "
            f"equal chances {base:.4f}{'' if is_met else '  MISSED'}"
        )
    return met


def main() -> int:
    """Run what is asked for."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--only", default="parts,endings,chances")
    parser.add_argument("--games", type=int, default=1_000)
    parser.add_argument("--endings", type=int, default=50)
    parser.add_argument("--unseen", type=int, default=10_000, help="games for each model")
    parser.add_argument("--rules", default="", help="how the names of the models begin")
    given = parser.parse_args()
    works = {
        "parts": lambda: parts(given.games),
        "endings": lambda: endings(given.endings),
        "chances": lambda: chances(given.unseen, given.rules),
    }
    met = [works[name]() for name in given.only.split(",")]
    return 0 if all(met) else 1


if __name__ == "__main__":
    sys.exit(main())
