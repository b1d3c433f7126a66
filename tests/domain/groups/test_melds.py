"""The seven kinds of group: `arrange` and `extend` by themselves (section 0.4).

Rows of section 8 stand here for the kind of group they show; as commands of a game, with the rule
cited, they stand in the tests of worked cases.
"""

import pytest
from msgspec.structs import replace

from phaseledger.domain.cards import parse, show
from phaseledger.domain.groups.melds import (
    Misfit,
    arrange,
    extend,
    is_full,
)
from phaseledger.domain.resolve import resolve
from phaseledger.domain.ruleset import Need, RuleSet
from phaseledger.domain.rulesets import preset
from phaseledger.domain.state import Group
from tests.support.cases import looped

CLASSIC = preset("classic")
EXPRESS = preset("express")
BOARD = preset("board")
NEEDS = {
    "odd": Need("parity", 4, "odd"),
    "even": Need("parity", 4, "even"),
    "set2": Need("set", 2),
    "set3": Need("set", 3),
    "set4": Need("set", 4),
    "pairs": Need("pairrun", 2),
    "run3": Need("run", 3),
    "run4": Need("run", 4),
    "run9": Need("run", 9),
    "flush3": Need("colorrun", 3),
    "odds": Need("parityrun", 4, "odd"),
    "evens": Need("parityrun", 4, "even"),
    "color4": Need("color", 4),
}


def test_a_value_must_agree_with_the_naturals() -> None:
    """What is said and what is shown are the same, and a colour is one of four."""
    for need, cards, value in (
        ("set2", "R7 W", 8),
        ("run4", "R3 B4 W G6", 4),
        ("color4", "W W W W", 5),
    ):
        with pytest.raises(Misfit) as misfit:
            arrange(NEEDS[need], parse(cards), value, EXPRESS)
        assert misfit.value.code == "value_mismatch"
    assert arrange(NEEDS["run4"], parse("R3 B4 W G6"), 3, EXPRESS).low == 3
    assert arrange(NEEDS["run4"], parse("W W W W"), 5, EXPRESS).low == 5


def grown(ruleset: RuleSet, need: str, cards: str, hit: str, end: str) -> Group:
    """The group after the hit."""
    before = arrange(NEEDS[need], parse(cards), None, ruleset)
    group = Group(0, NEEDS[need], before.cards, before.low, before.high)
    after, _ = extend(group, parse(hit), end, ruleset)
    return replace(group, cards=after.cards, low=after.low, high=after.high)


FULL = "R1 B2 G3 Y4 R5 B6 G7 Y8 R9 B10 G11 Y12"
J = "J(R5)"


@looped(
    ("rules", "need", "hit", "end", "line"),
    [
        (CLASSIC, "run4", "R7 W", "high", "R3 B4 G5 Y6 R7 W"),
        (CLASSIC, "run4", "R2 W", "low", "W R2 R3 B4 G5 Y6"),
        (EXPRESS, "pairs", "R4 B4", "high", "R2 B2 R3 B3 R4 B4"),
        (EXPRESS, "pairs", "R1 B1", "low", "B1 R1 R2 B2 R3 B3"),
    ],
)
def test_the_cards_of_a_run_lie_in_its_order(
    rules: RuleSet, need: str, hit: str, end: str, line: str
) -> None:
    """What is added at the high end comes after the others, at the low end before them."""
    laid = "R2 B2 R3 B3" if need == "pairs" else "R3 B4 G5 Y6"
    assert grown(rules, need, laid, hit, end).cards == parse(line)


def test_hc_060_surplus_jokers_lie_at_either_end_of_a_full_run() -> None:
    """B-60, section 0.4: a run of more than twelve is a full one with wilds around it."""
    laid = arrange(NEEDS["run9"], parse(f"{J} {FULL} {J}"), None, BOARD)
    assert (len(laid.cards), laid.low, laid.high) == (14, 1, 12)
    eleven = FULL.rpartition(" ")[0]
    for cards in (f"R1 {FULL}", f"{J} {FULL.replace('B6', 'B7')}", f"{J} {J} {eleven}"):
        with pytest.raises(Misfit) as misfit:
            arrange(NEEDS["run9"], parse(cards), None, BOARD)
        assert misfit.value.code == "full_run"
    with pytest.raises(Misfit) as misfit:
        arrange(NEEDS["run9"], parse(f"{FULL} W"), None, CLASSIC)
    assert misfit.value.code == "full_run"


def test_o_04_surplus_wilds_in_steps_and_pairs() -> None:
    """`wild_on_full_run=true` for every kind of run: whole pairs, at either end."""
    full = resolve(EXPRESS, {"wild_on_full_run": True})
    pairs = " ".join(f"R{n} B{n}" for n in range(1, 13))
    for need, cards in (("odds", "W R1 B3 G5 Y7 R9 B11 W"), ("pairs", f"{pairs} W W")):
        laid = arrange(NEEDS[need], parse(cards), None, full)
        assert (laid.low, laid.high) == (1, 11 if need == "odds" else 12)
        with pytest.raises(Misfit) as misfit:
            arrange(NEEDS[need], parse(cards), None, EXPRESS)
        assert misfit.value.code == "full_run"
    for cards, code in ((f"W {pairs} W", "full_run"), (f"{pairs} W", "whole_rows_only")):
        with pytest.raises(Misfit) as misfit:
            arrange(NEEDS["pairs"], parse(cards), None, full)
        assert misfit.value.code == code


ALL = range(1, 13)
FULL_GROUPS = [
    ("set4", "R9 B9 G9 Y9 R9 B9 G9 Y9", BOARD, True),
    ("set4", "R9 B9 G9 Y9 R9 B9 G9", BOARD, False),
    ("set4", "R9 B9 G9 Y9", EXPRESS, True),
    ("run9", " ".join(f"R{n}" for n in ALL), BOARD, True),
    ("run9", " ".join(f"R{n}" for n in ALL[1:]), BOARD, False),
    ("odds", "R1 B3 G5 Y7 R9 B11", EXPRESS, True),
    ("color4", " ".join(f"R{n} R{n}" for n in ALL), BOARD, True),
    ("color4", " ".join(f"R{n}" for n in ALL), BOARD, False),
    ("odd", " ".join(f"R{n}" for n in ALL[::2]), EXPRESS, False),
]


@looped(("need", "cards", "ruleset", "full"), FULL_GROUPS)
def test_b_61_b_64_what_is_full(need: str, cards: str, ruleset: RuleSet, *, full: bool) -> None:
    """B-61, B-64: all cards of a number or colour, or all ranks of a run; no parity group is."""
    laid = arrange(NEEDS[need], parse(cards), None, ruleset)
    group = Group(0, NEEDS[need], laid.cards, laid.low, laid.high)
    assert is_full(group, ruleset) is full
    if NEEDS[need].kind in ("run", "parityrun"):
        assert not is_full(replace(group, half=1), ruleset)


HIGH_THEN_LOW = resolve(CLASSIC, {"wild_placement": "high_then_low"})
FULL_TOO = resolve(CLASSIC, {"wild_placement": "high_then_low", "wild_on_full_run": True})
WRAPPED = resolve(CLASSIC, {"wild_placement": "high_then_low", "run_wrap": True})


@looped(
    ("ruleset", "cards", "placed"),
    [
        (HIGH_THEN_LOW, "W Y6 R3 W", "R3 W W Y6"),
        (HIGH_THEN_LOW, "R11 W W W B12", "W W W R11 B12"),
        (HIGH_THEN_LOW, "W R3 B4 G5", "R3 B4 G5 W"),
        (FULL_TOO, f"W {FULL} W", f"{FULL} W W"),
        (FULL_TOO, f"W W {FULL[3:]}", f"W {FULL[3:]} W"),
        (FULL_TOO, f"{FULL[3:12]} W W {FULL[12:]}", f"W {FULL[3:]} W"),
        (WRAPPED, "R1 B12 W G11", "G11 B12 R1 W"),
        (WRAPPED, "W R11 W B2", "R11 W W B2"),
    ],
)
def test_o_07_wilds_are_placed(ruleset: RuleSet, cards: str, placed: str) -> None:
    """`wild_placement=high_then_low`: gaps, then the high end, then the low one."""
    assert placed == show(arrange(NEEDS["run4"], parse(cards), None, ruleset).cards)


@looped(
    ("need", "cards", "value"),
    [
        ("set3", "W W W", 0),
        ("set3", "W W W", 13),
        ("color4", "W W W W", 5),
        ("run4", "W W W W", 13),
    ],
)
def test_values_have_bounds(need: str, cards: str, value: int) -> None:
    """A group of wilds stands for a number or a colour that exists."""
    with pytest.raises(Misfit) as misfit:
        arrange(NEEDS[need], parse(cards), value, resolve(CLASSIC, {"wild_min_scope": "none"}))
    assert misfit.value.code == "value_mismatch"


@looped("cards", ["R3 B3 G4 Y5", "R1 B9 G10 Y11", "W W W W"])
def test_o_07_what_cannot_be_placed_is_refused(cards: str) -> None:
    """Doubles and gaps without a wild stay where they were, and make no run."""
    with pytest.raises(Misfit):
        arrange(NEEDS["run4"], parse(cards), None, HIGH_THEN_LOW)
