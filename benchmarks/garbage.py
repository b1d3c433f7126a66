"""Throw garbage commands at states of whole games of every rule set.

    python benchmarks/garbage.py [--commands 200000] [--at-each 8] [--every 7] [--first-run 0]

Every command has to be refused with a code or to lead on lawfully (law 3, cards conserved). Exits
with 1 at the first one that does neither, and says which. `tests/support/command_fuzzing.py` is the
harness, shared with the tests.
"""

import argparse
import sys
import time
from itertools import count
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))

from tests.support.command_fuzzing import Fault, Tally, barrage
from tests.support.scenario import TABLES


def bombard(commands: int, at_each: int, every: int, first_run: int) -> dict[str, Tally]:
    """The tally of each rule set, with an equal share of the commands for each."""
    names = list(dict.fromkeys(ruleset for ruleset, _, _ in TABLES))
    tallies = {name: Tally() for name in names}
    for name, tally in tallies.items():
        numbers = [number for number, row in enumerate(TABLES) if row[0] == name]
        share = -(-commands // len(names))
        for run in count(first_run):
            if tally.tried >= share:
                break
            for number in numbers:
                if tally.tried >= share:
                    break
                for part in barrage(number, run, at_each, every):
                    tally.add(part)
    return tallies


def main() -> int:
    """Throw, count, and sum up."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--commands", type=int, default=200_000)
    parser.add_argument("--at-each", type=int, default=8, help="commands at each state")
    parser.add_argument("--every", type=int, default=7, help="only every so many-th state")
    parser.add_argument("--first-run", type=int, default=0, help="which games to begin with")
    given = parser.parse_args()
    began = time.monotonic()
    try:
        tallies = bombard(given.commands, given.at_each, given.every, given.first_run)
    except Fault as fault:
        print(f"FAULT  {fault}")
        return 1
    codes = sorted({code for tally in tallies.values() for code in tally.refused})
    print(f"{'':24}" + "".join(f"{name:>14}" for name in tallies))
    print(f"{'tried':24}" + "".join(f"{tally.tried:14,}" for tally in tallies.values()))
    print(
        f"{'accepted, lawful':24}" + "".join(f"{tally.accepted:14,}" for tally in tallies.values())
    )
    for code in codes:
        print(f"{code:24}" + "".join(f"{tally.refused[code]:14,}" for tally in tallies.values()))
    tried = sum(tally.tried for tally in tallies.values())
    took = time.monotonic() - began
    print(f"{tried:,} commands, {len(codes)} codes, no exception; {took:.0f} s")
    return 0


if __name__ == "__main__":
    sys.exit(main())
