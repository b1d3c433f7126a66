"""Whole games of every rule set and style by mixed bots at all seat counts, every one audited.

    python benchmarks/campaign.py [--games 10000] [--only board,express] [--bots NAMES]
        [--max-turns 2000] [--bound 100000] [--jobs N] [--seed TEXT] [--results FILE]

Each game has to end within the bound of decisions, and its audit has to be sound: whole, same as
decided again from the seed, folded, cards conserved after every event, promised. Exits with 1
where one is not, and names it: `phaseledger simulate` plays it again.

With `--results` each game's line goes to that file, and games that it has already are not played
again, so an interrupted campaign goes on where it was. The rules bound no round (RULES.md O-39),
and in some positions nobody can go out any more: `--max-turns` breaks such rounds off, and the
table says how many they were; 0 sets no limit.
"""

import argparse
import os
import statistics
import sys
import time
from collections.abc import Iterable, Iterator
from functools import partial
from itertools import islice
from multiprocessing import get_context
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))

import msgspec
from msgspec import Struct

from phaseledger.domain.bots import BOTS
from phaseledger.domain.events import RoundEnded
from phaseledger.domain.options import OptionValue
from phaseledger.domain.rulesets import preset
from phaseledger.replay.evidence.audit.auditor import Auditor
from phaseledger.replay.formats.records.findings import SourceRow
from phaseledger.replay.laboratory.simulate.game import SimulationPlan, play

KINDS: dict[str, tuple[str, dict[str, OptionValue]]] = {
    "classic": ("classic", {}),
    "complete-ordered": ("standard-deck", {"style": "complete_ordered"}),
    "ten-rounds-ordered": ("standard-deck", {"style": "ten_rounds_ordered"}),
    "complete-free": ("standard-deck", {"style": "complete_free"}),
    "ten-rounds-free": ("standard-deck", {"style": "ten_rounds_free"}),
    "express": ("express", {}),
    "board": ("board", {}),
}
"""Rule sets, that of the standard decks by its styles."""


class Terms(Struct, frozen=True):
    """What all games of a campaign have in common. A ``limit`` of 0 is none."""

    seed: str
    bots: tuple[str, ...]
    limit: int
    bound: int


class Outcome(Struct, frozen=True, omit_defaults=True):
    """How one game went. ``fault`` is empty where it ended within the bound and is sound."""

    kind: str
    index: int
    seats: int
    decisions: int
    rounds: int
    broken_off: int
    seconds: float
    fault: str = ""


class _Head(Struct):
    type: str


_head = msgspec.json.Decoder(_Head).decode


def plan(terms: Terms, kind: str, index: int) -> SimulationPlan:
    """What game of that number to play: seat counts and places of the bots in turn."""
    ruleset, options = KINDS[kind]
    rules = preset(ruleset)
    counts = range(rules.seats_min, rules.seats_max + 1)
    turn = index // len(counts) % len(terms.bots)
    limit: dict[str, OptionValue] = {"max_turns_per_round": terms.limit} if terms.limit else {}
    return SimulationPlan(
        seed=f"{terms.seed} {kind}",
        ruleset=ruleset,
        players=counts[index % len(counts)],
        bots=terms.bots[turn:] + terms.bots[:turn],
        options={**options, **limit},
        cap=terms.bound,
    )


def one_game(terms: Terms, game: tuple[str, int]) -> Outcome:
    """Play the game and audit it."""
    kind, index = game
    began = time.perf_counter()
    planned = plan(terms, kind, index)
    played = play(planned, index)
    auditor, broken_off = Auditor(played.game), 0
    for place, line in enumerate(played.lines, 1):
        event = auditor.feed(SourceRow(played.game, _head(line).type, line, place))
        broken_off += isinstance(event, RoundEnded) and event.out is None
    verdict = auditor.close()
    fault = played.fault
    if not fault and not (verdict.sound and verdict.status == "finished"):
        fault = f"{verdict.status}, {[finding.code for finding in verdict.findings]}"
    return Outcome(
        kind,
        index,
        planned.players,
        played.decisions,
        played.state.round,
        broken_off,
        time.perf_counter() - began,
        fault,
    )


def outcomes(terms: Terms, games: Iterable[tuple[str, int]], jobs: int) -> Iterator[Outcome]:
    """The games' outcomes as they come, from as many processes."""
    if jobs == 1:
        yield from map(partial(one_game, terms), games)
        return
    with get_context("spawn").Pool(jobs) as pool:
        yield from pool.imap_unordered(partial(one_game, terms), games, chunksize=4)


def recorded(file: Path | None) -> list[Outcome]:
    """What a campaign that was interrupted has written; a line cut short does not count."""
    if file is None or not file.exists():
        return []
    whole = file.read_bytes().rpartition(b"\n")[0].splitlines()
    file.write_bytes(b"".join(line + b"\n" for line in whole))
    return [msgspec.json.decode(line, type=Outcome) for line in whole]


def campaign(
    terms: Terms, kinds: Iterable[str], games: int, *, jobs: int = 1, results: Path | None = None
) -> list[Outcome]:
    """All outcomes, those of an earlier run with the same file included."""
    names = list(kinds)
    old = [o for o in recorded(results) if o.kind in names and o.index <= games]
    have = {(outcome.kind, outcome.index) for outcome in old}
    # One of each kind after the other, so that an early end has seen them all.
    wanted = [(kind, index) for index in range(1, games + 1) for kind in names]
    due = [game for game in wanted if game not in have]
    played, began = list(old), time.monotonic()
    for outcome in outcomes(terms, due, jobs):
        played.append(outcome)
        if results:
            with results.open("ab") as file:
                file.write(msgspec.json.encode(outcome) + b"\n")
        if outcome.fault:
            print(f"{outcome.kind} {outcome.index}: {outcome.fault}", file=sys.stderr, flush=True)
        done = len(played) - len(old)
        if done % 100 == 0 or done == len(due):
            rate = done / (time.monotonic() - began)
            left = (len(due) - done) / rate / 60
            print(
                f"  {len(played):,} of {len(wanted):,} games, {rate:.1f}/s, {left:.0f} min left",
                file=sys.stderr,
                flush=True,
            )
    return played


def table(outcomes: list[Outcome]) -> Iterator[str]:
    """The final table: a line for each kind."""
    yield (
        f"{'':20}{'games':>8}{'seats':>8}{'sound':>8}{'faults':>8}{'rounds':>10}"
        f"{'broken off':>12}{'decisions':>13}{'median':>9}{'most':>9}{'games/s':>9}"
    )
    for kind in KINDS:
        mine = [outcome for outcome in outcomes if outcome.kind == kind]
        if not mine:
            continue
        decisions = [outcome.decisions for outcome in mine]
        seats = {outcome.seats for outcome in mine}
        good = sum(not outcome.fault for outcome in mine)
        yield (
            f"{kind:20}{len(mine):8,}{f'{min(seats)}-{max(seats)}':>8}{good:8,}"
            f"{len(mine) - good:8,}{sum(outcome.rounds for outcome in mine):10,}"
            f"{sum(outcome.broken_off for outcome in mine):12,}{sum(decisions):13,}"
            f"{statistics.median(decisions):9,.0f}{max(decisions):9,}"
            f"{len(mine) / sum(outcome.seconds for outcome in mine):9.1f}"
        )


def main() -> int:
    """Play, audit, and sum up."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--games", type=int, default=10_000, help="of each kind")
    parser.add_argument("--only", default=",".join(KINDS), help="kinds, with commas")
    parser.add_argument("--bots", default=",".join(BOTS), help="with commas, cycled over the seats")
    parser.add_argument(
        "--max-turns", type=int, default=2_000, help="turns of a round; 0: no limit"
    )
    parser.add_argument("--bound", type=int, default=100_000, help="decisions of a game")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--seed", default="campaign")
    parser.add_argument("--results", type=Path, help="file to go on from")
    given = parser.parse_args()
    terms = Terms(given.seed, tuple(given.bots.split(",")), given.max_turns, given.bound)
    outcomes = campaign(
        terms, given.only.split(","), given.games, jobs=given.jobs, results=given.results
    )
    for line in table(outcomes):
        print(line)
    print("games/s are of one process; sound: ended within the bound, and the audit found nothing")
    faults = [outcome for outcome in outcomes if outcome.fault]
    for outcome in islice(faults, 20):
        planned = plan(terms, outcome.kind, outcome.index)
        options = " ".join(f"--option {name}={value}" for name, value in planned.options.items())
        print(
            f"FAULT {outcome.kind} {outcome.index}: {outcome.fault}\n"
            f"  phaseledger simulate --ruleset {planned.ruleset} --players {planned.players} "
            f"--bots {','.join(planned.bots)} --seed '{planned.seed}' --only {outcome.index} "
            f"--max-decisions {planned.cap} {options}"
        )
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
