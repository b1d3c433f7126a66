"""Hold the second referee against the rules that play, in games under all house rules.

    python benchmarks/referee.py agree [--count 10000] [--first 0] [--ruleset NAME] [--jobs N]
    python benchmarks/referee.py events [--count 400] [--jobs N]
    python benchmarks/referee.py page [--count 100] [--first 0] [--ruleset NAME]
    python benchmarks/referee.py positions [--count 2500] [--first 0] [--ruleset NAME]

`agree` plays so many games of each rule set, the house rules by pairwise coverage
(tests/support/replay/option_pairs.py), and has the referee judge them: no objection is due.
`events` changes one event of a good game in a way that the rules do not allow
(tests/support/replay/event_mutations.py): an objection is due. Exits with 1 otherwise. `page`
has the referee of the page in a Chromium judge so many games of each rule set, each as it is, with
events changed and under other house rules: it has to say of all what the one in Python says.
`positions` draws so many positions for each rule set, and so many with any question open
(tests/support/replay/drawn_positions.py, asked_positions.py), and tries moves in them, most of them
spoilt: the rules and both referees have to agree on each.
The suite has the same in small: a few games of each, in which every kind of change is met.
`--first` goes on where an earlier run ended: what a number stands for never changes.
"""

import argparse
import itertools
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT))

from phaseledger.domain.rulesets import GAMES
from phaseledger.replay.batch.pool import Workers, cores, in_order
from phaseledger.replay.evidence.referee.referee import judge
from phaseledger.replay.laboratory.simulate.game import SimulationPlan, play
from phaseledger.replay.terminal import progress
from tests.support.browser import chromium, opened
from tests.support.replay.asked_positions import explored_questions
from tests.support.replay.drawn_positions import explored
from tests.support.replay.event_mutations import mutations
from tests.support.replay.judged_positions import judged_moves, on_the_page
from tests.support.replay.option_pairs import plans
from tests.support.replay.option_swaps import other_readings
from tests.support.replay.page_referee import RefereedGame, compared, replacing
from tests.support.replay.rare_positions import explored_rarities, explored_supplies
from tests.support.replay.refereed_games import events_of_game, refereed

RULESETS = ("classic", "standard-deck", "express", "board")
SEED = "referee"


class Verdict(NamedTuple):
    """What came of one game: the referee's objection, or empty."""

    number: int
    kind: str
    events: int
    cpu: float
    fault: str = ""


def judged(task: tuple[int, SimulationPlan]) -> list[Verdict]:
    """Play one game and have it judged."""
    number, plan = task
    played = play(plan, number)
    start = time.process_time()
    objection = refereed(played.lines)
    seconds = time.process_time() - start
    fault = f"{objection}, under {plan.options}" if objection else ""
    if "illegal" in played.fault:
        fault = played.fault
    return [Verdict(number, plan.ruleset, len(played.lines), seconds, fault)]


def agree(options: argparse.Namespace) -> int:
    """Have good games judged."""
    faults = 0
    for ruleset in [options.ruleset] if options.ruleset else RULESETS:
        games = itertools.islice(plans(ruleset, SEED, options.first), options.count)
        faults += run(judged, list(games), ruleset, options.jobs)
    return faults


def changed(number: int) -> list[Verdict]:
    """Play one game, and have it judged with one event changed, in every way that there is."""
    ruleset = RULESETS[number % len(RULESETS)]
    _, plan = next(plans(ruleset, "changes", number // len(RULESETS)))
    played = play(plan, number)
    verdicts = []
    for mutation, seq, events in mutations(events_of_game(played.lines), number):
        start = time.process_time()
        objection = judge(events)
        seconds = time.process_time() - start
        is_found = objection is not None and objection.seq >= seq
        fault = "" if is_found else f"event {seq} of {ruleset} {number}: {objection}"
        verdicts.append(Verdict(number, mutation.name, len(events), seconds, fault))
    return verdicts


def events(options: argparse.Namespace) -> int:
    """Have games judged in which one event is changed."""
    numbers = range(options.first, options.first + options.count)
    return run(changed, numbers, "changed events", options.jobs)


def page(options: argparse.Namespace) -> int:
    """Hold the page's referee against the one in Python."""
    faults = 0
    with chromium() as browser, opened(browser) as verifier:
        for ruleset in [options.ruleset] if options.ruleset else RULESETS:
            begun, judged, objections, wrong = time.monotonic(), 0, 0, list[str]()
            games = itertools.islice(plans(ruleset, SEED, options.first), options.count)
            for number, plan in games:
                game = varied(ruleset, number, plan)
                result = compared(verifier, [game])
                judged += 1 + len(game.changes)
                objections += result.objections
                wrong += result.disagreements
            print(*wrong, sep="\n", end="\n" * bool(wrong), flush=True)
            print(
                f"{ruleset}: {judged:,} games, {objections:,} with an objection, "
                f"{len(wrong)} disagreements, in {time.monotonic() - begun:,.0f} s",
                flush=True,
            )
            faults += len(wrong)
    return faults


def positions(options: argparse.Namespace) -> int:
    """Have moves in drawn positions decided by the rules and judged by both referees."""
    faults = 0
    with chromium() as browser, opened(browser) as verifier:
        for ruleset in [options.ruleset] if options.ruleset else RULESETS:
            begun, lawful, refused, wrong = time.monotonic(), 0, 0, list[str]()
            for number in range(options.first, options.first + options.count):
                tried = [explored(ruleset, number), explored_questions(ruleset, number)]
                tried.append(explored_rarities(ruleset, number))
                if ruleset == "board":
                    tried.append(explored_supplies(number))
                moves = list(judged_moves(itertools.chain(*tried)))
                lawful += sum(move.is_lawful for move in moves)
                refused += sum(not move.is_lawful for move in moves)
                faulty = [*(move.fault for move in moves if move.fault)]
                wrong += [
                    f"{ruleset} {number}: {fault}"
                    for fault in faulty + on_the_page(verifier, moves)
                ]
            print(*wrong, sep="\n", end="\n" * bool(wrong), flush=True)
            print(
                f"{ruleset}: {options.count:,} numbers, {lawful:,} lawful moves and "
                f"{refused:,} that are not, {len(wrong)} disagreements, "
                f"in {time.monotonic() - begun:,.0f} s",
                flush=True,
            )
            faults += len(wrong)
    return faults


def varied(ruleset: str, number: int, plan: SimulationPlan) -> RefereedGame:
    """A game, the same with one event changed in every way, and under other house rules."""
    events = events_of_game(play(plan, number).lines)
    settings = sorted(GAMES[ruleset].settings)
    one_of_five = settings[number % 5 :: 5]
    return RefereedGame(
        f"{ruleset} {number}",
        events,
        [
            *(replacing(kind.name, seq, events, made)
              for kind, seq, made in mutations(events, number)),
            *(replacing(f"{option} = {value}", 1, events, made)
              for option, value, made in other_readings(plan, events, one_of_five)),
        ],
    )  # fmt: skip


def run(
    task: Callable[[Any], list[Verdict]], items: Sequence[object], title: str, jobs: int
) -> int:
    """Do the task with each item on all cores, and say what came of it; how many were at fault."""
    count, seconds, kinds, faults = 0, 0.0, set[str](), list[str]()
    tries, start = 0, time.monotonic()
    with in_order(task, items, Workers(jobs)) as results, progress(title, len(items)) as advance:
        for verdicts in results:
            for verdict in verdicts:
                tries += 1
                count += verdict.events
                seconds += verdict.cpu
                kinds.add(verdict.kind)
                if verdict.fault:
                    faults.append(verdict.fault)
                    print(f"{title}, {verdict.kind} {verdict.number}: {verdict.fault}", flush=True)
            advance(1)
    rate = f"; {count:,} events, {count / seconds:,.0f} a second and core" if count else ""
    wall = time.monotonic() - start
    print(
        f"{title}: {tries:,} of {len(kinds)} kinds, {len(faults)} at fault, in {wall:,.0f} s{rate}",
        flush=True,
    )
    return len(faults)


def main() -> int:
    """Run what the arguments say."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("what", choices=("agree", "events", "page", "positions"))
    parser.add_argument("--count", type=int, default=None)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--ruleset", choices=RULESETS)
    parser.add_argument("--jobs", type=int, default=cores())
    options = parser.parse_args()
    commands = {
        "agree": (agree, 10_000),
        "events": (events, 400),
        "page": (page, 100),
        "positions": (positions, 2_500),
    }
    command, count = commands[options.what]
    options.count = count if options.count is None else options.count
    return 1 if command(options) else 0


if __name__ == "__main__":
    sys.exit(main())
