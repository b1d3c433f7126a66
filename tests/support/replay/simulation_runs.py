"""Short runs of many games, for the tests of what is made of them."""

from pathlib import Path

from msgspec import structs

from phaseledger.replay.batch.pool import Workers
from phaseledger.replay.laboratory.simulate.game import SimulationPlan
from phaseledger.replay.laboratory.simulate.journal import Format, Run
from phaseledger.replay.laboratory.simulate.run import play_run

FORMATS: tuple[Format, ...] = ("ndjson", "parquet")

SHORT = SimulationPlan(
    "cup", players=3, bots=("greedy", "random"), options={"variant": "n_phases(1)"}
)
PLANS = {
    "classic": SHORT,
    "standard-deck": structs.replace(SHORT, ruleset="standard-deck", options={}),
    "express": structs.replace(SHORT, ruleset="express"),
    "board": structs.replace(SHORT, ruleset="board", bots=("greedy",), options={}),
}
"""A short game of each rule set."""


def run_of(games: int, form: Format = "ndjson", plan: SimulationPlan = SHORT) -> Run:
    return Run(plan, games, format=form)


def content(out: Path) -> dict[str, bytes]:
    """The files of an output, hidden ones included, by their names in it."""
    files = [out] if out.is_file() else [path for path in out.rglob("*") if path.is_file()]
    return {path.relative_to(out).as_posix(): path.read_bytes() for path in files}


def played(folder: Path, asked: Run, jobs: int = 1) -> dict[str, bytes]:
    folder.mkdir()
    play_run(asked, folder / "out", Workers(jobs))
    return content(folder)
