"""The rules that games name for refusals, events and options are the catalogue's, and their own."""

from pathlib import Path

from phaseledger.domain.commands import RejectCode as Code
from phaseledger.domain.events import GameEnded
from phaseledger.domain.resolve import resolve
from phaseledger.domain.rulesets import GAMES, cite, preset
from phaseledger.replay.formats.records.findings import rule_of
from tests.support.cases import looped

LETTER = {"classic": "CT", "standard-deck": "D", "express": "X", "board": "B"}
IDS = (Path(__file__).parent / "rule-ids.txt").read_text().split()


@looped("game", LETTER)
def test_every_code_has_the_rule_that_it_declares(game: str) -> None:
    section = LETTER[game][0]
    cited = {code: cite(game, code) for code in Code}
    assert cited == {code: code.rules.get(section, "") for code in Code}
    assert len({rule for rule in cited.values() if rule}) > 20


def test_sections_are_those_of_the_games() -> None:
    assert {section for code in Code for section in code.rules} == {*"CDXB"}


@looped("game", LETTER)
def test_rules_are_the_games_own(game: str) -> None:
    """Citations and settings name rules of the catalogue's section for the game."""
    named = [rule for row in GAMES[game].settings.values() for rule in row.rules.split()]
    named += [*GAMES[game].citations.values(), *(phase.rule for phase in preset(game).phases)]
    named.remove("O-39")  # max_turns_per_round is the catalogue's alone
    assert [rule for rule in named if rule[0] not in LETTER[game]] == []
    assert set(named) - set(IDS) <= {"T-08"}


def test_rules_of_styles_and_variants() -> None:
    """A row ``code/policy`` goes before that of the code alone."""
    assert cite("standard-deck", "wrong_phase") == "D-57"
    assert cite("standard-deck", "wrong_phase", "free") == "D-62"
    assert cite("standard-deck", "GameEnded", "rounds", "free") == "D-61"
    assert cite("standard-deck", "GameEnded", "last_phase", "free") == "D-63"
    assert cite("express", "not_consecutive", "in_order") == ""
    assert cite("no-such-game", "wrong_phase", "free") == ""


def test_the_end_of_a_game_by_style() -> None:
    """What an audit cites for `GameEnded`: ten rounds end otherwise than the last phase does."""
    ended = GameEnded(winners=(0,), secret="")
    rows = [
        ("classic", {}, "C-69"),
        ("classic", {"variant": "ten_rounds"}, "C-73"),
        ("standard-deck", {}, "D-58"),
        ("standard-deck", {"style": "ten_rounds_ordered"}, "D-61"),
        ("standard-deck", {"style": "ten_rounds_free"}, "D-61"),
        ("standard-deck", {"style": "complete_free"}, "D-63"),
        ("express", {"variant": "n_phases(5)"}, "X-64"),
        ("express", {"variant": "ten_rounds"}, "X-67"),
    ]
    for game, options, rule in rows:
        assert rule_of(resolve(preset(game), options), ended) == rule
