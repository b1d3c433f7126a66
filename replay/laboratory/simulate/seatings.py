"""The seatings of a tournament: every bot in every seat, and next to every other, equally often.

Rotating one line-up balances the seats alone: a seat after a weak player is fed by it in every
game. Few bots are seated in all their orders. Many are seated in some of their rounds (orders that
are the same when rotated), each in all its rotations, in which every bot follows every other as
often as in all orders.
"""

from collections import Counter
from collections.abc import Iterator
from functools import lru_cache
from typing import Literal

from msgspec import Struct

Seating = tuple[str, ...]
"""The bot of each seat."""

MOST_ORDERS = 24
"""The most orders that are all played: four different bots have as many."""


class Seatings(Struct, frozen=True):
    """The seatings of each deal, and how they were chosen among ``orders`` different ones."""

    design: Literal["all_orders", "balanced_neighbours"]
    orders: int
    seatings: tuple[Seating, ...]


@lru_cache(16)
def seatings(line_up: Seating) -> Seatings:
    """The seatings of the bots, one for each seat; independent of the order of the bots."""
    orders = list(_orders(Counter(sorted(line_up))))
    count = len(orders)
    if count > MOST_ORDERS and (rounds := _balanced_rounds(orders)):
        balanced = tuple(rotation for order in rounds for rotation in _rotations(order))
        return Seatings("balanced_neighbours", count, balanced)
    return Seatings("all_orders", count, tuple(orders))


def _orders(remaining: Counter[str]) -> Iterator[Seating]:
    """The distinct orders of the bots, in the order of their names."""
    names = [name for name, number in remaining.items() if number]
    if not names:
        yield ()
    for name in names:
        remaining[name] -= 1
        for later in _orders(remaining):
            yield (name, *later)
        remaining[name] += 1


def _rotations(order: Seating) -> list[Seating]:
    return [order[-i:] + order[:-i] for i in range(len(order))]


def _neighbours(order: Seating) -> Counter[tuple[str, str]]:
    """The number of times that each bot sits to the right of each, around the table."""
    return Counter(zip(order, order[1:] + order[:1], strict=True))


def _balanced_rounds(orders: list[Seating]) -> list[Seating] | None:
    """The fewest rounds, each once, whose neighbours come in the same shares as in all orders; None
    where no subset has these shares.
    """
    rounds = [
        order
        for order in orders
        if order == min(rotations := _rotations(order)) and len(set(rotations)) == len(order)
    ]
    totals: Counter[tuple[str, str]] = Counter()
    for order in orders:
        totals += _neighbours(order)
    for number in range(1, len(rounds)):
        if not any(total * number % len(orders) for total in totals.values()):
            wanted = Counter(
                {pair: total * number // len(orders) for pair, total in totals.items()}
            )
            if chosen := _rounds_with(rounds, number, wanted):
                return chosen
    return None


def _rounds_with(
    rounds: list[Seating], number: int, wanted: Counter[tuple[str, str]]
) -> list[Seating] | None:
    """The first ``number`` of the rounds that have exactly the wanted neighbours."""
    if not number:
        return []
    for place, order in enumerate(rounds):
        neighbours = _neighbours(order)
        if neighbours <= wanted:
            later = _rounds_with(rounds[place + 1 :], number - 1, wanted - neighbours)
            if later is not None:
                return [order, *later]
    return None
