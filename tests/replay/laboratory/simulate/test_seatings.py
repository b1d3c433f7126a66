"""Seatings: every bot in every seat, and next to every other, as often as in all orders."""

from collections import Counter
from fractions import Fraction
from itertools import permutations

from phaseledger.replay.laboratory.simulate.seatings import Seatings, seatings
from tests.support.cases import looped


def neighbour_shares(orders: list[tuple[str, ...]]) -> dict[tuple[str, str], Fraction]:
    """The share of each pair (a bot, the next one to play) among all pairs of neighbours."""
    counts = Counter(
        pair for order in orders for pair in zip(order, order[1:] + order[:1], strict=True)
    )
    return {pair: Fraction(number, counts.total()) for pair, number in counts.items()}


@looped(
    ("line_up", "design", "games"),
    [
        ("a", "all_orders", 1),
        ("ab", "all_orders", 2),
        ("abb", "all_orders", 3),
        ("abc", "all_orders", 6),
        ("abbb", "all_orders", 4),
        ("aabb", "all_orders", 6),
        ("abcc", "all_orders", 12),
        ("abcd", "all_orders", 24),
        ("aabbc", "balanced_neighbours", 10),
        ("abcde", "balanced_neighbours", 20),
        ("aaabbc", "balanced_neighbours", 30),
        ("aabbcc", "balanced_neighbours", 30),
        ("aaaabc", "all_orders", 30),  # no part of its five rounds is balanced
    ],
)
def test_seats_and_neighbours_are_balanced(line_up: str, design: str, games: int) -> None:
    chosen = seatings(tuple(line_up))
    orders = sorted(set(permutations(line_up)))
    assert (chosen.design, chosen.orders, len(chosen.seatings)) == (design, len(orders), games)
    assert len(set(chosen.seatings)) == games
    assert set(chosen.seatings) <= set(orders)
    assert len({tuple(sorted(column)) for column in zip(*chosen.seatings, strict=True)}) == 1
    assert neighbour_shares(list(chosen.seatings)) == neighbour_shares(orders)


@looped("line_up", ["abc", "abcc", "aabbcc"])
def test_the_order_in_which_bots_are_named_changes_no_seating(line_up: str) -> None:
    expected: Seatings = seatings(tuple(line_up))
    for order in sorted(set(permutations(line_up)))[::7]:
        assert seatings(order) == expected
