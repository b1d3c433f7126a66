"""Tournaments of bots on equal terms: every deal is played once for each way to seat them.

The bots change seats and neighbours (`seatings`) and the cards stay, so that every bot plays every
hand of a deal, next to every other. The same bots make the same tournament, in any order of their
names. Games of one deal are alike, so an interval counts deals, not games.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager
from functools import partial
from statistics import fmean
from typing import Literal

from msgspec import Struct, structs

from phaseledger.replay.batch.pool import Workers, in_order
from phaseledger.replay.laboratory.intervals import mean_share
from phaseledger.replay.laboratory.simulate.adjustment import LuckAdjusted, adjusted
from phaseledger.replay.laboratory.simulate.game import SimulationPlan
from phaseledger.replay.laboratory.simulate.results import Stopwatch, play_result
from phaseledger.replay.laboratory.simulate.seatings import Seating, Seatings, seatings


class SeatingOutcome(Struct, frozen=True):
    """The result of one game: the bot of each seat, and its outcome. ``winners`` are seats."""

    game: str
    bots: Seating
    winners: tuple[int, ...]
    points: tuple[int, ...]
    decisions: int
    fault: str
    luck: tuple[float, ...] = ()
    """Of each seat; empty where it was not asked for."""


class Deal(Struct, frozen=True):
    """The games of one deal, one a seating.

    ``spent`` is measured: (ns, decisions) of each bot, for the decisions that were timed.
    """

    index: int
    games: tuple[SeatingOutcome, ...]
    spent: dict[str, tuple[int, int]]


class BotStanding(Struct, frozen=True):
    """One bot's results. Rates and points are means over its seats: a bot of three has three."""

    bot: str
    seats: int
    win_rate: float | None
    """Games won per game played, a shared win as its fraction; null without a whole deal."""
    low: float | None
    high: float | None
    """Ends of the 95 % interval of the rate; null with fewer than two whole deals."""
    points: float | None
    adjusted: LuckAdjusted | None = None
    """Null where luck was not asked for, for one bot alone, and without a whole deal."""


class HaltedGame(Struct, frozen=True):
    """A game that was stopped before its end. Its deal is left out of the results."""

    index: int
    game: str
    bots: Seating
    reason: str


class Standings(Struct, frozen=True):
    """The results of a tournament. All but ``measured`` is the same for the same seed."""

    seed: str
    ruleset: str
    line_up: Seating
    """The bots, one for each seat, by name."""
    deals: int
    seatings: int
    """Games of each deal."""
    design: Literal["all_orders", "balanced_neighbours"]
    """The way in which the seatings were chosen among the ``orders`` in which the bots can sit."""
    orders: int
    games: int
    decisions: int
    bots: list[BotStanding]
    stopped: list[HaltedGame]
    measured: dict[str, float]
    """Milliseconds of processor time for each decision, by bot."""


def line_up(plan: SimulationPlan) -> Seating:
    """The bots, one for each seat, by name; independent of the order in which the plan names them.

    Raises:
        ValueError: the seats are no multiple of the bots, so that some would have more of them.

    """
    share, surplus = divmod(plan.players, len(plan.bots))
    if surplus:
        raise ValueError(
            f"{len(plan.bots)} bots do not share {plan.players} seats evenly. "
            "Name one for each seat."
        )
    return tuple(sorted(plan.bots * share))


def plan_seatings(plan: SimulationPlan) -> Seatings:
    """The seatings of each deal; raises as `line_up`."""
    return seatings(line_up(plan))


def play_deal(plan: SimulationPlan, index: int, *, with_luck: bool = False) -> Deal:
    """Play the deal of that index in every seating, and take each game's luck where asked."""
    watch = Stopwatch()
    games = []
    for bots in plan_seatings(plan).seatings:
        result = play_result(structs.replace(plan, bots=bots), index, watch, with_luck=with_luck)
        games.append(
            SeatingOutcome(
                game=result.game,
                bots=bots,
                winners=result.winners,
                points=result.points,
                decisions=result.decisions,
                fault=result.fault,
                luck=result.luck,
            )
        )
    return Deal(index, tuple(games), watch.spent)


def tournament(
    plan: SimulationPlan, deals: int, workers: Workers, *, with_luck: bool = False
) -> AbstractContextManager[Iterator[Deal]]:
    """Play ``deals`` deals; yields all in order."""
    task: Callable[[int], Deal] = partial(play_deal, plan, with_luck=with_luck)
    indices = range(1, deals + 1)
    return in_order(task, indices, workers.for_units(deals))


def standings(plan: SimulationPlan, deals: Sequence[Deal]) -> Standings:
    """The standings from the deals played."""
    games = [(deal.index, game) for deal in deals for game in deal.games]
    complete = [deal for deal in deals if not any(game.fault for game in deal.games)]
    all_bots, chosen = line_up(plan), plan_seatings(plan)
    bots = dict.fromkeys(all_bots)
    spent = {bot: [deal.spent[bot] for deal in deals if bot in deal.spent] for bot in bots}
    return Standings(
        seed=plan.seed,
        ruleset=plan.ruleset,
        line_up=all_bots,
        deals=len(deals),
        seatings=len(chosen.seatings),
        design=chosen.design,
        orders=chosen.orders,
        games=len(games),
        decisions=sum(game.decisions for _, game in games),
        bots=[_standing(bot, all_bots, complete) for bot in bots],
        stopped=[
            HaltedGame(index, game.game, game.bots, game.fault)
            for index, game in games
            if game.fault
        ],
        measured={
            bot: round(sum(time for time, _ in times) / sum(count for _, count in times) / 1e6, 4)
            for bot, times in spent.items()
            if times
        },
    )


def _standing(bot: str, line_up: Seating, complete: Sequence[Deal]) -> BotStanding:
    seats = line_up.count(bot)
    if not complete:
        return BotStanding(bot=bot, seats=seats, win_rate=None, low=None, high=None, points=None)
    shares = [fmean(_share(bot, game) for game in deal.games) for deal in complete]
    interval = mean_share(shares, len(complete[0].games))
    if seats == len(line_up):
        interval = 1.0, 1.0  # a bot that plays only against itself wins for certain
    points = [
        value
        for deal in complete
        for game in deal.games
        for name, value in zip(game.bots, game.points, strict=True)
        if name == bot
    ]
    low, high = (end / seats for end in interval) if interval else (None, None)
    return BotStanding(
        bot=bot,
        seats=seats,
        win_rate=fmean(shares) / seats,
        low=low,
        high=high,
        points=fmean(points),
        adjusted=_adjusted(bot, seats, shares, complete) if seats < len(line_up) else None,
    )


def _adjusted(
    bot: str, seats: int, shares: Sequence[float], complete: Sequence[Deal]
) -> LuckAdjusted | None:
    """The bot's shares of each deal less luck, where it was asked for."""
    if not all(game.luck for deal in complete for game in deal.games):
        return None
    luck = [fmean(bot_luck(bot, game) for game in deal.games) for deal in complete]
    return adjusted(shares, luck, seats, len(complete[0].games))


def bot_luck(bot: str, game: SeatingOutcome) -> float:
    """The luck of the bot's seats in one game, in chances to win."""
    return sum(luck for name, luck in zip(game.bots, game.luck, strict=True) if name == bot)


def _share(bot: str, game: SeatingOutcome) -> float:
    """The bot's share of the win."""
    return sum(game.bots[seat] == bot for seat in game.winners) / len(game.winners)
