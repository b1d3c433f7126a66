"""The ways to end a turn (`turn.discards`, `turn.pairs`)."""

from typing import Final

from phaseledger.domain.kernel.layout import (
    ACTIVE,
    ALIKE,
    DISCARD,
    FORM,
    FORM_AT,
    FULL_COLOUR,
    FULL_SET,
    GROUP,
    GROUP_AT,
    GROUPS,
    HALF,
    HAND,
    HAND_AT,
    JOKER_DISCARD,
    KIND,
    LAID,
    LISTED,
    MOST_TAKEN,
    ORDER,
    OWN,
    PLAIN_DISCARD,
    PLAYERS,
    SERVED,
    SIZE,
    SKIP,
    SKIP_AS_LAST,
    SKIPS,
    TAKEN_AT,
    TAKEN_DISCARDABLE,
    TURNED,
    UNTIL_NORMAL,
    Ints,
)
from phaseledger.domain.kernel.moves.answers import append_move
from phaseledger.domain.kernel.play.groups import is_full
from phaseledger.domain.kernel.play.piles import is_repeated, name_at, seat_at

COLOURS: Final = 2
"""ALIKE of a group of one colour."""
PARITIES: Final = 3


def list_discards(rules: Ints, game: Ints, moves: Ints) -> None:
    """The cards that may end the turn, in order of arrival; a skip with each target."""
    at = seat_at(game[ACTIVE])
    for i in range(game[at + HAND]):
        card = name_at(game, at, i)
        if is_repeated(game, at, i) or not _is_discardable(rules, game, card, 1):
            continue
        if card != SKIP:
            append_move(moves, DISCARD, card, 0, -1, 0)
        elif game[at + HAND] > 1 or rules[SKIP_AS_LAST]:
            _list_skips(rules, game, moves)


def _is_discardable(rules: Ints, game: Ints, card: int, copies: int) -> bool:
    """Whether this many copies of the card may leave the hand: jokers by option, and cards that
    were taken in this turn (B-65, B-66).
    """
    if card > OWN:
        return rules[JOKER_DISCARD] != 0
    if rules[TAKEN_DISCARDABLE]:
        return True
    taken = 0
    for i in range(MOST_TAKEN):
        if game[TAKEN_AT + i] == card:
            taken += 1
    return taken == 0 or copies_held(game, card) - copies >= taken


def list_pairs(rules: Ints, game: Ints, moves: Ints) -> None:
    """Two cards at once, in either order, where every laid group is full (B-63)."""
    at = seat_at(game[ACTIVE])
    if game[at + LAID] == 0 or not _are_full(rules, game):
        return
    last = moves[0] + LISTED
    for i in range(game[at + HAND]):
        if is_repeated(game, at, i):
            continue
        card = name_at(game, at, i)
        for j in range(game[at + HAND]):
            other = name_at(game, at, j)
            if i == j or _is_listed(game, at, i, j):
                continue
            copies = 2 if card == other else 1
            is_lawful = _is_discardable(rules, game, card, copies)
            if is_lawful and _is_discardable(rules, game, other, copies) and moves[0] < last:
                append_move(moves, DISCARD, card, other, -1, 0)


def _is_listed(game: Ints, at: int, first: int, place: int) -> bool:
    """Whether the card at a place stands before it in the hand without the ``first`` place."""
    card = game[at + HAND_AT + place]
    if card >= TURNED:
        return False
    for i in range(place):
        if i != first and game[at + HAND_AT + i] == card:
            return True
    return False


def _are_full(rules: Ints, game: Ints) -> bool:
    """Whether all groups that count are full, and there is one (B-63, B-64)."""
    count = 0
    for number in range(game[GROUPS]):
        at = GROUP_AT + number * GROUP
        alike = rules[FORM_AT + game[at + KIND] * FORM + ALIKE]
        if alike == COLOURS and rules[FULL_COLOUR] == 0:
            continue
        if alike == 0:
            is_whole = game[at + HALF] == 0 and is_full(rules, game, at)
        else:
            full = rules[FULL_COLOUR] if alike == COLOURS else rules[FULL_SET]
            is_whole = alike != PARITIES and game[at + SIZE] >= full
        if not is_whole:
            return False
        count += 1
    return count > 0


def _list_skips(rules: Ints, game: Ints, moves: Ints) -> None:
    """A skip without a target, where that is allowed, then with each."""
    targets = 0
    for i in range(game[PLAYERS]):
        if _is_target(rules, game, game[ORDER + i]):
            targets += 1
    if rules[PLAIN_DISCARD] == 1 or (rules[PLAIN_DISCARD] == 2 and targets == 0):
        append_move(moves, DISCARD, SKIP, 0, -1, 0)
    for i in range(game[PLAYERS]):
        if _is_target(rules, game, game[ORDER + i]):
            append_move(moves, DISCARD, SKIP, 0, game[ORDER + i], 0)


def _is_target(rules: Ints, game: Ints, seat: int) -> bool:
    """Whether the active seat may skip the seat, which plays."""
    at = seat_at(seat)
    if seat == game[ACTIVE] or game[at + SKIPS]:
        return False
    return not (game[at + SERVED] and rules[UNTIL_NORMAL])


def copies_held(game: Ints, card: int) -> int:
    """The number of such cards in the active hand."""
    at = seat_at(game[ACTIVE])
    copies = 0
    for i in range(game[at + HAND]):
        if game[at + HAND_AT + i] == card:
            copies += 1
    return copies
