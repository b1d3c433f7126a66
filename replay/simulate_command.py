"""The command `simulate`."""

import os
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from domain.bots import BOTS
from domain.commands import Rejected
from domain.rulesets import GAMES
from replay.inputs import Json
from replay.simulate import CAP, Plan, Played, Tally, play
from replay.terminal import FINDINGS, SOUND, UsageError, guarded, output, print_json, progress, tell


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
    option: Annotated[
        tuple[str, ...],
        Parameter(
            help="A house rule as name=value; may be repeated.", negative="", show_default=False
        ),
    ] = (),
    max_decisions: Annotated[
        int, Parameter(help="Break a game off after so many decisions, with exit code 1.")
    ] = CAP,
    out: Annotated[
        Path | None,
        Parameter(help="File to write, once it is complete. Default: standard output."),
    ] = None,
    json: Json = False,
) -> int:
    """Let bots play games without a database; `audit` and `replay` read what comes out.

    The same arguments give the same bytes, and any game of a run can be played alone with --only.

    With --out and --json, on standard output: {seed, wins: [per seat], games, decisions, events,
    rounds, stopped: [{index, game, reason}]}.

    For example: phaseledger simulate --games 100 --seed cup --out games.ndjson

    Or: phaseledger simulate --seed cup --only 37 --bots greedy,random --option variant=ten_rounds
    """
    if json and out is None:
        raise UsageError("--json needs --out: standard output holds the games.")
    if min(games, max_decisions, 1 if only is None else only) < 1:
        raise UsageError("--games, --only and --max-decisions count from 1.")
    try:
        seed.encode()
    except UnicodeEncodeError:
        raise UsageError("--seed is not UTF-8 text.") from None
    if not seed:
        seed = os.urandom(8).hex()
        tell(f"--seed {seed}")
    plan = Plan(seed, ruleset, players, _bots(bots), dict(map(_option, option)), max_decisions)
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


def _play(plan: Plan, index: int) -> Played:
    try:
        return play(plan, index)
    except Rejected as refusal:
        why = f": {refusal.detail}" if refusal.detail else ""
        raise UsageError(f"The rules refuse such a game: {refusal.code}{why}.") from None


def _bots(text: str) -> tuple[str, ...]:
    names = tuple(text.split(","))
    unknown = [name for name in names if name not in BOTS]
    if unknown:
        raise UsageError(f"There is no bot {unknown[0]!r}; there are {', '.join(BOTS)}.")
    return names


def _option(text: str) -> tuple[str, bool | int | str]:
    name, equals, value = text.partition("=")
    if not equals:
        raise UsageError(f"--option {text}: write name=value.")
    if value.isdecimal() and len(value) < 10:
        return name, int(value)
    return name, {"true": True, "false": False}.get(value, value)
