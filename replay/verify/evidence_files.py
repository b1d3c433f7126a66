"""The files of a verification: bundles, receipts, and dispute files that hold both."""

import sys
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext
from io import BufferedReader, BytesIO
from pathlib import Path
from typing import IO, NamedTuple

from phaseledger.replay.bundle.reader import Bundle, parse_bundle, read_bundle
from phaseledger.replay.records.source import DamagedSource, SourceError
from phaseledger.replay.verify.check_operator import KeptReceipt
from phaseledger.replay.verify.dispute_file import (
    BEGINS,
    LARGEST_PART,
    MOST_PARTS,
    DisputePart,
    dispute_bytes,
    parse_dispute,
    part_names,
)
from phaseledger.replay.verify.receipt_files import parse_receipts, read_receipts


class EvidenceFiles(NamedTuple):
    """What was read, and which bundles could not be."""

    bundles: list[Bundle]
    receipts: list[KeptReceipt]
    damage: list[SourceError]


def read_evidence(files: Sequence[str], receipt_files: Sequence[str]) -> EvidenceFiles:
    """Read bundles and dispute files (``-`` is standard input), and files of receipts.

    Of a bundle that cannot be read, the receipts are left out too: nobody knows what game it is of.

    Raises:
        DamagedSource: a file of receipts, which somebody named, cannot be read.

    """
    evidence = EvidenceFiles([], [], [])
    for name in receipt_files:
        evidence.receipts.extend(read_receipts(name))
    for name in files:
        try:
            if is_dispute(name):
                _read_dispute(name, evidence)
            else:
                evidence.bundles.append(read_bundle(name))
        except SourceError as error:
            evidence.damage.append(error)
    if evidence.damage:
        games = {bundle.header.game for bundle in evidence.bundles}
        fitting = [kept for kept in evidence.receipts if kept.receipt.game in games]
        return evidence._replace(receipts=fitting)
    return evidence


def is_dispute(name: str) -> bool:
    """Whether a file begins as a dispute file does; not if it cannot be read."""
    try:
        if name == "-":
            stdin = sys.stdin.buffer if sys.stdin else None
            return isinstance(stdin, BufferedReader) and stdin.peek().startswith(BEGINS)
        with Path(name).open("rb") as file:
            return file.read(len(BEGINS)) == BEGINS
    except (OSError, ValueError):
        return False


def _read_dispute(name: str, evidence: EvidenceFiles) -> None:
    with _open(name) as file:
        parts = parse_dispute(file, name)
    for part in parts:
        source = f"{name}/{part.name}"
        try:
            if part.kind == "bundle":
                evidence.bundles.append(parse_bundle(BytesIO(part.content), source))
            else:
                evidence.receipts.extend(parse_receipts(part.content, source))
        except SourceError as error:
            evidence.damage.append(error)


def _open(name: str) -> AbstractContextManager[IO[bytes]]:
    return nullcontext(sys.stdin.buffer) if name == "-" else Path(name).open("rb")


def dispute_content(bundles: Sequence[str], receipt_files: Sequence[str]) -> Iterator[bytes]:
    """The content of a dispute file with these files in it, byte for byte.

    Raises:
        DamagedSource: one of them cannot be read again, or is too large, or there are too many.

    """
    paths = [*bundles, *receipt_files]
    if len(paths) > MOST_PARTS:
        raise DamagedSource(f"A dispute file has at most {MOST_PARTS} files in it.")
    parts = [
        DisputePart("bundle" if number <= len(bundles) else "receipts", name, _content(path))
        for number, (name, path) in enumerate(zip(part_names(paths), paths, strict=True), 1)
    ]
    return dispute_bytes(parts)


def _content(path: str) -> bytes:
    try:
        with Path(path).open("rb") as file:
            content = file.read(LARGEST_PART + 1)
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else error
        raise DamagedSource(f"{path}: cannot be read: {reason}.") from None
    if len(content) > LARGEST_PART:
        raise DamagedSource(f"{path}: a dispute file takes at most {LARGEST_PART:,} bytes of it.")
    return content
