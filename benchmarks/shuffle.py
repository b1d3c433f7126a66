"""Whether the deal is fair: no remainder is likelier than another, and no card any place.

    python benchmarks/shuffle.py [--decks 1000000] [--throws 1000000] [--cards 108,96,54]
        [--bounds 432] [--jobs N] [--seed TEXT]

Two parts. The first is exact: for every bound m up to 432 each of the 65,536 words is given to
`deal.uniform_below`, and to `deal.permutation` in the place where it draws below m. Each remainder
has to come from equally many words, and the words passed over have to be those from 65536 - 65536
mod m.

The second is statistical, over shuffles of the decks of the games (108 cards in classic and in the
standard-deck game, 96 in the board game, 54 in Express) and throws of two dice. What counts as a
failure was fixed before the first run, with the seed: a statistic in the outer 0.000001 of its
distribution, half of that on either side, since a deal that is too even is no better than one that
is uneven. A fair deal fails one of the 23 tests once in 43,000 campaigns. The tests:

  position   the table of position by card. Each deck adds a permutation matrix, whose covariance is
             that of n - 1 independent choices on the (n - 1)^2 dimensions that row and column sums
             leave: so Pearson's sum times (n - 1) / n is chi-square with (n - 1)^2 degrees.
  top, middle, bottom
             pairs of neighbours in three places: n (n - 1) cells, one pair of each a deck.
  next       the top card and the top card of the same game's next round: n * n cells.
  fixed      fixed points: k of them in a share of sum((-1)^i / i!, i = 0..n-k) / k! of all decks.
  cycles     cycles of the permutation: k of them in a share of c(n, k) / n! (Stirling, first kind).
  throw      both dice of a throw, 36 cells; and `after`, the last die and the next turn's first.

Cells that expect fewer than 20 are joined with a neighbour. Exits with 1 where a test fails.
"""

import argparse
import math
import os
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from hashlib import sha256
from itertools import pairwise
from multiprocessing import get_context
from pathlib import Path
from typing import NamedTuple, TypeVar
from unittest.mock import patch

sys.path.insert(0, str(Path(__file__).parent.parent))

from phaseledger.domain import deal

T = TypeVar("T")
WORDS = 65536
EXTREME = 1e-6
"""Two-sided."""
LEAST = 20.0
"""What a cell of a distribution has to expect."""
ROUNDS = 10
"""Rounds of each game whose shuffles are looked at."""
BATCH = 1_000  # games


# --- exact --------------------------------------------------------------------------------------


class Biased(Exception):
    """A bound for which the remainders are not equally likely, or other words are passed over."""


def check_below(bound: int, words: Sequence[int] = range(WORDS)) -> None:
    """Give every word to `deal.uniform_below`; with all of them remainders are counted as well."""
    limit, counts = WORDS - WORDS % bound, Counter[int]()
    for word in words:
        stream = iter((word, 0))
        value = deal.uniform_below(stream, bound)
        passed_over = next(stream, None) is None
        if passed_over != (word >= limit):
            raise Biased(f"below {bound}: word {word} was {'not ' * (not passed_over)}passed over")
        counts[value] += not passed_over
    if len(words) == WORDS and set(counts.values()) != {limit // bound}:
        raise Biased(f"below {bound}: remainders come from {sorted(set(counts.values()))} words")


def check_permutation(word: int, most: int) -> None:
    """Give the word to `deal.permutation` wherever it draws, below every bound from most to 2.

    Where the word has to be passed over, the next one stands ready; the draws are read off the
    order that comes out.
    """
    order, given = list(range(most)), []
    for bound in range(most, 1, -1):
        taken = word
        given.append(word)
        if word >= WORDS - WORDS % bound:
            taken = bound // 2
            given.append(taken)
        place = taken % bound
        order[bound - 1], order[place] = order[place], order[bound - 1]
    stream = iter(given)
    with patch.object(deal, "words", lambda _key, _info: stream):
        try:
            made = deal.permutation(b"", 1, 0, most)
        except (StopIteration, ArithmeticError):  # it has passed over more than it should
            made = []
    if made != order or next(stream, None) is not None:
        raise Biased(f"permutation: word {word} was taken or passed over below a wrong bound")


# --- statistics ---------------------------------------------------------------------------------


class Goodness(NamedTuple):
    """One statistic, chi-square with so many degrees of freedom if the deal is fair."""

    name: str
    statistic: float
    degrees: int

    @property
    def below(self) -> float:
        """The chance of a smaller statistic."""
        return lower(self.degrees / 2, self.statistic / 2)

    @property
    def fair(self) -> bool:
        """Whether the statistic is within the limits."""
        return EXTREME / 2 <= self.below <= 1 - EXTREME / 2


def lower(a: float, x: float) -> float:
    """The regularised lower incomplete gamma function, by its series."""
    if x <= 0:
        return 0.0
    term = total = 1.0
    for n in range(1, 1_000_000):
        term *= x / (a + n)
        total += term
        if term < total * 1e-17:
            break
    return min(1.0, math.exp(a * math.log(x) - x - math.lgamma(a + 1)) * total)


def pearson(observed: Mapping[int, int], cells: int, total: int) -> float:
    """Pearson's sum over equally likely cells."""
    expected = total / cells
    empty = cells - len(observed)
    return sum((n - expected) ** 2 for n in observed.values()) / expected + empty * expected


def fit(name: str, observed: Mapping[int, int], shares: Sequence[float]) -> Goodness:
    """Numbers against the shares that they should have, joined where those are small."""
    total, cells, count, due = sum(observed.values()), [], 0, 0.0
    for number, share in enumerate(shares):
        count, due = count + observed.get(number, 0), due + share * total
        if due >= LEAST:
            cells.append((count, due))
            count, due = 0, 0.0
    cells[-1] = (cells[-1][0] + count, cells[-1][1] + due)
    return Goodness(name, sum((n - e) ** 2 / e for n, e in cells), len(cells) - 1)


def fixed_points(n: int) -> list[float]:
    """The share of permutations with 0, 1, ... n fixed points."""
    signs = [(-1) ** i / math.factorial(i) for i in range(n + 1)]
    return [math.fsum(signs[: n - k + 1]) / math.factorial(k) for k in range(n + 1)]


def cycle_counts(n: int) -> list[float]:
    """The share of permutations with 0, 1, ... n cycles: the product of (x + i) / (i + 1)."""
    shares = [1.0]
    for i in range(n):
        shares = [
            (i * stay + join) / (i + 1)
            for stay, join in zip([*shares, 0.0], [0.0, *shares], strict=True)
        ]
    return shares


class Tallies(NamedTuple):
    """What was counted over some decks, by the name of the test."""

    position: Counter[int]
    top: Counter[int]
    middle: Counter[int]
    bottom: Counter[int]
    next: Counter[int]
    fixed: Counter[int]
    cycles: Counter[int]


def key_of(seed: str, game: int) -> bytes:
    """The key of a game, made as the rules make it."""
    name = f"{seed} {game}".encode()
    return deal.deal_key(sha256(b"secret " + name).digest(), sha256(b"transcript " + name).digest())


def shuffles(seed: str, n: int, first: int) -> Tallies:
    """A batch of games, with the first shuffles of ten rounds each."""
    tallies = Tallies(*(Counter[int]() for _ in Tallies._fields))
    decks: list[list[int]] = []
    for game in range(first, first + BATCH):
        key = key_of(f"{seed} {n}", game)
        mine = [deal.permutation(key, hand, 0, n) for hand in range(1, ROUNDS + 1)]
        decks += mine
        tallies.next.update(deck[0] * n + after[0] for deck, after in pairwise(mine))
    columns = list(zip(*decks, strict=True))
    for place, column in enumerate(columns):
        tallies.position.update([place * n + card for card in column])
    for tally, at in ((tallies.top, 0), (tallies.middle, n // 2), (tallies.bottom, n - 2)):
        pairs = zip(columns[at], columns[at + 1], strict=True)
        tally.update([card * n + following for card, following in pairs])
    identity = range(n)
    for deck in decks:
        tallies.fixed[sum(map(int.__eq__, deck, identity))] += 1
        tallies.cycles[_cycles(deck)] += 1
    return tallies


def _cycles(deck: Sequence[int]) -> int:
    count, left = 0, list(deck)
    for start in range(len(left)):
        if left[start] >= 0:
            count += 1
            at = start
            while left[at] >= 0:
                left[at], at = -1, left[at]
    return count


def throws(seed: str, first: int) -> tuple[Counter[int], Counter[int]]:
    """A batch of games with a thousand turns each: both dice, and a die after the last one."""
    both, after = Counter[int](), Counter[int]()
    key, before = key_of(f"{seed} dice", first), None
    for turn in range(1, BATCH + 1):
        left, right = deal.dice(key, turn, 0)
        both[(left - 1) * 6 + right - 1] += 1
        if before is not None:
            after[(before - 1) * 6 + left - 1] += 1
        before = right
    return both, after


def tests_of(n: int, tallies: Tallies) -> list[Goodness]:
    """The statistics over decks of n cards."""
    decks = sum(tallies.fixed.values())
    pairs = n * (n - 1)
    return [
        Goodness(
            "position", pearson(tallies.position, n * n, decks * n) * (n - 1) / n, (n - 1) ** 2
        ),
        *(
            Goodness(name, pearson(tally, pairs, decks), pairs - 1)
            for name, tally in (
                ("top", tallies.top),
                ("middle", tallies.middle),
                ("bottom", tallies.bottom),
            )
        ),
        Goodness("next", pearson(tallies.next, n * n, sum(tallies.next.values())), n * n - 1),
        fit("fixed", tallies.fixed, fixed_points(n)),
        fit("cycles", tallies.cycles, cycle_counts(n)),
    ]


def over_decks(n: int, decks: int, seed: str, jobs: int = 1) -> list[Goodness]:
    """Shuffle so many decks, in batches of ten thousand, and test them."""
    tallies = Tallies(*(Counter[int]() for _ in Tallies._fields))
    for part in _batches(partial(shuffles, seed, n), range(0, -(-decks // ROUNDS), BATCH), jobs):
        for tally, more in zip(tallies, part, strict=True):
            tally.update(more)
    return tests_of(n, tallies)


def over_throws(count: int, seed: str, jobs: int = 1) -> list[Goodness]:
    """Throw two dice so often, in batches of a thousand, and test them."""
    both, after = Counter[int](), Counter[int]()
    for thrown, followers in _batches(partial(throws, seed), range(-(-count // BATCH)), jobs):
        both.update(thrown)
        after.update(followers)
    total, pairs = sum(both.values()), sum(after.values())
    return [
        Goodness("throw", pearson(both, 36, total), 35),
        Goodness("after", pearson(after, 36, pairs), 35),
    ]


def _batches(
    work: Callable[[int], T], parts: Iterable[int], jobs: int, chunksize: int = 1
) -> Iterator[T]:
    if jobs == 1:
        yield from map(work, parts)
        return
    with get_context("spawn").Pool(jobs) as pool:
        yield from pool.imap_unordered(work, parts, chunksize)


def main() -> int:
    """Enumerate, shuffle, throw, and say what came out."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--decks", type=int, default=1_000_000, help="of each size")
    parser.add_argument("--throws", type=int, default=1_000_000)
    parser.add_argument("--cards", default="108,96,54", help="sizes of decks, with commas")
    parser.add_argument("--bounds", type=int, default=432, help="largest bound of the exact part")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--seed", default="p10-deal/v1 campaign")
    given = parser.parse_args()
    began = time.monotonic()
    bounds = range(1, given.bounds + 1)
    try:
        for _ in _batches(check_below, bounds, given.jobs):
            pass
        permute = partial(check_permutation, most=given.bounds)
        for _ in _batches(permute, range(WORDS), given.jobs, chunksize=256):
            pass
    except Biased as bias:
        print(f"BIASED  {bias}")
        return 1
    print(
        f"exact: {WORDS:,} words below each bound from 1 to {given.bounds}: every remainder "
        f"equally often, the right words passed over; {time.monotonic() - began:.0f} s"
    )
    print(f"{'':20}{'chi-square':>12}{'degrees':>10}{'below':>12}", flush=True)
    tests = []
    for n in map(int, given.cards.split(",")):
        tests += [
            test._replace(name=f"{n} {test.name}")
            for test in over_decks(n, given.decks, given.seed, given.jobs)
        ]
    tests += over_throws(given.throws, given.seed, given.jobs)
    for test in tests:
        print(
            f"{test.name:20}{test.statistic:12,.1f}{test.degrees:10,}{test.below:12.6f}"
            f"{'' if test.fair else '   UNFAIR'}"
        )
    unfair = sum(not test.fair for test in tests)
    print(
        f"{given.decks:,} decks of each size, {given.throws:,} throws: {len(tests)} tests, "
        f"{unfair} outside their limits; {time.monotonic() - began:.0f} s"
    )
    return 1 if unfair else 0


if __name__ == "__main__":
    sys.exit(main())
