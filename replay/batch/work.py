"""Work units of many games, mapped over all cores: parts of a store in one snapshot, or files.

The division of the work depends on the games alone, and results come in the order of the units, so
that they are the same for any number of processes. Only a few units are in memory at a time.
"""

import os
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from hashlib import sha256
from operator import attrgetter
from pathlib import Path
from typing import NamedTuple, TypeVar

import msgspec

from phaseledger.replay.batch import inputs
from phaseledger.replay.batch.cluster import LOCAL
from phaseledger.replay.batch.inputs import StoreOptions
from phaseledger.replay.batch.pool import Workers
from phaseledger.replay.batch.results import (
    PartIdentity,
    ResultsFile,
    digest_of_file,
    is_read_again,
    resumed_in_order,
)
from phaseledger.replay.formats.files import file_key
from phaseledger.replay.formats.records.findings import SourceRow
from phaseledger.replay.formats.records.source import (
    DamagedSource,
    LogPart,
    parts_of_store,
    read_file,
    read_part,
    read_store,
)
from phaseledger.replay.formats.sealing import NO_SEALING, SealingKeys
from phaseledger.replay.terminal import UsageError, progress

EVENTS, GAMES = 20_000, 500
"""The number of events that completes a part of a store, and the most games in one."""

SUFFIXES = (".ndjson", ".jsonl")
"""The suffixes of game files in a folder."""

R = TypeVar("R")


class WorkUnit(NamedTuple):
    """A work unit: a file, a game of a store, or some games of a store in one snapshot."""

    file: str = ""
    game: tuple[str, str, str] | None = None
    """(DSN, schema, id)."""
    sealing: SealingKeys = NO_SEALING
    """The keys that sealed the hidden parts of the game."""
    part: LogPart | None = None
    size: int = 0
    """Bytes of a file; events of a store."""

    def rows(self) -> Iterator[SourceRow]:
        """The unit's rows; raises as `read_file` and `read_store`."""
        if self.part:
            return read_part(self.part)
        if self.game:
            dsn, schema, game = self.game
            return read_store(dsn, game, schema=schema, sealing=self.sealing)
        return read_file(self.file)

    @property
    def name(self) -> str:
        """The unit's name in a file of results; empty where it is done every time: the log as a
        whole, and inputs that can be read only once.
        """
        if self.part:
            return self.part.games[-1] if self.part.games else ""
        if self.game:
            return self.game[-1]
        return self.file if is_read_again(self.file) else ""

    def digest(self) -> str:
        """The digest of everything that the unit reads; of a store, raises as `read_store`."""
        if self.file:
            return digest_of_file(self.file)
        digest = sha256()
        for row in self.rows():
            digest.update(msgspec.msgpack.encode(row))
        return digest.hexdigest()


_IDENTITY = PartIdentity[WorkUnit](attrgetter("name"), WorkUnit.digest)


def files_in(folder: str, results: Path | None = None) -> list[str]:
    """The game files in a folder and below it, by name; a target that is no folder is one file.

    A folder inside that cannot be read is among them: reading it reports the error. The file of
    ``results`` is left out under any name.

    Raises:
        DamagedSource: there is no game file.

    """
    if "\0" in folder or not Path(folder).is_dir():
        return [folder]
    paths: list[str] = []
    own = results and file_key(results)
    unreadable: list[OSError] = []
    for parent, folders, names in os.walk(folder, onerror=unreadable.append):
        folders.sort()
        files = (Path(parent, name) for name in sorted(names) if name.endswith(SUFFIXES))
        paths += [str(file) for file in files if not own or file_key(file) != own]
    paths += [str(error.filename) for error in unreadable]
    if not paths:
        ends = " or ".join(SUFFIXES)
        raise DamagedSource(
            f"{folder}: the folder has no file whose name ends in {ends}; tables of Parquet are "
            "for `phaseledger query` alone."
        )
    return paths


@contextmanager
def run_on_all(
    task: Callable[[WorkUnit], R],
    targets: tuple[str, ...],
    store: StoreOptions,
    workers: Workers,
    label: str,
    *,
    with_logs: bool = False,
    kept: ResultsFile[R] | None = None,
) -> Iterator[Iterator[R]]:
    """The task's result for each work unit of the targets (without any: of the whole store).

    ``with_logs`` adds a unit without games for each log of the store. Kept results replace those of
    units that are the same.

    Raises:
        UsageError: a target is invalid, or the workers cannot do the work.
        SourceError: there is no such store, or a folder has no game.

    """
    if not targets or any(map(inputs.game_id, targets)):
        _require_reachable(store, workers)
    with ExitStack() as stack:
        works: Iterator[WorkUnit]
        if targets:
            units = _target_units(targets, store, stack, kept.path if kept else None)
            total, works = sum(work.size for work in units), iter(units)
            workers = workers.for_units(len(units))
        else:
            sealing = inputs.sealing_of(store)
            dsn = stack.enter_context(inputs.dsn_of(store))
            earlier = kept.parts if kept else ()
            total, parts = stack.enter_context(
                parts_of_store(dsn, store.schema, EVENTS, GAMES, sealing, earlier)
            )
            works = (
                WorkUnit(part=part, size=size) for part, size in parts if part.games or with_logs
            )
        sizes = deque[int]()
        works = _noting_sizes(works, sizes)
        results = stack.enter_context(resumed_in_order(task, works, workers, kept, _IDENTITY))
        in_bytes = any(not inputs.game_id(target) for target in targets)
        advance = stack.enter_context(progress(label, total or None, in_bytes=in_bytes))
        yield _with_progress(results, sizes, advance)


def _require_reachable(store: StoreOptions, workers: Workers) -> None:
    """Require that the workers can read the store themselves; raises UsageError."""
    if workers.cluster in ("", LOCAL) or store.database_url:
        return
    raise UsageError(
        "The workers of a cluster read the store themselves, and the embedded one can only be read "
        "on this machine: name one with --database-url, or export the games to a shared folder."
    )


def _target_units(
    targets: tuple[str, ...], store: StoreOptions, stack: ExitStack, results: Path | None
) -> list[WorkUnit]:
    units = list[WorkUnit]()
    dsn, sealing = "", NO_SEALING
    for target in targets:
        if target == "-":
            raise UsageError("Standard input is read by one process; write it to a file first.")
        if game := inputs.game_id(target):
            if not dsn:
                dsn, sealing = stack.enter_context(inputs.dsn_of(store)), inputs.sealing_of(store)
            units.append(WorkUnit(game=(dsn, store.schema, game), sealing=sealing, size=1))
        else:
            files = files_in(inputs.named_file(target), results)
            units += [WorkUnit(file=file, size=inputs.size_of(file) or 0) for file in files]
    inputs.require_distinct(unit.game[-1] if unit.game else unit.file for unit in units)
    return units


def _noting_sizes(works: Iterator[WorkUnit], sizes: deque[int]) -> Iterator[WorkUnit]:
    for work in works:
        sizes.append(work.size)
        yield work


def _with_progress(
    results: Iterator[R], sizes: deque[int], advance: Callable[[int], None]
) -> Iterator[R]:
    for result in results:
        yield result
        advance(sizes.popleft())
