"""A rule set for a guest: every example is legal, and house rules are told apart."""

import re

from phaseledger.domain.explain.rule_sheet import RuleSheet, rule_sheet
from phaseledger.domain.explain.wording import cards_words
from phaseledger.domain.resolve import resolve
from phaseledger.domain.rulesets import GAMES
from phaseledger.domain.words import LANGUAGES
from tests.support.card_checks import lay
from tests.support.cases import looped

NAMES = sorted(GAMES)


def sheet(name: str, lang: str = "en", **options: object) -> RuleSheet:
    game = GAMES[name]
    return rule_sheet(game, resolve(game.rules, options, game.settings), lang)  # type: ignore[arg-type]


@looped("name", NAMES)
def test_the_cards_shown_for_a_phase_make_it(name: str) -> None:
    phases = sheet(name).phases
    assert len(phases) == 10
    for number, phase in enumerate(phases, 1):
        assert lay(name, number, *(group.cards for group in phase.groups)).legal, phase
        assert lay(name, number, *(group.cards for group in phase.groups)).rule == phase.rule


@looped("name", NAMES)
def test_the_picture_of_a_wild_is_a_group_with_one(name: str) -> None:
    *cards, stand_in = sheet(name).wild.split()
    assert cards
    assert stand_in in sheet(name).deck[-1].split()


@looped("name", NAMES)
def test_what_everybody_needs_to_know_is_read_in_two_minutes(name: str) -> None:
    """At 240 words a minute, in each language; details are beside it."""
    for lang in LANGUAGES:
        lines = [line for section in sheet(name, lang).sections for line in section.lines]
        assert {line.kind for line in lines} == {"rule", "detail"}
        needed = " ".join(line.text for line in lines if line.kind == "rule")
        assert 100 < len(needed.split()) < 480, lang


def test_a_house_rule_is_told_from_the_usual_ones() -> None:
    changed = sheet("classic", run_wrap=True, variant="n_phases(3)")
    assert {line.text for line in changed.house} == {
        "A run may go on from the highest rank to the lowest.",
        "The game ends with phase 3.",
    }
    assert len(changed.phases) == 3
    assert sheet("classic").house == ()


def test_a_house_rule_that_is_a_list_or_a_number_is_said_in_words() -> None:
    phases, track = ["set(3)"] * 9 + ["run(10)"], ["JOKER*", *["TAKE1", "JOKER"] * 15, "TAKE1"]
    board = sheet("board", board_phases=phases, board_track=track)
    sentences = " ".join(line.text for line in board.house)
    assert "a set of 3; " in sentences
    assert "a run of 10" in sentences
    assert "a joker; take 1 card; a joker" in sentences
    house = sheet("express", max_turns_per_round=9, players="3-4").house
    assert {line.text for line in house} == {
        "3 to 4 players.",
        "The round is broken off after 9 turns.",
    }


def test_cards_are_listed_in_words() -> None:
    assert cards_words("R5 J(B7) QH") == (
        "red 5, a joker (blue 7 on its other side) and queen of hearts"
    )
    assert cards_words("") == ""


@looped("name", NAMES)
def test_no_code_is_said(name: str) -> None:
    """Neither a card, a rule, an option or its value, nor a space of the ring."""
    code = re.compile(r"\b(?:[RBGY]\d+|\d+[HSDC]|[A-Z]-P?\d\d|[A-Z]{3,}\d?|[a-z]+_[a-z_]+)\b")
    for lang in LANGUAGES:
        shown = sheet(name, lang)
        texts = [line.text for section in shown.sections for line in section.lines]
        texts += [phase.words for phase in shown.phases] + [kind.words for kind in shown.kinds]
        assert [text for text in texts if code.search(text)] == []
