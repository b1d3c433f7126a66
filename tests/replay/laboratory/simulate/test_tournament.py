"""Tournaments: equal terms for all bots, exact figures, the same on any number of processes."""

import json
from math import sin
from statistics import fmean, stdev, variance

import pytest
from msgspec import structs

from phaseledger.replay.cli.main import app
from phaseledger.replay.laboratory.intervals import independent_games, wilson
from phaseledger.replay.laboratory.simulate.adjustment import LuckAdjusted, adjusted
from phaseledger.replay.laboratory.simulate.game import SimulationPlan, play
from phaseledger.replay.laboratory.simulate.tournament import (
    Deal,
    SeatingOutcome,
    bot_luck,
    line_up,
    plan_seatings,
    play_deal,
    standings,
)
from tests.support.cases import looped
from tests.support.replay.processes import run

PLAN = SimulationPlan(
    "cup", players=3, bots=("random", "greedy", "random"), options={"variant": "n_phases(1)"}
)
ARGUMENTS = [
    *("--seed", "cup", "--bots", "expert,greedy,random", "--players", "3", "--games", "7"),
    *("--option", "variant=n_phases(1)"),
]


def test_bots_share_the_seats_evenly_in_every_order() -> None:
    """Who had a surplus seat would depend on the order of the names."""
    for players, bots, expected in ((3, "bca", "abc"), (4, "ba", "aabb"), (2, "a", "aa")):
        plan = SimulationPlan("x", players=players, bots=tuple(bots))
        assert line_up(plan) == tuple(expected)
    for players, bots in ((3, "ab"), (2, "abc")):
        with pytest.raises(ValueError, match="do not share"):
            line_up(SimulationPlan("x", players=players, bots=tuple(bots)))


def test_the_order_of_the_bots_changes_no_figure() -> None:
    figures = []
    for bots in (("random", "greedy", "random"), ("greedy", "random", "random")):
        plan = structs.replace(PLAN, bots=bots)
        result = standings(plan, [play_deal(plan, index) for index in (1, 2)])
        figures.append(structs.replace(result, measured={}))
    assert figures[0] == figures[1]
    assert figures[0].line_up == ("greedy", "random", "random")


def test_all_seatings_of_a_deal_have_the_same_cards() -> None:
    def dealt(bots: tuple[str, ...]) -> object:
        lines = map(json.loads, play(structs.replace(PLAN, bots=bots), 1).lines)
        return next(line["hidden"] for line in lines if line["type"] == "RoundDealt/1")

    first, *others = map(dealt, plan_seatings(PLAN).seatings)

    assert others == [first, first]


def outcome(
    bots: str, winners: tuple[int, ...], points: tuple[int, ...], fault: str = ""
) -> SeatingOutcome:
    return SeatingOutcome("id", tuple(bots.split()), winners, points, 10, fault)


HAND_MADE = [
    Deal(1, (outcome("a b b", (0,), (0, 30, 60)), outcome("b a b", (1,), (10, 5, 20)),
             outcome("b b a", (0,), (0, 10, 20))), {"a": (3_000_000, 2), "b": (8_000_000, 4)}),
    Deal(2, (outcome("a b b", (1,), (5, 0, 10)), outcome("b a b", (0, 1), (0, 0, 30)),
             outcome("b b a", (2,), (9, 9, 0))), {"a": (1_000_000, 2), "b": (0, 4)}),
    Deal(3, (outcome("a b b", (0,), (99, 99, 99)), outcome("b a b", (), (1, 1, 1), "stopped"),
             outcome("b b a", (2,), (99, 99, 99))), {"b": (4_000_000, 4)}),
]  # fmt: skip
THREE = SimulationPlan("cup", players=3, bots=("a", "b", "b"))


def test_figures_of_a_table_made_by_hand() -> None:
    """In two whole deals a won 2 of 3 games and 1.5 of 3; the deal with a stopped game is out."""
    result = standings(THREE, HAND_MADE)
    a, b = result.bots
    # Shares 2/3 and 1/2, of variance 1/72: so many independent games would vary as much, less
    # what two deals do not vouch for.
    games = 2 * (7 / 12) * (5 / 12) * 72 * (1.959964 / 12.706) ** 2
    assert (a.bot, a.seats, b.bot, b.seats) == ("a", 1, "b", 2)
    assert a.win_rate == pytest.approx(7 / 12)
    assert (a.low, a.high) == pytest.approx(wilson(7 / 12 * games, games))
    assert (b.low, b.high) == pytest.approx([end / 2 for end in wilson(5 / 12 * games, games)])
    assert b.win_rate == pytest.approx(5 / 24)
    assert (a.points, b.points) == pytest.approx((30 / 6, 188 / 12))
    assert (result.deals, result.seatings, result.games, result.decisions) == (3, 3, 9, 90)
    assert result.measured == {"a": 1.0, "b": 1.0}
    assert [(halt.index, halt.bots, halt.reason) for halt in result.stopped] == [
        (3, ("b", "a", "b"), "stopped")
    ]


def test_figures_of_few_deals_and_of_one_bot() -> None:
    """An interval needs two deals; that all of them were won is no certainty."""
    single, none = standings(THREE, HAND_MADE[:1]), standings(THREE, HAND_MADE[2:])
    assert (single.bots[0].low, single.bots[0].win_rate) == (None, pytest.approx(2 / 3))
    assert (none.bots[0].win_rate, none.bots[0].points, none.measured) == (None, None, {"b": 1.0})
    won = [Deal(n, (outcome("a b b", (0,), (0, 1, 1)),), {}) for n in (1, 2)]
    a, b = standings(THREE, won).bots
    assert (a.win_rate, a.low, a.high) == (1.0, pytest.approx(wilson(2, 2)[0]), 1.0)
    assert (b.win_rate, b.low, b.high) == (0.0, 0.0, pytest.approx(wilson(0, 2)[1] / 2))
    games = [Deal(n, (outcome("a a", (n % 2,), (0, 0)),), {}) for n in (1, 2, 3)]
    (only,) = standings(SimulationPlan("cup", players=2, bots=("a",)), games).bots
    assert (only.win_rate, only.low, only.high) == (0.5, 0.5, 0.5)


def test_figures_without_luck() -> None:
    """Each of two deals by the other alone, which says nothing: 10 of 11 of the usual part."""
    shares, luck, part = (1, 0), (0.5, -0.4), 0.7 * 10 / 11
    games = [
        Deal(n, (structs.replace(outcome("a b", (1 - share,), (0, 0)), luck=(mine, -mine)),), {})
        for n, (share, mine) in enumerate(zip(shares, luck, strict=True))
    ]
    a, b = standings(SimulationPlan("cup", players=2, bots=("a", "b")), games).bots
    without = [share - part * mine for share, mine in zip(shares, luck, strict=True)]
    times = 0.5 / ((2 * variance(without) + 10 * 0.5) / 12)
    low, high = wilson(
        *(independent_games(shares, 1) * times * part for part in (fmean(without), 1))
    )

    assert a.adjusted is not None
    assert b.adjusted is not None
    assert a.adjusted.win_rate == pytest.approx(fmean(without))
    assert (a.adjusted.low, a.adjusted.high) == pytest.approx((low, high))
    assert a.adjusted.times == pytest.approx(times)
    assert b.adjusted.win_rate == pytest.approx(1 - fmean(without))
    single = standings(SimulationPlan("cup", players=2, bots=("a", "b")), games[:1]).bots[0]
    assert single.adjusted == LuckAdjusted(win_rate=1 - 0.7 * 0.5, low=None, high=None, times=None)


def test_the_part_of_luck_is_fitted_and_no_share_is_certain_or_beyond_all() -> None:
    """Luck that says nothing is left alone, and luck that says all is taken whole."""
    luck = [0.3 * sin(number) for number in range(400)]
    noise = [0.5 + 0.3 * sin(number * number) for number in range(400)]
    assert adjusted(noise, luck, 1, 1).times == pytest.approx(1, abs=0.02)
    assert (adjusted([0.5 + value for value in luck], luck, 1, 1).times or 0) > 40
    few = [0.3, -0.2, 0.25, -0.1]
    never, always = adjusted([0.0] * 4, few, 1, 6), adjusted([1.0] * 4, few, 1, 6)
    assert (never.win_rate, never.low) == pytest.approx((0, 0), abs=0.05)
    assert always.high == pytest.approx(1, abs=0.05)
    assert (never.high or 0) > 0.4
    assert (always.low or 1) < 0.6
    for shares in ([0.0, 0.5], [1.0, 0.25]):
        share = adjusted(shares, few[:2], 2, 6)
        assert 0 <= (share.low or 0) <= share.win_rate <= (share.high or 0) <= 0.5


@looped("ruleset", ["express", "board"])
def test_luck_is_of_the_seats_and_changes_no_game(ruleset: str) -> None:
    plan = SimulationPlan("cup", ruleset, players=3, bots=("random", "greedy", "expert"))
    deal = play_deal(plan, 1, with_luck=True)
    assert deal.games == play_deal(plan, 1, with_luck=True).games
    assert [structs.replace(game, luck=()) for game in deal.games] == list(play_deal(plan, 1).games)
    for game in deal.games:
        assert len(game.luck) == 3
        assert sum(game.luck) == pytest.approx(0, abs=1e-9)
        assert any(game.luck)


@looped("ruleset", ["express", "board"])
def test_luck_is_0_in_the_mean_and_most_of_what_shares_vary_by(ruleset: str) -> None:
    """Bots that play unequally well have the same luck, in every seat."""
    plan = SimulationPlan("cup", ruleset, players=2, bots=("greedy", "expert"))
    deals = [play_deal(plan, index, with_luck=True) for index in range(1, 61)]
    games = [game for deal in deals for game in deal.games]
    of_seat = [game.luck[0] for game in games]
    for luck in (of_seat, [bot_luck("expert", game) for game in games]):
        assert abs(fmean(luck)) < 3 * stdev(luck) / len(luck) ** 0.5
    standing = standings(plan, deals).bots[0].adjusted
    assert standing is not None
    assert (standing.times or 0) > 1.5


def test_tournament_as_json() -> None:
    once, repeated = (
        run("simulate", "--tournament", *ARGUMENTS, "--json", "--workers", workers)
        for workers in (1, 2)
    )
    first, second = json.loads(once.stdout), json.loads(repeated.stdout)
    assert (once.returncode, repeated.returncode) == (0, 0)
    assert list(first.pop("measured")) == list(second.pop("measured")) == first["line_up"]
    assert first == second
    assert (first["deals"], first["seatings"], first["games"]) == (2, 6, 12)
    assert (first["design"], first["orders"]) == ("all_orders", 6)


def tournament(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[object, str, str]:
    """The exit code of the command, and what it prints."""
    with pytest.raises(SystemExit) as ended:
        app(["simulate", "--tournament", *arguments, "--workers", "1"])
    return ended.value.code, *capsys.readouterr()


def test_tournament_as_table(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = tournament(capsys, *ARGUMENTS)
    head, *rows = out.splitlines()
    assert code == 0
    assert head == (
        "2 deals in 6 seatings (all orders of the bots): 12 games, 0 stopped. "
        "By chance a seat wins 33.3%."
    )
    assert [line.split()[0] for line in rows] == ["bot", "expert", "greedy", "random"]
    assert err.startswith("Measured, a decision: expert ")
    code, out, err = tournament(capsys, *ARGUMENTS, "--max-decisions", "7")
    assert code == 1
    assert "game 1 of --seed cup --bots random,expert,greedy (" in err
    assert out.splitlines()[2].split() == ["expert", "1", "-", "-", "..", "-", "-"]


def test_a_table_without_luck(capsys: pytest.CaptureFixture[str]) -> None:
    """It is not told of one bot alone."""
    asked = ("--luck-adjusted", "--seed", "cup", "--players", "2")
    express = ("--ruleset", "express", "--bots", "expert,greedy", "--games", "6")
    code, out, _ = tournament(capsys, *asked, *express)
    head, *rows = out.splitlines()[1:]
    place = head.index("points")
    assert code == 0
    assert head[place:] == "points    less luck  95 % interval     as good as"
    assert [(row[:place].count("%"), row[place:].count("%")) for row in rows] == [(3, 3), (3, 3)]
    assert all(row.endswith(" games") for row in rows)
    alone = ("--ruleset", "board", "--bots", "greedy", "--games", "2")
    code, out, err = tournament(capsys, *asked, *alone)
    assert code == 0
    assert "No share less luck: one bot alone" in err
    assert out.splitlines()[1].endswith("points")


def test_wrong_usage(capsys: pytest.CaptureFixture[str]) -> None:
    for wrong in ("--only 1", "--out x", "--players 9", "--players 3 --bots greedy,random"):
        code, _, err = tournament(capsys, *wrong.split())
        assert (code, bool(err)) == (2, True), wrong
