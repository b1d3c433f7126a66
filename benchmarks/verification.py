"""What `verify --no-bots` costs an event, beside reading the file's lines and hashing them.

    python benchmarks/verification.py [--decisions 2000] [--rounds 5] [--json FILE]

One game of each rule set by random bots, as a bundle without receipts and as one with a receipt for
each command; in each round other games, since what was read once is remembered. Processor time of
one process that has started already.
"""

import sys
import time
from collections.abc import Callable, Iterator
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

import msgspec

from benchmarks.results import Goal, Results, Row, arguments, interleaved, row, show, write
from phaseledger.replay.evidence.verify.verify import verify
from phaseledger.replay.formats.bundle.reader import parse_bundle
from phaseledger.replay.formats.bundle.writer import bundle_lines
from phaseledger.replay.formats.signing.notes import SigningKey
from phaseledger.replay.laboratory.simulate.game import SimulationPlan, play

RULESETS = ("classic", "standard-deck", "express", "board")
KEY = SigningKey.new("operator.example")
GOAL = Goal(
    40_000,
    of="figure",
    obstacle="deciding every command again, the lines' form, the second referee; and one Ed25519 "
    "verification for each receipt",
)
DECODE = msgspec.json.Decoder().decode


class Round(NamedTuple):
    """The bundles of one round, and their number of events."""

    bundles: list[tuple[bytes, ...]]
    events: int


def bundle(ruleset: str, decisions: int, *, receipts: bool, number: int = 1) -> tuple[bytes, ...]:
    """The lines of one game's bundle; ``number`` is that of the game in its plan."""
    plan = SimulationPlan("verification", ruleset, 3, ("random",), cap=decisions)
    stored = list(play(plan, number).lines)
    if receipts:
        return tuple(bundle_lines(stored, keys=[KEY.public], signer=KEY))
    return tuple(bundle_lines(stored))


def rate(rounds: Iterator[Round], work: Callable[[tuple[bytes, ...]], object]) -> float:
    """Events a second of processor time, of the bundles of the next round."""
    bundles, events = next(rounds)
    start = time.process_time()
    for lines in bundles:
        work(lines)
    return events / (time.process_time() - start)


def bundles_of_round(decisions: int, number: int, *, receipts: bool) -> Round:
    """One bundle for each rule set, of games that no other round has."""
    bundles = [bundle(ruleset, decisions, receipts=receipts, number=number) for ruleset in RULESETS]
    events = sum(line.startswith(b'{"event":') for lines in bundles for line in lines)
    return Round(bundles, events)


def decoded(lines: tuple[bytes, ...]) -> None:
    """Read the JSON of each line, and hash it: what nobody can do without."""
    for line in lines:
        DECODE(line)
        sha256(line).digest()


def verified(lines: tuple[bytes, ...]) -> None:
    """Verify the bundle, which has to be sound."""
    (examined,) = verify([parse_bundle(lines, "bundle")], bots=False)
    assert examined.judgement.conclusion == "sound", examined.judgement.headline


def measured(decisions: int, rounds: int) -> list[Row]:
    """The rows of events a second."""
    plain, signed = (
        [
            bundles_of_round(decisions, first + number, receipts=first > 0)
            for number in range(rounds + 1)
        ]
        for first in (0, rounds + 1)
    )
    rates = interleaved(
        {
            "plain, decoded": partial(rate, iter(plain), decoded),
            "plain, verified": partial(rate, iter(plain), verified),
            "signed, decoded": partial(rate, iter(signed), decoded),
            "signed, verified": partial(rate, iter(signed), verified),
        },
        rounds,
    )
    return [
        row(
            f"verify --no-bots, {receipts}",
            "events/s",
            rates[f"{kind}, verified"],
            baseline="JSON and SHA-256 of its lines",
            beside=rates[f"{kind}, decoded"],
            goal=GOAL,
        )
        for kind, receipts in (("plain", "no receipts"), ("signed", "a receipt a command"))
    ]


def main() -> int:
    """Measure and print."""
    parser = arguments(__doc__)
    parser.add_argument("--decisions", type=int, default=2_000)
    given = parser.parse_args()
    decisions, rounds = (120, 1) if given.quick else (given.decisions, given.rounds)
    rows = measured(decisions, rounds)
    for line in rows:
        print(show(line))
    notes = [
        "One process; bots are not made to move again, which takes as long once more.",
        "A game has some 0.54 commands, and so receipts, an event.",
    ]
    write(Results("verification", rows, {}, notes), given.json)
    return 0


if __name__ == "__main__":
    sys.exit(main())
