"""Cards seen to be conserved from the piles that change, against counting them all."""

from collections.abc import Callable

from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from phaseledger.domain.cards import TURNED, face_up
from phaseledger.domain.evolve import evolve
from phaseledger.domain.ruleset import Need
from phaseledger.domain.rulesets import preset
from phaseledger.domain.state import Group, SeatState, State, cards_in_play
from phaseledger.replay.evidence.audit.conservation import is_whole, stays_whole
from tests.support.cases import looped
from tests.support.replay.game_beginnings import BEGINNINGS, begun

RULES = preset("board")
CARDS = st.binary(max_size=4).map(lambda some: bytes(card & 0x41 for card in some))


def _seat(hand: bytes, front: bytes) -> SeatState:
    return SeatState("A", hand=hand, front=front)


SEATS = st.none() | st.builds(_seat, CARDS, CARDS)
GROUPS = st.builds(lambda cards: Group(0, Need("set", 3), cards, 1, 1), CARDS)
STATES = st.builds(
    lambda stock, discard, seats, groups: State(
        "g", RULES, "", "", 0, tuple(seats), round=1, stock=stock, discard=discard, groups=groups
    ),
    CARDS,
    CARDS,
    st.tuples(SEATS, SEATS),
    st.lists(GROUPS, max_size=2).map(tuple),
)


@given(before=STATES, after=STATES)
def test_as_counting_says(before: State, after: State) -> None:
    counted = cards_in_play(before) == cards_in_play(after)

    assert counted == stays_whole(before, after)
    assert stays_whole(after, before) == counted


@given(state=STATES, card=st.integers(0, 1), place=st.sampled_from(["stock", "discard"]))
def test_one_card_more_is_seen(state: State, card: int, place: str) -> None:
    pile: bytes = getattr(state, place)

    assert not stays_whole(state, replace(state, **{place: pile + bytes([card])}))
    assert stays_whole(state, replace(state, **{place: bytes(reversed(pile))}))


LOSSES: dict[str, Callable[[State], State]] = {
    "stock": lambda state: replace(state, stock=state.stock[:-1]),
    "pile": lambda state: replace(state, discard=state.discard + state.stock[:1]),
    "hand": lambda state: replace(
        state, seats=(replace(state.seat(0), hand=state.seat(0).hand + b"\x01"), *state.seats[1:])
    ),
    "front": lambda state: replace(
        state, seats=(replace(state.seat(0), front=state.seat(0).front + b"\x0f"), *state.seats[1:])
    ),
    "group": lambda state: replace(
        state, groups=(*state.groups, Group(0, Need("set", 3), b"\x01", 1, 1))
    ),
    "another face": lambda state: replace(
        state, stock=bytes([state.stock[0] ^ 1, *state.stock[1:]])
    ),
}


@looped("name", BEGINNINGS)
def test_whole_games(name: str) -> None:
    """After each event the deck is whole, and whatever is lost or made is missed."""
    state: State | None = None
    for event in begun(name):
        before, state = state, evolve(state, event)
        if not state.round or not state.stock:
            continue
        deck = state.ruleset.deck.cards()
        assert is_whole(state, deck)
        if before and before.round == state.round:
            assert stays_whole(before, state)
            for what, lose in LOSSES.items():
                assert not stays_whole(before, lose(state)), what


def test_a_card_turned_round_is_the_same_card() -> None:
    hand = bytes([TURNED | 5])
    before = State("g", RULES, "", "", 0, (_seat(hand, b""),), round=1)
    after = replace(before, seats=(_seat(face_up(hand), b""),))

    assert stays_whole(before, after)
