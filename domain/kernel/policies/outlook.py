"""An estimate of the turns between a hand and its phase.

All plans stand in the rules. Those worth following, their weights, and the counts of cards by class
stand in ``work`` and ``weights``.
"""

from math import sqrt
from typing import Final

from phaseledger.domain.kernel.layout import (
    FIRST_PLAN,
    HAND,
    HAND_AT,
    MADE,
    NEEDS,
    PHASES,
    PLAN,
    PLANS,
    PROGRESS,
    REPLAY,
    TOP,
    WILD,
    Floats,
    Ints,
)
from phaseledger.domain.kernel.play.piles import as_wild, phase_at, seat_at
from phaseledger.domain.kernel.policies.scratch import (
    BEST_NEEDS,
    BEST_PLAN,
    CARD_CLASS,
    CARDS_UNSEEN,
    CLASSES,
    FOLLOWED,
    FOLLOWED_AT,
    HAVE_AT,
    LESS_AT,
    LIVE_AT,
    MANY,
    MISSING,
    RATED,
    RATED_AT,
    RATING_AT,
    SHORT_AT,
    SHORTS,
    TURNS,
    UNSEEN_AT,
    WANTED_AT,
    WEIGHT_AT,
    WILDS_HELD,
)
from phaseledger.domain.kernel.policies.unseen import colour_class, count_classes, parity_class

# --- places of what a bot is tuned by -------------------------------------------------------------

WORTH_TAKING: Final = 0
"""Turns that the top of the discard pile must save: the stock saves some too, and may be wild."""
FIT: Final = 1
"""The worth of a card that can be hit as soon as the phase is laid."""
POINT: Final = 2
"""The worth of a penalty point that leaves the hand."""
FEED: Final = 3
"""The cost of a card that the next player surely takes for the phase."""
FEED_HIT: Final = 4
"""The cost of a card that the next player can hit."""
SKIP_WORTH: Final = 5
"""The worth of a skip that no seat can be given now."""
STRAY: Final = 6
"""The number of discards of which one is random: a power of two."""
OFFERED: Final = 7
"""The natural cards that the discard pile brings for each one that the stock brings."""
EDGE: Final = 8
"""Turns added to every plan's, so that a plan nearly filled does not outweigh all others."""
POINT_LATE: Final = 9
"""As POINT, once another seat has laid."""
SKIP_BASE: Final = 10
"""The cost of giving a skip to a seat that has laid; NOW where each is given at once."""
SKIP_UNLAID: Final = 11
"""What it is worth more where the target has not laid."""
SKIP_CLOSE: Final = 12
"""What it is worth more where the target may go out at any time."""
SKIP_AHEAD: Final = 13
"""What it is worth more for each phase that the target is ahead."""
SKIP_NEXT: Final = 14
"""What it is worth more where the target would be next."""
TUNING: Final = 16
"""Floats of a tuning. The first is in use; behind it stand those of the bots, in their order."""
NOW: Final = -99.0
"""The SKIP_BASE of a bot that never holds a skip back."""


# --- estimates ------------------------------------------------------------------------------------

SLACK: Final = 1
"""Cards that a plan may miss beyond the best plan and still be followed."""
NEVER: Final = 20.0
"""The turns to wait for a card that has hardly any copies left."""


# --- plans ----------------------------------------------------------------------------------------


def _measure(rules: Ints, work: Ints, plan: int) -> int:
    """Write SHORT_AT and MISSING of a plan, and return the number of cards to draw; the wilds in
    hand fill the rarest classes.
    """
    count = 0
    missing = 0
    bare = 0
    for i in range(plan + 1, plan + 1 + 2 * rules[plan], 2):
        card_class = rules[i]
        held = work[HAVE_AT + card_class]
        lacking = rules[i + 1] - held
        if lacking > 0:
            missing += lacking
            if held == 0 and rules[i + 1] > 1:
                bare += 1
            _insert(work, count, work[LIVE_AT + card_class] * 64 + lacking)
            count += 1
    work[SHORTS] = count
    work[MISSING] = missing
    # Every set needs a natural of its own, however many wilds there are.
    return max(missing - work[WILDS_HELD], bare)


def _insert(work: Ints, count: int, entry: int) -> None:
    """Insert into the sorted SHORT_AT of ``count`` entries."""
    place = SHORT_AT + count
    while place > SHORT_AT and work[place - 1] > entry:
        work[place] = work[place - 1]
        place -= 1
    work[place] = entry


def _turns(work: Ints, draws: int, tuning: Floats) -> float:
    """An estimate of the turns until what SHORT_AT lacks is drawn.

    Estimate: the likeliest card always comes next.
    """
    count = work[SHORTS]
    wilds = max(work[UNSEEN_AT + WILD], 0)
    outs = 0
    for i in range(SHORT_AT, SHORT_AT + count):
        outs += work[i] >> 6
    waited: float = 0.0
    for _ in range(draws):
        chance: float = ((1.0 + tuning[OFFERED]) * outs + wilds) / work[CARDS_UNSEEN]
        waited += 1.0 / chance if chance > 1.0 / NEVER else NEVER
        count -= 1
        entry = work[SHORT_AT + count]
        if entry & 63 == 1:
            outs -= entry >> 6
            continue
        if entry >> 6:
            outs -= 1
            entry -= 64
        _insert(work, count, entry - 1)
        count += 1
    return waited


def _weight(waited: float, tuning: Floats) -> float:
    """The weight of a plan, 1 at most: the nearest plan has nearly all of it."""
    weight: float = tuning[EDGE] / (tuning[EDGE] + waited)
    for _ in range(4):
        weight *= weight
    return weight


def _together(total: float, tuning: Floats) -> float:
    """Turns until one of the plans is filled, by the sum of their weights."""
    root: float = total
    for _ in range(4):
        root = sqrt(root)
    return tuning[EDGE] / root - tuning[EDGE]


# --- the outlook ----------------------------------------------------------------------------------


def look_ahead(
    rules: Ints, game: Ints, seat: int, phase: int, work: Ints, weights: Floats, tuning: Floats
) -> None:
    """Weigh the plans nearest to the seat's hand, after `count_unseen`: those of the ``phase``, in
    a free style those of all that the seat has not made.
    """
    for card_class in range(CLASSES):
        work[HAVE_AT + card_class] = 0
        work[LESS_AT + card_class] = MANY
        work[WANTED_AT + card_class] = 0
    work[WILDS_HELD] = 0
    at = seat_at(seat)
    for i in range(game[at + HAND]):
        card = as_wild(game[at + HAND_AT + i])
        count_classes(rules, work, HAVE_AT, card, 1)
        if card == WILD:
            work[WILDS_HELD] += 1
    work[FOLLOWED] = 0
    work[RATED] = 0
    fewest = MANY
    made = game[at + MADE]
    if rules[PROGRESS] == 2 and not game[REPLAY] and made != (1 << rules[PHASES]) - 1:
        for number in range(1, rules[PHASES] + 1):
            if not made >> (number - 1) & 1:
                fewest = _add_plans(rules, work, phase_at(number), fewest)
    else:
        fewest = _add_plans(rules, work, phase_at(phase), fewest)
    _weigh_plans(rules, work, weights, tuning, fewest + SLACK)


def _add_plans(rules: Ints, work: Ints, row: int, fewest: int) -> int:
    """Follow the plans of the phase at ``row`` that do not miss too many cards by what is known
    now, and return the fewest cards that one misses.
    """
    plan = rules[row + FIRST_PLAN]
    for _ in range(rules[row + PLANS]):
        missing = 0
        for i in range(plan + 1, plan + 1 + 2 * rules[plan], 2):
            lacking = rules[i + 1] - work[HAVE_AT + rules[i]]
            if lacking > 0:
                missing += lacking
        if missing <= fewest + SLACK:
            fewest = min(fewest, missing)
            work[FOLLOWED_AT + work[FOLLOWED]] = plan * 16 + rules[row + NEEDS]
            work[FOLLOWED] += 1
        plan += rules[PLAN]
    return fewest


def _weigh_plans(rules: Ints, work: Ints, weights: Floats, tuning: Floats, most: int) -> None:
    """Weigh the followed plans that miss at most ``most`` cards, and drop the others."""
    count = 0
    nearest: float = 0.0
    total: float = 0.0
    for i in range(work[FOLLOWED]):
        plan = work[FOLLOWED_AT + i] >> 4
        draws = _measure(rules, work, plan)
        if work[MISSING] > most:
            continue
        waited: float = _turns(work, draws, tuning)
        if count == 0 or waited < nearest:
            nearest = waited
            work[BEST_PLAN] = plan
            work[BEST_NEEDS] = work[FOLLOWED_AT + i] & 15
        weight: float = _weight(waited, tuning)
        weights[WEIGHT_AT + count] = weight
        total += weight
        work[FOLLOWED_AT + count] = work[FOLLOWED_AT + i]
        count += 1
        for j in range(plan + 1, plan + 1 + 2 * rules[plan], 2):
            card_class = WANTED_AT + rules[j]
            work[card_class] = max(work[card_class], rules[j + 1])
    work[FOLLOWED] = count
    weights[TURNS] = _together(total, tuning)


def further(
    rules: Ints, work: Ints, weights: Floats, tuning: Floats, card: int, change: int
) -> float:
    """The change in turns of all plans together with one more of the card (1) or one less (-1)."""
    if card & 15 > TOP:
        return 0.0
    colour = colour_class(rules, card)
    parity = parity_class(card)
    key = _touch(work, card & 15, change)
    key = key * CLASSES + _touch(work, colour, change)
    key = key * CLASSES + _touch(work, parity, change)
    key = key * CLASSES + _touch(work, CARD_CLASS + card, change)
    turns: float = 0.0
    if key:
        turns = _rate(rules, work, weights, tuning, key * 2 + (1 if change > 0 else 0))
    _restore(work, card & 15, change)
    _restore(work, colour, change)
    _restore(work, parity, change)
    _restore(work, CARD_CLASS + card, change)
    return turns


def _touch(work: Ints, card_class: int, change: int) -> int:
    """Change the count of the class in hand, and return it where a plan is nearer or further then;
    else 0.
    """
    held = work[HAVE_AT + card_class]
    work[HAVE_AT + card_class] = held + change
    less = min(held, held + change)
    work[LESS_AT + card_class] = less
    return card_class if less < work[WANTED_AT + card_class] else 0


def _rate(rules: Ints, work: Ints, weights: Floats, tuning: Floats, key: int) -> float:
    """As `further`, for the touched classes that the key has; each key is rated once."""
    for i in range(work[RATED]):
        if work[RATED_AT + i] == key:
            return weights[RATING_AT + i]
    total: float = 0.0
    for i in range(work[FOLLOWED]):
        plan = work[FOLLOWED_AT + i] >> 4
        if _is_touched(rules, work, plan):
            draws = _measure(rules, work, plan)
            total += _weight(_turns(work, draws, tuning), tuning)
        else:
            total += weights[WEIGHT_AT + i]
    rating: float = _together(total, tuning) - weights[TURNS]
    work[RATED_AT + work[RATED]] = key
    weights[RATING_AT + work[RATED]] = rating
    work[RATED] += 1
    return rating


def _restore(work: Ints, card_class: int, change: int) -> None:
    work[HAVE_AT + card_class] -= change
    work[LESS_AT + card_class] = MANY


def _is_touched(rules: Ints, work: Ints, plan: int) -> bool:
    """Whether the card that is rated makes the plan nearer or further."""
    for i in range(plan + 1, plan + 1 + 2 * rules[plan], 2):
        if work[LESS_AT + rules[i]] < rules[i + 1]:
            return True
    return False
