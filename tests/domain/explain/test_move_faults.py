"""Where a refused lay or hit is wrong."""

from itertools import product

import pytest
from msgspec.structs import replace

from phaseledger.domain.cards import parse
from phaseledger.domain.commands import Act, Discard, GroupToLay, Hit, Lay, Rejected
from phaseledger.domain.decide import step
from phaseledger.domain.explain.move_faults import fault_of
from phaseledger.domain.explain.wording import card_words
from phaseledger.domain.ruleset import Need
from phaseledger.domain.rulesets import preset
from phaseledger.domain.state import Group, Question, SeatState, State
from phaseledger.domain.words import LANGUAGES
from tests.support.cases import looped

RULES = preset("classic")


def table(hand: str, phase: int = 1) -> State:
    """A seat on turn that has drawn, beside one that has many cards."""
    cards = parse(hand, RULES.deck.notation)
    seats = (SeatState("Ann", hand=bytes(cards), phase=phase), SeatState("Bob", hand=b"\x01\x02"))
    return State(
        game="",
        ruleset=RULES,
        server_commit="",
        server_secret="",
        seats=seats,
        stage="playing",
        dealer=1,
        round=1,
        turn=1,
        active=0,
        waits=(Question(0, "play"),),
    )


def refused(state: State, command: Lay | Hit | Discard) -> Rejected:
    with pytest.raises(Rejected) as raised:
        step(state, Act(command, 0))
    return raised.value


def test_a_lay_is_wrong_in_its_second_group() -> None:
    state = table("R5 B5 G5 R8 B9 G8 Y1")
    lay = Lay((GroupToLay("R5 B5 G5"), GroupToLay("R8 B9 G8")))
    fault = fault_of(state, 0, lay, refused(state, lay))
    assert fault
    assert (fault.at, fault.card) == (1, "B9")
    assert all(card_words("B9", lang) in fault.sentence(lang) for lang in LANGUAGES)
    assert len({fault.sentence(lang) for lang in LANGUAGES}) == len(LANGUAGES)


def test_a_hit_names_its_group_and_card() -> None:
    before = table("R5 B5 G5 R8 B8 G8 Y1 Y8")
    state, _ = step(before, Act(Lay((GroupToLay("R5 B5 G5"), GroupToLay("R8 B8 G8"))), 0))
    for group, lang in product((0, 1), LANGUAGES):
        hit = Hit(group, "Y1")
        fault = fault_of(state, 0, hit, refused(state, hit))
        assert fault
        assert (fault.at, fault.card) == (group, "Y1")
        assert card_words("Y1", lang) in fault.sentence(lang)


def test_what_the_hand_lacks_is_no_fault_of_the_cards() -> None:
    state = table("R5 B5 G5 R8 Y1 Y2 Y3")
    lay = Lay((GroupToLay("R5 B5 G5"), GroupToLay("R8 B8 G8")))
    assert fault_of(state, 0, lay, refused(state, lay)) is None


def test_good_groups_at_the_wrong_time_have_no_fault() -> None:
    state = replace(table("R5 B5 G5 R8 B8 G8 Y1"), waits=(Question(0, "draw"),))
    lay = Lay((GroupToLay("R5 B5 G5"), GroupToLay("R8 B8 G8")))
    assert fault_of(state, 0, lay, refused(state, lay)) is None


PLAYED = [
    ("classic", "W", "R5 B5 W W W W W W W W", "C-59 C-17"),
    ("standard-deck", "A", "5H 5S A A A A A A A A", "D-50 D-14"),
    ("express", "G5", "R5 G5", "X-50 X-16"),
    ("board", "B5", "R5 B5 B5", "B-55 B-66"),
]
"""A card of which every copy lies in a group, as after a second click; rules of hit and discard."""


@looped(("ruleset", "card", "lying", "cited"), PLAYED)
def test_a_card_that_is_not_held_is_said_to_be_that(
    ruleset: str, card: str, lying: str, cited: str
) -> None:
    """Before whether it fits, and with the rule of what was tried."""
    rules = preset(ruleset)
    cards = parse(lying, rules.deck.notation)
    seats = (SeatState("Ann", hand=b"\x01\x02", laid=1), SeatState("Bob", hand=b"\x01\x02"))
    group = Group(0, Need("set", 2), cards, 5, 5)
    state = replace(table(""), ruleset=rules, seats=seats, groups=(group,))
    hit, discard = refused(state, Hit(0, card)), refused(state, Discard(card, 1))
    assert {hit.code, discard.code} == {"not_in_hand"}
    assert f"{hit.rule} {discard.rule}" == cited
    assert fault_of(state, 0, Hit(0, card), hit) is None
    assert refused(state, Hit(9, card)).code == "no_such_group"
    before = replace(state, seats=(replace(seats[0], laid=0), seats[1]))
    assert refused(before, Hit(0, card)).code == "phase_not_laid"
    lay = Lay((GroupToLay(" ".join([card] * 9)), GroupToLay(card)))
    assert fault_of(before, 0, lay, refused(before, lay)) is None


def test_a_group_that_is_not_there_is_not_described() -> None:
    state = table("R5 B5 G5")
    assert fault_of(state, 0, Hit(9, "R5"), refused(state, Hit(9, "R5"))) is None


def test_a_phase_that_is_not_there_has_no_groups_to_be_wrong() -> None:
    state = table("R5 B5 G5 R8 B8 G8 Y1")
    lay = Lay((GroupToLay("R5 B5 G5"), GroupToLay("R8 B8 G8")), phase=99)
    assert fault_of(state, 0, lay, refused(state, lay)) is None
