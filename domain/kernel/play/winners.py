"""Who is ahead when a round or a game has ended (`policies`); seats as bits."""

from typing import Final

from phaseledger.domain.kernel.layout import MADE, MORE_PHASES, POINTS, SEATS, Ints
from phaseledger.domain.kernel.play.piles import bit_count, hand_points, seat_at

BY_POINTS: Final = 0
BY_HAND: Final = 1
"""By the points of the cards in hand (O-24)."""
BY_PHASES: Final = 2
"""By the phases made, the most first."""


def leaders(rules: Ints, game: Ints, among: int, by: int) -> int:
    """The seats of ``among`` that are ahead, as bits."""
    tied = 0
    fewest = 0
    for seat in range(game[SEATS]):
        if among >> seat & 1:
            count = 0
            if by == BY_POINTS:
                count = game[seat_at(seat) + POINTS]
            elif by == BY_HAND:
                count = hand_points(rules, game, seat)
            else:
                count = -bit_count(game[seat_at(seat) + MADE])
            if tied == 0 or count < fewest:
                tied = 0
                fewest = count
            if count == fewest:
                tied |= 1 << seat
    return tied


def best_total(rules: Ints, game: Ints) -> int:
    """The winners after a fixed number of rounds, as bits (C-73)."""
    tied = leaders(rules, game, (1 << game[SEATS]) - 1, BY_POINTS)
    return leaders(rules, game, tied, BY_PHASES) if rules[MORE_PHASES] else tied
