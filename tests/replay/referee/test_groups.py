"""The worked cases of the catalogue (RULES.md 8.1 and 8.2), judged by the second referee alone.

``worked-cases.txt`` has them as they stand there: lays with game, phase, groups and verdict; hits
with game, group on the table, cards and verdict.
"""

import re
from pathlib import Path

import pytest
from msgspec.structs import replace

from phaseledger.domain.ruleset import Need, RuleSet
from phaseledger.domain.rulesets import preset
from phaseledger.replay.referee.cards import Card, cards_by_word
from phaseledger.replay.referee.groups import RUNS, add, ladder, new_group, run_order, see_naturals
from phaseledger.replay.referee.table import Foul, RefereeGroup

GAMES = {
    letter: preset(name)
    for letter, name in zip("CDXB", ("classic", "standard-deck", "express", "board"), strict=True)
}
CASES = [
    line.split(" | ")
    for line in (Path(__file__).parent / "worked-cases.txt").read_text().splitlines()
]


def cards(text: str, rules: RuleSet) -> list[Card]:
    """Cards of the catalogue's text: aces with a suit, ``J`` for a joker with any face."""
    notation = rules.deck.notation
    words = [("A" if word[0] == "A" else word) for word in text.replace("+", " ").split()]
    joker = Card("number", 1, 1, is_joker=True)
    return [joker if word == "J" else cards_by_word(notation)[word] for word in words]


def marks(need: Need, group: list[Card]) -> tuple[int, int]:
    """The ends of a run by its first natural, or what the cards have in common."""
    naturals = [(place, card) for place, card in enumerate(group) if card.is_natural]
    place, card = naturals[0] if naturals else (0, Card("number", 7, 1))
    if need.kind in RUNS:
        ranks, width = ladder(need), 2 if need.kind == "pairrun" else 1
        step = ranks[1] - ranks[0]
        low = card.rank - place // width * step
        return low, low + step * (len(group) // width - 1)
    mark = {"set": card.rank, "color": card.colour}.get(need.kind, 1 if need.parity == "odd" else 2)
    return mark, mark


def laid(need: Need, text: str, rules: RuleSet) -> RefereeGroup:
    group = cards(text, rules)
    low, high = marks(need, group)
    if need.kind in RUNS:
        ranks = ladder(need)
        high = min(high, low + (ranks[1] - ranks[0]) * (len(ranks) - 1))
    return new_group(need, group, low, high, rules)


def judge_lay(rules: RuleSet, phase: int, text: str) -> None:
    needs, groups = rules.phases[phase - 1].needs, re.findall(r"\[([^\]]+)\]", text)
    if len(needs) != len(groups):
        raise Foul("group_count", text)
    see_naturals([laid(*pair, rules) for pair in zip(needs, groups, strict=True)], rules)


def judge_hits(rules: RuleSet, kind: str, on_table: str, hits: str) -> None:
    name, _, parity = kind.partition(" ")
    group_cards = cards(on_table, rules)
    if name == "parity":
        parity = "odd" if next(c for c in group_cards if c.is_natural).rank % 2 else "even"
    need = Need(name, 1, parity)  # type: ignore[arg-type]
    group = laid(need, on_table, rules)
    for hit in hits.split(", "):
        text, _, end = hit.partition(" ")
        add(group, cards(text, rules), end, rules)


@pytest.mark.parametrize("case", CASES, ids=[case[1] for case in CASES])
def test_a_worked_case(case: list[str]) -> None:
    kind, _, letter, what, text, *more, verdict = case
    rules = GAMES[letter]
    try:
        if kind == "lay":
            judge_lay(rules, int(what), text)
        else:
            judge_hits(rules, what, text, *more)
    except Foul:
        assert verdict == "illegal"
    else:
        assert verdict == "legal"


def test_there_are_cases_of_all_games() -> None:
    assert {(case[0], case[2]) for case in CASES} == {(k, g) for k in ("lay", "hit") for g in GAMES}
    assert len(CASES) > 100


@pytest.mark.parametrize(
    ("text", "order"),
    [
        ("W R5 B6 G7", "R5 B6 G7 W"),
        ("W Y6 R3 W", "R3 W W Y6"),
        ("R11 W W W B12", "W W W R11 B12"),
        ("R3 B3 G4 Y5", None),
        ("R1 B9 G10 Y11", None),
    ],
)
def test_wilds_that_place_themselves(text: str, order: str | None) -> None:
    """`wild_placement=high_then_low` (O-07): gaps, then the high end, then the low."""
    rules = GAMES["C"]
    placed = run_order(Need("run", 4), cards(text, rules))
    assert placed == (cards(order, rules) if order else None)


@pytest.mark.parametrize(
    ("option", "value", "phase", "text"),
    [
        ("wild_min_scope", "none", 1, "[W W W] [R5 B5 G5]"),
        ("wild_min_scope", "phase", 1, "[W W W] [R5 B5 G5]"),
        ("run_wrap", True, 4, "[R9 B10 G11 Y12 R1 B2 G3]"),
        ("lay_oversize", False, 1, "[R5 B5 G5 Y5] [R7 B7 G7]"),
    ],
)
def test_a_house_rule_turns_the_verdict(option: str, value: object, phase: int, text: str) -> None:
    """O-03, O-06, O-18: what is legal by one value is not by the other."""
    rules = GAMES["C"]
    other = replace(rules, options=replace(rules.options, **{option: value}))
    allowed = []
    for ruleset in (rules, other):
        try:
            judge_lay(ruleset, phase, text)
        except Foul:
            allowed.append(False)
        else:
            allowed.append(True)
    assert sorted(allowed) == [False, True]
