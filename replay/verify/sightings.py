"""Sightings of the log: checkpoints and inclusion proofs that somebody kept, in JSON lines.

A line is a checkpoint, ``{note}`` as in a bundle, or an inclusion proof as the API gives it.
"""

from collections.abc import Iterator
from typing import NamedTuple

import msgspec
from msgspec import Struct

from phaseledger.replay.bundle.lines import GameId, Inclusion, SignedCheckpoint
from phaseledger.replay.records.source import DamagedSource
from phaseledger.replay.signing import notes
from phaseledger.replay.signing.notes import BadNote, Checkpoint, Note
from phaseledger.replay.verify.kept_lines import LineLimits, kept_lines

LIMITS = LineLimits(
    longest=1 << 17,
    most=10_000,
    name="a sighting of the log",
    plural="lines",
    none="no checkpoint and no inclusion proof",
)


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
    for number, line in kept_lines(path, LIMITS):
        try:
            sighting = _sighting(line, path, number)
        except (BadNote, ValueError, RecursionError) as error:
            reason = f"the line is {LIMITS.none}: {error}"
            raise DamagedSource(f"{path}:{number}: {reason}.") from None
        yield sighting


def _sighting(line: bytes, path: str, number: int) -> Sighting:
    if not line.lstrip().startswith(b'{"note"'):
        return SeenInclusion(path, number, _inclusion(line))
    note = notes.note(_checkpoint(line).note)
    return SeenCheckpoint(path, number, note, notes.checkpoint(note.text))
