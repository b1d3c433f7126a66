"""Tournaments of bots on equal terms: every deal is played once for each way to seat them.

The line-up is rotated through the seats and the cards stay, so that every bot plays every hand
of a deal. Games of one deal are alike, and so a deal, not a game, is what an interval counts.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager
from functools import partial
from math import sqrt
from statistics import fmean, stdev
from time import process_time_ns

from msgspec import Struct, structs

from phaseledger.domain.commands import Command
from phaseledger.domain.state import State
from phaseledger.replay.batch.pool import in_order
from phaseledger.replay.simulate.game import SimulationPlan, ask, play

_NORMAL = 1.96
"""Standard errors on either side of a mean that make a 95 % interval."""


class SeatingOutcome(Struct, frozen=True):
    """The result of one game: the bot of each seat, and its outcome. ``winners`` are seats."""

    game: str
    bots: tuple[str, ...]
    winners: tuple[int, ...]
    points: tuple[int, ...]
    decisions: int
    fault: str


class Deal(Struct, frozen=True):
    """The games of one deal, one a seating. ``spent`` is measured: (ns, decisions) of each bot."""

    index: int
    games: tuple[SeatingOutcome, ...]
    spent: dict[str, tuple[int, int]]


class BotStanding(Struct, frozen=True):
    """One bot's results. Rates and points are means over its seats: a bot of three has three."""

    bot: str
    seats: int
    win_rate: float | None
    """Games won of those played, a shared win as its fraction; null without a whole deal."""
    low: float | None
    high: float | None
    """Ends of the 95 % interval of the rate; null with fewer than two whole deals."""
    points: float | None


class HaltedGame(Struct, frozen=True):
    """A game that did not come to its end. Its deal counts for nobody."""

    index: int
    game: str
    bots: tuple[str, ...]
    reason: str


class Standings(Struct, frozen=True):
    """The results of a tournament. All but ``measured`` is the same for the same seed."""

    seed: str
    ruleset: str
    line_up: tuple[str, ...]
    deals: int
    seatings: int
    games: int
    decisions: int
    bots: list[BotStanding]
    stopped: list[HaltedGame]
    measured: dict[str, float]
    """Milliseconds of processor time for each decision, by bot."""


def seatings(plan: SimulationPlan) -> tuple[tuple[str, ...], ...]:
    """The line-up rotated through the seats, each order of bots once."""
    bots = tuple(plan.bots[seat % len(plan.bots)] for seat in range(plan.players))
    return tuple(dict.fromkeys(bots[-i:] + bots[:-i] for i in range(plan.players)))


def play_deal(plan: SimulationPlan, index: int) -> Deal:
    """Play the deal of that index in every seating."""
    spent: dict[str, tuple[int, int]] = {}

    def timed(state: State, seat: int, chance: bytes, count: int) -> Command:
        start = process_time_ns()
        command = ask(state, seat, chance, count)
        bot = state.seat(seat).bot
        time, decisions = spent.get(bot, (0, 0))
        spent[bot] = time + process_time_ns() - start, decisions + 1
        return command

    games = []
    for bots in seatings(plan):
        played = play(structs.replace(plan, bots=bots), index, timed)
        points = tuple(seat.points for seat in played.state.seats if seat)
        games.append(
            SeatingOutcome(
                game=played.game,
                bots=bots,
                winners=played.state.winners,
                points=points,
                decisions=played.decisions,
                fault=played.fault,
            )
        )
    return Deal(index, tuple(games), spent)


def tournament(
    plan: SimulationPlan, deals: int, workers: int
) -> AbstractContextManager[Iterator[Deal]]:
    """Play so many deals on so many processes; yields them in order."""
    task: Callable[[int], Deal] = partial(play_deal, plan)
    return in_order(task, range(1, deals + 1), workers)


def interval(values: Sequence[float]) -> tuple[float, float] | None:
    """The 95 % interval of the mean of independent values; None for fewer than two of them."""
    if len(values) < 2:
        return None
    margin = _NORMAL * stdev(values) / sqrt(len(values))
    return fmean(values) - margin, fmean(values) + margin


def standings(plan: SimulationPlan, deals: Sequence[Deal]) -> Standings:
    """The standings from the deals played."""
    games = [(deal.index, game) for deal in deals for game in deal.games]
    complete = [deal for deal in deals if not any(game.fault for game in deal.games)]
    line_up = seatings(plan)[0]
    bots = dict.fromkeys(line_up)
    spent = {bot: [deal.spent[bot] for deal in deals if bot in deal.spent] for bot in bots}
    return Standings(
        seed=plan.seed,
        ruleset=plan.ruleset,
        line_up=line_up,
        deals=len(deals),
        seatings=len(seatings(plan)),
        games=len(games),
        decisions=sum(game.decisions for _, game in games),
        bots=[_standing(bot, line_up.count(bot), complete) for bot in bots],
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


def _standing(bot: str, seats: int, complete: Sequence[Deal]) -> BotStanding:
    if not complete:
        return BotStanding(bot=bot, seats=seats, win_rate=None, low=None, high=None, points=None)
    rates = [fmean(_share(bot, game) for game in deal.games) / seats for deal in complete]
    points = [
        value
        for deal in complete
        for game in deal.games
        for name, value in zip(game.bots, game.points, strict=True)
        if name == bot
    ]
    low, high = interval(rates) or (None, None)
    return BotStanding(
        bot=bot, seats=seats, win_rate=fmean(rates), low=low, high=high, points=fmean(points)
    )


def _share(bot: str, game: SeatingOutcome) -> float:
    """The bot's share of the win."""
    return sum(game.bots[seat] == bot for seat in game.winners) / len(game.winners)
