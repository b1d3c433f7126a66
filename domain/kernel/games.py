"""Whole games and rounds, played by policies inside the kernel."""

from typing import Final

from phaseledger.domain.kernel.chance import pick
from phaseledger.domain.kernel.layout import ASK, ASK_NOTHING, LISTED, MOVE, ROUND, Ints
from phaseledger.domain.kernel.moves import list_moves
from phaseledger.domain.kernel.rules import play

RANDOM: Final = 0
GREEDY: Final = 1
EXPERT: Final = 2


def play_on(
    rules: Ints,
    game: Ints,
    chance: Ints,
    moves: Ints,
    work: Ints,
    policies: Ints,
    rounds: int,
    most: int,
) -> int:
    """Play until so many more rounds, the game, or ``most`` decisions have ended.

    Returns the number of decisions. ``policies`` has one for each seat.
    """
    decisions = 0
    last = game[ROUND] + rounds
    while game[ASK] != ASK_NOTHING and game[ROUND] < last and decisions < most:
        list_moves(rules, game, moves, work, LISTED)
        number = pick(chance, moves[0])
        play(rules, game, chance, moves, 1 + number * MOVE)
        decisions += 1
    return decisions
