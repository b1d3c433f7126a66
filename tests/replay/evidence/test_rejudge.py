"""Recorded games under other rules: the cards stay, and what the rules change is found."""

from collections.abc import Sequence
from functools import cache
from typing import Any

import pytest

from phaseledger.domain.events import (
    Event,
    RoundDealt,
    RoundEnded,
    TurnBegan,
)
from phaseledger.domain.options import OptionValue
from phaseledger.replay.evidence.rejudge import RejudgedGame, rejudge, rejudged_games
from tests.support.cases import looped
from tests.support.replay.game_beginnings import BEGINNINGS, begun
from tests.support.replay.log_edits import GAME, rows
from tests.support.replay.rejudged_games import thrown_back
from tests.support.scenario import TABLES, decisions, play_random, records

Options = dict[str, OptionValue]
SHORT: Options = {"variant": "n_phases(1)"}


@cache
def _events(number: int, bot: str = "random") -> tuple[Event, ...]:
    """A game at the table of that number, broken off where it is very long."""
    ruleset, seats, options = TABLES[number]
    made: list[Event] = []
    for _, events in decisions(GAME, seats, f"rejudged {number}", options, bot, ruleset):
        made += events
        if len(made) > 400:
            break
    return tuple(made)


def _rejudged(events: Sequence[Event], options: Options) -> RejudgedGame:
    """Through the audit, as the command does it."""
    (made,) = rejudged_games(iter(rows([e.stored for e in records([*events])])), options)
    assert made.unsound is None
    return made


def _played(seats: int, seed: int, options: Options, bot: str = "random") -> list[Event]:
    return play_random(GAME, seats, f"re {seed}", options, bot)[1]


# --- nothing changes ----------------------------------------------------------------------------


@looped("number", range(len(TABLES)))
def test_without_a_change_nothing_differs(number: int) -> None:
    """Also where the options of the game are given again."""
    ruleset, _, options = TABLES[number]
    events = _events(number, ("random", "greedy")[number % 2])

    for given in ({}, options):
        assert rejudge(RejudgedGame(GAME, ruleset), events, given) == RejudgedGame(GAME, ruleset)


@looped("name", BEGINNINGS)
def test_games_that_go_on_stay_the_same(name: str) -> None:
    made = _rejudged(begun(name), BEGINNINGS[name].options)

    assert (made.differs, made.ends, made.recorded) == (False, "same", None)


# --- the cards stay -----------------------------------------------------------------------------


def _order(dealt: dict[str, Any]) -> list[str]:
    """The cards of a round as they lay before they were dealt, without a kept card or a skip."""
    hands = [dealt["hidden"][str(seat)]["hand"].split() for seat in _dealing(dealt)]
    cards = [card for row in zip(*hands, strict=True) for card in row]
    return [*cards, *dealt["discard"].split(), *dealt["hidden"]["stock"]["stock"].split()]


def _dealing(dealt: dict[str, Any]) -> list[int]:
    players = sorted(dealt["players"])
    left = [seat for seat in players if seat > dealt["dealer"]]
    return left + [seat for seat in players if seat <= dealt["dealer"]]


@looped(("ruleset", "seats"), [("classic", 3), ("standard-deck", 4), ("express", 2)])
def test_a_round_with_another_dealer_has_the_same_cards(ruleset: str, seats: int) -> None:
    """They go to other seats, since another seat is dealt the first one."""
    options: Options = {"max_turns_per_round": 8}
    steps = decisions(GAME, seats, "cards", options, "greedy", ruleset)
    events: list[Event] = []
    while sum(isinstance(event, RoundDealt) for event in events) < 2:
        events += next(steps)[1]
    difference = _rejudged(events, {"dealer_rotation": "fixed"}).difference
    at = [isinstance(event, RoundDealt) for event in events]
    second = at.index(True, at.index(True) + 1) + 1

    assert difference is not None
    assert (difference.seq, difference.was, difference.becomes) == (
        second, "RoundDealt dealer = 1", "RoundDealt dealer = 0",
    )  # fmt: skip
    assert difference.recorded
    assert difference.rejudged
    assert difference.recorded["hidden"] != difference.rejudged["hidden"]
    assert _order(difference.recorded) == _order(difference.rejudged)


def test_the_first_deal_has_the_same_cards() -> None:
    """It is in the command that opens the deal, under a transcript that names other rules."""
    events = next(
        made
        for made in (_played(3, seed, SHORT) for seed in range(200))
        if next(event for event in made if isinstance(event, RoundDealt)).discard == "S"
    )
    difference = _rejudged(events, {"initial_skip": "cover"}).difference

    assert difference is not None
    assert difference.recorded
    assert difference.rejudged
    assert (difference.recorded["discard"], difference.rejudged["discard"][:2]) == ("S", "S ")
    assert _order(difference.recorded) == _order(difference.rejudged)
    assert difference.rule


@looped("number", [i for i, table in enumerate(TABLES) if table[0] == "board"][:2])
def test_dice_stay(number: int) -> None:
    """All that differs is who is told the face of a joker, so every throw has to be the same."""
    made = _rejudged(_events(number), {"joker_memory": "owner_sees_always"})

    assert made.refusal is None
    assert made.difference
    assert made.difference.was.startswith("CardTurned hidden.")
    assert made.ends == "same"
    assert made.recorded == made.rejudged


# --- what options bite --------------------------------------------------------------------------


def test_a_decision_becomes_illegal() -> None:
    """A card taken from the pile and thrown back at once, found here without the rules."""
    for seed in range(5):
        events = _played(2, seed, SHORT)
        made = _rejudged(events, {"discard_taken_card": False})
        assert made.refusal is None or made.difference is None
        assert (made.refusal.seq if made.refusal else 0) == thrown_back(events)
        if made.refusal:
            assert made.seq == made.refusal.seq
            assert made.ends == "refused"
            assert (made.refusal.code, made.refusal.rule) == ("taken_card", "C-17")
            assert made.refusal.sentence.startswith("The card just taken from the pile ")
            assert made.refusal.command["type"] == "discard"
            return
    pytest.fail("no such game")


def test_wilds_that_may_not_stand_alone() -> None:
    events = _played(2, 5, {**SHORT, "wild_min_scope": "none"})
    made = _rejudged(events, {"wild_min_scope": "group"})
    loose = _rejudged(events, {"wild_min_scope": "none"})

    assert made.refusal is not None
    groups = made.refusal.command["groups"]
    assert (made.refusal.code, made.ends) == ("needs_natural", "refused")
    assert any(set(group["cards"].split()) == {"W"} for group in groups)
    assert not loose.differs


def test_a_round_that_is_broken_off() -> None:
    events = _played(2, 0, SHORT)
    turns = [seq for seq, event in enumerate(events, 1) if isinstance(event, TurnBegan)]
    made = _rejudged(events, {"max_turns_per_round": 7})

    assert made.difference is not None
    assert (made.seq, made.difference.was, made.difference.becomes) == (
        turns[7], "TurnBegan", "RoundEnded",
    )  # fmt: skip
    assert made.difference.rule


def test_a_game_that_ends_earlier() -> None:
    events = _played(2, 0, {"variant": "n_phases(2)"}, "greedy")
    made = _rejudged(events, SHORT)
    first = next(seq for seq, event in enumerate(events, 1) if isinstance(event, RoundEnded))
    ended = events[first - 1]

    assert isinstance(ended, RoundEnded)
    assert made.difference
    assert made.recorded
    assert made.rejudged
    assert (made.ends, made.refusal) == ("earlier", None)
    assert (made.seq, made.difference.was, made.difference.becomes) == (
        first + 1, "RoundDealt", "GameEnded",
    )  # fmt: skip
    assert made.recorded.events == len(events)
    assert made.rejudged.events == first + 1
    assert tuple(result.total for result in ended.results) == made.rejudged.points
    assert made.rejudged.winners == (ended.out,)


def test_a_game_that_goes_on() -> None:
    events = _played(2, 0, SHORT)
    made = _rejudged(events, {"variant": "none"})

    assert made.difference
    assert made.recorded
    assert made.rejudged
    assert (made.ends, made.refusal, made.seq) == ("later", None, len(events))
    assert (made.difference.was, made.difference.becomes) == ("GameEnded", "RoundDealt")
    assert (made.recorded.stage, made.rejudged.stage) == ("ended", "playing")
    assert made.rejudged.winners == ()


def test_rules_under_which_the_table_is_not_opened() -> None:
    made = _rejudged(_played(2, 0, SHORT), {"joker_memory": "owner_sees_always"})

    assert made.refusal is not None
    assert (made.seq, made.refusal.code, made.rejudged) == (1, "bad_option", None)
    assert "'joker_memory' is no option of this rule set" in made.refusal.sentence
    assert "secret" not in made.refusal.command
