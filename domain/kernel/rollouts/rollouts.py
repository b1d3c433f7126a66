"""Rounds played on many times: the equities of moves."""

from phaseledger.domain.kernel.layout import (
    ASK,
    ASK_KEEP,
    ASKED,
    MOVE,
    ROUND,
    SEAT,
    SEAT_AT,
    SEATS,
    Floats,
    Ints,
)
from phaseledger.domain.kernel.play.chance import seed_chance
from phaseledger.domain.kernel.play.turns import play
from phaseledger.domain.kernel.policies.games import play_on
from phaseledger.domain.kernel.rollouts.values import CHANCE_AT, appraise
from phaseledger.domain.kernel.rollouts.worlds import draw_world


def copy_game(game: Ints, copy: Ints) -> None:
    """Copy a game."""
    for i in range(SEAT_AT + game[SEATS] * SEAT):
        copy[i] = game[i]


def roll_out(
    rules: Ints,
    game: Ints,
    world: Ints,
    copy: Ints,
    chance: Ints,
    moves: Ints,
    candidates: Ints,
    work: Ints,
    tuning: Floats,
    weights: Floats,
    model: Floats,
    policies: Ints,
    seed: int,
    first: int,
    worlds: int,
    most: int,
    equities: Floats,
) -> None:
    """Play each candidate on, in the worlds numbered from ``first``, to the end of the round, or of
    the next one where cards are kept for it.

    A world fits what the seat that ``game`` asks knows; all candidates are played in the same
    worlds, each with the same chance. ``candidates`` is a list of moves. ``equities`` gets, for
    each world and in it for each candidate, the seat's chance to win after the round.
    """
    seat = game[ASKED]
    end = game[ROUND] + (2 if game[ASK] == ASK_KEEP else 1)
    for number in range(worlds):
        copy_game(game, world)
        seed_chance(chance, seed, 2 * (first + number))
        draw_world(rules, world, chance, seat, work)
        for candidate in range(candidates[0]):
            copy_game(world, copy)
            seed_chance(chance, seed, 2 * (first + number) + 1)
            play(rules, copy, chance, candidates, 1 + candidate * MOVE)
            rounds = end - copy[ROUND]
            if rounds > 0:
                play_on(rules, copy, chance, moves, work, tuning, weights, policies, rounds, most)
            within = 1 if copy[ROUND] < end else 0
            appraise(rules, copy, model, within, work, tuning, weights)
            equities[number * candidates[0] + candidate] = weights[CHANCE_AT + seat]
