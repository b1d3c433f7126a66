"""A campaign of simulations: the shell under seeded schedules and faults, in virtual time.

    python benchmarks/simulation.py [--seeds 0..10000] [--jobs N] [--never-back] [--always-cut]
        [--without FAULTS]
    python benchmarks/simulation.py --seed 17 [--log]

Each seed is a world of its own (tests/simulation): one to three nodes over one simulated
PostgreSQL, with players and their tokens, streams, games of bots alone, turn clocks, views and the
signed public log, filtered lists, games that are archived or damaged, and nodes of the release
before, while answers are lost before and after commits, connections stall, the server
restarts, crashes, becomes read-only or goes back to what a lagging standby has, nodes are killed
and paused, and the views are rebuilt. At last an older backup may be restored, with a new epoch.
The clocks of nodes are wrong by up to a day. Its history is checked: every acknowledged command
that the database still has is in the log once, at its version; repeats get the same bytes; no read
is stale; no stream leaves an event out or goes on with another history's; no token counts that was
lost; nobody is timed out too soon, or answers too late; no sound game is set aside; a new epoch
voids what was running; bots play on though nobody looks; all recovers, but for what stays: a node
that never comes back, a standby that is always behind, a client that repeats everything.

A campaign of 300 seeds or more also has to reach each of the rare states of
tests/simulation/sometimes.py, or it fails: a fault that no longer leads anywhere finds nothing.
`--without kill,pause` leaves faults out, to see which states these lead to.

Exits with 1 where a seed finds something, or a state was not reached, and prints what replays a
seed: the same seed is the same run, as its digest shows. `--seed` runs one, and `--log` prints what
happened in it.
"""

import argparse
import os
import sys
import time
from collections import Counter
from functools import partial
from multiprocessing import get_context
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))

from tests.simulation.faults import Allowed
from tests.simulation.simulation import RARE, Options, Outcome, simulate
from tests.simulation.sometimes import FEWEST, table, unreached

SUMMED = (
    *("events", "acknowledged", "repeats", "reads", "frames", "time_outs", "faults", "lost"),
    "steps",
)
EVERY = 100  # seeds between two words of progress


def simulated(allowed: Allowed, seed: int) -> Outcome:
    """The outcome of a seed, without its log."""
    outcome = simulate(seed, Options(allowed=allowed, rare=RARE))
    return Outcome(**{name: getattr(outcome, name) for name in Outcome.__struct_fields__[:-1]})


def seeds(text: str) -> range:
    """The seeds from ``A..B``, the last excluded."""
    first, _, end = text.partition("..")
    return range(int(first), int(end))


def command(allowed: Allowed, seed: int) -> str:
    """What replays a seed."""
    more = " --never-back" * (not allowed.go_back)
    more += " --always-cut" * (not allowed.stall_for_ever)
    more += f" --without {','.join(allowed.without)}" * bool(allowed.without)
    return f"python benchmarks/simulation.py --seed {seed}{more}"


def campaign(allowed: Allowed, wanted: range, jobs: int) -> list[Outcome]:
    """The outcomes of all seeds; those that find something are printed as they come."""
    outcomes, began = [], time.monotonic()
    with get_context("spawn").Pool(jobs, maxtasksperchild=250) as pool:
        for outcome in pool.imap_unordered(partial(simulated, allowed), wanted, chunksize=5):
            outcomes.append(outcome)
            if outcome.violation:
                print(f"FOUND {outcome.violation}\n  {command(allowed, outcome.seed)}", flush=True)
            done = len(outcomes)
            if done % EVERY == 0 or done == len(wanted):
                rate = done / (time.monotonic() - began)
                left = (len(wanted) - done) / rate / 60
                text = f"  {done:,} of {len(wanted):,} seeds, {rate:.1f}/s, {left:.0f} min left"
                print(text, file=sys.stderr, flush=True)
    return outcomes


def summary(outcomes: list[Outcome], seconds: float) -> str:
    """What the campaign came to."""
    sums = Counter[str]()
    for outcome in outcomes:
        for name in SUMMED:
            sums[name] += getattr(outcome, name)
    virtual = sum(outcome.seconds for outcome in outcomes) / 3600
    violations = sum(bool(outcome.violation) for outcome in outcomes)
    return (
        f"{len(outcomes):,} seeds in {seconds:,.0f} s: {violations} found something\n"
        f"{virtual:,.1f} virtual hours, {sums['faults']:,} faults, {sums['events']:,} events, "
        f"{sums['acknowledged']:,} acknowledged commands, {sums['repeats']:,} repeats, "
        f"{sums['reads']:,} reads, {sums['frames']:,} frames of streams, "
        f"{sums['time_outs']:,} time-outs, {sums['steps']:,} callbacks; "
        f"{sums['lost']:,} commands gone with a database that went back"
    )


def main() -> int:
    """Simulate, and say what was found."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seeds", type=seeds, default=range(10_000), help="A..B, B excluded")
    parser.add_argument("--seed", type=int, help="only this one")
    parser.add_argument("--log", action="store_true", help="print what happens in it")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--never-back", action="store_true", help="the database never goes back")
    parser.add_argument("--always-cut", action="store_true", help="a stall is cut by others")
    parser.add_argument("--without", default="", help="faults left out, by name, with commas")
    given = parser.parse_args()
    without = tuple(filter(None, given.without.split(",")))
    allowed = Allowed(not given.never_back, not given.always_cut, without)
    if given.seed is not None:
        outcome = simulate(given.seed, Options(allowed=allowed, rare=RARE))
        if given.log:
            print("\n".join(outcome.log))
        print(f"seed {outcome.seed}, digest {outcome.digest:016x}: {outcome.violation or 'sound'}")
        return 1 if outcome.violation else 0
    began = time.monotonic()
    outcomes = campaign(allowed, given.seeds, given.jobs)
    print(summary(outcomes, time.monotonic() - began))
    reached = sum((Counter(outcome.reached) for outcome in outcomes), Counter[str]())
    print(table(reached))
    missed = unreached(reached) if len(outcomes) >= FEWEST else []
    if missed:
        print(f"FAILED: {len(outcomes):,} seeds have not reached: {'; '.join(missed)}")
    return 1 if missed or any(outcome.violation for outcome in outcomes) else 0


if __name__ == "__main__":
    sys.exit(main())
