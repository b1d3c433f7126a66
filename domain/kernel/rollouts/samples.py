"""Samples of games played to their end, and the sums by which models are fitted to them."""

from math import exp, log
from typing import Final

from phaseledger.domain.kernel.layout import (
    ASK,
    ASK_KEEP,
    ASK_NOTHING,
    POINTS,
    REPLAY,
    ROUND,
    SEATS,
    Floats,
    Ints,
)
from phaseledger.domain.kernel.play.chance import pick
from phaseledger.domain.kernel.play.piles import seat_at
from phaseledger.domain.kernel.policies.games import play_once
from phaseledger.domain.kernel.rollouts.values import (
    CHANCE_AT,
    FEATURE_AT,
    FEATURES,
    FINAL_AT,
    appraise,
    utility,
    write_features,
)

SHARE: Final = 32
"""In a sample, behind a seat's features: its share of the win."""
TO_COME: Final = 33
"""In a sample: the points that the seat still took."""
SAMPLE: Final = 34
"""Floats of a seat's sample."""
MEAN_AT: Final = 1 + 32
"""In the sums of `add_slopes`: the mean features of one sample, behind the slopes; FEATURES."""
CURVE_AT: Final = MEAN_AT + 32
SUMS: Final = CURVE_AT + 1_024
"""Floats of these sums."""


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


def add_slopes(
    samples: Floats, count: int, seats: int, model: Floats, row: int, sums: Floats
) -> None:
    """Add the gradient and the curvature of the samples' log likelihood to ``sums``.

    A sample is SAMPLE floats for each seat. ``sums`` is the log likelihood, FEATURES slopes, and
    FEATURES rows of FEATURES curvatures. ``row`` is the place in the model of the weights.
    """
    for number in range(count):
        at = number * seats * SAMPLE
        total: float = 0.0
        for seat in range(seats):
            total += exp(utility(samples, at + seat * SAMPLE, model, row))
        for i in range(FEATURES):
            sums[MEAN_AT + i] = 0.0
        for seat in range(seats):
            here = at + seat * SAMPLE
            chance: float = exp(utility(samples, here, model, row)) / total
            sums[0] += samples[here + SHARE] * log(chance)
            _add_seat(samples, here, samples[here + SHARE] - chance, chance, sums)
        for i in range(FEATURES):
            if sums[MEAN_AT + i] != 0.0:
                for j in range(FEATURES):
                    sums[CURVE_AT + i * FEATURES + j] -= sums[MEAN_AT + i] * sums[MEAN_AT + j]


def add_squares(samples: Floats, count: int, seats: int, sums: Floats) -> None:
    """Add the products of features and points to come to the slopes in ``sums``, and those of the
    features to the curvatures: the normal equations of the points.
    """
    for number in range(count * seats):
        at = number * SAMPLE
        _add_seat(samples, at, samples[at + TO_COME], 1.0, sums)


def _add_seat(samples: Floats, at: int, residual: float, weight: float, sums: Floats) -> None:
    """Add a seat's part: of the slopes by what the model misses, of curvatures by the weight."""
    for i in range(FEATURES):
        value: float = samples[at + i]
        if value != 0.0:
            sums[1 + i] += residual * value
            sums[MEAN_AT + i] += weight * value
            for j in range(FEATURES):
                sums[CURVE_AT + i * FEATURES + j] += weight * value * samples[at + j]
