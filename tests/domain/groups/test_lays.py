"""The search for lays: complete, without repeats, in one order, and bounded whatever the hand."""

from itertools import combinations, islice
from unittest.mock import patch

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from phaseledger.domain.cards import TURNED, is_wild, owner_names, parse
from phaseledger.domain.groups.lays import Effort, choose, layings, lays
from phaseledger.domain.groups.melds import arrange, enough_naturals
from phaseledger.domain.resolve import read_phase, resolve
from phaseledger.domain.ruleset import Need, RuleSet
from phaseledger.domain.rulesets import preset
from tests.support.cases import looped

CLASSIC = preset("classic")
EXPRESS = preset("express")


def test_pairs_of_wilds_are_found_once() -> None:
    """`wild_min_scope=none`: sets of wilds are told apart by what they stand for, in one order."""
    free = resolve(CLASSIC, {"wild_min_scope": "none"})
    ways = list(lays(parse("W W W W"), (Need("set", 2), Need("set", 2)), free))
    assert len(ways) == 12 * 13 // 2


FINDS = [
    ("set(3)", "R4 B4 G4 W R5", 4),  # the three, or two of them and the wild
    ("run(4)", "R3 B4 G5 W", 2),
    ("color(4)", "R1 R2 R3 B1 W", 1),
    ("parity(4, odd)", "R1 B3 G5 Y7 R2", 1),
    ("parity(4, even)", "R2 B4 G6 Y8 R1", 1),
    ("pairrun(2)", "R6 B6 G7 W", 1),
    ("colorrun(3)", "G3 G4 R5 G5 W", 6),
    ("parityrun(4, odd)", "R1 B3 G5 W", 1),
    ("parityrun(4, even)", "R2 B4 G6 W", 1),
]


@looped(("text", "hand", "count"), FINDS, ids=[row[0] for row in FINDS])
def test_found_groups_can_be_laid(text: str, hand: str, count: int) -> None:
    """Every group found is one that `arrange` accepts, of the least size, none twice."""
    (need,) = read_phase(text).needs
    ways = list(layings(parse(hand), need, CLASSIC))

    assert len(ways) == len({(group.cards, group.low) for group in ways})
    for group in ways:
        assert group == arrange(need, group.cards, group.low, CLASSIC)
    assert count == len(ways)


def test_pairs_of_like_groups_are_found_once() -> None:
    """The same two sets in another order are the same lay."""
    two = list(lays(parse("R4 B4 G4 R9 B9 G9"), (Need("set", 3), Need("set", 3)), CLASSIC))
    assert len(two) == 1


def test_like_groups_apart_are_found_once() -> None:
    """Also where another group stands between them."""
    needs = read_phase("set(3) + run(3) + set(3)").needs
    hand = parse("R4 B4 G4 R9 B9 G9 Y1 Y2 Y3")
    assert len(list(lays(hand, needs, CLASSIC))) == 1


def test_o_03_a_phase_of_wilds_is_not_found() -> None:
    """`wild_min_scope=phase`: lays found hold at least one natural."""
    needs = (Need("set", 2), Need("set", 2))
    ways = list(lays(parse("R7 W W W"), needs, EXPRESS))
    assert ways
    for groups in ways:
        assert enough_naturals([group.cards for group in groups], "phase")
    assert list(lays(parse("W W W W"), needs, EXPRESS)) == []


KINDS = ("set", "color", "parity", "run", "pairrun", "parityrun", "colorrun")


@st.composite
def needs_of_a_phase(draw: st.DrawFn, groups: int) -> tuple[Need, ...]:
    """The groups of a phase such as an option can ask for."""
    needs = []
    for kind in draw(st.lists(st.sampled_from(KINDS), min_size=1, max_size=groups)):
        least = 3 if kind in ("run", "parityrun", "colorrun") else 2
        parity = draw(st.sampled_from(("odd", "even"))) if kind.startswith("parity") else ""
        size = draw(st.integers(least, least + 2))
        needs.append(msgspec.convert({"kind": kind, "size": size, "parity": parity}, Need))
    return tuple(needs)


@st.composite
def hands(draw: st.DrawFn, least: int, most: int) -> bytes:
    """Cards of the board's deck, some of them jokers, as their owner names them."""
    deck = preset("board").deck.cards()
    places = draw(
        st.lists(st.integers(0, len(deck) - 1), unique=True, min_size=least, max_size=most)
    )
    jokers = draw(st.integers(0, 4))
    cards = [deck[place] | (TURNED if i < jokers else 0) for i, place in enumerate(places)]
    return owner_names(bytes(cards))


@st.composite
def house_rules(draw: st.DrawFn) -> RuleSet:
    """The card game with the options that a search looks at."""
    return resolve(
        CLASSIC,
        {
            "run_wrap": draw(st.booleans()),
            "color_is_suit": draw(st.booleans()),
            "wild_min_scope": draw(st.sampled_from(("group", "phase", "none"))),
        },
    )


@given(cards=hands(0, 9), count=st.integers(0, 5))
@settings(max_examples=30)
def test_choices_are_distinct_and_in_order(cards: bytes, count: int) -> None:
    """As if all choices were made and the repeated ones struck out, both ways to make them."""
    pool = bytes(sorted(cards))
    expected = list(dict.fromkeys(map(bytes, combinations(pool, count))))

    assert expected == list(choose(pool, count))
    assert expected == list(choose(pool, count, lambda _: True))


@pytest.mark.untraced
@given(hand=hands(6, 14), needs=needs_of_a_phase(3), rules=house_rules())
@settings(deadline=None, max_examples=60, suppress_health_check=[HealthCheck.too_slow])
def test_pruning_leaves_out_nothing(hand: bytes, needs: tuple[Need, ...], rules: RuleSet) -> None:
    """A large hand, of which each beginning is looked at, lays the same in the same order."""
    searches = []
    for ordinary in (0, 99):
        with patch("phaseledger.domain.groups.lays._ORDINARY_HAND", ordinary):
            searches.append(list(islice(lays(hand, needs, rules), 2_000)))

    assert searches[0] == searches[1]


@given(hand=hands(6, 14), needs=needs_of_a_phase(1), rules=house_rules())
@settings(max_examples=30, deadline=None)
def test_fewest_wilds_come_first(hand: bytes, needs: tuple[Need, ...], rules: RuleSet) -> None:
    """By this order a bot that lays the first way keeps its wilds."""
    wilds = [sum(map(is_wild, group.cards)) for (group,) in islice(lays(hand, needs, rules), 2_000)]
    assert sorted(wilds) == wilds


@given(hand=hands(20, 60), needs=needs_of_a_phase(4), rules=house_rules(), limit=st.integers(0, 99))
@settings(deadline=None, max_examples=30)
def test_a_search_ends_with_its_budget(
    hand: bytes, needs: tuple[Need, ...], rules: RuleSet, limit: int
) -> None:
    """It lists no more than it has nodes, says whether that was all, and lists the same again."""
    effort = Effort(limit)
    ways = list(lays(hand, needs, rules, effort))

    assert effort.nodes <= limit
    assert len(ways) <= limit
    more = list(islice(lays(hand, needs, rules, Effort(limit + 500)), len(ways) + 1))
    assert ways == more[: len(ways)]
    assert effort.cut or len(more) == len(ways)
