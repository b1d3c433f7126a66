"""The discards of the bot `expert`."""

from typing import Final

from phaseledger.domain.kernel.layout import (
    ACTIVE,
    COLOUR,
    DISCARD,
    GROUP,
    GROUP_AT,
    GROUPS,
    HALF,
    HAND,
    HIGH,
    KIND,
    LAID,
    LOW,
    MOVE,
    ORDER,
    PLAYERS,
    POINTS,
    POINTS_AT,
    SEATS,
    SIZE,
    SKIP,
    SKIPS,
    TURNED,
    WILD,
    Floats,
    Ints,
)
from phaseledger.domain.kernel.play.chance import pick
from phaseledger.domain.kernel.play.piles import as_wild, phase_at, seat_at
from phaseledger.domain.kernel.play.winners import attempted
from phaseledger.domain.kernel.policies.hits import LAID_AT, fits
from phaseledger.domain.kernel.policies.outlook import (
    FEED,
    FEED_HIT,
    FIT,
    NOW,
    POINT,
    POINT_LATE,
    SKIP_AHEAD,
    SKIP_BASE,
    SKIP_CLOSE,
    SKIP_NEXT,
    SKIP_UNLAID,
    SKIP_WORTH,
    STRAY,
    further,
    look_ahead,
)
from phaseledger.domain.kernel.policies.scratch import BEST_NEEDS, BEST_PLAN
from phaseledger.domain.kernel.policies.unseen import count_unseen
from phaseledger.domain.kernel.policies.wishes import wish, wished

FEW: Final = 3
"""The most cards with which a seat that has laid may go out at any time."""


def choose_discard(
    rules: Ints,
    game: Ints,
    moves: Ints,
    chance: Ints,
    work: Ints,
    tuning: Floats,
    weights: Floats,
    count: int,
) -> int:
    """The place of the best discard, of wilds only where there is no other, or of a stray one."""
    plain = _discards(moves, count, False)
    with_wilds = plain == 0
    if with_wilds:
        plain = _discards(moves, count, True)
    stray = 1
    while stray < tuning[STRAY]:
        stray += stray
    if pick(chance, stray) == 0:
        return _nth_discard(moves, with_wilds, pick(chance, plain))
    if plain == 1:
        return _nth_discard(moves, with_wilds, 0)
    if tuning[SKIP_BASE] == NOW:
        skip = _best_skip(rules, game, moves, count)
        if skip >= 0:
            return skip
    return _cheapest(rules, game, moves, work, tuning, weights, count, with_wilds)


def _discards(moves: Ints, count: int, with_wilds: bool) -> int:
    """The number of discards, those of wilds counted or not."""
    discards = 0
    for number in range(count):
        if _is_discard(moves, 1 + number * MOVE, with_wilds):
            discards += 1
    return discards


def _is_discard(moves: Ints, move: int, with_wilds: bool) -> bool:
    if moves[move] != DISCARD:
        return False
    return with_wilds or (as_wild(moves[move + 1]) != WILD and moves[move + 2] < TURNED)


def _nth_discard(moves: Ints, with_wilds: bool, nth: int) -> int:
    """The place of a discard, by its number among them from 0 on."""
    number = 0
    while nth > 0 or not _is_discard(moves, 1 + number * MOVE, with_wilds):
        if _is_discard(moves, 1 + number * MOVE, with_wilds):
            nth -= 1
        number += 1
    return number


def _best_skip(rules: Ints, game: Ints, moves: Ints, count: int) -> int:
    """The place of the skip of the seat that threatens most; -1 where no seat can be skipped."""
    best = -1
    most = 0
    for number in range(count):
        move = 1 + number * MOVE
        if moves[move] != DISCARD or moves[move + 3] < 0:
            continue
        threat = _threat(rules, game, moves[move + 3])
        if best < 0 or threat > most:
            best = number
            most = threat
    return best


def _threat(rules: Ints, game: Ints, seat: int) -> int:
    """The sort key of seats to skip: first a seat that would end the round before the own phase is
    laid; then seats that have still to lay, are ahead in phases, hold few cards or points.
    """
    at = seat_at(seat)
    cards = game[at + HAND]
    if game[at + LAID] and cards <= FEW and not game[seat_at(game[ACTIVE]) + LAID]:
        return ((2 * 1_000 - cards) * 1_000) * 1_000_000
    yet_to_lay = 0 if game[at + LAID] else 1
    key = (yet_to_lay * 1_000 + attempted(rules, game, seat)) * 1_000 - cards
    return key * 1_000_000 - game[at + POINTS]


def _cheapest(
    rules: Ints,
    game: Ints,
    moves: Ints,
    work: Ints,
    tuning: Floats,
    weights: Floats,
    count: int,
    with_wilds: bool,
) -> int:
    """The place of the discard that costs the fewest turns; two cards go before one (B-63)."""
    seat = game[ACTIVE]
    follower = next_to_play(game)
    count_unseen(rules, game, seat, work)
    if follower >= 0 and game[seat_at(follower) + LAID] == 0:
        row = phase_at(attempted(rules, game, follower))
        wish(rules, game, follower, row, work, weights)
    if game[seat_at(seat) + LAID] == 0:
        look_ahead(rules, game, seat, attempted(rules, game, seat), work, weights, tuning)
        _lay_best_plan(rules, work)
    best = -1
    most = 0
    lowest: float = 0.0
    for number in range(count):
        move = 1 + number * MOVE
        if _is_discard(moves, move, with_wilds):
            price: float = 0.0
            if moves[move + 3] >= 0:
                price = _skip_price(rules, game, tuning, follower, moves[move + 3])
            else:
                price = _price(rules, game, work, tuning, weights, follower, moves[move + 1])
            if moves[move + 2]:
                price += _price(rules, game, work, tuning, weights, follower, moves[move + 2])
            cards = 2 if moves[move + 2] else 1
            if cards > most or (cards == most and price < lowest):
                most = cards
                best = number
                lowest = price
    return best


def _skip_price(rules: Ints, game: Ints, tuning: Floats, follower: int, target: int) -> float:
    """The cost, in turns, of giving a skip to the target."""
    at = seat_at(target)
    price: float = tuning[SKIP_BASE]
    if game[at + LAID] == 0:
        price -= tuning[SKIP_UNLAID]
    elif game[at + HAND] <= FEW:
        price -= tuning[SKIP_CLOSE]
    ahead = attempted(rules, game, target) - attempted(rules, game, game[ACTIVE])
    price -= tuning[SKIP_AHEAD] * ahead
    if target == follower:
        price -= tuning[SKIP_NEXT]
    return price


def _price(
    rules: Ints,
    game: Ints,
    work: Ints,
    tuning: Floats,
    weights: Floats,
    follower: int,
    card: int,
) -> float:
    """The cost, in turns, of discarding the card."""
    card = as_wild(card)
    if card == SKIP:
        return tuning[SKIP_WORTH]
    is_fitting = fits(rules, game, GROUP_AT, game[GROUPS], card)
    point: float = tuning[POINT_LATE] if game[GROUPS] else tuning[POINT]
    price: float = -point * rules[POINTS_AT + (card & 15)]
    if game[seat_at(game[ACTIVE]) + LAID] == 0:
        price += further(rules, work, weights, tuning, card, -1)
        if is_fitting or fits(rules, work, LAID_AT, work[BEST_NEEDS], card):
            price += tuning[FIT]
    if follower >= 0 and game[seat_at(follower) + LAID] == 0:
        price += tuning[FEED] * wished(rules, weights, card)
    elif follower >= 0 and is_fitting:
        price += tuning[FEED_HIT]
    return price


def _lay_best_plan(rules: Ints, work: Ints) -> None:
    """Put the groups of the nearest plan on the table, without cards."""
    place = work[BEST_PLAN] + 1 + 2 * rules[work[BEST_PLAN]]
    for number in range(work[BEST_NEEDS]):
        group = LAID_AT + number * GROUP
        work[group + KIND] = rules[place]
        work[group + LOW] = rules[place + 1]
        work[group + HIGH] = rules[place + 2]
        work[group + HALF] = 0
        work[group + SIZE] = 0
        work[group + COLOUR] = rules[place + 3]
        place += 4


def next_to_play(game: Ints) -> int:
    """The next seat to play: the first after the own that loses no turn; -1 if there is none."""
    playing = 0
    for i in range(game[PLAYERS]):
        playing |= 1 << game[ORDER + i]
    for ahead in range(1, game[SEATS]):
        seat = (game[ACTIVE] + ahead) % game[SEATS]
        if playing >> seat & 1 and game[seat_at(seat) + SKIPS] == 0:
            return seat
    return -1
