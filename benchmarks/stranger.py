"""Hold examples/verifier.py, written from the documents alone, against `phaseledger verify`.

    python benchmarks/stranger.py [--games 1000] [--first 0] [--forgeries 4]

Each number is a game: in turn those of the tests' operators (every rule set and style, seat count,
secrets and keys of seats, games broken off), and games by pairwise house rules. Both judge its
whole bundle, the bundle of the running game for a spectator or one of its seats, and forgeries,
which take turns over all ways: lines changed, events changed and chained, sealed and signed again.
Exits with 1 if one accepts what the other refuses, and names the game. What the example does not
judge (PLAY) is counted apart. What a number stands for never changes, so `--first` goes on where a
run ended.
"""

import argparse
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

ROOT = Path(__file__).parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "examples")]

import verifier

from phaseledger.replay.terminal import progress
from tests.support.replay import bundle_mutations as forger
from tests.support.replay.bundle_edits import EDITS
from tests.support.replay.bundle_lines import Made, made
from tests.support.replay.operator_forgeries import FORGERIES
from tests.support.replay.operator_games import Plan, bundled, plan, whole_commands
from tests.support.replay.option_pairs import option_rows
from tests.support.replay.tampering_tools import judged, tampered

SEED = "stranger"
SEATS = {"classic": (2, 6), "standard-deck": (3, 5), "express": (2, 6), "board": (2, 6)}
PLAY = (
    "points of a round",
    "total of a round",
    "phase laid in a round",
    "phase that comes next",
    "another winner",
    "another went out",
    "another phase laid",
    "another space",
    "a house rule asked for",
    "a score edited",
    "an event dropped",  # such as a draw: a turn without one
    "an event repeated",  # such as the end of a round
)
"""Forgeries that only the rules of play refute, which the example leaves to `verify`."""


def planned(number: int) -> Plan:
    """The game of that number."""
    if number % 2 == 0:
        return plan(number // 2, SEED, longest=120)
    ruleset = tuple(SEATS)[number // 2 % 4]
    rows, (least, most) = option_rows(ruleset), SEATS[ruleset]
    turn = number // 8
    options = dict(rows[turn % len(rows)])
    if options.get("max_turns_per_round", "none") == "none":
        options["max_turns_per_round"] = 60
    return Plan(
        ruleset=ruleset,
        seats=least + turn % (most - least + 1),
        seed=f"{SEED} {number}",
        options=options,
        bots=("random", "greedy") if turn % 2 else ("greedy",),
        bringing=(0,) if turn % 3 else (),
        signing=(1,) if turn % 4 else (),
        void_after=(60, 110, 160)[turn % 3],
        restless=(0,) if turn % 5 == 0 else (),
        leaving=(1,) if turn % 7 == 0 else (),
    )


def content_of(lines: Sequence[bytes]) -> bytes:
    """A file of lines."""
    return b"".join(line if line.endswith(b"\n") else line + b"\n" for line in lines)


def files(number: int, forgeries: int, before: Made | None) -> Iterator[tuple[str, bytes]]:
    """The bundles of one game, good ones first, each with what was done to it."""
    game = made(planned(number))
    whole = content_of(bundled(game.stored))
    yield "whole", whole
    running = whole_commands(game.stored, len(game.stored) * (1 + number % 3) // 4)
    viewer = (None, *range(game.plan.seats))[number % (game.plan.seats + 1)]
    if running:
        yield "running", content_of(bundled(running, viewer=viewer))
    ways = (*forger.NAMES, *EDITS, *FORGERIES)
    for step in range(forgeries):
        name = ways[(number * forgeries + step) % len(ways)]
        if name in forger.NAMES:
            forgery = forger.mutation(name, game, before or game, lambda n: number % n if n else 0)
            content = content_of(forgery.lines) if forgery else None
        else:
            content = tampered(whole, {**EDITS, **FORGERIES}[name], number)
        if content is not None:
            yield name, content


class Tally:
    """What came of the files: counted, and those on which the two differ."""

    def __init__(self) -> None:
        self.description = verifier.described(verifier.OPENAPI)
        self.counted: Counter[str] = Counter()
        self.seconds = {"the example": 0.0, "verify": 0.0}
        self.differences: list[str] = []

    def accepted(self, content: bytes) -> bool:
        """Whether the example finds nothing wrong."""
        try:
            verifier.judge(content, self.description)
        except (verifier.Damaged, verifier.Wrong, verifier.Untrue):
            return False
        return True

    def judge(self, number: int, name: str, content: bytes) -> None:
        """Have both judge a file."""
        start = time.monotonic()
        mine = self.accepted(content)
        middle = time.monotonic()
        sound, codes, _ = judged(content)
        self.seconds["the example"] += middle - start
        self.seconds["verify"] += time.monotonic() - middle
        kind = name if name in ("whole", "running") else "forged"
        if mine == sound:
            self.counted[f"{kind}, both {'accept' if sound else 'refuse'}"] += 1
        elif mine and name.partition(" /")[0] in PLAY and codes:
            self.counted["forged, left to the rules of play"] += 1
        else:
            who = "the example" if mine else "verify"
            self.differences.append(f"game {number}, {name}: only {who} accepts it ({codes})")
            print(self.differences[-1], flush=True)


def run(games: int, first: int, forgeries: int) -> Tally:
    """Judge games from one number on."""
    tally = Tally()
    with progress("games", games) as advance:
        for number in range(first, first + games):
            before = made(planned(number - 2)) if number > 1 else None
            for name, content in files(number, forgeries, before):
                tally.judge(number, name, content)
            advance(1)
    return tally


def main() -> int:
    """Compare the verdicts on as many games as the command line asks for."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--games", type=int, default=1_000)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--forgeries", type=int, default=4, help="of each game")
    given = parser.parse_args()
    tally = run(given.games, given.first, given.forgeries)
    for what, count in sorted(tally.counted.items()):
        print(f"{what}: {count:,}")
    for who, seconds in tally.seconds.items():
        print(f"{who}: {seconds:.0f} s")
    print(f"{given.games:,} games, disagreements: {len(tally.differences)}")
    return 1 if tally.differences else 0


if __name__ == "__main__":
    sys.exit(main())
