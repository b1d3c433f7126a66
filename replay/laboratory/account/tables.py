"""Analyses as rows of tables, and a folder of Parquet files with them."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from shutil import rmtree

from phaseledger.replay.batch.results import writing
from phaseledger.replay.formats import files
from phaseledger.replay.laboratory.account.analysis import Analysis
from phaseledger.replay.laboratory.account.text import move_words
from phaseledger.replay.laboratory.columns import parquet
from phaseledger.replay.laboratory.columns.schema import (
    ANALYSIS_TABLES,
    AnalysisTables,
    DecisionRow,
    LuckRow,
    PlayerRow,
    TableName,
)
from phaseledger.replay.terminal import UsageError

_PART_ROWS = 1 << 18
"""Rows of decisions and luck after which the files are closed, and others begun."""


def analysis_tables(number: int, analysis: Analysis) -> AnalysisTables:
    """The table rows of one game, with ``number`` as its id there."""
    seats = range(len(analysis.players))
    return AnalysisTables(
        players=[
            PlayerRow(
                game=number,
                id=analysis.game,
                ruleset=analysis.ruleset.partition("@")[0],
                seats=len(seats),
                worlds=analysis.worlds,
                seed=analysis.seed,
                test=analysis.test,
                **{name: getattr(player, name) for name in player.__struct_fields__},
            )
            for player in analysis.players
        ],
        decisions=[
            DecisionRow(
                game=number,
                seq=decision.seq,
                round=decision.round,
                turn=decision.turn,
                seat=decision.seat,
                kind=str(decision.candidates[decision.played].command.__struct_config__.tag),
                played=move_words(decision.candidates[decision.played].command, "en"),
                best=move_words(decision.best.command, "en"),
                candidates=len(decision.candidates),
                equity=decision.best.equity,
                cost=decision.cost,
                estimate=decision.estimate,
                error=decision.error,
            )
            for decision in analysis.decisions
        ],
        luck=[
            LuckRow(
                game=number,
                seq=luck.seq,
                round=luck.round,
                turn=luck.turn,
                drawer=luck.seat if luck.kind == "draw" else None,
                card=luck.card or None,
                odds=luck.odds or None,
                seat=seat,
                change=luck.change[seat],
            )
            for luck in analysis.luck
            for seat in seats
        ],
    )


class AnalysisFolder:
    """Analyses on their way into a folder for each table, which is ``out`` once it is complete."""

    def __init__(self, out: Path, part: Path) -> None:
        self.games = 0
        self._out, self._part = out, part
        self._pending: list[dict[TableName, bytes]] = []
        self._rows = 0

    def add(self, analysis: Analysis) -> None:
        """Add the rows of the next game; raises UnwritableError."""
        self.games += 1
        rows = analysis_tables(self.games, analysis)
        self._pending.append(parquet.packed_columns(rows))
        self._rows += len(rows.decisions) + len(rows.luck)
        if self._rows >= _PART_ROWS:
            self._write_files()

    def complete(self) -> None:
        """Write what is left, and give the folder its name, if it has a game."""
        if self._pending:
            self._write_files()
        if self.games:
            with writing(self._out):
                self._part.replace(self._out)
                files.sync(self._out.parent)

    def _write_files(self) -> None:
        first = self.games - len(self._pending) + 1
        with writing(self._out):
            for table in ANALYSIS_TABLES:
                path = self._part / table / parquet.part_name(first, self.games)
                path.parent.mkdir(exist_ok=True)
                parquet.write(path, table, (columns[table] for columns in self._pending))
                files.sync(path.parent)
        self._pending, self._rows = [], 0


@contextmanager
def open_tables(out: Path) -> Iterator[AnalysisFolder]:
    """A folder of tables, which is at ``out`` after the block, and not before.

    Raises:
        UsageError: something is there already, or pyarrow is not installed.
        UnwritableError: it cannot be written.

    """
    parquet.require()
    out = out.absolute()
    with writing(out):
        if out.exists() and (not out.is_dir() or any(out.iterdir())):
            raise UsageError(f"{out}: is there already. Give a folder that is not, or is empty.")
        part = out.with_name(f"{out.name}.part")
        try:
            part.mkdir()
        except FileExistsError:
            raise UsageError(
                f"{part}: is there already: another run is writing, or one was killed. Remove it."
            ) from None
    try:
        folder = AnalysisFolder(out, part)
        yield folder
        folder.complete()
    finally:
        rmtree(part, ignore_errors=True)
