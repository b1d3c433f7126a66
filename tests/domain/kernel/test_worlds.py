"""Worlds fit what a seat knows, come from nothing else, and are drawn uniformly."""

from collections import Counter
from itertools import islice, permutations
from math import sqrt

import pytest
from msgspec.structs import replace

from phaseledger.domain.cards import TURNED, face_down, parse, show
from phaseledger.domain.kernel import entries as kernel
from phaseledger.domain.kernel import layout as at
from phaseledger.domain.kernel.pack import Workspace, pack
from phaseledger.domain.kernel.table import compile_rules
from phaseledger.domain.state import State, cards_in_play
from tests.support.cases import looped
from tests.support.chance import chooser
from tests.support.lockstep import cards_of
from tests.support.scenario import decisions
from tests.support.table import GAME, table
from tests.support.twin_states import forgotten, twin


def world(state: State, viewer: int, number: int) -> list[int]:
    """The world of that number, by what the seat knows."""
    game, space = pack(state), Workspace()
    kernel.seed_chance(space.chance, 1, number)
    kernel.draw_world(compile_rules(state.ruleset), game, space.chance, viewer, space.work)
    return [*game]


def hand(game: list[int], seat: int) -> bytes:
    place = at.SEAT_AT + seat * at.SEAT
    return bytes(game[place + at.HAND_AT :][: game[place + at.HAND]])


def jokers(cards: bytes) -> list[int]:
    return sorted(card for card in cards if card >= TURNED)


def few_unknown(own: str, other: str, stock: str) -> State:
    """A table of two whose pile has all cards but these."""
    state = table([own, other], discard="")
    stock_cards = parse(stock)
    pile = state.stock
    for card in stock_cards:
        pile = pile.replace(bytes((card,)), b"", 1)
    return replace(state, stock=stock_cards, discard=pile)


@pytest.mark.untraced
@looped("ruleset, seats", [("classic", 4), ("standard-deck", 5), ("express", 3), ("board", 4)])
def test_a_world_is_made_of_what_the_seat_knows(ruleset: str, seats: int) -> None:
    """A twin differs in what the seat cannot know, and has the same worlds (law 7). A skip that was
    drawn from the pile and placed is in no hand (D-14, D-22).
    """
    steps = decisions(GAME, seats, "a", {}, "random,greedy", ruleset)
    for number, (state, _) in enumerate(islice(steps, 40, 640, 12)):
        if state.stage != "playing":
            break
        for viewer in state.players:
            drawn = world(state, viewer, number)
            other = forgotten(twin(state, viewer, chooser(b"twin", number)))
            assert world(forgotten(state), viewer, number) == world(other, viewer, number)
            assert drawn != [*pack(state)]
            assert face_down(hand(drawn, viewer)) == face_down(state.seat(viewer).hand)
            assert bytes(cards_of(drawn)) == bytes(sorted(cards_in_play(state)))
            for seat in state.players:
                assert len(hand(drawn, seat)) == len(state.seat(seat).hand)
                assert seat == viewer or jokers(hand(drawn, seat)) == jokers(state.seat(seat).hand)


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
    tally = Counter[object]()
    for number in range(3_600):
        game = world(state, 0, number)
        stock = game[at.STOCK_AT : at.STOCK_AT + game[at.STOCK]]
        tally[hand(game, 1) + bytes(stock)] += 1
    assert near(tally, orders)
    assert not near(tally + Counter({bytes(unknown): 150}), orders)


def test_copies_count_as_cards() -> None:
    state = few_unknown("R1 R2", "B1", "B1 G1")
    tally = Counter[object](show(hand(world(state, 0, n), 1)) for n in range(600))

    assert near(tally, {"B1": 2, "G1": 1})


def test_cards_taken_openly_are_known() -> None:
    state = few_unknown("R1 R2", "B1 G1", "G2 W")
    seats = (state.seat(0), replace(state.seat(1), taken=parse("G1")))
    hands = {hand(world(replace(state, seats=seats), 0, n), 1) for n in range(60)}

    assert {show(cards) for cards in hands} == {"G1 B1", "G1 G2", "G1 W"}
