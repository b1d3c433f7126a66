"""The legal commands of a seat: for bots, for hints, for counting lines of play."""

from collections.abc import Callable, Iterable, Iterator
from itertools import chain, product
from typing import get_args

from phaseledger.domain import commands as c
from phaseledger.domain.cards import NAMES, OWN, SINGLES, SKIP, is_wild, owner_names, show
from phaseledger.domain.groups.forms import FORMS, ArrangedGroup
from phaseledger.domain.groups.lays import Effort, choose, lays
from phaseledger.domain.groups.melds import (
    ENDS,
    GroupEnd,
    Misfit,
    extend,
    followers,
    next_ranks,
    width,
)
from phaseledger.domain.play.board_actions import SWAPPED_AT_MOST, choices, steps, swappable
from phaseledger.domain.play.rounds import can_draw_discard, can_draw_stock
from phaseledger.domain.play.turn import discards, pairs
from phaseledger.domain.policies import OPEN_PHASES
from phaseledger.domain.ruleset import Action
from phaseledger.domain.state import Question, QuestionKind, State

MOST_CHOICES = 1_000
"""The most lays that are listed, and hits, pairs to discard, choices to swap and to keep.

A hand of forty has millions, and no player chooses from a thousand. Under the usual house rules
only the choices to swap and to keep come near the bound.
"""

MOST_SEATS = 16
"""Seats of the largest table that `commands.OpenGame` can ask for."""

_STOCK, _DISCARD = c.Draw("stock"), c.Draw("discard")
_DISCARDS = {notation: tuple(map(c.Discard, names)) for notation, names in NAMES.items()}
"""For each notation, the discard of every card without a target; the values are shared."""
_SKIPS = {
    notation: tuple([c.Discard(names[SKIP], target) for target in range(MOST_SEATS)])
    for notation, names in NAMES.items()
}
"""For each notation, the discards of a skip that have a seat as their target."""


def legal(state: State, seat: int, effort: Effort | None = None) -> Iterator[c.Command]:
    """The seat's legal commands, in a fixed order, none twice, each made on demand.

    Listed are lays of the least size and hits of one card (one row of a pair run): longer lays and
    hits are several of them in a row (K-13). Of equal jokers, the first is named. Of the cards to
    keep for the next round, the largest choices are listed, and none; of the cards to swap, each
    choice once. A due secret cannot be guessed: its question yields nothing.

    Of more than `MOST_CHOICES` of a kind, or when the search for lays has spent its ``effort``, the
    first are listed and ``effort.cut`` is set; unlisted commands are lawful all the same.
    """
    effort = effort or Effort()
    questions = [question for question in state.waits if question.seat == seat]
    if len(questions) == 1:
        return _ANSWERS[questions[0].kind](state, questions[0], effort)
    return chain.from_iterable(
        [_ANSWERS[question.kind](state, question, effort) for question in questions]
    )


def _first(choices: Iterable[c.Command], effort: Effort) -> Iterator[c.Command]:
    """The choices up to the listed number."""
    for number, choice in enumerate(choices):
        if number == MOST_CHOICES:
            effort.cut = True
            return
        yield choice


def _of_cards(
    command: Callable[[str], c.Command], selections: Iterable[bytes], state: State
) -> Iterator[c.Command]:
    notation = state.ruleset.deck.notation
    for cards in selections:
        yield command(show(cards, notation))


def _nothing(_: State, __: Question, ___: Effort) -> Iterator[c.Command]:
    return iter(())


def _draws(state: State, _: Question, __: Effort) -> Iterator[c.Command]:
    if can_draw_stock(state):
        yield _STOCK
    if can_draw_discard(state):
        yield _DISCARD


def _plays(state: State, question: Question, effort: Effort) -> Iterator[c.Command]:
    seat = question.seat
    player = state.seat(seat)
    keep = 1 if state.ruleset.options.going_out == "discard_required" else 0
    if player.laid:
        yield from _first(_hits(state, seat, keep, effort), effort)
    else:
        yield from _first(_lays(state, seat, keep, effort), effort)
    endings = discards(state, seat)
    notation = state.ruleset.deck.notation
    plain, skips = _DISCARDS[notation], _SKIPS[notation]
    yield from [plain[card] if target is None else skips[target] for card, target in endings]
    if state.ruleset.discards_when_full > 1:
        yield from _first(_of_cards(c.Discard, pairs(state, seat), state), effort)
    if not endings:
        yield c.Pass()


def _lays(state: State, seat: int, keep: int, effort: Effort) -> Iterator[c.Command]:
    player, ruleset = state.seat(seat), state.ruleset
    phases, budget = OPEN_PHASES[ruleset.progress](state, player), effort.limit
    for number, phase in enumerate(phases, 1):
        effort.limit = budget * number // len(phases)  # an equal share and the earlier rest
        needs = ruleset.phases[phase - 1].needs
        for groups in lays(owner_names(player.hand), needs, ruleset, effort):
            if len(player.hand) - sum(len(group.cards) for group in groups) >= keep:
                yield lay_command(groups, ruleset.deck.notation, phase if len(phases) > 1 else None)


def lay_command(groups: tuple[ArrangedGroup, ...], notation: str, phase: int | None) -> c.Lay:
    """The command that lays the groups; a value is given only where no natural shows it."""
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


def _hits(state: State, seat: int, keep: int, effort: Effort) -> Iterator[c.Command]:
    hand, ruleset = owner_names(state.seat(seat).hand), state.ruleset
    notation = ruleset.deck.notation
    if len(hand) - 1 < keep:
        return
    options, distinct = ruleset.options, bytes(dict.fromkeys(hand))
    for number, group in enumerate(state.groups):
        form = FORMS[group.need.kind]
        candidates: Iterable[tuple[bytes, GroupEnd]]
        if form.copies == 1:
            candidates = [(SINGLES[card], end) for card, end in followers(group, distinct, options)]
        elif len(hand) - width(form, options) < keep:
            continue
        else:
            ranks = next_ranks(group)
            fitting = bytes(card for card in hand if is_wild(card) or card & 15 in ranks)
            if width(form, options) == 2:
                rows = choose(bytes(sorted(fitting)), 2)
            else:
                rows = iter([SINGLES[card] for card in dict.fromkeys(fitting)])
            candidates = product(rows, ENDS)
        for row, end in candidates:
            if not effort.spend():
                return
            try:
                extend(group, row, end, ruleset)
            except Misfit:
                continue
            yield c.Hit(number, show(row, notation), end)


def _moves(state: State, _: Question, __: Effort) -> Iterator[c.Command]:
    yield from map(c.Move, steps(state))


def _choices(state: State, question: Question, _: Effort) -> Iterator[c.Command]:
    spaces = choices(state, question.seat)
    for action in ("TAKE", *get_args(Action)):
        if action in spaces:
            yield c.Choose(action)


def _searches(state: State, _: Question, __: Effort) -> Iterator[c.Command]:
    for card in dict.fromkeys(state.discard[::-1]):
        yield c.Search(NAMES[state.ruleset.deck.notation][card])


def _swaps(state: State, question: Question, effort: Effort) -> Iterator[c.Command]:
    cards = bytes(sorted(swappable(state, question.seat)))
    counts = range(1, min(SWAPPED_AT_MOST, len(cards)) + 1)
    selections = chain.from_iterable([choose(cards, count) for count in counts])
    yield from _first(_of_cards(c.Swap, selections, state), effort)


def _asks(_: State, __: Question, ___: Effort) -> Iterator[c.Command]:
    for value in range(1, 13):
        yield c.Ask(value, "left")
        yield c.Ask(value, "right")


def _gives(state: State, question: Question, _: Effort) -> Iterator[c.Command]:
    for card in dict.fromkeys(owner_names(state.seat(question.seat).hand)):
        if card < OWN and card & 15 == question.number:
            yield c.Give(NAMES[state.ruleset.deck.notation][card])


def _keeps(state: State, question: Question, effort: Effort) -> Iterator[c.Command]:
    hand = bytes(sorted(owner_names(state.seat(question.seat).hand)))
    selections = choose(hand, min(question.number, len(hand)))
    yield from _first(_of_cards(c.Keep, selections, state), effort)
    yield c.Keep()


_ANSWERS: dict[QuestionKind, Callable[[State, Question, Effort], Iterator[c.Command]]] = {
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
