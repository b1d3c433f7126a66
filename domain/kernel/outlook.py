"""An estimate of the turns between a hand and its phase (`bots.outlook`).

All plans stand in the rules. Those worth following, their weights, and the counts of cards by class
stand in ``work`` and ``weights``.
"""

from math import sqrt
from typing import Final

from phaseledger.domain.kernel.hits import HITS_WORK
from phaseledger.domain.kernel.layout import (
    DECK_AT,
    FIRST_PLAN,
    HAND,
    HAND_AT,
    MADE,
    NEEDS,
    OPEN,
    OPEN_AT,
    PHASES,
    PILE,
    PILE_AT,
    PLAN,
    PLANS,
    PROGRESS,
    REPLAY,
    SPURNED,
    SPURNED_AT,
    SUITS,
    TABLE,
    TOP,
    WILD,
    Floats,
    Ints,
)
from phaseledger.domain.kernel.rules import phase_at, seat_at

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
"""One discard in so many is random: a power of two."""
OFFERED: Final = 7
"""The natural cards that the discard pile brings for each one that the stock brings."""
EDGE: Final = 8
"""Turns added to every plan's, so that a plan nearly filled does not outweigh all others."""

# --- places in ``work`` ---------------------------------------------------------------------------

CLASSES: Final = 128
"""Classes of cards that can replace one another: a rank from 0 on, a colour from TOP, a parity from
TOP + 4, and one card alone, by its code, from 64.
"""
CARD_CLASS: Final = 64
HAVE_AT: Final = HITS_WORK
"""The cards in hand of each class."""
LIVE_AT: Final = HAVE_AT + CLASSES
"""The cards of each class that may still come."""
LESS_AT: Final = LIVE_AT + CLASSES
"""For each class of the card that is rated, the cards in hand with it or without, whichever is
less; else MANY.
"""
WANTED_AT: Final = LESS_AT + CLASSES
"""The most cards of each class that one of the plans wants."""
UNSEEN_AT: Final = WANTED_AT + CLASSES
"""The cards of each code that may still come; 64."""
SHORT_AT: Final = UNSEEN_AT + 64
"""For each class that a plan is short of, sorted: 64 times the cards that may still come, and the
number missing; 32.
"""
SHORTS: Final = SHORT_AT + 32
"""The number of these classes."""
MISSING: Final = SHORTS + 1
"""The cards that the plan misses."""
WILDS_HELD: Final = SHORTS + 2
CARDS_UNSEEN: Final = SHORTS + 3
"""The number of cards that may still come, 1 at least."""
FOLLOWED: Final = SHORTS + 4
"""The number of the plans worth following."""
BEST_PLAN: Final = SHORTS + 5
"""The place in the rules of the plan that is nearest."""
BEST_NEEDS: Final = SHORTS + 6
"""The number of its groups."""
RATED: Final = SHORTS + 7
"""The number of cards of which each touches other classes, rated by now."""
RATED_AT: Final = SHORTS + 8
"""The classes that each of them touches; 32."""
FOLLOWED_AT: Final = RATED_AT + 32
"""For each of the plans worth following: 16 times its place in the rules, and its groups."""
MOST_PLANS: Final = 2_048
"""The most plans of all phases together."""
OUTLOOK_WORK: Final = FOLLOWED_AT + MOST_PLANS
"""Ints of ``work`` that an outlook takes."""
MANY: Final = 99

# --- places in ``weights`` ------------------------------------------------------------------------

TURNS: Final = 0
"""Turns until one of the plans is filled."""
RATING_AT: Final = 1
"""The ratings of the cards of RATED_AT; 32."""
SINGLE_AT: Final = RATING_AT + 32
"""By the cards that a seat took: the likelihood of a plan for one card of a class."""
SEVERAL_AT: Final = SINGLE_AT + CLASSES
"""By the cards that it took and spurned: the likelihood of a plan for several of a class."""
AGAIN_AT: Final = SEVERAL_AT + CLASSES
"""By the cards that it spurned: the wish for one more card of a class."""
WISH_AT: Final = AGAIN_AT + CLASSES
"""The sum of the likelihoods of the plans for which the seat takes a card of the class."""
LIKELIHOOD: Final = WISH_AT + CLASSES
"""The sum of the likelihoods of all its plans."""
WEIGHT_AT: Final = LIKELIHOOD + 1
"""The weights of the plans worth following."""
OUTLOOK_WEIGHTS: Final = WEIGHT_AT + MOST_PLANS
"""Floats of ``weights`` that an outlook takes."""

# --- estimates ------------------------------------------------------------------------------------

SLACK: Final = 1
"""Cards that a plan may miss beyond the best plan and still be followed."""
NEVER: Final = 20.0
"""The turns to wait for a card that has hardly any copies left."""
TAKEN: Final = 8.0
"""The factor of a plan's likelihood for each of its cards that the seat took."""
SPURNED_ONE: Final = 0.25
"""The factor for each card that the seat spurned of a class of which the plan takes several."""
AGAIN: Final = 0.125
"""The factor of the wish for one more card of a class, for each that the seat spurned."""
LACKED: Final = 0.5
"""The probability that a seat lacks a card of which its plan takes only one."""


def colour_class(rules: Ints, card: int) -> int:
    """The class of the natural's colour."""
    return TOP + 1 + (card >> 4 if rules[SUITS] else card >> 4 & 1)


def parity_class(card: int) -> int:
    """The class of the natural's parity."""
    return TOP + 6 - (card & 1)


def _count(rules: Ints, work: Ints, at: int, card: int, number: int) -> None:
    """Add so many copies of a card to the counts of classes at ``at``."""
    if card & 15 <= TOP:
        work[at + (card & 15)] += number
        work[at + colour_class(rules, card)] += number
        work[at + parity_class(card)] += number
        work[at + CARD_CLASS + card] += number


# --- the cards that may still come ----------------------------------------------------------------


def count_unseen(rules: Ints, game: Ints, seat: int, work: Ints) -> None:
    """Count the cards that the seat has not seen."""
    for card in range(64):
        work[UNSEEN_AT + card] = rules[DECK_AT + card] - game[TABLE + card]
    at = seat_at(seat) + HAND_AT
    for i in range(at, at + game[seat_at(seat) + HAND]):
        work[UNSEEN_AT + game[i]] -= 1
    for i in range(PILE_AT, PILE_AT + game[PILE]):
        work[UNSEEN_AT + game[i]] -= 1
    for card_class in range(CLASSES):
        work[LIVE_AT + card_class] = 0
    cards = 0
    for card in range(64):
        number = work[UNSEEN_AT + card]
        if number > 0:
            cards += number
            _count(rules, work, LIVE_AT, card, number)
    work[CARDS_UNSEEN] = max(cards, 1)


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
        card = game[at + HAND_AT + i]
        _count(rules, work, HAVE_AT, card, 1)
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
    """Weigh the followed plans that miss at most so many cards, and drop the others."""
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


# --- what another seat wishes ---------------------------------------------------------------------


def wish(rules: Ints, game: Ints, seat: int, row: int, work: Ints, weights: Floats) -> None:
    """Weigh the plans of a seat on the phase at ``row`` by the cards that it took and spurned
    before, for `wished`; after `count_unseen`.
    """
    at = seat_at(seat)
    for card_class in range(CLASSES):
        weights[SINGLE_AT + card_class] = 1.0
        weights[SEVERAL_AT + card_class] = 1.0 + work[LIVE_AT + card_class]
        weights[AGAIN_AT + card_class] = 1.0
        weights[WISH_AT + card_class] = 0.0
        work[HAVE_AT + card_class] = 0
    for i in range(game[at + OPEN]):
        _note_taken(rules, work, weights, game[at + OPEN_AT + i])
    for i in range(game[at + SPURNED]):
        _note_spurned(rules, weights, game[at + SPURNED_AT + i])
    plan = rules[row + FIRST_PLAN]
    total: float = 0.0
    for _ in range(rules[row + PLANS]):
        last = plan + 1 + 2 * rules[plan]
        weight: float = 1.0
        for i in range(plan + 1, last, 2):
            weight *= weights[(SEVERAL_AT if rules[i + 1] > 1 else SINGLE_AT) + rules[i]]
        total += weight
        for i in range(plan + 1, last, 2):
            if work[HAVE_AT + rules[i]] < rules[i + 1]:
                weights[WISH_AT + rules[i]] += weight if rules[i + 1] > 1 else weight * LACKED
        plan += rules[PLAN]
    weights[LIKELIHOOD] = total


def wished(rules: Ints, weights: Floats, card: int) -> float:
    """The likelihood that the seat of `wish` takes the card for the phase."""
    if card & 15 > TOP:
        return 0.0
    share: float = max(_share(weights, card & 15), _share(weights, colour_class(rules, card)))
    share = max(share, _share(weights, parity_class(card)))
    return max(share, _share(weights, CARD_CLASS + card))


def _share(weights: Floats, card_class: int) -> float:
    """The likelihood that it takes a card of the class."""
    return weights[WISH_AT + card_class] / weights[LIKELIHOOD] * weights[AGAIN_AT + card_class]


def _note_taken(rules: Ints, work: Ints, weights: Floats, card: int) -> None:
    if card & 15 > TOP:
        return
    _count(rules, work, HAVE_AT, card, 1)
    _scale(rules, weights, SINGLE_AT, card, TAKEN)
    _scale(rules, weights, SEVERAL_AT, card, TAKEN)


def _note_spurned(rules: Ints, weights: Floats, card: int) -> None:
    if card & 15 > TOP:
        return
    _scale(rules, weights, SEVERAL_AT, card, SPURNED_ONE)
    _scale(rules, weights, AGAIN_AT, card, AGAIN)


def _scale(rules: Ints, weights: Floats, at: int, card: int, factor: float) -> None:
    """Multiply the numbers of the card's classes by a power of two, which every order of factors
    rounds alike.
    """
    weights[at + (card & 15)] *= factor
    weights[at + colour_class(rules, card)] *= factor
    weights[at + parity_class(card)] *= factor
    weights[at + CARD_CLASS + card] *= factor
