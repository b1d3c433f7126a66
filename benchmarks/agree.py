"""Have `phaseledger verify` and the page in a browser judge the same bundles.

    python benchmarks/agree.py [--games 1000] [--tampered 3] [--first 0]

Games of all four rule sets with varied seats and house rules, some with secrets and keys of the
seats' own, some broken off: each as it is, as it looked while it was running, and tampered with.
Exits with 1 when the two disagree on any of them, and says on which. Needs a Chromium in the search
path, or named in PHASELEDGER_CHROMIUM.
"""

import argparse
import sys
import time
from collections import Counter
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

sys.path.insert(0, str(Path(__file__).parent.parent))

from phaseledger.domain.options import OptionValue
from tests.support.browser import Verifier, chromium, opened
from tests.support.replay.bundle_edits import EDITS
from tests.support.replay.noncanonical_bundles import MISSPELT
from tests.support.replay.operator_forgeries import FORGERIES
from tests.support.replay.operator_games import Plan, bundled, played
from tests.support.replay.tampering_tools import judged, tampered

WAYS = {**EDITS, **FORGERIES, **MISSPELT}
STARTS: tuple[dict[str, OptionValue], ...] = (
    {},
    {"initial_skip": "cover", "initial_wild": "return_and_redraw"},
    {"initial_skip": "return_and_redraw", "first_player": "random"},
    {"first_player": "dealer", "dealer_rotation": "fixed", "stock_exhausted": "reshuffle_all"},
)
TABLES: tuple[tuple[str, int, int, tuple[dict[str, OptionValue], ...]], ...] = (
    ("classic", 2, 6, tuple({"variant": "n_phases(2)", **start} for start in STARTS)),
    (
        "standard-deck",
        3,
        5,
        tuple(
            {"style": style, "max_turns_per_round": 16}
            for style in ("ten_rounds_free", "ten_rounds_ordered", "complete_free")
        ),
    ),
    (
        "express",
        2,
        6,
        (
            {"variant": "n_phases(3)"},
            {"variant": "n_phases(2)", "pairrun_hit": "single_cards", "run_wrap": True},
        ),
    ),
    (
        "board",
        2,
        6,
        (
            {"max_turns_per_round": 24},
            {"max_turns_per_round": 24, "keep_choice": "seat_order_open"},
            {"max_turns_per_round": 24, "kept_joker": "becomes_normal"},
            {"max_turns_per_round": 24, "joker_memory": "owner_sees_always"},
            {"max_turns_per_round": 24, "board_first_starter": "random"},
        ),
    ),
)
"""Rule sets, the fewest and the most seats, and house rules."""
LONGEST = 600
"""Decisions after which a game is broken off."""
BOTS = (("greedy",), ("random", "greedy"), ("random",))


class Disagreement(NamedTuple):
    """A bundle on which the two do not say the same."""

    plan: Plan
    what: str
    page: str
    python: str


def plan(index: int) -> Plan:
    """The game of that number, which differs from its neighbours in everything."""
    chance = sha256(f"agree {index}".encode()).digest()
    ruleset, fewest, most, options = TABLES[index % len(TABLES)]
    seats = fewest + chance[0] % (most - fewest + 1)
    return Plan(
        ruleset,
        seats,
        f"agree {index}",
        options[chance[1] % len(options)],
        BOTS[chance[2] % len(BOTS)],
        bringing=tuple(n for n in range(seats) if chance[3] >> n & 1 and chance[4] % 2),
        signing=tuple(n for n in range(seats) if chance[5] >> n & 1 and chance[6] % 4 == 0),
        # Bots that meddle along without ever making a phase would play for days.
        void_after=1 + chance[7] % 60 if chance[8] % 12 == 0 else LONGEST,
    )


def forms(index: int, stored: list[bytes], count: int) -> Iterator[tuple[str, bytes]]:
    """The game's bundle, one of the running game, and so many that were tampered with."""
    whole = b"".join(bundled(stored))
    yield "good", whole
    starts = [n for n, row in enumerate(stored) if b'"act":' in row]
    cut = starts[1 + index % (len(starts) - 1)]
    yield "running", b"".join(bundled(stored[:cut], viewer=(None, 0, 1)[index % 3]))
    names = list(WAYS)
    for turn in range(count):
        way = names[(index * count + turn) % len(names)]
        made = tampered(whole, WAYS[way], index)
        if made is not None:
            yield way, made


def compared(page: Verifier, what: str, bundle: bytes) -> tuple[bool, bool, str, str]:
    """Whether both accept it or both refuse it, whether both name one event, and their words."""
    answer, (sound, codes, seq) = page.verify(bundle), judged(bundle)
    findings = answer["findings"]
    words = ", ".join(f"{finding['code']} {finding['seq']}" for finding in findings) or "sound"
    alike = answer["ok"] == sound == (what in ("good", "running"))
    if what in WAYS and alike:
        alike = WAYS[what].code in {finding["code"] for finding in findings}
    first = min((finding["seq"] for finding in findings if finding["seq"]), default=0)
    return alike, first == seq, words, f"{', '.join(codes) or 'sound'} {seq}"


def main() -> int:
    """Play, judge twice, count."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--games", type=int, default=1_000)
    parser.add_argument("--tampered", type=int, default=3, help="tampered bundles of each game")
    parser.add_argument("--first", type=int, default=0, help="the number of the first game")
    given = parser.parse_args()
    began, games, counts = time.monotonic(), Counter[str](), Counter[str]()
    ways, wrong = Counter[str](), list[Disagreement]()
    with chromium() as browser, opened(browser) as page:
        for index in range(given.first, given.first + given.games):
            game = plan(index)
            stored = played(game)
            games[game.ruleset] += 1
            counts["events"] += len(stored)
            counts["played to the end"] += b'"GameEnded/1"' in stored[-1]
            counts["own secrets"] += bool(game.bringing)
            counts["signed"] += bool(game.signing)
            for what, bundle in forms(index, stored, given.tampered):
                alike, same_event, ours, theirs = compared(page, what, bundle)
                counts[what if what in ("good", "running") else "tampered"] += 1
                counts["tampered, the same first bad event"] += same_event and what in WAYS
                ways[what] += 1
                if not alike:
                    wrong.append(Disagreement(game, what, ours, theirs))
                    print(f"DISAGREE  {wrong[-1]}", flush=True)
            if (index + 1 - given.first) % 50 == 0:
                done, took = index + 1 - given.first, time.monotonic() - began
                print(f"{done:,} games in {took:.0f} s", file=sys.stderr, flush=True)
    for name, count in [*games.items(), *counts.items()]:
        print(f"{name:36}{count:10,}")
    print(f"{'ways of tampering':36}{len(set(ways) & set(WAYS)):10,} of {len(WAYS)}")
    print(f"{len(wrong)} disagreements; {time.monotonic() - began:.0f} s")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
