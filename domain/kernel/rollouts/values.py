"""The value of a game to its seats: each one's chance to win, and the points it will have.

A seat's features are weighed by a model; the chances are the softmax over the seats (a conditional
logit), and the points that a seat still takes are a weighed sum. A model has rows of weights for
the middle of a round, by the true hands, and for the moment between two rounds, by what is written
on the scoreboard.
"""

from math import exp
from typing import Final

from phaseledger.domain.kernel.layout import (
    ACTIVE,
    ASK,
    ASK_KEEP,
    ASK_MOVE,
    ASK_NOTHING,
    DEALER,
    DIE,
    FINISH,
    FIRST_PLAYER,
    HAND,
    HAND_AT,
    LAID,
    MADE,
    NO_POINTS,
    ORDER,
    OTHER_DIE,
    PHASE,
    PHASES,
    PLAYERS,
    POINTS,
    REPLAY,
    ROUND,
    ROUNDS,
    SEATS,
    SKIPS,
    STOCK,
    STOCK_AT,
    TRACK_AT,
    WINNERS,
    Floats,
    Ints,
)
from phaseledger.domain.kernel.play.piles import bit_count, hand_points, jokers_held, seat_at
from phaseledger.domain.kernel.play.ring import space_ahead, steps_of
from phaseledger.domain.kernel.play.rounds import next_dealer
from phaseledger.domain.kernel.play.winners import attempted
from phaseledger.domain.kernel.policies.actions import WORTH_AT, weigh_actions
from phaseledger.domain.kernel.policies.games import EXPERT, use_tuning
from phaseledger.domain.kernel.policies.hits import best_hits, set_table
from phaseledger.domain.kernel.policies.outlook import look_ahead
from phaseledger.domain.kernel.policies.prospects import assess
from phaseledger.domain.kernel.policies.scratch import OUTLOOK_WEIGHTS, TURNS
from phaseledger.domain.kernel.policies.unseen import count_unseen

STEPS: Final = 11
"""Features for each number of phases, or of rounds, that are still to come."""
FEATURES: Final = 32
"""Features of a seat."""
MODEL: Final = 128
"""Floats of a model: the weights of chances and of points within a round, then between two."""
BETWEEN: Final = 64
"""The place of the latter."""

POINTS_LATE: Final = 11
POINTS_EARLY: Final = 12
LAID_NOW: Final = 13
LEFT: Final = 14
OUT_SOON: Final = 15
WAIT: Final = 16
LAY_SOON: Final = 17
HAND_POINTS: Final = 18
LOST_TURNS: Final = 19
DISTANCE: Final = 20
THREAT_BEFORE: Final = 21
THREAT_AFTER: Final = 22
LAY_LAST: Final = 23
BEATEN: Final = 24
BEATEN_LAY: Final = 25
OUT_LAST: Final = 26
DEAL_NEXT: Final = 27
JOKERS: Final = 28
THROW: Final = 29
"""What the better move after a throw is worth more than in the mean over all throws."""
ONE: Final = 30
SOONEST: Final = 31
"""The fewest phases, or rounds, to come of any seat. This and ONE are the same for all seats: they
tell of the points to come, and nothing of the chances.
"""

MOST_WAIT: Final = 60.0
"""Turns to the phase beyond which it makes no difference."""

FEATURE_AT: Final = OUTLOOK_WEIGHTS
"""The features of all seats in ``weights``, behind what an outlook takes; 16 times FEATURES."""
SOON_AT: Final = FEATURE_AT + 512
"""For each seat, 1 / (1 + the cards that would be left to it) where it has laid, else 0; 16."""
CHANCE_AT: Final = SOON_AT + 16
"""Each seat's chance to win; 16."""
FINAL_AT: Final = CHANCE_AT + 16
"""Each seat's expected points at the end of the game; 16."""
VALUES_WEIGHTS: Final = FINAL_AT + 16
"""Floats of ``weights`` that values take."""


def appraise(
    rules: Ints, game: Ints, model: Floats, within: int, work: Ints, tuning: Floats, weights: Floats
) -> None:
    """Write each seat's chance to win from CHANCE_AT on, and its expected points at the end from
    FINAL_AT on; of an ended game, its share of the win and its points.

    ``within`` is 0 between two rounds: hands and turns are not looked at then, nor where cards are
    kept for the next round.
    """
    for seat in range(game[SEATS]):
        weights[FINAL_AT + seat] = game[seat_at(seat) + POINTS]
    if game[ASK] == ASK_NOTHING:
        shared = bit_count(game[WINNERS])
        for seat in range(game[SEATS]):
            won = game[WINNERS] >> seat & 1
            weights[CHANCE_AT + seat] = 1.0 / shared if won else 0.0
        return
    is_within = 1 if within and game[ASK] != ASK_KEEP else 0
    write_features(rules, game, is_within, work, tuning, weights)
    row = 0 if is_within else BETWEEN
    _weigh(game, model, row, weights)
    if game[REPLAY]:
        return
    for seat in range(game[SEATS]):
        more: float = utility(weights, FEATURE_AT + seat * FEATURES, model, row + FEATURES)
        weights[FINAL_AT + seat] += max(more, 0.0)


def _weigh(game: Ints, model: Floats, row: int, weights: Floats) -> None:
    """Write the chances that the features give, by the weights at ``row``."""
    total: float = 0.0
    for seat in range(game[SEATS]):
        share: float = 0.0
        if _may_win(game, seat):
            share = exp(utility(weights, FEATURE_AT + seat * FEATURES, model, row))
        weights[CHANCE_AT + seat] = share
        total += share
    for seat in range(game[SEATS]):
        weights[CHANCE_AT + seat] /= total


def _may_win(game: Ints, seat: int) -> bool:
    """Whether the seat takes part in the replay that decides the game (C-71), if there is one."""
    if not game[REPLAY]:
        return True
    for i in range(game[PLAYERS]):
        if game[ORDER + i] == seat:
            return True
    return False


def write_features(
    rules: Ints, game: Ints, within: int, work: Ints, tuning: Floats, weights: Floats
) -> None:
    """Write the features of all seats from FEATURE_AT on."""
    use_tuning(tuning, EXPERT)
    seats = game[SEATS]
    for i in range(seats * FEATURES):
        weights[FEATURE_AT + i] = 0.0
    soonest = STEPS - 1
    for seat in range(seats):
        soonest = min(soonest, to_come(rules, game, seat))
    for seat in range(seats):
        weights[FEATURE_AT + seat * FEATURES + SOONEST] = soonest / 10.0
        _write_score(rules, game, seat, weights)
        if within:
            _write_hand(rules, game, seat, work, tuning, weights)
        else:
            left = 0 if rules[FIRST_PLAYER] else 1
            ahead = (seat - _dealer(rules, game) + 2 * seats - left) % seats
            weights[FEATURE_AT + seat * FEATURES + DEAL_NEXT] = ahead * 1.0 / seats
    if within:
        _compare(rules, game, weights)
        if game[ASK] == ASK_MOVE:
            _write_throw(rules, game, work, weights)


def _dealer(rules: Ints, game: Ints) -> int:
    """The dealer of the round that begins, or of the next one where cards are kept for it."""
    if game[ASK] != ASK_KEEP:
        return game[DEALER]
    return next_dealer(rules, game, (1 << game[SEATS]) - 1)


def _write_throw(rules: Ints, game: Ints, work: Ints, weights: Floats) -> None:
    """The feature of the dice that the active seat has thrown."""
    seat = game[ACTIVE]
    assess(rules, game, seat, work, weights)
    weigh_actions(rules, game, seat, work, weights)
    mean: float = 0.0
    for die in range(1, 7):
        for other in range(1, die + 1):
            # A double is one of 36 throws, any other pair two.
            share: float = 1.0 / 36.0 if die == other else 2.0 / 36.0
            mean += share * _worth_of_throw(rules, game, seat, die, other, weights)
    thrown: float = _worth_of_throw(rules, game, seat, game[DIE], game[OTHER_DIE], weights)
    weights[FEATURE_AT + seat * FEATURES + THROW] = thrown - mean


def _worth_of_throw(
    rules: Ints, game: Ints, seat: int, die: int, other: int, weights: Floats
) -> float:
    """What the better of the two moves is worth."""
    near = space_ahead(rules, game, seat, steps_of(die, other, 0))
    far = space_ahead(rules, game, seat, steps_of(die, other, 1))
    worth: float = weights[WORTH_AT + rules[TRACK_AT + near]]
    return max(worth, weights[WORTH_AT + rules[TRACK_AT + far]])


def _compare(rules: Ints, game: Ints, weights: Floats) -> None:
    """Write the features of each seat beside the others."""
    is_ending = 0
    for seat in range(game[SEATS]):
        if to_come(rules, game, seat) == 0:
            is_ending = 1
    for seat in range(game[SEATS]):
        _write_rivals(rules, game, seat, is_ending, weights)


def to_come(rules: Ints, game: Ints, seat: int) -> int:
    """The phases that the seat has still to make, or the rounds that are still to be played."""
    at = seat_at(seat)
    if rules[FINISH] == 1:
        return max(rules[ROUNDS] - game[ROUND], 0)
    if rules[FINISH] == 2:
        # Once the round has ended, the marker has moved on.
        laid = 1 if game[at + LAID] and game[ASK] != ASK_KEEP else 0
        return max(rules[PHASES] + 1 - game[at + PHASE] - laid, 0)
    return rules[PHASES] - bit_count(game[at + MADE])


def _write_score(rules: Ints, game: Ints, seat: int, weights: Floats) -> None:
    """The features of the scoreboard: phases to come and points."""
    at = FEATURE_AT + seat * FEATURES
    weights[at + ONE] = 1.0
    steps = min(to_come(rules, game, seat), STEPS - 1)
    points: float = game[seat_at(seat) + POINTS] / 100.0
    if rules[FINISH] == 1:
        weights[at + steps] = points
        weights[at + POINTS_LATE] = bit_count(game[seat_at(seat) + MADE]) / 10.0
        return
    weights[at + steps] = 1.0
    weights[at + (POINTS_LATE if steps <= 2 else POINTS_EARLY)] = points


def _write_hand(
    rules: Ints, game: Ints, seat: int, work: Ints, tuning: Floats, weights: Floats
) -> None:
    """The features of the hand: how far it is from the phase, or from going out."""
    at = FEATURE_AT + seat * FEATURES
    steps = to_come(rules, game, seat)
    weights[SOON_AT + seat] = 0.0
    weights[at + HAND_POINTS] = hand_points(rules, game, seat) / 100.0
    if rules[NO_POINTS]:
        weights[at + HAND_POINTS] = game[seat_at(seat) + HAND] / 10.0
    weights[at + JOKERS] = jokers_held(game, seat_at(seat))
    weights[at + LOST_TURNS] = game[seat_at(seat) + SKIPS]
    weights[at + DISTANCE] = _distance(game, seat) * 1.0 / game[PLAYERS]
    if game[seat_at(seat) + LAID]:
        set_table(rules, game, seat, work)
        left = best_hits(rules, work)
        soon: float = 1.0 / (1 + left)
        weights[SOON_AT + seat] = soon
        weights[at + LAID_NOW] = 1.0
        weights[at + LEFT] = left / 10.0
        weights[at + OUT_SOON] = soon
        if steps == 0:
            weights[at + OUT_LAST] = soon
        return
    if game[seat_at(seat) + HAND] == 0:
        return
    count_unseen(rules, game, seat, work)
    look_ahead(rules, game, seat, attempted(rules, game, seat), work, weights, tuning)
    wait: float = min(weights[TURNS], MOST_WAIT)
    weights[at + WAIT] = wait / 10.0
    weights[at + LAY_SOON] = 1.0 / (1.0 + wait)
    if rules[FINISH] != 1:
        weights[at + LAY_LAST] = 1.0 / (1.0 + wait) / max(steps, 1)


def _distance(game: Ints, seat: int) -> int:
    """Turns of others before the seat's next one, skips left out."""
    players = game[PLAYERS]
    active = 0
    own = 0
    for i in range(players):
        if game[ORDER + i] == game[ACTIVE]:
            active = i
        if game[ORDER + i] == seat:
            own = i
    return (own - active + players) % players


def _write_rivals(rules: Ints, game: Ints, seat: int, is_ending: int, weights: Floats) -> None:
    """The features of a seat beside the others: who goes out before it, who has made all phases."""
    at = FEATURE_AT + seat * FEATURES
    threat: float = 0.0
    for other in range(game[SEATS]):
        if other != seat:
            threat = max(threat, weights[SOON_AT + other])
    if weights[at + LAID_NOW] > 0.0:
        weights[at + THREAT_AFTER] = threat
    else:
        weights[at + THREAT_BEFORE] = threat
    if is_ending and rules[FINISH] != 1 and to_come(rules, game, seat) > 0:
        weights[at + BEATEN] = 1.0
        weights[at + BEATEN_LAY] = weights[at + LAY_SOON]


def expect_draw(
    rules: Ints,
    game: Ints,
    model: Floats,
    work: Ints,
    tuning: Floats,
    weights: Floats,
    means: Floats,
) -> None:
    """Write the mean of each seat's chance to win over the cards that the active seat may draw from
    the stock.
    """
    seat = game[ACTIVE]
    at = seat_at(seat)
    held = game[at + HAND]
    for number in range(game[SEATS]):
        means[number] = 0.0
    write_features(rules, game, 1, work, tuning, weights)
    game[at + HAND] = held + 1
    for card in range(64):
        copies = 0
        for i in range(game[STOCK]):
            if game[STOCK_AT + i] == card:
                copies += 1
        if copies:
            game[at + HAND_AT + held] = card
            for i in range(FEATURES):
                weights[FEATURE_AT + seat * FEATURES + i] = 0.0
            _write_score(rules, game, seat, weights)
            _write_hand(rules, game, seat, work, tuning, weights)
            _compare(rules, game, weights)
            _weigh(game, model, 0, weights)
            for number in range(game[SEATS]):
                means[number] += weights[CHANCE_AT + number] * copies / game[STOCK]
    game[at + HAND] = held


def utility(features: Floats, at: int, model: Floats, row: int) -> float:
    """The weighed sum of a seat's features."""
    total: float = 0.0
    for i in range(FEATURES):
        total += model[row + i] * features[at + i]
    return total
