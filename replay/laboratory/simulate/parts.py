"""Games that workers of a cluster play and hand over as parts: NDJSON, or Arrow record batches.

The end of a Parquet file depends on the events of all earlier games, so Parquet files are made from
the batches where they are put in order.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from itertools import accumulate, chain, pairwise
from pathlib import Path
from typing import NamedTuple

from phaseledger.replay.batch.parts import parts_folder, read_part_file, remove_part, write_part
from phaseledger.replay.batch.pool import Workers, in_order
from phaseledger.replay.laboratory.columns.schema import TABLES
from phaseledger.replay.laboratory.simulate.game import GameOutcome
from phaseledger.replay.laboratory.simulate.output import SimulatedGame

_MOST_GAMES = 8
"""Games of a part: a megabyte or two, and some tenths of a second of the quickest bots."""
_LEAST_PARTS = 64
"""Parts of a run, if it has as many games: enough for a few workers to share them evenly."""


class PlayedPart(NamedTuple):
    """A worker's answer: the name of its part, and of each game in it the outcome and the sizes of
    its pieces, in bytes.
    """

    name: str
    games: tuple[tuple[GameOutcome, tuple[int, ...]], ...]


@contextmanager
def games_in_parts(
    play: Callable[[int], SimulatedGame], indices: range, workers: Workers
) -> Iterator[Iterator[SimulatedGame]]:
    """The games of these indices, played by a cluster; raises as `in_order` and `parts_folder`."""
    size = max(1, min(_MOST_GAMES, len(indices) // _LEAST_PARTS))
    parts = [indices[first : first + size] for first in range(0, len(indices), size)]
    with (
        parts_folder() as folder,
        in_order(partial(play_part, play, folder), parts, workers) as played,
    ):
        yield chain.from_iterable(map(partial(_games, folder), played))


def play_part(play: Callable[[int], SimulatedGame], folder: Path, indices: range) -> PlayedPart:
    """Play the games, and write them into a part."""
    games = [play(index) for index in indices]
    name = f"{indices[0]}-{indices[-1]}"
    pieces = [_pieces(game) for game in games]
    write_part(folder, name, chain.from_iterable(pieces))
    outcomes = (game.outcome for game in games)
    sizes = (tuple(map(len, parted)) for parted in pieces)
    return PlayedPart(name, tuple(zip(outcomes, sizes, strict=True)))


def _pieces(game: SimulatedGame) -> Sequence[bytes]:
    return [game.columns[table] for table in TABLES] if game.columns else [game.lines]


def _games(folder: Path, part: PlayedPart) -> Iterator[SimulatedGame]:
    content = read_part_file(folder, part.name)
    remove_part(folder, part.name)
    sizes = chain.from_iterable(sizes for _, sizes in part.games)
    pieces = (content[start:end] for start, end in pairwise(accumulate(sizes, initial=0)))
    for outcome, sizes_of_game in part.games:
        own = [next(pieces) for _ in sizes_of_game]
        if len(own) == 1:
            yield SimulatedGame(outcome, lines=own[0])
        else:
            yield SimulatedGame(outcome, columns=dict(zip(TABLES, own, strict=True)))
