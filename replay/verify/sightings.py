"""Sightings of the log: checkpoints and inclusion proofs that somebody kept, in JSON lines.

A line is a checkpoint, ``{note}`` as in a bundle, or an inclusion proof as the API gives it.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import msgspec
from msgspec import Struct

from phaseledger.replay.bundle.lines import GameId, Inclusion, SignedCheckpoint
from phaseledger.replay.records.source import DamagedSource
from phaseledger.replay.signing import notes
from phaseledger.replay.signing.notes import BadNote, Checkpoint, Note

LONGEST_LINE = 1 << 17
MOST = 10_000
"""Lines of one file."""


class GameInclusion(Inclusion, Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """An inclusion proof of an event of a game."""

    game: GameId


class SeenCheckpoint(NamedTuple):
    """A checkpoint that somebody kept, with its file and line."""

    source: str
    line: int
    note: Note
    checkpoint: Checkpoint


class SeenInclusion(NamedTuple):
    """An inclusion proof that somebody kept, with its file and line."""

    source: str
    line: int
    proof: GameInclusion


Sighting = SeenCheckpoint | SeenInclusion

_checkpoint = msgspec.json.Decoder(SignedCheckpoint).decode
_inclusion = msgspec.json.Decoder(GameInclusion).decode


def read_sightings(path: str) -> Iterator[Sighting]:
    """The sightings in a file.

    Raises:
        DamagedSource: a line is none, or there is none; with file and line.

    """
    number = 0
    try:
        with Path(path).open("rb") as file:
            while line := file.readline(LONGEST_LINE + 1):
                number += 1
                yield _read(line, path, number)
    except OSError as error:
        raise DamagedSource(f"{path}: cannot be read: {error.strerror or error}.") from None
    if not number:
        raise DamagedSource(f"{path}: there is no checkpoint and no inclusion proof in it.")


def _read(line: bytes, path: str, number: int) -> Sighting:
    place = f"{path}:{number}"
    if len(line) > LONGEST_LINE or number > MOST:
        limits = f"{LONGEST_LINE:,} bytes, a file {MOST:,} lines"
        raise DamagedSource(f"{place}: a sighting of the log has at most {limits}.")
    try:
        if not line.lstrip().startswith(b'{"note"'):
            return SeenInclusion(path, number, _inclusion(line))
        note = notes.note(_checkpoint(line).note)
        return SeenCheckpoint(path, number, note, notes.checkpoint(note.text))
    except (BadNote, ValueError, RecursionError) as error:
        reason = f"no checkpoint and no inclusion proof: {error}"
        raise DamagedSource(f"{place}: the line is {reason}.") from None
