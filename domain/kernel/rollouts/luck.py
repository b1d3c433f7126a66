"""The luck of a draw among bots: what its card changed once their next choices are made too."""

from typing import Final

from phaseledger.domain.kernel.layout import (
    ACTIVE,
    ASK,
    ASK_NOTHING,
    DRAW_STOCK,
    MOVE,
    ROUND,
    SEATS,
    STOCK,
    STOCK_AT,
    Floats,
    Ints,
)
from phaseledger.domain.kernel.play.chance import pick, seed_chance
from phaseledger.domain.kernel.play.turns import play
from phaseledger.domain.kernel.policies.games import choose
from phaseledger.domain.kernel.rollouts.rollouts import copy_game
from phaseledger.domain.kernel.rollouts.values import CHANCE_AT, appraise

AHEAD: Final = 40
"""Decisions after a draw, at most: cards of the pile may go round for ever."""


def add_draw_luck(
    rules: Ints,
    game: Ints,
    copy: Ints,
    chance: Ints,
    moves: Ints,
    work: Ints,
    tuning: Floats,
    weights: Floats,
    model: Floats,
    policies: Ints,
    seed: int,
    number: int,
    others: int,
    luck: Floats,
) -> None:
    """Add to each seat's ``luck`` the value of the stock's top card, which the active seat is about
    to draw, less the mean value of ``others`` random cards of the stock.

    The value is the chance to win when the next card is drawn from the stock, or after the round:
    until then the policies decide. By the seed and number each card is as likely as another, so the
    luck is 0 in the mean.
    """
    seed_chance(chance, seed, number)
    top = STOCK_AT + game[STOCK] - 1
    for i in range(1 + others):
        copy_game(game, copy)
        if i:
            place = STOCK_AT + pick(chance, game[STOCK])
            copy[top], copy[place] = copy[place], copy[top]
        _look_ahead(rules, copy, chance, moves, work, tuning, weights, model, policies)
        for seat in range(game[SEATS]):
            luck[seat] += weights[CHANCE_AT + seat] * (-1.0 / others if i else 1.0)


def _look_ahead(
    rules: Ints,
    game: Ints,
    chance: Ints,
    moves: Ints,
    work: Ints,
    tuning: Floats,
    weights: Floats,
    model: Floats,
    policies: Ints,
) -> None:
    """Draw from the stock, play on to the next draw from it, and write the chances to win."""
    last = game[ROUND]
    moves[1] = DRAW_STOCK
    play(rules, game, chance, moves, 1)
    for _ in range(AHEAD):
        if game[ASK] == ASK_NOTHING or game[ROUND] != last:
            break
        policy = policies[game[ACTIVE]]
        number = choose(rules, game, chance, moves, work, tuning, weights, policy)
        if moves[1 + number * MOVE] == DRAW_STOCK:
            break
        play(rules, game, chance, moves, 1 + number * MOVE)
    appraise(rules, game, model, 1 if game[ROUND] == last else 0, work, tuning, weights)
