"""Hold the kernel to the domain, decision by decision, under pairwise house rules.

    python benchmarks/lockstep.py [--decisions 1000000] [--first 0]

Scene n of each game is a random game by the n-th row of options, at one number of seats after
the other: 2,000 decisions with hands, piles, groups and complete lists of moves in their order.
Ends at the first difference, with exit code 1 and the scene. What a number stands for never
changes, so a run goes on with `--first` where an earlier one ended.
"""

import argparse
import sys
import time
from itertools import count
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from tests.support.kernel_scenes import GAMES, scenes
from tests.support.lockstep import held

PER_SCENE = 2_000


def main() -> int:
    """Compare, and say how far it came."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--decisions", type=int, default=1_000_000)
    parser.add_argument("--first", type=int, default=0, help="the number of the first scene")
    given = parser.parse_args()
    games = [(name, scenes(name, given.first)) for name in GAMES]
    decisions, began = 0, time.process_time()
    for number in count(given.first):
        if decisions >= given.decisions:
            break
        for name, of_game in games:
            scene = next(of_game)
            try:
                decisions += held(scene, PER_SCENE)
            except AssertionError as difference:
                print(f"\nDIFFERENCE  {name}, scene {number}: {scene}\n{difference}")
                return 1
        print(
            f"\rscene {number}: {decisions:,} decisions, {time.process_time() - began:,.0f} s",
            end="",
            flush=True,
        )
    print("; no difference")
    return 0


if __name__ == "__main__":
    sys.exit(main())
