"""The files of a verification: bundles, receipts, and dispute files that hold both."""

from collections.abc import Iterator, Sequence
from io import BytesIO
from itertools import chain
from pathlib import Path
from typing import NamedTuple

from phaseledger.domain.words import Phrase
from phaseledger.replay.evidence.verify.checks.receipts import KeptReceipt
from phaseledger.replay.evidence.verify.files.dispute import (
    BEGINS,
    LARGEST_PART,
    MOST_PARTS,
    DisputePart,
    dispute_bytes,
    parse_dispute,
    part_names,
)
from phaseledger.replay.evidence.verify.files.receipts import parse_receipts, read_receipts
from phaseledger.replay.formats.bundle.reader import Bundle, file_lines, opened, parse_bundle
from phaseledger.replay.formats.records.source import DamagedSource, SourceError
from phaseledger.replay.terminal import UsageError


class EvidenceFiles(NamedTuple):
    """What was read, and which bundles could not be."""

    bundles: list[Bundle]
    receipts: list[KeptReceipt]
    damage: list[SourceError]


def read_evidence(files: Sequence[str], receipt_files: Sequence[str]) -> EvidenceFiles:
    """Read bundles and dispute files (``-`` is standard input), and files of receipts.

    Receipts of an unreadable bundle are left out too, since its game is unknown.

    Raises:
        DamagedSource: a named file of receipts cannot be read.

    """
    evidence = EvidenceFiles([], [], [])
    for name in receipt_files:
        evidence.receipts.extend(read_receipts(name))
    for name in files:
        try:
            _read(name, evidence)
        except SourceError as error:
            evidence.damage.append(error)
    if evidence.damage:
        games = {bundle.header.game for bundle in evidence.bundles}
        fitting = [kept for kept in evidence.receipts if kept.receipt.game in games]
        return evidence._replace(receipts=fitting)
    return evidence


def _read(name: str, evidence: EvidenceFiles) -> None:
    """Read a bundle or a dispute file, which may be a pipe: it is opened and read once."""
    with opened(name) as file:
        lines = file_lines(file)
        head = next(lines, b"")
        if not head.startswith(BEGINS):
            evidence.bundles.append(parse_bundle(chain([head] if head else [], lines), name))
            return
        parts = parse_dispute(file, name, head)
    for part in parts:
        source = f"{name}/{part.name}"
        try:
            if part.kind == "bundle":
                evidence.bundles.append(parse_bundle(BytesIO(part.content), source))
            else:
                evidence.receipts.extend(parse_receipts(part.content, source))
        except SourceError as error:
            evidence.damage.append(error)


def is_bundle_file(name: str) -> bool:
    """Whether any process may open it and read a bundle: no pipe and no dispute file.

    What is missing or no bundle at all counts as one, which the reader complains about.
    """
    try:
        if name == "-" or (Path(name).exists() and not Path(name).is_file()):
            return False
        with Path(name).open("rb") as file:
            return file.read(len(BEGINS)) != BEGINS
    except (OSError, ValueError):
        return name != "-"


def dispute_content(bundles: Sequence[str], receipt_files: Sequence[str]) -> Iterator[bytes]:
    """The content of a dispute file with these files in it, byte for byte.

    Raises:
        UsageError: one is standard input or a pipe, which can be read once only, or a dispute file.
        DamagedSource: one of them cannot be read, or is too large, or there are too many.

    """
    paths = [*bundles, *receipt_files]
    if len(paths) > MOST_PARTS:
        raise DamagedSource(Phrase("evidence.dispute.most", count=MOST_PARTS))
    parts = [
        DisputePart("bundle" if number <= len(bundles) else "receipts", name, _content(path))
        for number, (name, path) in enumerate(zip(part_names(paths), paths, strict=True), 1)
    ]
    return dispute_bytes(parts)


def _content(path: str) -> bytes:
    try:
        if path == "-" or (Path(path).exists() and not Path(path).is_file()):
            raise UsageError(Phrase("evidence.dispute.no_file", path=path))
        with Path(path).open("rb") as file:
            content = file.read(LARGEST_PART + 1)
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else error
        raise DamagedSource(Phrase("evidence.file.unread", title=path, reason=reason)) from None
    if content.startswith(BEGINS):
        raise UsageError(Phrase("evidence.dispute.nested", path=path))
    if len(content) > LARGEST_PART:
        raise DamagedSource(f"{path}: a dispute file takes at most {LARGEST_PART:,} bytes of it.")
    return content
