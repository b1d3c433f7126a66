"""The report on many games: its figures against an independent count, and what goes wrong."""

import json
from collections import Counter
from collections.abc import Iterator
from hashlib import sha256
from math import sqrt
from statistics import fmean, stdev
from typing import Any

import pytest
from msgspec.structs import replace

from phaseledger.domain import deal
from phaseledger.domain.cards import show
from phaseledger.domain.explain.shortfall import find
from phaseledger.domain.rulesets import GAMES, preset
from phaseledger.replay.laboratory.report.counts import SOON_TURNS
from phaseledger.replay.laboratory.report.figures import (
    account_part,
    bins,
    luck_adjusted,
    made_by_turn,
    over_games,
    quantile,
    ratio,
    taking_effect,
)
from phaseledger.replay.laboratory.report.games import Cohort
from phaseledger.replay.laboratory.simulate.game import SimulationPlan, play
from phaseledger.replay.pages.charts import Mark
from phaseledger.replay.transcript.distance import phase_fillings
from tests.support.cases import looped
from tests.support.replay.report_games import games, only, studied

# --- figures against an independent count ---------------------------------------------------------


def events(name: str, count: int) -> Iterator[list[dict[str, Any]]]:
    for lines in games(name, count):
        yield [json.loads(line) for line in lines]


@looped("name", GAMES)
def test_wins_rounds_and_turns(name: str) -> None:
    whole = only(studied(*games(name, 2))).whole
    counted: Counter[object] = Counter()
    for game in events(name, 2):
        kinds = Counter(tree["type"].partition("/")[0] for tree in game)
        counted["rounds", kinds["RoundDealt"]] += 1
        counted["turns", kinds["TurnBegan"] + kinds["SkipServed"]] += 1
        bots = [tree["data"]["bot"] for tree in game if tree["type"] == "SeatTaken/1"]
        winners = game[-1]["data"]["winners"]
        for seat, bot in enumerate(bots):
            counted["sat", "seat", seat] += 1
            counted["sat", "bot", bot] += 1
            if seat in winners:
                counted["won", "seat", seat] += 1 / len(winners)
                counted["won", "bot", bot] += 1 / len(winners)
        for tree in game:
            if tree["type"] == "RoundEnded/1":
                how = "by going out" if tree["data"].get("out") is not None else "otherwise"
                counted["round ended", how] += 1

    names = {"rounds", "turns", "round ended"}
    reported = {
        key: n
        for key, n in whole.items()
        if n and (key[0] in names or (key[0] in ("sat", "won") and key[1] in ("seat", "bot")))
    }
    assert reported == pytest.approx(counted)


def test_phases_and_points() -> None:
    """In a game whose phases are made in order: each seat tries one phase in a round."""
    whole = only(studied(*games("classic", 8))).whole
    counted: Counter[object] = Counter()
    for game in events("classic", 8):
        for tree in game:
            data = tree["data"]
            match tree["type"]:
                case "RoundDealt/1":
                    tie = data.get("replay", False)
                    phases, turns, laid = data["phases"], Counter[int](), dict[int, int]()
                case "TurnBegan/1":
                    turns[data["seat"]] += 1
                case "PhaseLaid/1":
                    laid[data["seat"]] = data["phase"]
                    counted["made", data["phase"], turns[data["seat"]]] += not tie
                case "RoundEnded/1":
                    for seat, result in enumerate(data["results"]):
                        if tie:
                            continue
                        counted["tries", phases[seat]] += 1
                        kind = "laid" if seat in laid else "not"
                        counted["points", phases[seat], kind] += result["points"]
                        counted["points of", phases[seat], kind] += 1
    reported = {k: n for k, n in whole.items() if k[0] in ("made", "tries", "points", "points of")}

    assert reported == {key: n for key, n in counted.items() if n or key[0] == "points"}


@looped("name", GAMES)
def test_draws_are_those_of_seats_with_a_phase_to_lay(name: str) -> None:
    whole = only(studied(*games(name, 4))).whole
    counted: Counter[object] = Counter()
    for game in events(name, 4):
        laid: set[int] = set()
        for tree in game:
            if tree["type"] == "RoundDealt/1":
                laid = set(range(9)) if tree["data"].get("replay") else set()
            elif tree["type"] == "PhaseLaid/1":
                laid.add(tree["data"]["seat"])
            elif tree["type"] == "CardDrawn/1" and tree["data"]["seat"] not in laid:
                counted[tree["data"]["source"]] += tree["data"]["source"] != "pile"
    draws: Counter[object] = Counter()
    for key, n in whole.items():
        if key[0] == "draws":
            draws[key[1]] += int(n)
    assert +draws == +counted
    assert all(whole["soon", *key[1:]] <= n for key, n in whole.items() if key[0] == "draws")


def test_shares_add_up_turn_by_turn_and_counts_are_binned() -> None:
    whole = Counter({("tries", 1): 10, ("made", 1, 1): 2, ("made", 1, 3): 4, ("made", 1, 9): 1})
    assert made_by_turn(whole, 1, 4) == [0.2, 0.2, 0.6, 0.6]
    assert made_by_turn(whole, 2, 2) == [0, 0]
    counts = {3: 1.0, 4: 2.0, 40: 1.0, 95: 1.0}
    assert (quantile(counts, 0.5), quantile(counts, 0.9)) == (4, 95)
    assert sum(n for _, n in bins(counts)) == 5
    assert bins(counts)[0] == ("0-4", 3.0)
    assert bins({7: 2.0, 9: 1.0}) == [("7", 2.0), ("8", 0.0), ("9", 1.0)]


def test_what_follows_a_draw_is_compared_at_equal_distance() -> None:
    """Takers at distance 1 and 2 in the ratio 3 to 1; nobody draws from the stock at distance 5."""
    chapter = Cohort(preset("classic"), 2)
    chapter.groups[0].update(
        {
            ("draws", "discard", 1): 30, ("soon", "discard", 1): 15,
            ("draws", "stock", 1): 100, ("soon", "stock", 1): 20,
            ("draws", "discard", 2): 10, ("soon", "discard", 2): 1,
            ("draws", "stock", 2): 50, ("soon", "stock", 2): 10,
            ("draws", "discard", 5): 99, ("soon", "discard", 5): 99,
        }
    )  # fmt: skip
    mark = taking_effect(chapter, "soon")
    assert mark.value == pytest.approx((30 * (0.5 - 0.2) + 10 * (0.1 - 0.2)) / 40)
    assert (mark.low, mark.high, SOON_TURNS) == (None, None, 2)


def test_an_interval_is_over_games() -> None:
    chapter = Cohort(preset("classic"), 2)
    for place, group in enumerate(chapter.groups):
        group["points", 1, "laid"], group["points of", 1, "laid"] = float(place), 1.0
    value, low, high = over_games(chapter, [("points", 1, "laid"), ("points of", 1, "laid")], ratio)
    assert value == fmean(range(40))
    assert low is not None
    assert high is not None
    shared = only(studied(*games("express", 12))).groups
    assert [group["games",] for group in shared] == [1.0] * 12 + [0] * 28
    assert (high - low) / 2 == pytest.approx(2.02 * stdev(range(40)) / sqrt(40), rel=0.01)


# --- distance, luck and choices ------------------------------------------------------------------


@looped("name", GAMES)
def test_the_distance_is_what_the_rules_say_is_missing(name: str) -> None:
    """With no natural asked for in each group, since the distance looks at none."""
    rules = preset(name)
    free = replace(rules, options=replace(rules.options, wild_min_scope="none", going_out="any"))
    deck, key = rules.deck.cards(), sha256(name.encode()).digest()
    for number, phase in enumerate(rules.phases, 1):
        fillings = phase_fillings(rules, phase)
        assert fillings is not None
        for index in range(1, 4):
            hand = deal.shuffled(key, index, number, deck)[: rules.hand]
            best = find(free, show(hand, rules.deck.notation), number)
            distance, wanted = fillings.look(hand)
            assert distance == best.missing, (number, show(hand))
            for card in {*deck}:
                nearer = fillings.look(hand + bytes([card]))[0]
                assert distance - nearer == fillings.helps(card, wanted), (number, show(hand), card)


@looped("ruleset", ["express", "board"])
def test_the_parts_of_results_add_up_and_luck_takes_variance_away(ruleset: str) -> None:
    plan = SimulationPlan("luck", ruleset, 2, ("greedy", "expert"))
    chapter = only(studied(*(play(plan, index).lines for index in range(1, 31))))
    shares = []
    for bot in ("greedy", "expert"):
        parts = {
            part: account_part(chapter, part, bot).value or 0.0
            for part in ("won", "luck", "own", "others")
        }
        start = parts["won"] - parts["luck"] - parts["own"] - parts["others"]
        assert 0.4 < start < 0.6
        adjusted, left = luck_adjusted(chapter, bot)
        assert adjusted.low is not None
        assert adjusted.low < (adjusted.value or 0.0)
        assert abs((adjusted.value or 0.0) - parts["won"] + 0.7 * parts["luck"]) < 0.1
        assert 0 < (left or 0.0) < 1
        shares.append(adjusted.value)
    assert sum(shares) == pytest.approx(1)


def test_house_rules_have_no_account() -> None:
    plan = SimulationPlan("luck", "express", 2, ("greedy",), {"variant": "n_phases(3)"})
    chapter = only(studied(play(plan, 1).lines))
    assert account_part(chapter, "won", "greedy").value is None
    assert luck_adjusted(chapter, "greedy") == (Mark("greedy", None), None)
