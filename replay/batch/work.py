"""Many games over all cores, part by part: of the store as of one moment, or of files.

How the work is cut depends on the games alone, and results come in the order of the parts, so
that they are the same for any number of processes. No more than a few parts are in hand.
"""

import os
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from functools import partial
from pathlib import Path
from typing import NamedTuple, TypeVar
from uuid import UUID

from phaseledger.replay.batch import inputs
from phaseledger.replay.batch.inputs import StoreOptions
from phaseledger.replay.batch.pool import in_order
from phaseledger.replay.records.findings import SourceRow
from phaseledger.replay.records.partitions import number_of
from phaseledger.replay.records.source import (
    DamagedSource,
    LogPart,
    parts_of_store,
    read_file,
    read_part,
    read_store,
)
from phaseledger.replay.terminal import UsageError, progress

EVENTS, GAMES = 20_000, 500
"""Of a store, the events that make a part, and the most games in it."""

SUFFIXES = (".ndjson", ".jsonl")
"""How the names of game files in a folder end."""

R = TypeVar("R")


class WorkUnit(NamedTuple):
    """A part of all the games: a file, a game of a store, or some games of it at one moment."""

    file: str = ""
    game: tuple[str, str, str] | None = None
    """(DSN, schema, id)."""
    part: LogPart | None = None
    size: int = 0
    """Bytes of the file; of a store, events."""

    def rows(self) -> Iterator[SourceRow]:
        """Its rows; raises what `read_file` and `read_store` raise."""
        if self.part:
            return read_part(self.part)
        if self.game:
            dsn, schema, game = self.game
            return read_store(dsn, game, schema=schema)
        return read_file(self.file)


def files_in(folder: str) -> list[str]:
    """The game files in a folder and below it, by name; anything else is taken for a file.

    A folder inside that cannot be read is among them, for who reads it to find that.

    Raises:
        Damaged: there is no game file.

    """
    if "\0" in folder or not Path(folder).is_dir():
        return [folder]
    made: list[str] = []
    unreadable: list[OSError] = []
    for where, folders, names in os.walk(folder, onerror=unreadable.append):
        folders.sort()
        made += [str(Path(where, name)) for name in sorted(names) if name.endswith(SUFFIXES)]
    made += [str(error.filename) for error in unreadable]
    if not made:
        ends = " or ".join(SUFFIXES)
        raise DamagedSource(f"{folder}: the folder has no file whose name ends in {ends}.")
    return made


@contextmanager
def run_on_all(
    task: Callable[[WorkUnit], R],
    targets: tuple[str, ...],
    store: StoreOptions,
    jobs: int,
    label: str,
) -> Iterator[Iterator[R]]:
    """What the task answers for each part of the targets (without any: of the whole store).

    Raises:
        UsageError: a target, or ``jobs``, makes no sense.
        SourceError: there is no such store, or a folder has no game.

    """
    if jobs < 1:
        raise UsageError("--jobs counts from 1.")
    with ExitStack() as stack:
        works: Iterator[WorkUnit]
        if targets:
            named = _named(targets, store, stack)
            total, works, jobs = (
                sum(work.size for work in named),
                iter(named),
                min(jobs, len(named)),
            )
        else:
            logs = [
                stack.enter_context(parts_of_store(dsn, schema, EVENTS, GAMES))
                for dsn, schema in stack.enter_context(inputs.logs(store))
            ]
            total = sum(events for events, _ in logs)
            works = (WorkUnit(part=part, size=size) for _, parts in logs for part, size in parts)
        results = stack.enter_context(in_order(partial(_sized, task), works, jobs))
        in_bytes = any(not inputs.game_id(target) for target in targets)
        advance = stack.enter_context(progress(label, total or None, in_bytes=in_bytes))
        yield _advancing(results, advance)


def _named(targets: tuple[str, ...], store: StoreOptions, stack: ExitStack) -> list[WorkUnit]:
    works = []
    opened: dict[int, tuple[str, str]] = {}
    for target in targets:
        if target == "-":
            raise UsageError("Standard input is read by one process; write it to a file first.")
        if game := inputs.game_id(target):
            number = number_of(UUID(game))
            if number not in opened:
                (opened[number],) = stack.enter_context(inputs.logs(store, game))
            works.append(WorkUnit(game=(*opened[number], game), size=1))
        else:
            files = files_in(inputs.named_file(target))
            works += [WorkUnit(file=file, size=inputs.size_of(file) or 0) for file in files]
    return works


def _sized(task: Callable[[WorkUnit], R], work: WorkUnit) -> tuple[int, R]:
    return work.size, task(work)


def _advancing(results: Iterator[tuple[int, R]], advance: Callable[[int], None]) -> Iterator[R]:
    for size, result in results:
        yield result
        advance(size)
