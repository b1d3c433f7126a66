"""Rounds and games played on many times: equities of moves, and samples of what games came to."""

from phaseledger.domain.kernel.layout import (
    ASK,
    ASK_KEEP,
    ASK_NOTHING,
    ASKED,
    MOVE,
    POINTS,
    REPLAY,
    ROUND,
    SEAT,
    SEAT_AT,
    SEATS,
    Floats,
    Ints,
)
from phaseledger.domain.kernel.play.chance import pick, seed_chance
from phaseledger.domain.kernel.play.piles import seat_at
from phaseledger.domain.kernel.play.turns import play
from phaseledger.domain.kernel.policies.games import play_on, play_once
from phaseledger.domain.kernel.rollouts.values import (
    CHANCE_AT,
    FEATURE_AT,
    FEATURES,
    FINAL_AT,
    SAMPLE,
    SHARE,
    TO_COME,
    appraise,
    write_features,
)
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
    """Play each candidate on, in the worlds numbered from ``first``, to the end of the round.

    A world fits what the seat that ``game`` asks knows; all candidates are played in the same
    worlds, each with the same chance. ``candidates`` is a list of moves. ``equities`` gets, for
    each world and in it for each candidate, the seat's chance to win after the round.
    """
    seat = game[ASKED]
    for number in range(worlds):
        copy_game(game, world)
        seed_chance(chance, seed, 2 * (first + number))
        draw_world(rules, world, chance, seat, work)
        for candidate in range(candidates[0]):
            copy_game(world, copy)
            seed_chance(chance, seed, 2 * (first + number) + 1)
            play(rules, copy, chance, candidates, 1 + candidate * MOVE)
            rounds = 1 - (copy[ROUND] - game[ROUND])
            if rounds > 0:
                play_on(rules, copy, chance, moves, work, tuning, weights, policies, rounds, most)
            within = 1 if copy[ROUND] == game[ROUND] else 0
            appraise(rules, copy, model, within, work, tuning, weights)
            equities[number * candidates[0] + candidate] = weights[CHANCE_AT + seat]


def play_samples(
    rules: Ints,
    game: Ints,
    chance: Ints,
    moves: Ints,
    work: Ints,
    tuning: Floats,
    weights: Floats,
    policies: Ints,
    within: int,
    every: int,
    most: int,
    samples: Floats,
    room: int,
) -> int:
    """Play a game to its end, and write what it was like at times, and who won then.

    Within rounds about one decision of ``every`` is written, or the beginning of each round. A
    sample is, for each seat, its FEATURES, its share of the win and the points that it still took.
    Replays of ties are left out. Returns the number of samples, ``room`` at most.
    """
    seats = game[SEATS]
    count = 0
    decisions = 0
    known_round = 0
    while game[ASK] != ASK_NOTHING and decisions < most:
        is_due = pick(chance, every) == 0 if within else game[ROUND] != known_round
        known_round = game[ROUND]
        if is_due and game[ASK] != ASK_KEEP and not game[REPLAY] and count < room:
            write_features(rules, game, within, work, tuning, weights)
            for seat in range(seats):
                at = (count * seats + seat) * SAMPLE
                for i in range(FEATURES):
                    samples[at + i] = weights[FEATURE_AT + seat * FEATURES + i]
                samples[at + TO_COME] = -game[seat_at(seat) + POINTS]
            count += 1
        play_once(rules, game, chance, moves, work, tuning, weights, policies)
        decisions += 1
    if game[ASK] != ASK_NOTHING:
        return 0
    appraise(rules, game, weights, 0, work, tuning, weights)
    for number in range(count):
        for seat in range(seats):
            at = (number * seats + seat) * SAMPLE
            samples[at + SHARE] = weights[CHANCE_AT + seat]
            samples[at + TO_COME] += weights[FINAL_AT + seat]
    return count
