"""The command `simulate`."""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter
from msgspec import structs

from phaseledger.domain.bots import BOTS
from phaseledger.domain.commands import Rejected
from phaseledger.domain.rulesets import GAMES
from phaseledger.domain.rulesets import find_game as find_game
from phaseledger.replay.batch.inputs import (
    ClusterAddress,
    HouseRuleOptions,
    Json,
    house_rule,
    optional,
)
from phaseledger.replay.batch.pool import Workers, workers_of
from phaseledger.replay.laboratory.columns.parquet import require as require_pyarrow
from phaseledger.replay.laboratory.simulate.adjustment import LuckAdjusted
from phaseledger.replay.laboratory.simulate.game import CAP, SimulationPlan, play
from phaseledger.replay.laboratory.simulate.journal import Format, Run
from phaseledger.replay.laboratory.simulate.output import existing_journal
from phaseledger.replay.laboratory.simulate.run import play_run
from phaseledger.replay.laboratory.simulate.tournament import (
    BotStanding,
    Standings,
    plan_seatings,
    standings,
)
from phaseledger.replay.laboratory.simulate.tournament import tournament as play_tournament
from phaseledger.replay.terminal import (
    FINDINGS,
    SOUND,
    UsageError,
    answer,
    guarded,
    print_json,
    progress,
    tell,
)

_WORTH_IT = 8
"""Games for which one more process is worth its start."""


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
    seed: Annotated[str, optional("Any text. Default: a fresh one, named on stderr.")] = "",
    only: Annotated[
        int | None, Parameter(help="Play only this game of the run, counted from 1.")
    ] = None,
    option: HouseRuleOptions = (),
    tournament: Annotated[
        bool, optional("Compare the bots: each deal is played once for every way to seat them.")
    ] = False,
    luck_adjusted: Annotated[
        bool,
        optional("With --tournament: shares less luck as well, at two to four times the work."),
    ] = False,
    jobs: Annotated[
        int | None,
        optional(
            "Processes that play. Default: one a core. The output does not depend on it.",
            "--jobs",
            "--workers",
        ),
    ] = None,
    cluster: ClusterAddress = "",
    max_decisions: Annotated[
        int, Parameter(help="Break a game off after so many decisions, with exit code 1.")
    ] = CAP,
    out: Annotated[
        Path | None,
        Parameter(help="File to write, or folder with --format parquet. Default: standard output."),
    ] = None,
    format: Annotated[  # noqa: A002 - the name of the option
        Format, Parameter(help="Records, or tables of games, rounds, turns and events.")
    ] = "ndjson",
    json: Json = False,
) -> int:
    """Let bots play games without a database; `audit` and `replay` read what comes out.

    The same arguments give the same bytes on any number of processes, and any game of a run can
    be played alone with --only.

    A run to --out that was broken off goes on where it was when the same command is given again;
    without --seed, by the seed that it has. A file bears its name only once it is whole; before,
    it is FILE.part. A folder's run.json says whether it is whole. A file that is there already, or
    another run's folder, is refused. See docs/reference/tables.md for the tables, which `query`
    reads; they need pyarrow: pip install 'phaseledger[analysis]'.

    With --out and --json, on standard output: {seed, wins: [per seat], games, decisions, events,
    rounds, stopped: [{index, game, reason}]}.

    With --tournament no games are written, but how the bots did: they play the same cards in all
    their orders, or where these are more than 24 in some of them, in which each sits in every seat
    and next to each other as often as in all. The order of --bots changes nothing, they share the
    seats evenly, and --games is rounded up to whole deals. Win rates are those of one seat, with a
    95 % interval over deals. With --json: {seed, ruleset, line_up, deals, seatings, design:
    all_orders | balanced_neighbours, orders, games, decisions, bots: [{bot, seats, win_rate, low,
    high, points, adjusted}], stopped: [{index, game, bots, reason}], measured: {bot: milliseconds a
    decision}}; only `measured` differs from run to run.

    With --luck-adjusted there is a second win rate for each bot, less a part of its luck in cards
    and dice: right in the mean as the first, and mostly nearer. `adjusted` is {win_rate, low, high,
    times}; `times` is how many times as many games the first needs for an interval as narrow. It is
    null for one bot alone. House rules take some seconds more, in which each process fits a value
    model.

    For example: phaseledger simulate --games 100 --seed cup --out games.ndjson

    Or: phaseledger simulate --games 100000 --seed cup --format parquet --out cup

    Or: phaseledger simulate --seed cup --only 37 --bots greedy,random --option variant=ten_rounds

    Or: phaseledger simulate --tournament --bots expert,greedy,greedy,greedy --games 2000
    """
    if tournament:
        _refuse_with_tournament(only, out, format)
    elif luck_adjusted:
        raise UsageError("--luck-adjusted needs --tournament.")
    elif out is None and (format == "parquet" or json):
        needs = "--format parquet needs --out" if format == "parquet" else "--json needs --out"
        raise UsageError(f"{needs}: standard output holds the games, as NDJSON.")
    _count_from_1(games, max_decisions, only, jobs)
    seed = _seed(seed, out, format)
    plan = SimulationPlan(
        seed=seed,
        ruleset=ruleset,
        players=players,
        bots=_bots(bots),
        options=dict(map(house_rule, option)),
        cap=max_decisions,
    )
    _require_playable(plan)
    workers = workers_of(jobs, cluster)
    if tournament:
        return _tournament(plan, games, workers, with_luck=luck_adjusted, json=json)
    if format == "parquet":
        require_pyarrow()
    run = Run(plan=plan, games=games, only=only, format=format)
    if jobs is None:
        workers = workers.for_units(1 + len(run.indices) // _WORTH_IT)
    tally = play_run(run, out, workers)
    if json:
        print_json(tally)
    elif out is not None:
        tell(f"Games: {tally.games:,}, decisions: {tally.decisions:,}, events: {tally.events:,}.")
        if format == "parquet":
            size = sum(path.stat().st_size for path in (out / "events").iterdir())
            tell(f"Parquet: {size / tally.events:.2f} bytes a row of events.")
    return FINDINGS if tally.stopped else SOUND


def _refuse_with_tournament(only: int | None, out: Path | None, form: Format) -> None:
    if only is not None or out is not None or form != "ndjson":
        raise UsageError(
            "--tournament writes no games: --only, --out and --format do not go with it."
        )


def _count_from_1(*numbers: int | None) -> None:
    if any(number is not None and number < 1 for number in numbers):
        raise UsageError("--games, --only, --jobs and --max-decisions count from 1.")


def _seed(text: str, out: Path | None, form: Format) -> str:
    """The seed given, else the seed of the run to go on with, else a fresh one, named on stderr."""
    try:
        text.encode()
    except UnicodeEncodeError:
        raise UsageError("--seed is not UTF-8 text.") from None
    if text:
        return text
    journal = existing_journal(out, form) if out else None
    seed = journal.run.plan.seed if journal else os.urandom(8).hex()
    tell(f"--seed {seed}")
    return seed


def _tournament(
    plan: SimulationPlan, games: int, workers: Workers, *, with_luck: bool, json: bool
) -> int:
    try:
        deals = -(-games // len(plan_seatings(plan).seatings))
    except ValueError as error:
        raise UsageError(f"--tournament: {error}") from None
    results = []
    with (
        play_tournament(plan, deals, workers, with_luck=with_luck) as deal_results,
        progress("playing deals", deals) as advance,
    ):
        for deal in deal_results:
            results.append(deal)
            advance(1)
    result = standings(plan, results)
    for game in result.stopped:
        bots = ",".join(game.bots)
        tell(f"game {game.index} of --seed {plan.seed} --bots {bots} ({game.game}): {game.reason}")
    if with_luck and not any(standing.adjusted for standing in result.bots):
        tell("No share less luck: one bot alone, or no deal that was played out.")
    answer(result, _standings_lines(result), json=json)
    if not json:
        timings = ", ".join(f"{bot} {time:.3f} ms" for bot, time in result.measured.items())
        tell(f"Measured, a decision: {timings}.")
    return FINDINGS if result.stopped else SOUND


def _standings_lines(result: Standings) -> Iterator[str]:
    design = {
        "all_orders": "all orders of the bots",
        "balanced_neighbours": f"of {result.orders} orders, with balanced neighbours",
    }[result.design]
    yield (
        f"{result.deals:,} deals in {result.seatings} seatings ({design}): {result.games:,} games, "
        f"{len(result.stopped):,} stopped. By chance a seat wins {1 / len(result.line_up):.1%}."
    )
    width = max(3, *(len(standing.bot) for standing in result.bots))
    head = f"{'bot':{width}}  seats  wins a seat  95 % interval     points"
    if any(standing.adjusted for standing in result.bots):
        head += "    less luck  95 % interval     as good as"
    yield head
    for standing in result.bots:
        points = "-" if standing.points is None else f"{standing.points:.1f}"
        row = f"{standing.bot:{width}}  {standing.seats:5}  {_share(standing)}  {points:>6}"
        if standing.adjusted:
            times = standing.adjusted.times
            games = f"{round(times * result.games):,} games" if times else "-"
            row += f"  {_share(standing.adjusted)}  {games}"
        yield row


def _share(rate: BotStanding | LuckAdjusted) -> str:
    """A share and its interval, in columns."""
    interval = f"{_percent(rate.low)} .. {_percent(rate.high)}"
    return f"{_percent(rate.win_rate):>11}  {interval:16}"


def _percent(rate: float | None) -> str:
    return "-" if rate is None else f"{rate:.1%}"


def _require_playable(plan: SimulationPlan) -> None:
    """Refuse a game that the rules refuse, here and not in another process; raises UsageError."""
    try:
        play(structs.replace(plan, cap=1), 1)
    except Rejected as refusal:
        if find_game(plan.ruleset) is None:
            message = f"There is no rule set {plan.ruleset!r}; there are {', '.join(GAMES)}."
            raise UsageError(message) from None
        detail = f": {refusal.detail}" if refusal.detail else ""
        raise UsageError(f"The rules refuse such a game: {refusal.code}{detail}.") from None


def _bots(text: str) -> tuple[str, ...]:
    names = tuple(text.split(","))
    unknown = [name for name in names if name not in BOTS]
    if unknown:
        raise UsageError(f"There is no bot {unknown[0]!r}; there are {', '.join(BOTS)}.")
    return names
