"""The bot `expert` (`bots.expert`): it values each card by the turns that the card saves its phase.

What it reads of other seats is public: how many cards they hold, what they openly took and spurned.
"""

from typing import Final

from phaseledger.domain.kernel.chance import pick
from phaseledger.domain.kernel.greedy import attempted
from phaseledger.domain.kernel.hits import (
    LAID_AT,
    LAID_GROUPS,
    LEFT_POINTS,
    best_hits,
    first_hit,
    fits,
    set_table,
    take_up,
)
from phaseledger.domain.kernel.layout import (
    ACTIVE,
    ALIKE,
    COLOUR,
    DISCARD,
    DRAW_PILE,
    FORM,
    FORM_AT,
    GROUP,
    GROUP_AT,
    GROUPS,
    HALF,
    HAND,
    HIGH,
    HIT,
    KIND,
    LAID,
    LAY,
    LAY_CARDS,
    LAY_GROUPS,
    LOW,
    MOVE,
    NEED,
    NEED_AT,
    NEED_KIND,
    NEED_SIZE,
    ONE_COLOUR,
    ORDER,
    PILE,
    PILE_AT,
    PLAYERS,
    POINTS,
    POINTS_AT,
    SEATS,
    SIZE,
    SKIP,
    SKIPS,
    STEP,
    WILD,
    WILDS_PLACED,
    Floats,
    Ints,
)
from phaseledger.domain.kernel.outlook import (
    BEST_NEEDS,
    BEST_PLAN,
    FEED,
    FEED_HIT,
    FIT,
    OUTLOOK_WEIGHTS,
    OUTLOOK_WORK,
    POINT,
    SKIP_WORTH,
    STRAY,
    WORTH_TAKING,
    count_unseen,
    further,
    look_ahead,
    wish,
    wished,
)
from phaseledger.domain.kernel.rules import phase_at, placed_low, seat_at

BOT_WORK: Final = OUTLOOK_WORK
"""Ints of ``work`` that a bot takes."""
BOT_WEIGHTS: Final = OUTLOOK_WEIGHTS
"""Floats of ``weights`` that a bot takes."""
MOST_CHOICES: Final = 64
"""Moves looked at: a hand full of wilds can be laid in thousands of ways."""
FEW: Final = 3
"""The most cards with which a seat that has laid may go out at any time."""


def expert_choice(
    rules: Ints,
    game: Ints,
    moves: Ints,
    chance: Ints,
    work: Ints,
    tuning: Floats,
    weights: Floats,
) -> int:
    """The place of the chosen move: lay at once, hit what fits; draw and discard for the plan that
    is the fewest turns away.
    """
    count = min(moves[0], MOST_CHOICES)
    if count == 1:
        return 0
    kind = moves[1]
    if kind <= DRAW_PILE:
        return 1 if _wants_top(rules, game, work, tuning, weights) else 0
    if LAY <= kind <= HIT and moves[1 + MOVE] != kind:
        return 0
    if kind == LAY:
        return _best_lay(rules, game, moves, work, count)
    if kind == HIT:
        return _best_hit(rules, game, moves, work, count)
    return _discard(rules, game, moves, chance, work, tuning, weights, count)


# --- draws ----------------------------------------------------------------------------------------


def _wants_top(rules: Ints, game: Ints, work: Ints, tuning: Floats, weights: Floats) -> bool:
    """Whether to draw the top of the discard pile."""
    card = game[PILE_AT + game[PILE] - 1]
    if card == SKIP:
        return False
    if card == WILD:
        return True
    seat = game[ACTIVE]
    if game[seat_at(seat) + LAID]:
        set_table(rules, game, seat, work)
        left = best_hits(rules, work)
        take_up(rules, work, card, 1)
        return best_hits(rules, work) <= left
    count_unseen(rules, game, seat, work)
    phase = attempted(rules, game, seat)
    look_ahead(rules, game, seat, phase, work, weights, tuning)
    return -further(rules, work, weights, tuning, card, 1) > tuning[WORTH_TAKING]


# --- lays and hits --------------------------------------------------------------------------------


def _best_lay(rules: Ints, game: Ints, moves: Ints, work: Ints, count: int) -> int:
    """The place of the lay after which the fewest cards, then points, stay after all hits and a
    discard.
    """
    best = 0
    fewest = 0
    points = 0
    set_table(rules, game, game[ACTIVE], work)
    for number in range(count):
        move = 1 + number * MOVE
        if moves[move] != LAY:
            break
        _lay(rules, game, moves, work, move)
        left = max(best_hits(rules, work) - 1, 0)
        if number == 0 or left < fewest or (left == fewest and work[LEFT_POINTS] < points):
            best = number
            fewest = left
            points = work[LEFT_POINTS]
        _take_back(rules, game, moves, work, move)
    return best


def _lay(rules: Ints, game: Ints, moves: Ints, work: Ints, move: int) -> None:
    """Put the groups of a lay on the table, out of the counted hand."""
    place = move + LAY_CARDS
    for number in range(moves[move + 2]):
        need = phase_at(moves[move + 1]) + NEED_AT + number * NEED
        kind = rules[need + NEED_KIND]
        form = FORM_AT + kind * FORM
        low = moves[move + LAY_GROUPS + 2 * number]
        size = moves[move + LAY_GROUPS + 2 * number + 1]
        group = LAID_AT + work[LAID_GROUPS] * GROUP
        work[LAID_GROUPS] += 1
        if rules[WILDS_PLACED] and not rules[form + ALIKE]:
            low = placed_low(rules, kind, low, moves, place, size)
        work[group + KIND] = kind
        work[group + LOW] = low
        work[group + HIGH] = low
        if not rules[form + ALIKE]:
            work[group + HIGH] = low + (rules[need + NEED_SIZE] - 1) * rules[form + STEP]
        work[group + HALF] = 0
        work[group + SIZE] = size
        work[group + COLOUR] = -1
        for i in range(place, place + size):
            if rules[form + ONE_COLOUR] and moves[i] != WILD:
                work[group + COLOUR] = moves[i] >> 4
            take_up(rules, work, moves[i], -1)
        place += size


def _take_back(rules: Ints, game: Ints, moves: Ints, work: Ints, move: int) -> None:
    work[LAID_GROUPS] = game[GROUPS]
    place = move + LAY_CARDS
    for number in range(moves[move + 2]):
        for _ in range(moves[move + LAY_GROUPS + 2 * number + 1]):
            take_up(rules, work, moves[place], 1)
            place += 1


def _best_hit(rules: Ints, game: Ints, moves: Ints, work: Ints, count: int) -> int:
    """The place of the first of the best hits; where it is not listed, of the first hit."""
    set_table(rules, game, game[ACTIVE], work)
    hit = first_hit(rules, work)
    if hit == 0:
        return 0
    for number in range(count):
        move = 1 + number * MOVE
        if moves[move] != HIT:
            break
        row = (moves[move + 1] * 64 + moves[move + 3]) * 64 + moves[move + 4]
        if row * 4 + moves[move + 2] == hit >> 1:
            return number
    return 0


# --- discards -------------------------------------------------------------------------------------


def _discard(
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
    skip = _best_skip(rules, game, moves, count)
    if skip >= 0:
        return skip
    return _cheapest(rules, game, moves, work, tuning, weights, count, with_wilds)


def _discards(moves: Ints, count: int, with_wilds: bool) -> int:
    """The number of discards, those of wilds counted or not."""
    found = 0
    for number in range(count):
        if _is_discard(moves, 1 + number * MOVE, with_wilds):
            found += 1
    return found


def _is_discard(moves: Ints, move: int, with_wilds: bool) -> bool:
    return moves[move] == DISCARD and (with_wilds or moves[move + 1] != WILD)


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
        if moves[move] != DISCARD or moves[move + 2] < 0:
            continue
        threat = _threat(rules, game, moves[move + 2])
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
    """The place of the discard that costs the fewest turns."""
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
    lowest: float = 0.0
    for number in range(count):
        move = 1 + number * MOVE
        if _is_discard(moves, move, with_wilds):
            price: float = _price(rules, game, work, tuning, weights, follower, moves[move + 1])
            if best < 0 or price < lowest:
                best = number
                lowest = price
    return best


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
    if card == SKIP:
        return tuning[SKIP_WORTH]
    is_fitting = fits(rules, game, GROUP_AT, game[GROUPS], card)
    price: float = -tuning[POINT] * rules[POINTS_AT + (card & 15)]
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
