"""Who is ahead when a round or a game has ended (`policies`); seats as bits."""

from phaseledger.domain.kernel.layout import MADE, MORE_PHASES, POINTS, SEATS, Ints
from phaseledger.domain.kernel.piles import bit_count, hand_points, seat_at


def fewest_points(game: Ints, among: int) -> int:
    """The seats of ``among`` that have the fewest points, as bits."""
    tied = 0
    fewest = 0
    for seat in range(game[SEATS]):
        if among >> seat & 1:
            points = game[seat_at(seat) + POINTS]
            if tied == 0 or points < fewest:
                tied = 1 << seat
                fewest = points
            elif points == fewest:
                tied |= 1 << seat
    return tied


def best_total(rules: Ints, game: Ints) -> int:
    """The winners after a fixed number of rounds, as bits (C-73)."""
    tied = fewest_points(game, (1 << game[SEATS]) - 1)
    if not rules[MORE_PHASES]:
        return tied
    most = 0
    best = 0
    for seat in range(game[SEATS]):
        if tied >> seat & 1:
            made = bit_count(game[seat_at(seat) + MADE])
            if best == 0 or made > most:
                best = 1 << seat
                most = made
            elif made == most:
                best |= 1 << seat
    return best


def cheapest_hands(rules: Ints, game: Ints, among: int) -> int:
    """The seats of ``among`` with the fewest points in hand, as bits (O-24)."""
    tied = 0
    fewest = 0
    for seat in range(game[SEATS]):
        if among >> seat & 1:
            points = hand_points(rules, game, seat)
            if tied == 0 or points < fewest:
                tied = 1 << seat
                fewest = points
            elif points == fewest:
                tied |= 1 << seat
    return tied
