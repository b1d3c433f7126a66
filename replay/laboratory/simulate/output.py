"""The outputs of a run: a stream, a file of NDJSON, or a folder of Parquet files."""

import fcntl
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from time import monotonic
from typing import Protocol

from msgspec import Struct, structs

from phaseledger.replay.batch.results import SAVE_EVERY, writing
from phaseledger.replay.formats import files
from phaseledger.replay.laboratory.columns import parquet
from phaseledger.replay.laboratory.columns.schema import TABLES, TableName
from phaseledger.replay.laboratory.simulate import journal as journals
from phaseledger.replay.laboratory.simulate.game import GameOutcome, RunTally
from phaseledger.replay.laboratory.simulate.journal import Format, Journal, Run
from phaseledger.replay.terminal import UsageError, is_stdout, output

JOURNAL = "run.json"
"""The journal of a folder; a file F has ``F.part.json``."""

_PART_ROWS = 1 << 18
"""Events after which a Parquet file is closed. Only the games decide where, so the files are the
same after any interruption, and on any number of processes.
"""


class SimulatedGame(Struct, frozen=True):
    """A game encoded for the output: its NDJSON, or its Parquet columns."""

    outcome: GameOutcome
    lines: bytes = b""
    columns: dict[TableName, bytes] = {}


class Sink(Protocol):
    """An output that takes a run's games in order; ``journal`` is what it has stored durably."""

    journal: Journal
    keeps: bool
    """Whether an interrupted run can be resumed from it."""

    def add(self, game: SimulatedGame) -> None:
        """Write the next game; raises OSError."""


@contextmanager
def open_output(run: Run, out: Path | None) -> Iterator[Sink]:
    """The output of the run, open for the games that it lacks.

    Raises:
        UsageError: it holds something else, or another run is writing to it.
        UnwritableError: it cannot be written.

    """
    if out is None or (run.format == "ndjson" and is_stdout(out)):
        with _stream(run, None) as sink:
            yield sink
        return
    with writing(out):
        if run.format == "parquet":
            sink_context = _folder(run, out)
        elif file := _destination(out):
            sink_context = _file(run, file)
        else:
            sink_context = _stream(run, out)
        with sink_context as sink:
            yield sink


def existing_journal(out: Path, form: Format) -> Journal | None:
    """The journal of the run with this output, or None; raises as `open_output`."""
    with writing(out):
        if form == "parquet":
            return journals.load(out / JOURNAL)
        file = None if is_stdout(out) else _destination(out)
        return journals.load(_part_and_journal(file)[1]) if file else None


def _destination(out: Path) -> Path | None:
    """The file that the games go to in the end; None for a stream.

    Raises:
        UsageError: it is there already, or is a folder.
        OSError: it cannot be created.

    """
    if out.is_dir():
        raise UsageError(f"{out}: is a folder. Give the name of a file, or --format parquet.")
    file = files.destination(out)
    if file:
        _require_absent(file)
    return file


def _require_absent(file: Path) -> None:
    """Refuse to replace a file, which may be a complete run of many hours; raises UsageError.

    It may be the very run, but its journal, which would prove it, is gone.
    """
    if file.exists():
        raise UsageError(
            f"{file}: is there already, and no run replaces it. Give another --out, or remove it."
        )


def _part_and_journal(out: Path) -> tuple[Path, Path]:
    """The paths of a file's part, which has the games until it is complete, and of its journal."""
    return out.with_name(f"{out.name}.part"), out.with_name(f"{out.name}.part.json")


# --- a stream -------------------------------------------------------------------------------------


class _Stream:
    keeps = False

    def __init__(self, run: Run, write: Callable[[bytes], object]) -> None:
        self.journal = Journal(run=run, tally=RunTally(seed=run.plan.seed))
        self._write = write

    def add(self, game: SimulatedGame) -> None:
        self._write(game.lines)
        self.journal.tally.add(game.outcome)


@contextmanager
def _stream(run: Run, out: Path | None) -> Iterator[Sink]:
    with output(out) as file:
        yield _Stream(run, file.write)


# --- a file ---------------------------------------------------------------------------------------


class _File:
    keeps = True

    def __init__(self, handle: int, path: Path, journal: Journal) -> None:
        self.journal = journal
        self._handle, self._path = handle, path
        self._saved_at = monotonic()

    def add(self, game: SimulatedGame) -> None:
        remaining = memoryview(game.lines)
        while remaining:
            remaining = remaining[os.write(self._handle, remaining) :]
        tally = _copy(self.journal.tally)
        tally.add(game.outcome)
        size = self.journal.size + len(game.lines)
        # One assignment: an interrupt finds a game in both or in neither.
        self.journal = structs.replace(self.journal, size=size, tally=tally)
        if monotonic() - self._saved_at > SAVE_EVERY:
            self.keep()

    def keep(self) -> None:
        """Sync the games to disk, and record them in the journal. What it lacks is cut off."""
        os.ftruncate(self._handle, self.journal.size)
        os.fsync(self._handle)
        journals.keep(self._path, self.journal)
        self._saved_at = monotonic()


@contextmanager
def _file(run: Run, out: Path) -> Iterator[Sink]:
    """A sink into ``out.part``, which becomes ``out`` once the run is complete."""
    part, journal_path = _part_and_journal(out)
    handle = os.open(part, os.O_RDWR | os.O_CREAT, 0o666)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        if not part.exists() or not os.path.samestat(os.fstat(handle), part.stat()):
            raise BlockingIOError  # its writer has just brought it to its end
        journal = journals.load(journal_path)
        if journal:
            journals.require_same(part, journal.run, run)
            if os.fstat(handle).st_size < journal.size:
                raise UsageError(
                    f"{part}: is shorter than {journal_path} says. Remove both to start anew."
                )
        journal = journal or Journal(run=run, tally=RunTally(seed=run.plan.seed))
        os.ftruncate(handle, journal.size)
        os.lseek(handle, journal.size, os.SEEK_SET)
        sink = _File(handle, journal_path, journal)
        try:
            sink.keep()
            yield sink
            _require_absent(out)  # it may have appeared in the meantime
        except BaseException:
            with suppress(OSError):
                _save_or_remove(sink, part, journal_path)
            raise
        os.fsync(handle)
        journal_path.unlink()  # first: with a journal, an empty part would be taken for damaged
        part.replace(out)
        files.sync(out.parent)
    finally:
        os.close(handle)


def _save_or_remove(sink: _File, *files: Path) -> None:
    """Save the games so far; without any, remove the files."""
    if sink.journal.tally.games:
        sink.keep()
    else:
        for file in files:
            file.unlink()


# --- a folder -------------------------------------------------------------------------------------


class _Folder:
    keeps = True

    def __init__(self, out: Path, journal: Journal, tally: RunTally) -> None:
        self.journal = journal
        self._out, self._tally = out, tally
        self._pending: list[dict[TableName, bytes]] = []
        self._rows = 0
        self._first = 0

    def add(self, game: SimulatedGame) -> None:
        self._first = self._first or game.outcome.index
        self._pending.append(game.columns)
        self._rows += game.outcome.events
        self._tally.add(game.outcome)
        indices = self.journal.run.indices
        if self._rows >= _PART_ROWS or game.outcome.index == indices[-1]:
            self._close(game.outcome.index)

    def _close(self, last: int) -> None:
        name = parquet.part_name(self._first, last)
        for table in TABLES:
            folder = self._out / table
            part = folder / f".{name}.part"
            parquet.write(part, table, (columns[table] for columns in self._pending))
            part.replace(folder / name)
            files.sync(folder)
        self.journal.parts.append((self._first, last))
        self.journal.tally = _copy(self._tally)
        journals.keep(self._out / JOURNAL, self.journal)
        self._pending, self._rows, self._first = [], 0, 0


def _copy(tally: RunTally) -> RunTally:
    return RunTally(
        seed=tally.seed,
        wins=tally.wins[:],
        games=tally.games,
        decisions=tally.decisions,
        events=tally.events,
        rounds=tally.rounds,
        stopped=tally.stopped[:],
    )


@contextmanager
def _folder(run: Run, out: Path) -> Iterator[Sink]:
    """A sink into a folder for each table; the journal stays, to say if the run is complete."""
    if out.exists() and not out.is_dir():
        raise UsageError(f"{out}: is no folder, and --format parquet writes one.")
    out.mkdir(exist_ok=True)
    handle = os.open(out, os.O_RDONLY)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        journal = journals.load(out / JOURNAL)
        if journal:
            journals.require_same(out, journal.run, run)
        elif {path.name for path in out.iterdir()} - {f".{JOURNAL}.part"}:
            raise UsageError(f"{out}: holds something else than games. Give a folder of its own.")
        else:
            journal = Journal(run=run, tally=RunTally(seed=run.plan.seed))
            journals.keep(out / JOURNAL, journal)
        _require_parts(out, {parquet.part_name(*part) for part in journal.parts})
        yield _Folder(out, journal, _copy(journal.tally))
    finally:
        os.close(handle)


def _require_parts(out: Path, names: set[str]) -> None:
    """Check that the Parquet files in the journal are there; raises UsageError.

    Other files of an interrupted run have names that are used again, and are overwritten.
    """
    for table in TABLES:
        folder = out / table
        folder.mkdir(exist_ok=True)
        if missing := names - {path.name for path in folder.iterdir()}:
            raise UsageError(f"{folder / min(missing)}: is gone. Remove {out} to start anew.")
