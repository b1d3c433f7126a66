"""Whole games and rounds, played by policies inside the kernel."""

from typing import Final

from phaseledger.domain.kernel.layout import (
    ASK,
    ASK_KEEP,
    ASK_NOTHING,
    ASK_PLAY,
    ASK_SWAP,
    ASKED,
    LISTED,
    MOVE,
    ROUND,
    TRACK,
    Floats,
    Ints,
)
from phaseledger.domain.kernel.moves.listing import list_moves
from phaseledger.domain.kernel.play.chance import pick
from phaseledger.domain.kernel.play.turns import play
from phaseledger.domain.kernel.policies.answers import choose_answer
from phaseledger.domain.kernel.policies.expert import MOST_CHOICES, expert_choice
from phaseledger.domain.kernel.policies.greedy import greedy_choice
from phaseledger.domain.kernel.policies.outlook import TUNING

RANDOM: Final = 0
GREEDY: Final = 1
EXPERT: Final = 2
"""`expert`, and behind it the bots that are tuned otherwise."""
MASTER: Final = 3


def use_tuning(tuning: Floats, policy: int) -> None:
    """Put the tuning of the policy in use."""
    for i in range(TUNING):
        tuning[i] = tuning[(policy - EXPERT + 1) * TUNING + i]


def choose(
    rules: Ints,
    game: Ints,
    chance: Ints,
    moves: Ints,
    work: Ints,
    tuning: Floats,
    weights: Floats,
    policy: int,
) -> int:
    """List the moves of the seat that is asked as far as the policy reads them, and return the
    place from 0 of the one that it chooses.
    """
    if policy == RANDOM:
        list_moves(rules, game, moves, work, LISTED)
        return pick(chance, moves[0])
    if game[ASK] > ASK_PLAY:
        if game[ASK] != ASK_SWAP and game[ASK] != ASK_KEEP:
            list_moves(rules, game, moves, work, LISTED)
        return choose_answer(rules, game, moves, chance, work, weights)
    if policy == GREEDY:
        list_moves(rules, game, moves, work, 1)
        return greedy_choice(rules, game, moves, chance, work, weights)
    use_tuning(tuning, EXPERT if rules[TRACK] else policy)
    list_moves(rules, game, moves, work, MOST_CHOICES)
    return expert_choice(rules, game, moves, chance, work, tuning, weights)


def play_once(
    rules: Ints,
    game: Ints,
    chance: Ints,
    moves: Ints,
    work: Ints,
    tuning: Floats,
    weights: Floats,
    policies: Ints,
) -> None:
    """Play what the policy of the seat that is asked chooses."""
    policy = policies[game[ASKED]]
    number = choose(rules, game, chance, moves, work, tuning, weights, policy)
    play(rules, game, chance, moves, 1 + number * MOVE)


def play_on(
    rules: Ints,
    game: Ints,
    chance: Ints,
    moves: Ints,
    work: Ints,
    tuning: Floats,
    weights: Floats,
    policies: Ints,
    rounds: int,
    most: int,
) -> int:
    """Play until ``rounds`` more rounds, the game, or ``most`` decisions have ended.

    ``policies`` has one of RANDOM, GREEDY and EXPERT for each seat. Returns the number of
    decisions.
    """
    decisions = 0
    last = game[ROUND] + rounds
    while game[ASK] != ASK_NOTHING and game[ROUND] < last and decisions < most:
        play_once(rules, game, chance, moves, work, tuning, weights, policies)
        decisions += 1
    return decisions
