"""The core on one processor: decode and fold, append, shuffle, whole games.

    python benchmarks/core.py [--rounds N]

Each figure stands beside a baseline measured in the same run, medians over the rounds; read the
ratios, since machines differ.
"""

import argparse
import json
import random
import statistics
import sys
import time
from collections.abc import Callable
from functools import partial
from hashlib import sha256
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))

from domain import deal
from domain.bots import BOTS, chooser
from domain.codec import Entry, append, command_id, decode_event, new_chain
from domain.commands import Act, OpenGame, Start, TakeSeat
from domain.decide import step
from domain.events import Event
from domain.evolve import fold
from domain.legal import legal
from domain.view import view

GAME = "11111111-1111-4111-8111-111111111111"


def play(bot: str, seed: str, seats: int = 4) -> tuple[list[Event], int]:
    """A whole game: its events and the number of decisions."""

    def secret(name: str) -> str:
        return sha256(f"{seed}/{name}".encode()).hexdigest()

    state, events = step(None, Act(OpenGame(GAME, "classic", seats, secret=secret("server"))))
    log = list(events)
    for seat in range(seats):
        state, events = step(state, Act(TakeSeat(bot, bot, secret=secret(str(seat))), seat))
        log += events
    state, events = step(state, Act(Start()))
    log += events
    chance, decisions = sha256(seed.encode()).digest(), 0
    while state.stage == "playing":
        seat = state.waits[0].seat
        choices = partial(legal, state, seat)
        pick = chooser(chance, decisions)
        answer = BOTS[bot](view(state, seat), state.ruleset, choices, pick)
        state, events = step(state, Act(answer, seat))
        log += events
        decisions += 1
    return log, decisions


def stored(log: list[Event]) -> list[Entry]:
    """The game as the store holds it."""
    return append(new_chain(log[0]), log, command_id(0, "benchmark"), 0)[1]


def rate(work: Callable[[], int], rounds: int) -> float:
    """Median things per second over the rounds."""
    rates = []
    for _ in range(rounds):
        start = time.perf_counter()
        done = work()
        rates.append(done / (time.perf_counter() - start))
    return statistics.median(rates)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=5, help="measurements of each figure")
    rounds = parser.parse_args().rounds
    log, _ = play("greedy", "benchmark")
    entries = stored(log)
    rows = [(entry.topic, entry.stored) for entry in entries]

    def decode_and_fold() -> int:
        fold([decode_event(topic, data) for topic, data in rows])
        return len(rows)

    def json_loads() -> int:
        for _, data in rows:
            json.loads(data)
        return len(rows)

    def appended() -> int:
        stored(log)
        return len(log)

    def hashes() -> int:
        for _, data in rows:
            sha256(data).digest()
        return len(rows)

    def shuffles() -> int:
        for hand in range(1000):
            deal.permutation(b"k" * 32, hand, 0, 108)
        return 1000

    def plain_shuffles() -> int:
        deck, chance = list(range(108)), random.Random(1)
        for _ in range(1000):
            chance.shuffle(deck)
        return 1000

    def games(bot: str) -> int:
        return sum(play(bot, f"{bot} {n}")[1] for n in range(3))

    def figure(
        name: str, unit: str, mine: Callable[[], int], base: str, other: Callable[[], int]
    ) -> None:
        ours, theirs = rate(mine, rounds), rate(other, rounds)
        print(f"{name:22} {ours:12,.0f} {unit:12} {base:24} {theirs:12,.0f}   x{ours / theirs:.2f}")

    print(f"one core, one game of {len(rows):,} events, median of {rounds}")
    figure("decode and fold", "events/s", decode_and_fold, "json.loads alone", json_loads)
    figure("encode, chain, seal", "events/s", appended, "SHA-256 of the bytes", hashes)
    figure("keyed shuffle of 108", "shuffles/s", shuffles, "random.shuffle", plain_shuffles)
    print(f"{'one shuffle':22} {1e6 / rate(shuffles, rounds):12.1f} us")
    for bot in BOTS:
        print(f"{'games of ' + bot:22} {rate(partial(games, bot), rounds):12,.0f} decisions/s")


if __name__ == "__main__":
    main()
