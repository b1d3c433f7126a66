"""Batches of games that workers count: handed over directly, or as parts."""

from collections import deque
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from itertools import count, islice
from pathlib import Path
from typing import NamedTuple

import msgspec

from phaseledger.replay.batch.parts import parts_folder, read_part_file, remove_part, write_part
from phaseledger.replay.batch.pool import Workers, in_order
from phaseledger.replay.laboratory.report.counts import StudiedGame
from phaseledger.replay.laboratory.report.games import Raw, study

_GAMES = 4

LoggedGame = tuple[str, Raw]
"""A game's id and its events."""


class GameBatch(NamedTuple):
    """Some finished games, here or in a part: NDJSON, a game a line."""

    games: tuple[LoggedGame, ...] = ()
    part: tuple[Path, str] | None = None
    """The folder and name of the part."""

    def read(self) -> tuple[LoggedGame, ...]:
        """The games; raises UsageError where their part cannot be seen."""
        if self.part is None:
            return self.games
        return tuple(map(_decode_game, read_part_file(*self.part).splitlines()))


BatchResult = list[StudiedGame | str]
"""The counts of each game of a batch, or a sentence on why it has none."""

_decode_game = msgspec.json.Decoder(LoggedGame).decode


@contextmanager
def studied(games: Iterable[LoggedGame], workers: Workers) -> Iterator[Iterator[BatchResult]]:
    """The counts of the games, batch by batch.

    Raises as `in_order`, and as `parts_folder` in a cluster.
    """
    batches = _batches(games)
    if not workers.cluster:
        with in_order(study_batch, batches, workers) as results:
            yield results
        return
    names = deque[str]()
    with (
        parts_folder() as folder,
        in_order(study_batch, _in_parts(batches, folder, names), workers) as results,
    ):
        yield _removing_parts(results, folder, names)


def study_batch(batch: GameBatch) -> BatchResult:
    """The counts of each game of a batch, or a sentence on why it has none."""
    return [study(game, raw) for game, raw in batch.read()]


def _batches(games: Iterable[LoggedGame]) -> Iterator[GameBatch]:
    remaining = iter(games)
    while batch := tuple(islice(remaining, _GAMES)):
        yield GameBatch(batch)


def _in_parts(batches: Iterable[GameBatch], folder: Path, names: deque[str]) -> Iterator[GameBatch]:
    """The batches in parts, whose names are added: a game's id may be no name of a file."""
    for batch, number in zip(batches, count(1)):
        name = str(number)
        write_part(folder, name, (msgspec.json.encode(game) + b"\n" for game in batch.games))
        names.append(name)
        yield GameBatch(part=(folder, name))


def _removing_parts(
    results: Iterator[BatchResult], folder: Path, names: deque[str]
) -> Iterator[BatchResult]:
    for result in results:
        remove_part(folder, names.popleft())
        yield result
