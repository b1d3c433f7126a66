"""Reader of files of what people kept: JSON lines, each of which stands by itself."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Literal, NamedTuple

from phaseledger.domain.words import Amount, Phrase
from phaseledger.replay.formats import text_files
from phaseledger.replay.formats.records.source import DamagedSource


def require_single(line: bytes) -> None:
    """Require that no object in a line of JSON has a name twice. Raises ValueError."""

    def single(pairs: list[tuple[str, object]]) -> None:
        if len({name for name, _ in pairs}) < len(pairs):
            raise ValueError("a name stands there twice")

    json.loads(line, object_pairs_hook=single)


class LineLimits(NamedTuple):
    """The limits of a kind of line in a file, and the kind's name in error messages."""

    longest: int
    """Bytes of a line."""
    most: int
    """Lines of a file."""
    kind: Literal["receipt", "sighting"]


def kept_lines(path: str, limits: LineLimits) -> Iterator[tuple[int, bytes]]:
    """The lines of a file, LFs included, with their numbers from 1.

    Raises:
        DamagedSource: the file cannot be read or is empty, or a line is too long or one too many.

    """
    try:
        with Path(path).open("rb") as file:
            yield from numbered_lines(file, path, limits)
    except OSError as error:
        raise DamagedSource(
            Phrase("evidence.file.unread", title=path, reason=error.strerror or error)
        ) from None


def numbered_lines(file: IO[bytes], source: str, limits: LineLimits) -> Iterator[tuple[int, bytes]]:
    """As `kept_lines`, of an open file; ``source`` names it in what is said about it."""
    number = 0
    for number, line in text_files.numbered_lines(file, limits.longest):
        if len(line) > limits.longest or number > limits.most:
            bounds = {"count": Amount(limits.longest), "total": Amount(limits.most)}
            reason = Phrase(f"evidence.line.longest_{limits.kind}", **bounds)
            raise DamagedSource(Phrase("evidence.line", title=source, seq=number, reason=reason))
        yield number, line
    if not number:
        reason = Phrase(f"evidence.kept.no_{limits.kind}")
        raise DamagedSource(Phrase("evidence.file.reason", title=source, fault=reason))
