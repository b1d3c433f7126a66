"""Where the games of a run go: a stream, a file of NDJSON, or a folder of Parquet files."""

import fcntl
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from time import monotonic
from typing import Protocol

from msgspec import Struct

from phaseledger.replay.columns import parquet
from phaseledger.replay.columns.schema import TABLES, TableName
from phaseledger.replay.records import files as durable
from phaseledger.replay.simulate import journal as journals
from phaseledger.replay.simulate.game import GameOutcome, RunTally
from phaseledger.replay.simulate.journal import Format, Journal, Run
from phaseledger.replay.terminal import UnwritableError, UsageError, is_stdout, output

JOURNAL = "run.json"
"""The journal of a folder; that of a file F is ``F.part.json``."""

_KEPT_EVERY = 2.0
"""Seconds between two marks of how far a file of NDJSON is: what a kill may cost."""

_PART_ROWS = 1 << 18
"""Events after which a Parquet file is closed. Only the games decide where, so that any way of
playing them makes the same files."""


class SimulatedGame(Struct, frozen=True):
    """A game on its way to the output: its NDJSON, or its columns."""

    outcome: GameOutcome
    lines: bytes = b""
    columns: dict[TableName, bytes] = {}


class Sink(Protocol):
    """Takes the games of a run in order; ``journal`` tells what it holds for good."""

    journal: Journal
    keeps: bool
    """Whether the games are still there when the run is broken off."""

    def add(self, made: SimulatedGame) -> None:
        """Take one more game; raises OSError."""


@contextmanager
def open_output(run: Run, out: Path | None) -> Iterator[Sink]:
    """Where the run goes, open for what it has not yet.

    Raises:
        UsageError: the place holds something else, or is being written to.
        UnwritableError: it cannot be written.

    """
    if out is None or (run.format == "ndjson" and is_stdout(out)):
        with _stream(run, None) as sink:
            yield sink
        return
    with _guarded(out):
        if run.format == "parquet":
            where = _folder(run, out)
        elif file := _destination(out):
            where = _file(run, file)
        else:
            where = _stream(run, out)
        with where as sink:
            yield sink


@contextmanager
def _guarded(out: Path) -> Iterator[None]:
    try:
        yield
    except BlockingIOError:
        raise UsageError(f"{out}: another run is writing there.") from None
    except OSError as error:
        where = f": {error.filename}" if error.filename and error.filename != str(out) else ""
        why = f"{error.strerror or error}{where}"
        raise UnwritableError(f"{out}: cannot be written: {why}.") from None


def existing_journal(out: Path, form: Format) -> Journal | None:
    """The journal of a run of which this is the output; raises as `opened`."""
    with _guarded(out):
        if form == "parquet":
            return journals.load(out / JOURNAL)
        file = None if is_stdout(out) else _destination(out)
        return journals.load(_part(file)[1]) if file else None


def _destination(out: Path) -> Path | None:
    """The file that the games go to in the end; None where they are written out as they come.

    Raises:
        UsageError: it is there already, or is a folder.
        OSError: nothing can be there.

    """
    if out.is_dir():
        raise UsageError(f"{out}: is a folder. Give the name of a file, or --format parquet.")
    file = durable.destination(out)
    if file:
        _require_absent(file)
    return file


def _require_absent(file: Path) -> None:
    """Refuse to replace a file, which may be a whole run of many hours; raises UsageError.

    Whether it is the very run that is asked for cannot be told: its journal is gone.
    """
    if file.exists():
        raise UsageError(
            f"{file}: is there already, and no run replaces it. Give another --out, or remove it."
        )


def _part(out: Path) -> tuple[Path, Path]:
    """Where a file's games stand until it is whole, and the journal that belongs to them."""
    return out.with_name(f"{out.name}.part"), out.with_name(f"{out.name}.part.json")


# --- a stream -------------------------------------------------------------------------------------


class _Stream:
    keeps = False

    def __init__(self, run: Run, write: Callable[[bytes], object]) -> None:
        self.journal = Journal(run, RunTally(run.plan.seed))
        self._write = write

    def add(self, made: SimulatedGame) -> None:
        self._write(made.lines)
        self.journal.tally.add(made.outcome)


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
        self._kept_at = monotonic()

    def add(self, made: SimulatedGame) -> None:
        rest = memoryview(made.lines)
        while rest:
            rest = rest[os.write(self._handle, rest) :]
        self.journal.size += len(made.lines)
        self.journal.tally.add(made.outcome)
        if monotonic() - self._kept_at > _KEPT_EVERY:
            self.keep()

    def keep(self) -> None:
        """From now on the games so far are not played again."""
        os.fsync(self._handle)
        journals.keep(self._path, self.journal)
        self._kept_at = monotonic()


@contextmanager
def _file(run: Run, out: Path) -> Iterator[Sink]:
    """Unfinished games stand in ``out.part``, and ``out`` is there once it is whole."""
    part, kept = _part(out)
    handle = os.open(part, os.O_RDWR | os.O_CREAT, 0o666)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        if not part.exists() or not os.path.samestat(os.fstat(handle), part.stat()):
            raise BlockingIOError  # its writer has just brought it to its end
        journal = journals.load(kept)
        if journal:
            journals.require_same(part, journal.run, run)
            if os.fstat(handle).st_size < journal.size:
                raise UsageError(f"{part}: is shorter than {kept} says. Remove both to start anew.")
        journal = journal or Journal(run, RunTally(run.plan.seed))
        os.ftruncate(handle, journal.size)
        os.lseek(handle, journal.size, os.SEEK_SET)
        sink = _File(handle, kept, journal)
        try:
            sink.keep()
            yield sink
            _require_absent(out)  # it may have come meanwhile
        except BaseException:
            with suppress(OSError):
                _leave(sink, part, kept)
            raise
        os.fsync(handle)
        kept.unlink()  # first: with its journal, an empty part would be taken for a damaged one
        part.replace(out)
        durable.sync(out.parent)
    finally:
        os.close(handle)


def _leave(sink: _File, *files: Path) -> None:
    """Keep what there is, if there is anything."""
    if sink.journal.tally.games:
        sink.keep()
    else:
        for file in files:
            file.unlink()


# --- a folder -------------------------------------------------------------------------------------


def part_name(first: int, last: int) -> str:
    """The Parquet file of these games."""
    return f"{first:09}-{last:09}.parquet"


class _Folder:
    keeps = True

    def __init__(self, out: Path, journal: Journal, tally: RunTally) -> None:
        self.journal = journal
        self._out, self._tally = out, tally
        self._waiting: list[dict[TableName, bytes]] = []
        self._rows = 0
        self._first = 0

    def add(self, made: SimulatedGame) -> None:
        self._first = self._first or made.outcome.index
        self._waiting.append(made.columns)
        self._rows += made.outcome.events
        self._tally.add(made.outcome)
        indices = self.journal.run.indices
        if self._rows >= _PART_ROWS or made.outcome.index == indices[-1]:
            self._close(made.outcome.index)

    def _close(self, last: int) -> None:
        name = part_name(self._first, last)
        for table in TABLES:
            folder = self._out / table
            part = folder / f".{name}.part"
            parquet.write(part, table, (columns[table] for columns in self._waiting))
            part.replace(folder / name)
            durable.sync(folder)
        self.journal.parts.append((self._first, last))
        self.journal.tally = _copied(self._tally)
        journals.keep(self._out / JOURNAL, self.journal)
        self._waiting, self._rows, self._first = [], 0, 0


def _copied(tally: RunTally) -> RunTally:
    return RunTally(
        tally.seed, tally.wins[:], tally.games, tally.decisions, tally.events, tally.rounds,
        tally.stopped[:],
    )  # fmt: skip


@contextmanager
def _folder(run: Run, out: Path) -> Iterator[Sink]:
    """A folder for each table, and the journal, which stays: it says whether the run is whole."""
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
            journal = Journal(run, RunTally(run.plan.seed))
            journals.keep(out / JOURNAL, journal)
        _require_parts(out, {part_name(*part) for part in journal.parts})
        yield _Folder(out, journal, _copied(journal.tally))
    finally:
        os.close(handle)


def _require_parts(out: Path, whole: set[str]) -> None:
    """Refuse to go on without files that the journal tells of; raises UsageError.

    What a broken-off run left beside them has a name that it gets again, and is written anew.
    """
    for table in TABLES:
        folder = out / table
        folder.mkdir(exist_ok=True)
        if lost := whole - {path.name for path in folder.iterdir()}:
            raise UsageError(f"{folder / min(lost)}: is gone. Remove {out} to start anew.")
