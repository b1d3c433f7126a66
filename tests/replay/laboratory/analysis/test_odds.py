"""Exact odds: equal to all hands of small decks, and to the finder's word on hands drawn."""

import json
from itertools import combinations_with_replacement, product
from math import comb, prod
from typing import Any

import pytest
from msgspec.structs import replace

from phaseledger.domain.resolve import read_phase, resolve
from phaseledger.domain.ruleset import Deck, RuleSet
from phaseledger.domain.rulesets import GAMES, preset
from phaseledger.replay.cli.odds import odds_command
from phaseledger.replay.laboratory.analysis import odds as counting
from phaseledger.replay.laboratory.analysis.odds import TooMany, odds
from phaseledger.replay.laboratory.analysis.odds_check import drawn_phases, holds
from tests.support.cases import looped
from tests.support.replay.processes import run

CLASSIC = preset("classic")


def small(copies: int, wilds: int, skips: int, hand: int, **options: Any) -> RuleSet:
    deck = Deck("coloured", copies, wilds, skips)
    return replace(CLASSIC, deck=deck, hand=hand, options=replace(CLASSIC.options, **options))


def by_hand(rules: RuleSet, text: str) -> tuple[int, int]:
    """All hands one by one, each with the number of ways to deal it."""
    deck, needs = rules.deck.cards(), read_phase(text).needs
    copies = {card: deck.count(card) for card in sorted({*deck})}
    made = whole = 0
    for hand in combinations_with_replacement(copies, rules.hand):
        ways = prod(comb(copies[card], hand.count(card)) for card in {*hand})
        whole += ways
        made += ways * holds(bytes(hand), needs, rules)
    return made, whole


KINDS = [
    *("set(2)", "set(3)", "run(3)", "color(2)", "color(3)", "parity(3, odd)"),
    *("parity(2, even) + parity(2, odd)", "parityrun(3, even)", "colorrun(3)"),
]
DECK_OF_52, DOUBLE_DECK = (1, 3, 1, 3), (2, 2, 2, 3)
COUNTED: list[tuple[str, tuple[int, ...], dict[str, Any]]] = [
    *((text, DECK_OF_52, {"wild_min_scope": "group"}) for text in KINDS),
    ("set(3)", DECK_OF_52, {"wild_min_scope": "phase"}),
    ("run(3)", DECK_OF_52, {"wild_min_scope": "none"}),
    ("color(3)", DECK_OF_52, {"wild_min_scope": "phase"}),
    ("run(3)", DOUBLE_DECK, {"run_wrap": True}),
    ("parityrun(3, odd)", DOUBLE_DECK, {"run_wrap": True, "wild_min_scope": "none"}),
    ("color(3)", DOUBLE_DECK, {"color_is_suit": False}),
]


@looped(("text", "deck", "options"), COUNTED)
def test_of_a_small_deck_all_hands_are_counted(
    text: str, deck: tuple[int, int, int, int], options: dict[str, Any]
) -> None:
    rules = small(*deck, **options)
    result = odds(rules, read_phase(text).needs)
    assert (result.makes, result.hands) == by_hand(rules, text)


@looped(
    ("text", "scope"),
    [("set(2) + set(2)", "group"), ("pairrun(2)", "phase"), ("color(2) + set(2)", "none")],
)
def test_phases_of_several_groups_and_four_cards(text: str, scope: str) -> None:
    """Of 1,500 hands drawn, as `Z` has it."""
    rules = small(1, 4, 0, 4, wild_min_scope=scope)
    needs = read_phase(text).needs
    result = odds(rules, needs)
    made = sum(held for (held,) in drawn_phases(rules, [needs], f"{text} {scope}", 1_500))
    assert abs(made - 1_500 * result.chance) <= 4 * (1_500 * result.chance) ** 0.5


def test_a_phase_with_a_formula_of_its_own() -> None:
    """Seven of one colour, by the numbers of cards of each colour."""
    made = sum(
        prod(comb(24, own) for own in colours) * comb(8, wilds) * comb(4, 10 - wilds - sum(colours))
        for colours in product(range(11), repeat=4)
        for wilds in range(9)
        for skips in range(5)
        if sum(colours) + wilds + skips == 10
        if max(colours) + wilds >= 7
        if any(colours)
    )
    assert odds(CLASSIC, CLASSIC.phases[7].needs).makes == made


Z = 4.0
"""Limit set before the first run: 40 phases outside it by chance once in 400 runs of this."""


@looped("name", GAMES)
def test_hands_drawn_at_random_agree(name: str) -> None:
    """`phaseledger odds GAME --check 1000000` does the same with more hands."""
    rules, count = preset(name), 500
    made = [0] * len(rules.phases)
    for hand in drawn_phases(rules, [phase.needs for phase in rules.phases], "ci", count):
        made = [total + held for total, held in zip(made, hand, strict=True)]
    for phase, makes in zip(rules.phases, made, strict=True):
        chance = odds(rules, phase.needs).chance
        assert abs(makes - count * chance) <= Z * (count * chance * (1 - chance)) ** 0.5, phase.rule


def test_the_ten_phases() -> None:
    chances = [odds(CLASSIC, phase.needs).chance for phase in CLASSIC.phases]
    assert chances == pytest.approx(
        [
            *(0.18275240, 0.29809251, 0.05341813, 0.15568966, 0.06488201),
            *(0.01992572, 0.00332126, 0.02767246, 0.03112293, 0.00352288),
        ],
        abs=5e-9,
    )


def test_what_cannot_be_counted_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(counting, "MOST_STEPS", 20_000)  # a twentieth; it takes seconds
    with pytest.raises(TooMany, match="too many kinds"):
        odds(CLASSIC, read_phase("color(5) + set(3)").needs)


# --- the command --------------------------------------------------------------------------------


def test_the_command(capsys: pytest.CaptureFixture[str]) -> None:
    assert odds_command("express", check=500, json=True) == 0
    report = json.loads(capsys.readouterr().out)
    rules = preset("express")
    assert (report["ruleset"], report["hand"], report["cards"]) == ("express@1", 5, 54)
    assert [row["number"] for row in report["phases"]] == [*range(1, 11)]
    for row, phase in zip(report["phases"], rules.phases, strict=True):
        exact = odds(rules, phase.needs)
        assert (int(row["makes"]), int(row["hands"])) == (exact.makes, exact.hands)
        assert row["chance"] == exact.chance
        checked = row["checked"]
        assert checked["hands"] == 500
        assert checked["low"] <= checked["share"] <= checked["high"]


def test_the_command_in_words() -> None:
    done = run("odds", "--phase", 4, "--check", 50)
    wrapped = run("odds", "--phase", "run(7)", "--option", "run_wrap=true")
    for arguments in (["chess"], ["--phase", "11"], ["--phase", "flush(5)"], ["--check", "-1"]):
        assert run("odds", *arguments).returncode == 2
    assert (done.returncode, done.stderr) == (0, b"")
    assert b"    4  a run of 7  15.56897%          6.4" in done.stdout
    assert b"of 50 hands drawn" in done.stdout
    rules = resolve(CLASSIC, {"run_wrap": True})
    assert f"{odds(rules, read_phase('run(7)').needs).chance:.5%}".encode() in wrapped.stdout


def test_numbers_of_a_shorter_list_have_the_catalogues_ids(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """But a phase that is described has no number there (O-42)."""
    assert odds_command("classic", phase="2", option=["variant=even_phases"]) == 0
    assert "\n2 [C-P04]  a run of 7  15.56897%" in capsys.readouterr().out
    assert odds_command("classic", phase="run(3)", option=["variant=even_phases"]) == 0
    assert "\n    1  a run of 3 " in capsys.readouterr().out
