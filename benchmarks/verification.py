"""What `verify --no-bots` costs an event, beside reading the file's lines and hashing them.

    python benchmarks/verification.py [--decisions 2000] [--rounds 5] [--files 1000] [--json FILE]

One game of each rule set by random bots, as a bundle without receipts and as one with a receipt for
each command; in each round other games, since what was read once is remembered. Processor time of
one process that has started already. Then the longest bundle: a
whole command, its processor time and the most memory that it took. Last one command for so many
files, and for a quarter of them: whole games by greedy bots, with receipts, on all cores.
"""

import os
import resource
import subprocess
import sys
import tempfile
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
from phaseledger.domain.commands import Command, Discard, Draw
from phaseledger.domain.legal import legal
from phaseledger.domain.state import State
from phaseledger.replay.batch.pool import Workers, cores, in_order
from phaseledger.replay.bundle.reader import parse_bundle
from phaseledger.replay.bundle.writer import bundle_lines
from phaseledger.replay.signing.notes import SigningKey
from phaseledger.replay.signing.receipts import is_genuine
from phaseledger.replay.simulate.game import DecisionSource, SimulationPlan, ask, play
from phaseledger.replay.verify.verify import verify

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


def idle(state: State, seat: int, _: bytes, __: int) -> Command:
    """Draw and discard: a game of nothing else never ends."""
    return next(move for move in legal(state, seat) if isinstance(move, Draw | Discard))


def bundle(
    ruleset: str, decisions: int, source: DecisionSource = ask, *, receipts: bool, number: int = 1
) -> tuple[bytes, ...]:
    """The lines of one game's bundle; ``number`` is that of the game in its plan."""
    plan = SimulationPlan("verification", ruleset, 3, ("random",), cap=decisions)
    stored = list(play(plan, number, source).lines)
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


def signatures(lines: tuple[bytes, ...]) -> None:
    """Verify the signatures of the receipts, and nothing else."""
    for _, receipt in parse_bundle(lines, "bundle").receipts:
        assert is_genuine(receipt, KEY.public)


def measured(decisions: int, rounds: int) -> list[Row]:
    """The rows of events a second."""
    plain, parsed, signed = (
        [
            bundles_of_round(decisions, first + number, receipts=first > 2 * rounds + 1)
            for number in range(rounds + 1)
        ]
        for first in range(0, 3 * (rounds + 1), rounds + 1)
    )
    rates = interleaved(
        {
            "plain, decoded": partial(rate, iter(plain), decoded),
            "plain, verified": partial(rate, iter(plain), verified),
            "plain, parsed": partial(rate, iter(parsed), parse_bundle),
            "signed, decoded": partial(rate, iter(signed), decoded),
            "signed, verified": partial(rate, iter(signed), verified),
            "signed, signatures": partial(rate, iter(signed), signatures),
        },
        rounds,
    )
    beside = {"baseline": "JSON and SHA-256 of its lines"}
    return [
        row("form of a bundle", "events/s", rates["plain, parsed"],
            beside=rates["plain, decoded"], **beside),
        row("verify --no-bots, no receipts", "events/s", rates["plain, verified"],
            beside=rates["plain, decoded"], goal=GOAL, **beside),
        row("signatures of receipts alone", "events/s", rates["signed, signatures"],
            beside=rates["signed, decoded"], **beside),
        row("verify --no-bots, a receipt a command", "events/s", rates["signed, verified"],
            beside=rates["signed, decoded"], goal=GOAL, **beside),
    ]  # fmt: skip


def longest(folder: Path, decisions: int) -> list[Row]:
    """The rows of the longest bundle."""
    file = folder / "long.bundle"
    lines = bundle("classic", decisions, idle, receipts=True)
    file.write_bytes(b"".join(lines))
    usage = command_usage("--no-bots", str(file))
    count = len(parse_bundle(lines, "bundle").events)
    size = sum(map(len, lines)) / 2**20
    what = f"{count:,} events, {len(lines):,} lines, {size:.0f} MiB"
    return [
        row(f"verify, {what}: time", "s", [usage.ru_utime + usage.ru_stime]),
        row(f"verify, {what}: memory", "MiB", [usage.ru_maxrss / 1024]),
    ]


def command_usage(*given: str) -> resource.struct_rusage:
    """What `phaseledger verify` takes; its memory is that of the largest of its processes."""
    program = Path(sys.executable).with_name("phaseledger")
    command = [str(program), "verify", *given]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    assert process.returncode == 0, process.returncode
    return usage


def whole_game(number: int, folder: Path) -> int:
    """Write the bundle of a game that greedy bots play to its end; its number of events."""
    ruleset = RULESETS[number % len(RULESETS)]
    stored = list(play(SimulationPlan("files", ruleset, 3, ("greedy",)), number).lines)
    key = SigningKey("operator.example", b"k" * 32)  # one for all the processes that write files
    lines = bundle_lines(stored, keys=[key.public], signer=key)
    (folder / f"{number}.bundle").write_bytes(b"".join(lines))
    return len(stored)


def many(folder: Path, count: int) -> list[Row]:
    """The rows of many files in one command."""
    with in_order(partial(whole_game, folder=folder), range(count), Workers(cores())) as written:
        events = list(written)
    rows = []
    for files in (count // 4, count):
        what = f"verify, {files:,} files, {sum(events[:files]):,} events"
        start = time.monotonic()
        usage = command_usage(*(str(folder / f"{number}.bundle") for number in range(files)))
        seconds = time.monotonic() - start
        rows += [
            row(f"{what}: cores in use", "", [(usage.ru_utime + usage.ru_stime) / seconds]),
            row(f"{what}: events", "events/s", [sum(events[:files]) / seconds]),
            row(f"{what}: the largest process", "MiB", [usage.ru_maxrss / 1024]),
        ]
    return rows


def main() -> int:
    """Measure and print."""
    parser = arguments(__doc__)
    parser.add_argument("--decisions", type=int, default=2_000)
    parser.add_argument("--files", type=int, default=1_000)
    given = parser.parse_args()
    decisions, rounds = (120, 1) if given.quick else (given.decisions, given.rounds)
    with (
        tempfile.TemporaryDirectory() as folder
    ):  # first: a command's memory counts from this one's
        commands = longest(Path(folder), 200 if given.quick else 22_000)
        commands += many(Path(folder), 12 if given.quick else given.files)
    rows = measured(decisions, rounds) + commands
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
