"""The answers of bots to the questions of the ring, and what they discard and keep there."""

from typing import Final

from phaseledger.domain.kernel.layout import (
    ASK,
    ASK_CHOOSE,
    ASK_GIVE,
    ASK_KEEP,
    ASK_MOVE,
    ASK_SEARCH,
    ASK_SWAP,
    ASK_VALUE,
    ASKED,
    CHOSEN_AT,
    CODES,
    HAND,
    JOKERS_STAY,
    KEEP_CARDS,
    MOST_SWAPPED,
    MOVE,
    NUMBER,
    OWN,
    SWAP,
    TRACK_AT,
    Floats,
    Ints,
)
from phaseledger.domain.kernel.play.chance import pick
from phaseledger.domain.kernel.play.piles import bit_count, seat_at
from phaseledger.domain.kernel.play.ring import space_ahead
from phaseledger.domain.kernel.policies.actions import WORTH_AT, weigh_actions, worth_of_asking
from phaseledger.domain.kernel.policies.collect import HELD, HELD_AT, naturals
from phaseledger.domain.kernel.policies.prospects import (
    HELPFUL_AT,
    HIDDEN_AT,
    JOKERS,
    PART_AT,
    PARTS,
    PLAN_AT,
    PLENTY,
    SPARE,
    WANTING,
    assess,
    spare_copies,
)

SCORE_AT: Final = 32
"""The scores of the listed moves; MOVES."""


def choose_answer(
    rules: Ints, game: Ints, moves: Ints, chance: Ints, work: Ints, weights: Floats
) -> int:
    """The place of the best of the listed moves; of equally good ones any.

    Cards to swap and to keep are not chosen from the list, which they become.
    """
    seat = game[ASKED]
    if game[ASK] == ASK_SWAP or game[ASK] == ASK_KEEP:
        assess(rules, game, seat, work, weights)
        if game[ASK] == ASK_SWAP:
            _swap(moves, work)
        else:
            _keep(rules, moves, game[NUMBER], work)
        return 0
    if moves[0] == 1:
        return 0
    assess(rules, game, seat, work, weights)
    _score_moves(rules, game, moves, seat, work, weights)
    top: float = weights[SCORE_AT]
    count = 0
    for number in range(moves[0]):
        if weights[SCORE_AT + number] > top:
            top = weights[SCORE_AT + number]
            count = 0
        if weights[SCORE_AT + number] == top:
            count += 1
    left = 1 + pick(chance, count)
    place = -1
    while left:
        place += 1
        if weights[SCORE_AT + place] == top:
            left -= 1
    return place


def _score_moves(
    rules: Ints, game: Ints, moves: Ints, seat: int, work: Ints, weights: Floats
) -> None:
    """Write the worth of each listed move; units differ from question to question."""
    question = game[ASK]
    if ASK_MOVE <= question <= ASK_CHOOSE:
        weigh_actions(rules, game, seat, work, weights)
    for number in range(moves[0]):
        first = moves[1 + number * MOVE + 1]
        second = moves[1 + number * MOVE + 2]
        score: float = 0.0
        if question == ASK_MOVE:
            space = space_ahead(rules, game, seat, first)
            score = weights[WORTH_AT + rules[TRACK_AT + space]]
        elif question == ASK_CHOOSE:
            score = weights[WORTH_AT + first]
        elif question == ASK_SEARCH:
            score = -_supply(work, first)
        elif question == ASK_VALUE:
            score = worth_of_asking(rules, game, seat, first, second, work, weights)
        elif question == ASK_GIVE:
            score = 1.0 if spare_copies(work, first) else 0.0
        else:
            score = _discard(game, seat, first, second, work)
        weights[SCORE_AT + number] = score


# --- what to search, discard, swap and keep -----------------------------------------------------


def _supply(work: Ints, card: int) -> int:
    """The hidden cards for the group that wants this card and is the hardest to fill."""
    fewest = PLENTY
    for number in range(work[WANTING]):
        row = HELPFUL_AT + number * CODES
        if work[row + card]:
            count = 0
            for other in range(CODES):
                if work[row + other]:
                    count += work[HIDDEN_AT + other]
            fewest = min(fewest, count)
    return fewest


def _discard(game: Ints, seat: int, card: int, other: int, work: Ints) -> int:
    """A discard that ends the round, else cards that can be spared: two before one (B-63)."""
    if game[seat_at(seat) + HAND] == (2 if other else 1):
        return PLENTY
    return _ease(work, card) + (_ease(work, other) if other else 0)


def _ease(work: Ints, card: int) -> int:
    """How easily the hand can do without the card."""
    if card > OWN:
        return -3
    return 1 if spare_copies(work, card) else -1


def _swap(moves: Ints, work: Ints) -> None:
    """Write a swap of cards that can be spared, each exchanged for another, or of one card."""
    _begin_choice(moves, SWAP)
    for i in range(work[HELD]):
        if work[SPARE] >> i & 1:
            _add_choice(moves, work[HELD_AT + i], MOST_SWAPPED)
    if work[SPARE] == 0:
        _add_choice(moves, work[HELD_AT] if work[HELD] else OWN + 1, 1)


def _keep(rules: Ints, moves: Ints, most: int, work: Ints) -> None:
    """Write a choice to keep jokers as long as they stay such (O-28), then the fullest groups, then
    anything.
    """
    _begin_choice(moves, KEEP_CARDS)
    jokers_first = rules[JOKERS_STAY] * work[JOKERS]
    for number in range(1, jokers_first + 1):
        _add_choice(moves, OWN + number, most)
    rest = naturals(work)
    for size in range(work[HELD], 0, -1):
        place = PLAN_AT
        for number in range(work[PARTS]):
            count = bit_count(work[PART_AT + number])
            for i in range(place, place + count):
                if count == size:
                    rest -= 1 << work[i]
                    _add_choice(moves, work[HELD_AT + work[i]], most)
            place += count
    for i in range(work[HELD]):
        if rest >> i & 1:
            _add_choice(moves, work[HELD_AT + i], most)
    for number in range(jokers_first + 1, work[JOKERS] + 1):
        _add_choice(moves, OWN + number, most)


def _begin_choice(moves: Ints, kind: int) -> None:
    """Make a choice of no cards the only move of the list."""
    moves[0] = 1
    moves[1] = kind
    moves[2] = 0


def _add_choice(moves: Ints, name: int, most: int) -> None:
    """Add a card to the choice, which is sorted, if it has less than ``most``."""
    if moves[2] == most:
        return
    first = 1 + CHOSEN_AT
    place = first + moves[2]
    while place > first and moves[place - 1] > name:
        moves[place] = moves[place - 1]
        place -= 1
    moves[place] = name
    moves[2] += 1
