"""The points that seats may expect at the end: what they end in, and where nothing is said."""

from statistics import pstdev

import msgspec
import pytest
from msgspec.structs import replace

from benchmarks.value_models import points
from phaseledger.domain.evidence.codec import decode_event
from phaseledger.domain.kernel.rollouts.values import BETWEEN, FEATURES
from phaseledger.domain.rulesets import preset
from phaseledger.replay.laboratory.account.account import Appraiser
from phaseledger.replay.laboratory.account.analysis import Analysis, AnalysisPlan, analyse
from phaseledger.replay.laboratory.account.fit import rows, samples
from phaseledger.replay.laboratory.account.models import model
from phaseledger.replay.laboratory.account.moments import DecidedStep, moments
from phaseledger.replay.laboratory.account.text import lines
from phaseledger.replay.laboratory.columns.rows import by_topic
from phaseledger.replay.laboratory.simulate.game import SimulationPlan, play
from tests.support.cases import looped

BOTS = ("greedy", "expert", "random")
CLASSIC = SimulationPlan("points", "classic", 3, BOTS)
TEN_ROUNDS = SimulationPlan("points", "standard-deck", 3, BOTS, {"style": "ten_rounds_free"})


def analysed(plan: SimulationPlan) -> tuple[list[DecidedStep], Analysis]:
    """The decisions of a game and its analysis, without rollouts."""
    stored = [*by_topic(play(plan, 1).lines)]
    decided = [*moments(decode_event(*event) for event in stored)]
    return decided, analyse(stored, AnalysisPlan(worlds=0))


def scores(moment: DecidedStep) -> list[int]:
    """The scoreboard after a decision."""
    return [moment.after.seat(number).points for number in range(len(moment.after.seats))]


@looped("plan", [CLASSIC, TEN_ROUNDS])
def test_the_end_has_the_points_of_the_scoreboard(plan: SimulationPlan) -> None:
    """And before it no seat may expect fewer points than it has: they are never taken away."""
    decided, analysis = analysed(plan)
    shown = [[player.start_points or 0.0 for player in analysis.players]]
    shown += [[*row.points] for row in analysis.rounds]
    dealt = [scores(moment) for moment in decided if moment.dealing]
    assert shown[-1] == scores(decided[-1]) == [player.points for player in analysis.players]
    for expected, so_far in zip(shown, dealt, strict=False):
        assert all(map(float.__ge__, expected, map(float, so_far)))
        assert sum(expected) > sum(so_far)


def test_before_the_first_deal_only_the_place_at_the_table_matters() -> None:
    first = analysed(CLASSIC)[1].players
    shown = [player.start_points for player in first if player.start_points]
    assert len(shown) == 3
    assert max(shown) - min(shown) < 0.05 * max(shown)


def test_a_round_that_decides_a_tie_adds_none() -> None:
    """C-72."""
    dealt = [moment for moment in analysed(CLASSIC)[0] if moment.dealing][4]
    appraiser = Appraiser(dealt.after)
    assert sum(appraiser.points(dealt.after)) > sum(scores(dealt))
    assert [*appraiser.points(replace(dealt.after, replay=True))] == scores(dealt)


def test_nothing_is_said_where_cards_cost_nothing() -> None:
    """B-73."""
    analysis = analysed(SimulationPlan("points", "board", 2, BOTS))[1]
    document = msgspec.to_builtins(analysis)
    assert not [row for row in document["players"] + document["rounds"] if "points" in row]
    for lang, words in (
        ("en", "each round: "),
        ("de", "jeder Runde: "),
        ("fr", "chaque manche\xa0: "),
    ):
        shown = [line.partition(words)[2] for line in lines(analysis, lang) if words in line]
        assert len(shown) == 2
        assert "(" not in "".join(shown)


def test_a_game_is_told_in_each_language() -> None:
    analysis = analysed(CLASSIC)[1]
    for lang, words in (
        ("en", "the penalty points expected at the end: "),
        ("de", "die am Ende erwarteten Strafpunkte: "),
        ("fr", "les points de pénalité attendus à la fin\xa0: "),
    ):
        shown = [line.partition(words)[2] for line in lines(analysis, lang) if words in line]
        assert [line.rpartition("(")[2] for line in shown] == [
            f"{player.points})." for player in analysis.players
        ]
        assert {line.count("), ") for line in shown} == {len(analysis.rounds)}


@pytest.mark.parametrize("name", ["classic", "express"])
def test_the_released_models_expect_what_comes(name: str) -> None:
    """In the mean of games that they have not seen, and nearer than one figure for all."""
    rules = preset(name)
    weights, unseen = model(rules, 2), samples(rules, 2, 2, range(300), within=True)
    base = pstdev(seat.to_come for sample in rows(unseen) for seat in sample)
    slope, error, root = points(unseen, [*weights[FEATURES:BETWEEN]])
    assert 0.85 < slope < 1.15
    assert abs(error) < 0.1 * base
    assert root < 0.9 * base
