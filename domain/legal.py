"""The legal commands of a seat: for bots, for hints, for counting lines of play."""

from collections.abc import Callable, Iterator
from itertools import chain, combinations, islice
from typing import get_args

from phaseledger.domain import commands as c
from phaseledger.domain.board_actions import SWAPPED_AT_MOST, choices, steps, swappable
from phaseledger.domain.cards import NAMES, OWN, is_wild, owner_names, show
from phaseledger.domain.melds import (
    ENDS,
    FORMS,
    ArrangedGroup,
    Misfit,
    extend,
    followers,
    lays,
    width,
)
from phaseledger.domain.policies import OPEN_PHASES
from phaseledger.domain.rounds import can_draw_discard, can_draw_stock
from phaseledger.domain.ruleset import Action
from phaseledger.domain.state import Question, QuestionKind, State
from phaseledger.domain.turn import discards, pairs

MOST_CHOICES = 1_000
"""At most so many choices of several cards are listed: a hand of forty has hundreds of thousands.
"""


_STOCK, _DISCARD = c.Draw("stock"), c.Draw("discard")
_DISCARDS = {notation: tuple(map(c.Discard, names)) for notation, names in NAMES.items()}
"""For each notation, the discard of every card without a target; the values are shared."""


def legal(state: State, seat: int) -> Iterator[c.Command]:
    """The seat's legal commands, in a fixed order, none twice.

    Listed are lays of the least size and hits of one card (one row of a pair run): longer lays
    and hits are these, one after the other (K-13). Where several jokers would do, the first is
    named. Of the cards to keep for the next round, the largest choices are listed, and none; of
    those to swap, each choice once; of hands so large that there are more than `MOST_CHOICES`, the
    first. A due secret cannot be guessed: its question yields nothing.
    """
    questions = [question for question in state.waits if question.seat == seat]
    if len(questions) == 1:
        return _ANSWERS[questions[0].kind](state, questions[0])
    return chain.from_iterable(_ANSWERS[question.kind](state, question) for question in questions)


def _nothing(_: State, __: Question) -> Iterator[c.Command]:
    return iter(())


def _draws(state: State, _: Question) -> Iterator[c.Command]:
    if can_draw_stock(state):
        yield _STOCK
    if can_draw_discard(state):
        yield _DISCARD


def _plays(state: State, question: Question) -> Iterator[c.Command]:
    seat = question.seat
    player = state.seat(seat)
    keep = 1 if state.ruleset.options.going_out == "discard_required" else 0
    if player.laid:
        yield from _hits(state, seat, keep)
    else:
        yield from _lays(state, seat, keep)
    endings = discards(state, seat)
    notation = state.ruleset.deck.notation
    plain, names = _DISCARDS[notation], NAMES[notation]
    yield from [
        plain[card] if target is None else c.Discard(names[card], target)
        for card, target in endings
    ]
    if state.ruleset.discards_when_full > 1:
        for pair in pairs(state, seat):
            yield c.Discard(show(pair, notation))
    if not endings:
        yield c.Pass()


def _lays(state: State, seat: int, keep: int) -> Iterator[c.Command]:
    player, ruleset = state.seat(seat), state.ruleset
    phases = OPEN_PHASES[ruleset.progress](state, player)
    for phase in phases:
        for groups in lays(owner_names(player.hand), ruleset.phases[phase - 1].needs, ruleset):
            if len(player.hand) - sum(len(group.cards) for group in groups) >= keep:
                yield lay_command(groups, ruleset.deck.notation, phase if len(phases) > 1 else None)


def lay_command(groups: tuple[ArrangedGroup, ...], notation: str, phase: int | None) -> c.Lay:
    """The command that lays the groups; a value is said only where no natural shows it."""
    return c.Lay(
        tuple(
            c.GroupToLay(
                show(group.cards, notation),
                group.low if all(map(is_wild, group.cards)) else None,
            )
            for group in groups
        ),
        phase,
    )


def _hits(state: State, seat: int, keep: int) -> Iterator[c.Command]:
    hand, ruleset = owner_names(state.seat(seat).hand), state.ruleset
    notation = ruleset.deck.notation
    if len(hand) - 1 < keep:
        return
    options, distinct = ruleset.options, bytes(dict.fromkeys(hand))
    for number, group in enumerate(state.groups):
        form = FORMS[group.need.kind]
        if form.copies == 1:
            candidates = [
                (bytes((card,)), end) for card, end in followers(group, distinct, options)
            ]
        else:
            rows = [bytes((card,)) for card in distinct]
            if width(form, options) == 2:
                rows = sorted({bytes(sorted(pair)) for pair in combinations(hand, 2)})
            candidates = [
                (row, end) for row in rows if len(hand) - len(row) >= keep for end in ENDS
            ]
        for row, end in candidates:
            try:
                extend(group, row, end, ruleset)
            except Misfit:
                continue
            yield c.Hit(number, show(row, notation), end)


def _moves(state: State, _: Question) -> Iterator[c.Command]:
    yield from map(c.Move, steps(state))


def _choices(state: State, question: Question) -> Iterator[c.Command]:
    spaces = choices(state, question.seat)
    for action in ("TAKE", *get_args(Action)):
        if action in spaces:
            yield c.Choose(action)


def _searches(state: State, _: Question) -> Iterator[c.Command]:
    for card in dict.fromkeys(state.discard[::-1]):
        yield c.Search(NAMES[state.ruleset.deck.notation][card])


def _swaps(state: State, question: Question) -> Iterator[c.Command]:
    cards = swappable(state, question.seat)
    counts = range(1, min(SWAPPED_AT_MOST, len(cards)) + 1)
    selections = chain.from_iterable(_choices_of(cards, count) for count in counts)
    for selection in islice(selections, MOST_CHOICES):
        yield c.Swap(show(selection, state.ruleset.deck.notation))


def _choices_of(cards: bytes, count: int) -> Iterator[bytes]:
    """Each choice of so many cards once, however many equal copies there are."""
    yielded: set[tuple[int, ...]] = set()
    for selection in combinations(sorted(cards), count):
        if selection not in yielded:
            yielded.add(selection)
            yield bytes(selection)


def _asks(_: State, __: Question) -> Iterator[c.Command]:
    for value in range(1, 13):
        yield c.Ask(value, "left")
        yield c.Ask(value, "right")


def _gives(state: State, question: Question) -> Iterator[c.Command]:
    for card in dict.fromkeys(owner_names(state.seat(question.seat).hand)):
        if card < OWN and card & 15 == question.number:
            yield c.Give(NAMES[state.ruleset.deck.notation][card])


def _keeps(state: State, question: Question) -> Iterator[c.Command]:
    hand = owner_names(state.seat(question.seat).hand)
    for selection in islice(_choices_of(hand, min(question.number, len(hand))), MOST_CHOICES):
        yield c.Keep(show(selection, state.ruleset.deck.notation))
    yield c.Keep()


_ANSWERS: dict[QuestionKind, Callable[[State, Question], Iterator[c.Command]]] = {
    "reveal": _nothing,
    "draw": _draws,
    "play": _plays,
    "move": _moves,
    "choose": _choices,
    "search": _searches,
    "swap": _swaps,
    "ask": _asks,
    "give": _gives,
    "keep": _keeps,
}
