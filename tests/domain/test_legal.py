"""What `legal` lists is accepted, what it does not list is refused, in every sort of position."""

from collections.abc import Iterable, Iterator
from itertools import combinations, permutations
from typing import get_args

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from phaseledger.domain import commands as c
from phaseledger.domain.cards import NAMES, is_wild, owner_names, show
from phaseledger.domain.commands import Act, Rejected
from phaseledger.domain.decide import decide, step
from phaseledger.domain.groups.forms import FORMS
from phaseledger.domain.groups.lays import Effort
from phaseledger.domain.legal import MOST_CHOICES, legal
from phaseledger.domain.ruleset import Action
from phaseledger.domain.state import Question, State
from tests.support.chance import chooser
from tests.support.scenario import TABLES, a_position
from tests.support.table import board, table

CALM = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])


numbers = st.sampled_from(range(len(TABLES)))
places = st.integers(0, 9_999)


@pytest.mark.untraced
@given(number=numbers, at=places)
@settings(CALM, max_examples=25)
def test_what_is_legal_is_accepted(number: int, at: int) -> None:
    """Whoever is asked has a legal command; each is accepted, and none is listed twice."""
    state = a_position(number, at)
    for seat in range(len(state.seats)):
        listed = list(legal(state, seat))
        assert len(listed) == len(set(map(repr, listed)))
        for command in listed:
            decide(state, Act(command, seat))
        asked = any(question.seat == seat for question in state.waits)
        assert asked == bool(listed)


def tries(state: State, seat: int, number: int) -> Iterator[c.Command]:
    """Every command without free arguments, and many with cards of the hand."""
    notation = state.ruleset.deck.notation
    deck = [NAMES[notation][card] for card in sorted(set(state.ruleset.deck.cards()))]
    hand = show(owner_names(state.seat(seat).hand), notation).split()
    held = list(dict.fromkeys(hand))
    yield from (c.Draw("stock"), c.Draw("discard"), c.Pass(), c.Keep())
    for target in (None, *range(len(state.seats))):
        yield from (c.Discard(card, target) for card in [*held, deck[number % len(deck)], "J3"])
    for group in range(len(state.groups)):
        for end in ("low", "high", ""):
            yield from (c.Hit(group, card, end) for card in held)
            yield from (c.Hit(group, " ".join(two), end) for two in combinations(hand, 2))
    yield from map(c.Move, range(14))
    yield from map(c.Choose, ["TAKE", *get_args(Action)])
    yield from (c.Ask(value, way) for value in range(14) for way in ("left", "right"))
    for card in [*deck, *held]:
        yield from (c.Search(card), c.Give(card))
    pick = chooser(b"tries", number)
    for size in range(7):
        for _ in range(4):
            left = list(hand)
            some = [left.pop(pick(len(left))) for _ in range(min(size, len(left)))]
            yield from (c.Swap(" ".join(some)), c.Keep(" ".join(some)))
    yield from (c.Discard(" ".join(two)) for two in permutations(hand[:4], 2))


def spelt(command: c.Command, state: State, seat: int) -> list[c.Command] | None:
    """The commands one of which `legal` lists for this one; None where it leaves such ones out."""
    match command:
        case c.Hit(group, cards):
            single = len(cards.split()) == 1
            pairs = FORMS[state.groups[group].need.kind].copies == 2
            whole = state.ruleset.options.pairrun_hit == "whole_pairs"
            if single == (pairs and whole):
                return None  # two cards, one after the other
            texts = {" ".join(order) for order in permutations(cards.split())}
            return [c.Hit(group, text, end) for text in texts for end in ("", "low", "high")]
        case c.Keep(cards):
            question = next(q for q in state.waits if q.seat == seat)
            most = min(question.number, len(state.seat(seat).hand))
            if 0 < len(cards.split()) < most:
                return None
            return [c.Keep(" ".join(order)) for order in permutations(cards.split())]
        case c.Swap(cards):
            return [c.Swap(" ".join(order)) for order in permutations(cards.split())]
    return [command]


@pytest.mark.untraced
@given(number=numbers, at=places, seed=places)
@settings(CALM, max_examples=25)
def test_what_is_not_listed_is_refused(number: int, at: int, seed: int) -> None:
    """Nothing is accepted that `legal` does not list, but for what its docstring leaves out."""
    state = a_position(number, at)
    for seat in range(len(state.seats)):
        listed = list(legal(state, seat))
        for command in tries(state, seat, seed):
            try:
                decide(state, Act(command, seat))
            except Rejected:
                assert command not in listed
            else:
                others = None if len(listed) >= MOST_CHOICES else spelt(command, state, seat)
                assert others is None or any(other in listed for other in others)


def layings(state: State, seat: int) -> Iterator[c.Lay]:
    """Every way to deal the hand out to the groups of an open phase, in every order."""
    notation = state.ruleset.deck.notation
    hand = show(owner_names(state.seat(seat).hand), notation).split()
    for number, phase in enumerate(state.ruleset.phases, 1):
        sizes = [need.size * FORMS[need.kind].copies for need in phase.needs]
        ordered = any(not FORMS[need.kind].alike for need in phase.needs)
        if ordered or len(sizes) > 1:
            orders: Iterable[tuple[str, ...]] = permutations(hand, sum(sizes))
        else:
            orders = combinations(hand, sum(sizes))
        for order in dict.fromkeys(orders):
            left, cards = list(order), []
            for size in sizes:
                cards.append(" ".join(left[:size]))
                del left[:size]
            blank = [set(text.replace("J", "W")) <= set("W 123456789") for text in cards]
            for value in range(1, 13) if any(blank) else (None,):
                yield c.Lay(
                    tuple(
                        c.GroupToLay(text, value if nothing else None)
                        for text, nothing in zip(cards, blank, strict=True)
                    ),
                    number,
                )


def table_after(state: State, seat: int, command: c.Command) -> object:
    """The groups that a lay makes: where any wild would do, which one it is does not matter."""
    after, _ = step(state, Act(command, seat))
    made = []
    for group in after.groups[len(state.groups) :]:
        form = FORMS[group.need.kind]
        cards = [0x40 if is_wild(card) else card for card in group.cards]
        rows = [cards[i : i + form.copies] for i in range(0, len(cards), form.copies)]
        laid = sorted(cards) if form.alike else [sorted(row) for row in rows]
        made.append((group.need.kind, group.need.size, repr(laid), group.low, group.high))
    return tuple(sorted(made))


@given(limit=st.integers(0, 12))
def test_hits_end_with_the_budget(limit: int) -> None:
    """The first are listed, and then every discard; `cut` says whether that was all."""
    groups = [(1, "run", "R3 B4 G5"), (1, "set", "R7 B7 G7")]
    state = table(["Y2 Y6 Y7 R6 W", "R9"], laid={0: 1}, groups=groups)
    whole, effort = list(legal(state, 0)), Effort(limit)
    listed = list(legal(state, 0, effort))
    discards = [command for command in whole if isinstance(command, c.Discard)]
    hits = whole[: -len(discards)]

    assert effort.nodes <= limit
    assert listed == [*hits[: len(listed) - len(discards)], *discards]
    assert effort.cut == (limit < len(hits)) == (listed != whole)


def test_a_seat_lists_nothing_while_it_is_not_asked_or_has_a_secret_to_reveal() -> None:
    state = table(["R1", "R2"])
    assert list(legal(state, 1)) == []
    assert list(legal(replace(state, waits=(Question(0, "reveal"),)), 0)) == []


SMALL = [number for number, row in enumerate(TABLES) if row[0] == "express"]


@pytest.mark.untraced
@given(number=st.sampled_from(SMALL), at=places)
@settings(CALM, max_examples=15)
def test_every_way_to_lay_is_listed(number: int, at: int) -> None:
    """With a small hand every way can be tried: `legal` lists each of the least size once."""
    state = a_position(number, at)
    seat = state.waits[0].seat
    assume(state.waits[0].kind == "play" and not state.seat(seat).laid)
    listed = [command for command in legal(state, seat) if isinstance(command, c.Lay)]
    tables = [table_after(state, seat, command) for command in listed]
    assert len(tables) == len(set(tables))
    for command in layings(state, seat):
        try:
            laid = table_after(state, seat, command)
        except Rejected:
            continue
        assert laid in tables


def test_of_thousands_of_choices_the_first_are_listed() -> None:
    hand = " ".join(f"{colour}{rank}" for colour in "RB" for rank in range(1, 11))
    effort = Effort()
    listed = list(legal(board([hand, "G1"], question="swap"), 0, effort))
    assert (len(listed), len(set(listed)), effort.cut) == (MOST_CHOICES, MOST_CHOICES, True)
    assert [len(command.cards.split()) for command in listed if isinstance(command, c.Swap)] == [
        *([1] * 20), *([2] * 190), *([3] * (MOST_CHOICES - 210)),
    ]  # fmt: skip
