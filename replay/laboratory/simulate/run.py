"""A run: many games on all cores, with an output from which an interrupted run is resumed."""

from collections.abc import Iterator
from contextlib import AbstractContextManager
from functools import partial
from pathlib import Path
from typing import assert_never

from phaseledger.replay.batch.pool import Workers, in_order
from phaseledger.replay.laboratory.columns import parquet
from phaseledger.replay.laboratory.columns.rows import by_topic, tables
from phaseledger.replay.laboratory.simulate.game import RunTally, SimulationPlan, outcome, play
from phaseledger.replay.laboratory.simulate.journal import Format, Run
from phaseledger.replay.laboratory.simulate.output import SimulatedGame, open_output
from phaseledger.replay.laboratory.simulate.parts import games_in_parts
from phaseledger.replay.terminal import progress, tell


def simulate_game(plan: SimulationPlan, form: Format, index: int) -> SimulatedGame:
    """Play one game of the run, and encode it for the output."""
    played = play(plan, index)
    match form:
        case "ndjson":
            return SimulatedGame(
                outcome(played), lines=b"".join(line + b"\n" for line in played.lines)
            )
        case "parquet":
            rows = tables(index, by_topic(played.lines))
            return SimulatedGame(outcome(played), columns=parquet.packed_columns(rows))
        case _:
            assert_never(form)


def _simulated(
    run: Run, indices: range, workers: Workers
) -> AbstractContextManager[Iterator[SimulatedGame]]:
    """The games of these indices, in order."""
    task = partial(simulate_game, run.plan, run.format)
    if workers.cluster:
        return games_in_parts(task, indices, workers)
    return in_order(task, indices, workers)


def play_run(run: Run, out: Path | None, workers: Workers) -> RunTally:
    """Play the games that the output lacks. On an interrupt, say how to resume.

    Raises:
        UsageError: the output holds something else, or is in use.
        UnwritableError: it cannot be written.
        WorkerLost: see `replay.batch.pool.in_order`.

    """
    with open_output(run, out) as sink:
        count = sink.journal.tally.games
        remaining = run.indices[count:]
        if count and remaining:
            tell(f"{out}: going on after {count:,} of {len(run.indices):,} games.")
        try:
            with (
                _simulated(run, remaining, workers.for_units(len(remaining))) as games,
                progress("playing", len(run.indices), done=count) as advance,
            ):
                for game in games:
                    sink.add(game)
                    if game.outcome.fault:
                        stopped = game.outcome
                        tell(
                            f"game {stopped.index} of --seed {run.plan.seed} ({stopped.game}): "
                            f"{stopped.fault}"
                        )
                    advance(1)
        except KeyboardInterrupt:
            saved = sink.journal.tally.games
            if sink.keeps and saved:
                tell(
                    f"{out}: {saved:,} of {len(run.indices):,} games are kept. To go on, give the "
                    f"same command with --seed {run.plan.seed}."
                )
            raise
        return sink.journal.tally
