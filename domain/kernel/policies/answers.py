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
    HAND_AT,
    JOKERS_STAY,
    KEEP_CARDS,
    LAID,
    MOST_SWAPPED,
    MOVE,
    NUMBER,
    ON_AGAIN,
    ON_ASK,
    ON_CHOOSE,
    ON_EVERY,
    ON_JOKER,
    ON_SEARCH,
    ON_SWAP,
    ON_TAKE,
    ON_TAKE1,
    ON_TAKE3,
    OWN,
    PASS,
    PAWN,
    PILE,
    PILE_AT,
    SEATS,
    SWAP,
    TOP,
    TRACK,
    TRACK_AT,
    TURNED,
    Floats,
    Ints,
)
from phaseledger.domain.kernel.play.chance import pick
from phaseledger.domain.kernel.play.piles import bit_count, seat_at
from phaseledger.domain.kernel.play.ring import is_occupied, space_ahead
from phaseledger.domain.kernel.policies.collect import HELD, HELD_AT, naturals
from phaseledger.domain.kernel.policies.prospects import (
    BURDEN,
    CARDS_HIDDEN,
    GAIN,
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
    drawn,
    is_wanted,
    spare_copies,
)

WORTH_AT: Final = 2
"""In ``weights``: the worth of each action, by its number."""
SCORE_AT: Final = 32
"""The scores of the listed moves; MOVES."""
GIFT: Final = 0.3
"""The worth of a card from the stock to another seat that has still to lay its phase."""
GIFT_TO_HIT: Final = -0.5
"""The same, once it has laid."""


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
    if moves[0] == 1 or moves[1] == PASS:
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
        _weigh_actions(rules, game, seat, work, weights)
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
            score = _ask(rules, game, seat, first, second, work, weights)
        elif question == ASK_GIVE:
            score = 1.0 if spare_copies(work, first) else 0.0
        else:
            score = _discard(game, seat, first, second, work)
        weights[SCORE_AT + number] = score


# --- what the actions are worth -----------------------------------------------------------------


def _share(wanted: int, cards: int) -> float:
    """The fraction of the cards that is wanted, 0 to 1."""
    return wanted / max(1, cards)


def _hidden_share(work: Ints) -> float:
    """The fraction of the hidden cards that is wanted."""
    wanted = 0
    for card in range(CODES):
        if work[HIDDEN_AT + card] and is_wanted(work, card):
            wanted += work[HIDDEN_AT + card]
    return _share(wanted, work[CARDS_HIDDEN])


def _weigh_actions(rules: Ints, game: Ints, seat: int, work: Ints, weights: Floats) -> None:
    """Write the worth of each action; CHOOSE is worth the best one on a free space ahead."""
    chance: float = _hidden_share(work)
    top: float = 0.0
    if game[PILE] and is_wanted(work, game[PILE_AT + game[PILE] - 1]):
        top = 1.0
    card: float = drawn(work, weights, 1, chance)
    take: float = max(card, drawn(work, weights, 1, top))
    weights[WORTH_AT + ON_JOKER] = weights[GAIN]
    weights[WORTH_AT + ON_TAKE1] = take
    weights[WORTH_AT + ON_TAKE1 + 1] = take + card
    weights[WORTH_AT + ON_TAKE3] = take + drawn(work, weights, 2, chance)
    in_pile: float = 1.0 - pow(1.0 - chance, game[PILE])
    weights[WORTH_AT + ON_SEARCH] = drawn(work, weights, 1, in_pile)
    swaps = _swaps(work)
    # Without a spare card, one that serves the phase has to go.
    swap: float = swaps * weights[BURDEN] if work[SPARE] else -1.0
    weights[WORTH_AT + ON_SWAP] = swap + drawn(work, weights, swaps + 1, chance)
    weights[WORTH_AT + ON_ASK] = _best_ask(rules, game, seat, work, weights)
    weights[WORTH_AT + ON_EVERY] = card - _gifts(game, seat)
    # To play again is to discard once more, and to reach another space.
    weights[WORTH_AT + ON_AGAIN] = take + weights[BURDEN] + _mean_worth(rules, weights)
    _weigh_choices(rules, game, seat, weights)


def _best_ask(rules: Ints, game: Ints, seat: int, work: Ints, weights: Floats) -> float:
    best: float = _ask(rules, game, seat, 1, 0, work, weights)
    for value in range(1, TOP + 1):
        for direction in range(2):
            best = max(best, _ask(rules, game, seat, value, direction, work, weights))
    return best


def _gifts(game: Ints, seat: int) -> float:
    """The mean worth of a card from the stock to each other seat."""
    total: float = 0.0
    rivals = 0
    for ahead in range(1, game[SEATS]):
        rival = (seat + ahead) % game[SEATS]
        total += GIFT_TO_HIT if game[seat_at(rival) + LAID] else GIFT
        rivals += 1
    return total / max(1, rivals)


def _mean_worth(rules: Ints, weights: Floats) -> float:
    """The mean worth of the spaces, but for those to choose and to play again."""
    total: float = 0.0
    spaces = 0
    for space in range(rules[TRACK]):
        action = rules[TRACK_AT + space]
        if action != ON_AGAIN and action != ON_CHOOSE:
            total += weights[WORTH_AT + action]
            spaces += 1
    return total / max(1, spaces)


def _weigh_choices(rules: Ints, game: Ints, seat: int, weights: Floats) -> None:
    """Write what CHOOSE is worth, and the nearest space to take cards (O-27)."""
    weights[WORTH_AT + ON_TAKE] = 0.0
    nearest = 0
    best: float = 0.0
    choices = 0
    size = rules[TRACK]
    for ahead in range(1, size + 1):
        space = (game[seat_at(seat) + PAWN] + ahead) % size
        action = rules[TRACK_AT + space]
        if action == ON_CHOOSE or is_occupied(game, seat, space):
            continue
        if choices == 0 or weights[WORTH_AT + action] > best:
            best = weights[WORTH_AT + action]
        choices += 1
        if nearest == 0 and ON_TAKE1 <= action <= ON_TAKE3:
            nearest = ahead
            weights[WORTH_AT + ON_TAKE] = weights[WORTH_AT + action]
    weights[WORTH_AT + ON_CHOOSE] = best


def _ask(
    rules: Ints, game: Ints, seat: int, value: int, direction: int, work: Ints, weights: Floats
) -> float:
    """The worth of asking for a value: wanted, and probably held by another seat; best where it
    takes away a joker (B-36).
    """
    cards = 0
    wanted = 0
    for colour in range(4):
        card = colour * 16 + value
        cards += work[HIDDEN_AT + card]
        if is_wanted(work, card):
            wanted += work[HIDDEN_AT + card]
    miss: float = 1.0 - cards / max(1, work[CARDS_HIDDEN])
    absent: float = 1.0
    jokers: float = 0.0
    seats = game[SEATS]
    for ahead in range(1, seats):
        at = seat_at((seat + (seats - ahead if direction else ahead)) % seats)
        unknown = 0
        faces = 0
        for i in range(game[at + HAND]):
            card = game[at + HAND_AT + i]
            if card < TURNED:
                unknown += 1
            elif card & 15 == value:
                faces += 1
                if is_wanted(work, card % CODES):
                    wanted += 1
        cards += faces
        lacking: float = pow(miss, unknown)
        if faces:
            jokers += absent * lacking
            absent = 0.0
        else:
            absent *= lacking
    gift: float = drawn(work, weights, 1, _share(wanted, cards))
    stock: float = drawn(work, weights, 1, _hidden_share(work))
    return (1.0 - absent) * gift + absent * stock + jokers / max(1, seats - 1)


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


def _swaps(work: Ints) -> int:
    """The number of cards that `_swap` exchanges."""
    return max(min(bit_count(work[SPARE]), MOST_SWAPPED), min(1, work[HELD] + work[JOKERS]))


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
