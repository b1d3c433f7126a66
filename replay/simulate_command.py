"""The command `simulate`."""

import os
from typing import Annotated

from cyclopts import Parameter
from msgspec import structs

from domain.bots import BOTS
from domain.commands import Rejected
from domain.rulesets import GAMES
from domain.rulesets import find as find_game
from replay.inputs import HouseRules, Json, Out, house_rule
from replay.simulate import CAP, Plan, Played, Tally, play
from replay.terminal import (
    FINDINGS,
    SOUND,
    UsageError,
    guarded,
    output,
    print_json,
    progress,
    say,
    tell,
)
from replay.tournament import Standings, seatings, standings
from replay.tournament import tournament as play_tournament


@guarded
def simulate(
    *,
    ruleset: Annotated[str, Parameter(help=f"One of {', '.join(GAMES)}.")] = "classic",
    players: Annotated[int, Parameter(help="Number of seats.")] = 4,
    bots: Annotated[
        str,
        Parameter(help=f"Bots, with commas, cycled over the seats. There are {', '.join(BOTS)}."),
    ] = "greedy",
    games: Annotated[int, Parameter(help="Number of games to play.")] = 1,
    seed: Annotated[
        str,
        Parameter(help="Any text. Default: a fresh one, named on stderr.", show_default=False),
    ] = "",
    only: Annotated[
        int | None, Parameter(help="Play only this game of the run, counted from 1.")
    ] = None,
    option: HouseRules = (),
    tournament: Annotated[
        bool,
        Parameter(
            help="Compare the bots: each deal is played once for every way to seat them.",
            negative="",
            show_default=False,
        ),
    ] = False,
    workers: Annotated[
        int | None,
        Parameter(help="Processes of a tournament. Default: one a core.", show_default=False),
    ] = None,
    max_decisions: Annotated[
        int, Parameter(help="Break a game off after so many decisions, with exit code 1.")
    ] = CAP,
    out: Out = None,
    json: Json = False,
) -> int:
    """Let bots play games without a database; `audit` and `replay` read what comes out.

    The same arguments give the same bytes, and any game of a run can be played alone with --only.

    With --out and --json, on standard output: {seed, wins: [per seat], games, decisions, events,
    rounds, stopped: [{index, game, reason}]}.

    With --tournament no games are written, but how the bots did: the line-up is rotated through
    the seats on the same cards, --games is rounded up to whole deals. Win rates are those of one
    seat, with a 95 % interval over deals. With --json: {seed, ruleset, line_up, deals, seatings,
    games, decisions, bots: [{bot, seats, win_rate, low, high, points}], stopped: [{index, game,
    bots, reason}], measured: {bot: milliseconds a decision}}; only `measured` differs from run to
    run.

    For example: phaseledger simulate --games 100 --seed cup --out games.ndjson

    Or: phaseledger simulate --seed cup --only 37 --bots greedy,random --option variant=ten_rounds

    Or: phaseledger simulate --tournament --bots expert,greedy,greedy,greedy --games 2000
    """
    if tournament:
        if only is not None or out is not None:
            raise UsageError("--tournament writes no games: --only and --out do not go with it.")
    elif workers is not None:
        raise UsageError("--workers goes with --tournament.")
    elif json and out is None:
        raise UsageError("--json needs --out: standard output holds the games.")
    _count_from_1(games, max_decisions, only, workers)
    seed = _seed(seed)
    plan = Plan(seed, ruleset, players, _bots(bots), dict(map(house_rule, option)), max_decisions)
    if tournament:
        return _tournament(plan, games, workers or os.cpu_count() or 1, json=json)
    indices = range(1, games + 1) if only is None else range(only, only + 1)
    tally = Tally(seed)
    with output(out) as file, progress("playing", len(indices)) as advance:
        for index in indices:
            played = _play(plan, index)
            file.writelines(line + b"\n" for line in played.lines)
            tally.add(played)
            if played.fault:
                tell(f"game {index} of --seed {seed} ({played.game}): {played.fault}")
            advance(1)
    if json:
        print_json(tally)
    elif out is not None:
        tell(f"Games: {tally.games:,}, decisions: {tally.decisions:,}, events: {tally.events:,}.")
    return FINDINGS if tally.stopped else SOUND


def _count_from_1(*numbers: int | None) -> None:
    if any(number is not None and number < 1 for number in numbers):
        raise UsageError("--games, --only, --workers and --max-decisions count from 1.")


def _seed(text: str) -> str:
    """The seed, or a fresh one, which is told."""
    try:
        text.encode()
    except UnicodeEncodeError:
        raise UsageError("--seed is not UTF-8 text.") from None
    if not text:
        text = os.urandom(8).hex()
        tell(f"--seed {text}")
    return text


def _tournament(plan: Plan, games: int, workers: int, *, json: bool) -> int:
    _play(structs.replace(plan, cap=1), 1)  # the rules refuse such a game here, not in a worker
    deals = -(-games // len(seatings(plan)))
    done = []
    with (
        play_tournament(plan, deals, min(workers, deals)) as played,
        progress("playing deals", deals) as advance,
    ):
        for deal in played:
            done.append(deal)
            advance(1)
    result = standings(plan, done)
    for game in result.stopped:
        bots = ",".join(game.bots)
        tell(f"game {game.index} of --seed {plan.seed} --bots {bots} ({game.game}): {game.reason}")
    if json:
        print_json(result)
    else:
        _print_standings(result)
    return FINDINGS if result.stopped else SOUND


def _print_standings(result: Standings) -> None:
    say(
        f"{result.deals:,} deals in {result.seatings} seatings: {result.games:,} games, "
        f"{len(result.stopped):,} stopped. By chance a seat wins {1 / len(result.line_up):.1%}."
    )
    width = max(3, *(len(standing.bot) for standing in result.bots))
    say(f"{'bot':{width}}  seats  wins a seat  95 % interval     points")
    for standing in result.bots:
        between = f"{_percent(standing.low)} .. {_percent(standing.high)}"
        points = "-" if standing.points is None else f"{standing.points:.1f}"
        say(
            f"{standing.bot:{width}}  {standing.seats:5}  {_percent(standing.win_rate):>11}  "
            f"{between:16}  {points:>6}"
        )
    spent = ", ".join(f"{bot} {time:.3f} ms" for bot, time in result.measured.items())
    tell(f"Measured, a decision: {spent}.")


def _percent(rate: float | None) -> str:
    return "-" if rate is None else f"{rate:.1%}"


def _play(plan: Plan, index: int) -> Played:
    try:
        return play(plan, index)
    except Rejected as refusal:
        if find_game(plan.ruleset) is None:
            message = f"There is no rule set {plan.ruleset!r}; there are {', '.join(GAMES)}."
            raise UsageError(message) from None
        why = f": {refusal.detail}" if refusal.detail else ""
        raise UsageError(f"The rules refuse such a game: {refusal.code}{why}.") from None


def _bots(text: str) -> tuple[str, ...]:
    names = tuple(text.split(","))
    unknown = [name for name in names if name not in BOTS]
    if unknown:
        raise UsageError(f"There is no bot {unknown[0]!r}; there are {', '.join(BOTS)}.")
    return names
