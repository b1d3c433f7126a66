"""Worlds fit what a seat knows, come from nothing else, and are drawn uniformly."""

from collections import Counter
from itertools import islice, permutations
from math import sqrt

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from phaseledger.domain.bots.registry import chooser
from phaseledger.domain.cards import parse, show
from phaseledger.domain.kernel import entries as kernel
from phaseledger.domain.kernel import layout as at
from phaseledger.domain.kernel.pack import Workspace, pack
from phaseledger.domain.legal import legal
from phaseledger.domain.rollouts.worlds import NoWorld, knowledge, world
from phaseledger.domain.ruleset import Deck
from phaseledger.domain.state import Question, State, cards_in_play
from phaseledger.domain.view import view
from tests.support.cases import looped
from tests.support.scenario import TABLES, a_position, decisions
from tests.support.table import BOARD, CLASSIC, GAME, board, table
from tests.support.twin_states import twin

KEY = b"k" * 32


def few_unknown(hand: str, other: str, stock: str, **more: object) -> State:
    """A table of two whose pile has all cards but these."""
    state = table([hand, other], discard="", **more)
    stock_cards = parse(stock)
    pile = state.stock
    for card in stock_cards:
        pile = pile.replace(bytes((card,)), b"", 1)
    return replace(state, stock=stock_cards, discard=pile)


@pytest.mark.untraced
@given(
    number=st.integers(0, len(TABLES) - 1),
    at=st.integers(0, 9_999),
    viewer=st.integers(0, 5),
    seed=st.integers(0, 99),
)
@settings(deadline=None, max_examples=40, suppress_health_check=[HealthCheck.too_slow])
def test_a_world_looks_the_same_to_the_seat(number: int, at: int, viewer: int, seed: int) -> None:
    """And from a twin, which differs in what the seat cannot know, come the same worlds (law 7)."""
    state = a_position(number, at)
    seat = viewer % len(state.seats)
    drawn = world(state, seat, KEY, seed)
    other = replace(twin(state, seat, chooser(b"twin", seed)), server_secret="0" * 64)

    assert view(replace(drawn, waits=state.waits), seat) == view(state, seat)
    assert list(legal(drawn, seat)) == list(legal(state, seat))
    assert cards_in_play(drawn) == cards_in_play(state)
    assert knowledge(drawn, seat) == knowledge(other, seat) == knowledge(state, seat)
    assert world(other, seat, KEY, seed) == world(drawn, seat, KEY, seed) == drawn


@pytest.mark.untraced
def test_a_drawn_skip_that_was_placed_is_in_no_hand() -> None:
    """D-14, D-22: it lies in front, or on the pile, and no world has it twice."""
    steps = decisions(GAME, 5, "a", {}, "random", "standard-deck")
    for state, _ in islice(steps, 150, 650, 10):
        for viewer in state.players:
            assert cards_in_play(world(state, viewer, KEY, 0)) == cards_in_play(state)


def near(counts: Counter[object], weights: dict[object, int]) -> bool:
    """Whether chi-square is within four deviations of its mean; every outcome has its weight."""
    total, whole = counts.total(), sum(weights.values())
    expected = {outcome: total * weight / whole for outcome, weight in weights.items()}
    assert set(counts) <= set(weights)
    chi_square = sum((counts[o] - number) ** 2 / number for o, number in expected.items())
    freedom = len(weights) - 1
    return chi_square < freedom + 4 * sqrt(2 * freedom)


@pytest.mark.untraced
def test_worlds_are_uniform() -> None:
    """Five cards lie unknown: every order of them in hand and stock comes as often."""
    state = few_unknown("R1 R2", "B1 G1", "G2 W S")
    unknown = parse("B1 G1 G2 W S")
    orders: dict[object, int] = {bytes(order): 1 for order in permutations(unknown)}
    for draw in (cards_drawn, cards_drawn_by_the_kernel):
        tally = Counter[object](draw(state, number) for number in range(3_600))
        assert near(tally, orders)
        assert not near(tally + Counter({bytes(unknown): 150}), orders)


def cards_drawn(state: State, number: int) -> bytes:
    """The hand of the second seat, and the stock, in a world that fits what the first one knows."""
    drawn = world(state, 0, KEY, number)
    return drawn.seat(1).hand + drawn.stock


def cards_drawn_by_the_kernel(state: State, number: int) -> bytes:
    """As `cards_drawn`."""
    game, space = pack(state), Workspace()
    kernel.seed_chance(space.chance, 1, number)
    kernel.draw_world(game, space.chance, 0, space.work)
    hand = at.SEAT_AT + at.SEAT + at.HAND_AT
    return bytes([*game[hand : hand + 2], *game[at.STOCK_AT : at.STOCK_AT + game[at.STOCK]]])


def test_copies_count_as_cards() -> None:
    state = few_unknown("R1 R2", "B1", "B1 G1")
    tally = Counter[object](show(world(state, 0, KEY, n).seat(1).hand) for n in range(600))

    assert near(tally, {"B1": 2, "G1": 1})


def test_cards_taken_openly_are_known() -> None:
    state = few_unknown("R1 R2", "B1 G1", "G2 W")
    seats = (state.seat(0), replace(state.seat(1), taken=parse("G1")))
    hands = {world(replace(state, seats=seats), 0, KEY, n).seat(1).hand for n in range(60)}

    assert {show(hand) for hand in hands} == {"G1 B1", "G1 G2", "G1 W"}


def test_jokers_have_another_side() -> None:
    """B-30: the others know it, the owner does not."""
    state = board(["R1 J(G9)", "J(Y4) Y2"])
    drawn = [world(state, 0, KEY, number) for number in range(60)]

    assert len({sample.seat(0).hand for sample in drawn}) > 20
    assert {sample.seat(1).hand[-1:] for sample in drawn} == {parse("J(Y4)")}
    assert len({sample.discard for sample in drawn}) == 1
    assert len({sample.server_secret for sample in drawn}) == 60


def test_b_37_who_is_asked_for_a_card_has_one() -> None:
    """And is as likely to have it as by all worlds in which it has one."""
    deck = Deck("coloured", 1, 0, 0)
    state = few_unknown("R1 R2", "B1 G2", "G3 G4", ruleset=replace(BOARD, deck=deck))
    asked = replace(state, waits=(Question(1, "give", 2),), discard=state.discard[-1:])
    asked = replace(asked, ruleset=replace(asked.ruleset, pile="seen"), stock=state.stock)
    rest = replace(asked, discard=state.discard)
    tally: Counter[object] = Counter()
    for number in range(600):
        tally["".join(sorted(show(world(rest, 0, KEY, number).seat(1).hand)))] += 1
    expected = Counter[object](
        "".join(sorted(show(bytes(pair))))
        for pair in permutations(parse("B1 G2 G3 G4"), 2)
        if parse("G2")[0] in pair
    )

    assert near(tally, dict(expected))


def keeping(openly: bool) -> State:
    """A board whose seat 1 has chosen its cards for the next round and seat 0 not."""
    choice = "seat_order_open" if openly else "simultaneous_secret"
    state = board(["R1 R2 J(G9)", "B1 B2 J(Y4)"], question="keep", number=5, keep_choice=choice)
    return replace(state, seats=(state.seat(0), replace(state.seat(1), kept=parse("B2 J(Y4)"))))


def test_a_hidden_choice_is_made_again() -> None:
    """B-83: nobody knows what others keep until all have chosen."""
    drawn = world(keeping(openly=False), 0, KEY, 0)

    assert drawn.seat(1).kept is None
    assert [(question.seat, question.kind) for question in drawn.waits] == [
        (0, "keep"),
        (1, "keep"),
    ]


def test_an_open_choice_is_known() -> None:
    """O-33."""
    drawn = world(keeping(openly=True), 0, KEY, 0)

    assert drawn.seat(1).kept == parse("B2 J(Y4)")
    assert drawn.seat(1).hand[:1] == parse("B2")
    assert [question.seat for question in drawn.waits] == [0]


@looped("memory", ["owner_sees_once", "owner_sees_always"])
def test_the_own_choice_keeps_its_jokers(memory: str) -> None:
    """One's own kept jokers are those in hand, whatever lies on their other sides."""
    state = board(["R1 R2 J(G9)", "B1 B2"], waits=(Question(1, "keep", 5),), joker_memory=memory)
    state = replace(state, seats=(replace(state.seat(0), kept=parse("J(G9) R1")), state.seat(1)))
    drawn = world(state, 0, KEY, 3)
    kept = drawn.seat(0).kept

    assert kept is not None
    assert sorted(kept) == sorted(drawn.seat(0).hand.replace(parse("R2"), b""))
    assert (parse("J(G9)")[0] in kept) == (memory == "owner_sees_always")


@looped(
    ("state", "reason"),
    [
        (table(["R1", "R2"], stock="B1"), "has not the cards"),
        (replace(table(["R1", "R2"]), ruleset=BOARD), "has not the cards"),
        (
            table(["R1", "R2"], waits=(Question(1, "give", 13),), ruleset=CLASSIC),
            "asked for",
        ),
    ],
)
def test_states_without_a_world(state: State, reason: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("phaseledger.domain.rollouts.worlds._MOST_DRAWS", 20)
    with pytest.raises(NoWorld, match=reason):
        world(state, 0, KEY, 0)
