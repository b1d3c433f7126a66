"""Tamper with bundles in every way and see each refused; and see good ones accepted.

    python benchmarks/tamper.py bytes [--values 3] [--every 1]
    python benchmarks/tamper.py mutations [--count 10000] [--first 0]
    python benchmarks/tamper.py good [--count 10000] [--first 0]
    python benchmarks/tamper.py hostile

`bytes` sets every byte of a small bundle to other values. `mutations` changes the meaning: lines,
events that are chained and signed again, whole other stories; each mutation names the codes of
which one has to be found first. `good` plays games of every kind and has them accepted. `hostile`
gives the real command files that nobody should send, and measures it. Exits with 1 at a fault. The
mutations are those of the tests (tests/support/replay/bundle_mutations.py,
tests/support/replay/hostile_file_runs.py). `--first` goes on where an earlier run ended: what a
number stands for never changes.
"""

import argparse
import os
import statistics
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache, partial
from multiprocessing import get_context
from pathlib import Path
from typing import NamedTuple

sys.path.insert(0, str(Path(__file__).parent.parent))

from tests.support.chance import chooser
from tests.support.replay import hostile_file_runs
from tests.support.replay.bundle_lines import Made, made
from tests.support.replay.bundle_mutations import (
    NAMES,
    POLICY,
    changed_bytes,
    fault,
    judged,
    mutation,
)
from tests.support.replay.hostile_files import good
from tests.support.replay.operator_games import plan

SEATED = 40
"""Decisions after which the games to be tampered with are broken off."""


class Outcome(NamedTuple):
    """What came of one try, counted under its ``sort``; ``fault`` is empty where all is well."""

    sort: str
    exit_code: int
    seconds: float
    fault: str = ""


# --- every byte ----------------------------------------------------------------------------------


def one_byte(values: int, place: int) -> list[Outcome]:
    """The byte at that place set to other values."""
    results = []
    for lines in changed_bytes(_small(), place, values):
        began = time.perf_counter()
        try:
            verdict = judged(lines)
        except Exception as crash:  # noqa: BLE001 - whatever it is, it is a fault
            results.append(Outcome("a crash", 0, 0.0, f"byte {place}: {crash!r}"))
            continue
        taken = time.perf_counter() - began
        wrong = "" if verdict.exit_code else f"byte {place} may be {b''.join(lines)[place]}"
        results.append(
            Outcome(verdict.codes[0] if verdict.codes else "", *verdict[:1], taken, wrong)
        )
    return outcomes


@lru_cache(1)
def _small() -> bytes:
    return b"".join(good())


# --- other meanings ------------------------------------------------------------------------------


@lru_cache(8)
def _game(number: int) -> Made:
    return made(plan(number, "tampered", longest=SEATED))


def one_mutation(number: int) -> list[Outcome]:
    """The mutation of that number: the names in turn, on game after game."""
    name, turn = NAMES[number % len(NAMES)], number // len(NAMES)
    pick = chooser(name.encode(), turn)
    for attempt in range(200):
        game = _game(turn * 200 + attempt)
        other = _game(turn * 200 + attempt + 18)  # of the same kind
        tampered = mutation(name, game, other, pick)
        if tampered is not None:
            began = time.perf_counter()
            try:
                verdict = judged(tampered.lines, tampered.held)
            except Exception as crash:  # noqa: BLE001 - whatever it is, it is a fault
                return [Outcome(name, 0, 0.0, f"{number}: {tampered.name}: {crash!r}")]
            taken = time.perf_counter() - began
            wrong = fault(tampered, verdict)
            return [Outcome(name, verdict.exit_code, taken, wrong and f"{number}: {wrong}")]
    return [Outcome(name, 0, 0.0, f"{name}: found nothing to change")]


# --- good ones -----------------------------------------------------------------------------------


def one_good(number: int) -> list[Outcome]:
    """The game of that number, played, bundled and verified."""
    planned = plan(number, "good")
    game = made(planned)
    began = time.perf_counter()
    verdict = judged(game.lines, policy=POLICY)
    taken = time.perf_counter() - began
    wrong = f"game {number}: {verdict.codes[:3]}" if verdict.exit_code else ""
    end = "voided" if b'"GameVoided/1"' in game.stored[-1] else "finished"
    sort = f"{planned.ruleset} {end}: {len(game.stored)}"
    return [Outcome(sort, verdict.exit_code, taken, wrong)]


# --- running -------------------------------------------------------------------------------------


def outcomes(
    campaign: Callable[[int], list[Outcome]], numbers: Iterable[int], jobs: int
) -> Iterator[Outcome]:
    """What comes of the tries, from as many processes, with a word on stderr now and then."""
    began = reported = time.monotonic()
    total = len(list(numbers))
    with get_context("spawn").Pool(jobs, initializer=os.nice, initargs=(19,)) as pool:
        for done, some in enumerate(pool.imap(campaign, numbers, chunksize=16), 1):
            yield from some
            now = time.monotonic()
            if now - reported > 20 or done == total:
                left = (total - done) * (now - began) / done / 60
                print(f"  {done:,} of {total:,}, {left:.0f} min left", file=sys.stderr, flush=True)
                reported = now


def summed_up(tries: Iterable[Outcome]) -> int:
    """Print the faults as they come, and the figures at the end; 1 where there is a fault."""
    codes, sorts, faults = Counter[int](), Counter[str](), 0
    seconds, began = [], time.monotonic()
    for outcome in tries:
        codes[outcome.exit_code] += 1
        sorts[outcome.sort.partition(":")[0].partition(" / ")[0]] += 1
        seconds.append(outcome.seconds)
        if outcome.fault:
            faults += 1
            print(f"FAULT  {outcome.fault}", flush=True)
    for sort, count in sorts.most_common():
        print(f"{count:9,}  {sort}")
    for code, count in sorted(codes.items()):
        print(f"{count:9,}  with exit code {code}")
    median, most = 1000 * statistics.median(seconds), 1000 * max(seconds)
    print(
        f"{len(seconds):9,}  in all, {faults} faults; {median:.1f} ms each (median), "
        f"{most:.0f} ms at most; {time.monotonic() - began:.0f} s"
    )
    return 1 if faults else 0


def hostile_files() -> int:
    """Every hostile file given to the real command; 1 where one is not refused as it must be."""
    worst, faults = [], 0
    with tempfile.TemporaryDirectory() as folder:
        for number, name in enumerate(hostile_file_runs.NAMES):
            inside = Path(folder) / str(number)
            inside.mkdir()
            ran, wrong = hostile_file_runs.tried(name, inside)
            worst.append(ran)
            faults += bool(wrong)
            output = ran.printed.strip().replace(str(inside), "")[:90]
            figures = f"{ran.code:3} {ran.seconds:5.2f} s ({ran.busy:4.2f}) {ran.megabytes:4.0f} MB"
            print(f"{name:36}{figures}  {f'FAULT {wrong}' if wrong else output}")
    print(
        f"{len(worst)} files, {faults} faults; at most {max(ran.seconds for ran in worst):.2f} s, "
        f"{max(ran.busy for ran in worst):.2f} s of processor time and "
        f"{max(ran.megabytes for ran in worst):.0f} MB"
    )
    return 1 if faults else 0


def main() -> int:
    """Run one of the campaigns."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("campaign", choices=("bytes", "mutations", "good", "hostile"))
    parser.add_argument("--count", type=int, default=10_000)
    parser.add_argument("--first", type=int, default=0, help="number of the first try")
    parser.add_argument("--values", type=int, default=3, help="other values of each byte")
    parser.add_argument("--every", type=int, default=1, help="only every so many-th byte")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    given = parser.parse_args()
    if given.campaign == "hostile":
        return hostile_files()
    numbers = range(given.first, given.first + given.count)
    campaign: Callable[[int], list[Outcome]] = {"mutations": one_mutation, "good": one_good}.get(
        given.campaign, partial(one_byte, given.values)
    )
    if given.campaign == "bytes":
        print(f"a bundle of {len(_small()):,} bytes")
        numbers = range(given.first, len(_small()), given.every)
    return summed_up(outcomes(campaign, numbers, given.jobs))


if __name__ == "__main__":
    sys.exit(main())
