"""Who is ahead when a round or a game has ended (`policies`); seats as bits."""

from typing import Final

from phaseledger.domain.kernel.layout import (
    LAID,
    MADE,
    MORE_PHASES,
    ORDER,
    OUT,
    PHASE,
    PHASES,
    POINTS,
    PROGRESS,
    ROUND,
    SEATS,
    Ints,
)
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


def ender_of(game: Ints) -> int:
    """The seat that ended the round or, where a limit did, the seat that began it."""
    return game[OUT] if game[OUT] >= 0 else game[ORDER]


def on_laurel(rules: Ints, game: Ints) -> int:
    """The first seat past the last phase, from the round's ender on (B-74); -1 where none is."""
    ender = ender_of(game)
    for ahead in range(game[SEATS]):
        seat = (ender + ahead) % game[SEATS]
        if game[seat_at(seat) + PHASE] > rules[PHASES]:
            return seat
    return -1


def next_phase(rules: Ints, game: Ints, seat: int, out: int) -> int:
    """The phase that the seat attempts after the round that ``out`` ended (`policies`)."""
    at = seat_at(seat)
    if rules[PROGRESS] == 1:
        return game[ROUND] + 1
    if rules[PROGRESS] == 3:
        ahead = 2 if seat == out else 1 if game[at + LAID] else 0
        return min(game[at + PHASE] + ahead, rules[PHASES] + 1)
    if rules[PROGRESS] == 0:
        return bit_count(game[at + MADE]) + 1
    phase = 1
    while game[at + MADE] >> (phase - 1) & 1:
        phase += 1
    return phase


def attempted(rules: Ints, game: Ints, seat: int) -> int:
    """The phase that the seat attempts in this round (`sight.phase_attempted`)."""
    at = seat_at(seat)
    if game[at + LAID]:
        return game[at + LAID]
    return min(game[at + PHASE], rules[PHASES])
