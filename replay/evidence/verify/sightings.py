"""Sightings of the log: kept checkpoints, and proofs beside them, in JSON lines.

A line is a checkpoint, ``{note}`` as in a bundle, or an inclusion proof or a consistency proof as
the API gives it.
"""

from collections.abc import Collection, Iterable, Iterator
from typing import Annotated, NamedTuple

import msgspec
from msgspec import Meta, Struct

from phaseledger.domain.words import Phrase
from phaseledger.replay.evidence.verify.kept_lines import LineLimits, kept_lines, require_single
from phaseledger.replay.formats.bundle.lines import Count, GameId, Hash, Inclusion, SignedCheckpoint
from phaseledger.replay.formats.records.source import DamagedSource
from phaseledger.replay.formats.signing import notes
from phaseledger.replay.formats.signing.notes import BadNote, Checkpoint, Note

LIMITS = LineLimits(longest=1 << 17, most=10_000, kind="sighting")


class GameInclusion(Inclusion, Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """An inclusion proof of an event of a game."""

    game: GameId


class Consistency(Struct, frozen=True, forbid_unknown_fields=True):
    """A proof that the tree of ``second`` leaves begins with the tree of ``first``."""

    first: Count
    second: Count
    path: Annotated[tuple[Hash, ...], Meta(max_length=128)]


class SeenCheckpoint(NamedTuple):
    """A kept checkpoint, with its file and line."""

    source: str
    line: int
    note: Note
    checkpoint: Checkpoint


class SeenInclusion(NamedTuple):
    """A kept inclusion proof, with its file and line."""

    source: str
    line: int
    proof: GameInclusion


class SeenConsistency(NamedTuple):
    """A kept consistency proof, with its file and line."""

    source: str
    line: int
    proof: Consistency


Sighting = SeenCheckpoint | SeenInclusion | SeenConsistency

_checkpoint = msgspec.json.Decoder(SignedCheckpoint).decode
_inclusion = msgspec.json.Decoder(GameInclusion).decode
_consistency = msgspec.json.Decoder(Consistency).decode
_fields = msgspec.json.Decoder(dict[str, msgspec.Raw]).decode


def sightings_of(sightings: Iterable[Sighting], games: Collection[str]) -> list[Sighting]:
    """The sightings of these games, and of no game at all."""
    return [
        sighting
        for sighting in sightings
        if not isinstance(sighting, SeenInclusion) or sighting.proof.game in games
    ]


def read_sightings(path: str) -> Iterator[Sighting]:
    """The sightings in a file.

    Raises:
        DamagedSource: a line is none, or there is none; with file and line.

    """
    for number, line in kept_lines(path, LIMITS):
        try:
            sighting = _sighting(line, path, number)
        except (BadNote, ValueError, RecursionError) as error:
            reason = Phrase("evidence.line.no_sighting", reason=error)
            raise DamagedSource(
                Phrase("evidence.line", title=path, seq=number, reason=reason)
            ) from None
        yield sighting


def _sighting(line: bytes, path: str, number: int) -> Sighting:
    require_single(line)
    fields = _fields(line)
    if "game" in fields:
        return SeenInclusion(path, number, _inclusion(line))
    if "first" in fields:
        return SeenConsistency(path, number, _consistency(line))
    note = notes.note(_checkpoint(line).note)
    return SeenCheckpoint(path, number, note, notes.checkpoint(note.text))
