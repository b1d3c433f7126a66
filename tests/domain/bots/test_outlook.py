"""How far a hand is from its phase, and what a seat shows that it wishes."""

import pytest

from phaseledger.domain.bots.outlook import UnseenCards, outlook, shortage, turns, wishes
from phaseledger.domain.cards import is_wild, parse
from phaseledger.domain.groups.plans import CLASSES, class_counts, plans
from phaseledger.domain.ruleset import Need
from tests.support.cases import looped


@looped(
    ("needs", "wrap", "number"),
    [
        ((Need("set", 3), Need("set", 3)), False, 78),
        ((Need("set", 3), Need("run", 4)), False, 12 * 9),
        ((Need("run", 9),), True, 12),
        ((Need("color", 7),), False, 4),
        ((Need("parity", 4, "odd"),), False, 1),
        ((Need("parity", 4),), False, 2),
        ((Need("colorrun", 3),), False, 40),
        ((Need("parityrun", 4, "even"),), False, 3),
        ((Need("parityrun", 4, "odd"),), False, 3),
        ((Need("pairrun", 2),), False, 11),
    ],
)
def test_number_of_plans(needs: tuple[Need, ...], wrap: bool, number: int) -> None:
    assert len(plans(needs, wrap=wrap, suits=True)) == number


def test_hearts_and_diamonds_may_be_of_one_colour() -> None:
    """O-17: seven cards of a colour are as near in two suits as in one."""
    held, rest = parse("2H 3D 4H 5D 6H 7D"), parse("8H 8S 8D 8C")
    two = plans((Need("color", 7),), wrap=False, suits=False)
    ahead = outlook(held, two, UnseenCards(class_counts(rest, False), 0, 4), suits=False)
    assert len(two) == 2
    assert ahead.best.groups[0].low == 1
    assert ahead.nearer(parse("9D")[0]) > 0
    assert ahead.nearer(parse("9S")[0]) == 0


def test_classes_of_cards() -> None:
    """A wild, a skip and an unseen card belong to none."""
    assert [CLASSES[True][card] for card in parse("W S ?")] == [(), (), ()]
    assert len(CLASSES[True][parse("G7")[0]]) == len(set(CLASSES[True][parse("G7")[0]])) == 4


def unseen(cards: str) -> UnseenCards:
    rest = parse(cards)
    return UnseenCards(class_counts(rest, True), sum(map(is_wild, rest)), len(rest))


@looped(
    ("hand", "rest", "expected"),
    [
        ("R1 B1 G1", "R2", 0.0),
        ("R1 B1 W", "R2", 0.0),
        ("R1 B1", "G1 R2 R3 R4", 4 / 1.7),
        ("R1 B1", "W R2 R3 R4", 4.0),
        ("R1", "G1 Y1 R3 R4", 4 / 3.4 + 4 / 1.7),
        ("W W W", "R1 R2 R3 R4", 4 / 1.7),  # however many wilds, a set needs a natural
        ("R1", "R2 R3", 40.0),
    ],
)
def test_turns_to_three_ones(hand: str, rest: str, expected: float) -> None:
    plan = plans((Need("set", 3),), wrap=False, suits=True)[0]
    wilds = sum(map(is_wild, parse(hand)))
    may_come = unseen(rest)
    lacking = shortage(plan, class_counts(parse(hand), True), wilds, may_come.live)
    assert turns(lacking, may_come) == pytest.approx(expected)


def test_cards_are_weighed_by_what_they_change() -> None:
    aims = plans((Need("run", 4),), wrap=False, suits=True)
    ahead = outlook(
        parse("R4 B5 G6 R6 R12"), aims, unseen("R3 B3 R7 B7 G7 R9 R1 B1 G1 Y1"), suits=True
    )
    card = {name: parse(name)[0] for name in ("R7", "R12", "R6", "B5")}

    assert ahead.nearer(card["R7"]) > ahead.nearer(card["R12"]) == 0.0
    assert ahead.further(card["B5"]) > ahead.further(card["R6"]) == 0.0
    assert (ahead.best.groups[0].low, ahead.best.groups[0].high) == (4, 7)


LIVE = unseen("").live


def test_middle_ranks_serve_more_runs() -> None:
    """A run that has its card wants no other, and so a wish is half the plans that hold it."""
    share = wishes((Need("run", 7),), b"", b"", LIVE, wrap=False, suits=True)
    wished = [round(12 * share[rank]) for rank in range(1, 13)]
    assert wished == [1, 2, 3, 4, 5, 6, 6, 5, 4, 3, 2, 1]


@looped(
    ("needs", "taken", "spurned", "more", "less"),
    [
        ((Need("set", 3), Need("set", 3)), "R7", "", "B7", "B8"),
        ((Need("set", 3), Need("set", 3)), "", "R7", "B8", "B7"),
        ((Need("set", 3), Need("set", 3)), "R7", "R8", "B9", "B8"),
        ((Need("set", 2),), "R7 B7", "", "R1", "G7"),  # complete
        ((Need("run", 7),), "R3", "", "B2", "B10"),
        ((Need("run", 7),), "R3", "", "B4", "B3"),
        ((Need("run", 7),), "", "R6", "R5", "B6"),
        ((Need("color", 7),), "R3", "", "R9", "B9"),
        ((Need("color", 7),), "", "R3", "B9", "R9"),
    ],
)
def test_what_a_seat_takes_and_spurns_shows_what_it_wishes(
    needs: tuple[Need, ...], taken: str, spurned: str, more: str, less: str
) -> None:
    share = wishes(needs, parse(taken), parse(spurned), LIVE, wrap=False, suits=True)

    def wish(card: str) -> float:
        return max(share[kind] for kind in CLASSES[True][parse(card)[0]])

    assert wish(more) > wish(less)


def test_a_set_of_what_is_gone_is_hardly_wished() -> None:
    share = wishes(
        (Need("set", 3),), b"", b"", unseen("R1 B1 G1 Y1 R2").live, wrap=False, suits=True
    )
    assert share[1] > share[2] > share[3] > 0
