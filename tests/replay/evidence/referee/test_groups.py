"""The worked cases of the catalogue (RULES.md 8.1 and 8.2), judged by the second referee alone."""

import re
from collections.abc import Callable

import pytest
from msgspec.structs import replace

from phaseledger.domain.ruleset import Kind, Need, RuleSet
from phaseledger.domain.rulesets import preset
from phaseledger.replay.evidence.referee.cards import Card, cards_by_word
from phaseledger.replay.evidence.referee.groups import (
    RUNS,
    add,
    ladder,
    new_group,
    run_order,
    see_naturals,
    some_group,
)
from phaseledger.replay.evidence.referee.table import Foul, RefereeGroup
from tests.support.cases import looped
from tests.support.worked_cases import WORKED

GAMES = {
    letter: preset(name)
    for letter, name in zip("CDXB", ("classic", "standard-deck", "express", "board"), strict=True)
}


def cards(text: str, rules: RuleSet) -> list[Card]:
    """Cards of the catalogue's text: aces with a suit, ``J`` for a joker with any face."""
    notation = rules.deck.notation
    text = text.partition("=")[0].replace("+", " ")
    words = [("A" if word[0] == "A" else word) for word in text.split()]
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
        raise Foul("group_count", "lay.groups", count=len(groups), n=len(needs))
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


def is_foul(judge: Callable[..., None], *given: object) -> bool:
    try:
        judge(*given)
    except Foul:
        return True
    return False


def with_options(rules: RuleSet, **options: object) -> RuleSet:
    return replace(rules, options=replace(rules.options, **options))


@looped("case", WORKED)
def test_a_worked_case(case: list[str]) -> None:
    kind, _, letter, what, text, *more, verdict = case
    if kind == "lay":
        is_illegal = is_foul(judge_lay, GAMES[letter], int(what), text)
    else:
        is_illegal = is_foul(judge_hits, GAMES[letter], what, text, *more)
    assert is_illegal == (verdict == "illegal")


@looped(
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


@looped(
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
    other = with_options(rules, **{option: value})
    assert is_foul(judge_lay, rules, phase, text) != is_foul(judge_lay, other, phase, text)


@looped(("kind", "low"), [("run", 1), ("run", 3), ("pairrun", 1), ("pairrun", 3)])
@looped("end", ["low", "high"])
def test_a_full_run_that_wraps_takes_nothing(kind: Kind, low: int, end: str) -> None:
    """O-04, O-06, O-21: after all twelve ranks none comes next, at neither end."""
    rules = with_options(GAMES["X"], run_wrap=True, wild_on_full_run=False)
    width = 2 if kind == "pairrun" else 1
    ranks = [(low - 1 + place) % 12 + 1 for place in range(12)]
    text = " ".join(f"R{rank}" for rank in ranks for _ in range(width))
    group = RefereeGroup(Need(kind, 3), cards(text, rules), low, low + 11)
    follows = ranks[0] if end == "high" else ranks[-1]
    for word in (f"R{follows}", "W"):
        with pytest.raises(Foul) as refused:
            add(group, cards(" ".join([word] * width), rules), end, rules)
        assert refused.value.matter == "full_run"
    assert (group.low, group.high, len(group.cards)) == (low, low + 11, 12 * width)


def test_a_run_of_all_ranks_begins_where_it_is_said_to() -> None:
    """O-06: only one with more cards than there are ranks may begin elsewhere than was named."""
    rules, need = with_options(GAMES["C"], run_wrap=True, wild_on_full_run=True), Need("run", 7)
    text = "R3 R4 R5 R6 R7 R8 R9 R10 R11 R12 R1 R2"
    assert [low_of("run", 7, text, value, rules) for value in (3, None, 1)] == [3, 3, None]
    longer = some_group(need, cards(f"W {text}", rules), 1, rules)
    assert longer
    assert (longer.low, len(longer.cards)) == (3, 13)


def low_of(kind: Kind, count: int, text: str, value: int | None, rules: RuleSet) -> int | None:
    """The low end of the group that the cards make; None where they make none."""
    group = some_group(Need(kind, count), cards(text, rules), value, rules)
    return group.low if group else None


def test_wilds_that_place_themselves_have_one_reading() -> None:
    """O-07: the order of the cards counts for nothing; in games opened before that was made clear
    an order that fits counts as well.
    """
    due = {(1, None): 3, (1, 3): 3, (1, 2): None, (1, 1): None, (0, 1): 1, (0, 3): 3}
    deck = with_options(GAMES["D"], wild_placement="high_then_low")
    assert due == {
        (revision, value): low_of("run", 4, "A A 4H 5H", value, replace(deck, revision=revision))
        for revision, value in due
    }


def test_cards_are_read_from_the_lowest_rank_to_the_highest() -> None:
    """Where no value is named it is what the cards show."""
    due: dict[tuple[Kind, str], int] = {
        ("run", "2H 3H 4S"): 1,
        ("run", "JH QH KS"): 10,
        ("set", "2H 2S A"): 1,
        ("color", "2H 9H A"): 1,
    }
    assert due == {(kind, text): low_of(kind, 3, text, None, GAMES["D"]) for kind, text in due}
