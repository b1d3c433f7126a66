"""The audit of archived games: their leaves and tombstones in the store, their events in files.

`audit.public_log` checks the leaves against the public log like all others. Here a tombstone is
checked against its leaves, and the file against the tombstone.
"""

import hashlib
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from phaseledger.replay.evidence.audit.audit import audit
from phaseledger.replay.evidence.audit.public_log import LogFinding, LogFindingCode
from phaseledger.replay.formats.records.findings import AuditVerdict
from phaseledger.replay.formats.records.public_log import (
    LoggedEvent,
    PublicLogReader,
    StoredTombstone,
)
from phaseledger.replay.formats.records.source import DamagedSource, read_file


class ArchiveAudit(NamedTuple):
    """The audit of one archived game; ``verdict`` is for its file, None where none was read."""

    findings: tuple[LogFinding, ...]
    verdict: AuditVerdict | None = None
    file: str = ""


def audit_archive(store: PublicLogReader, folder: Path | None) -> Iterator[ArchiveAudit]:
    """Audit the store's archived games, and the files that are in the folder.

    Raises:
        StoreUnreachable: the store cannot be read.

    """
    for tombstone in store.tombstones():
        findings = [*_differences(tombstone, store.archived_leaves(tombstone.game))]
        if folder is None:
            yield ArchiveAudit(tuple(findings))
        else:
            yield _with_file(tombstone, findings, folder / tombstone.file)


def _differences(tombstone: StoredTombstone, leaves: dict[int, bytes]) -> Iterator[LogFinding]:
    """The differences between the leaves in the store and the game's tombstone."""
    if sorted(leaves) != [*range(1, tombstone.events + 1)]:
        expected, recorded = f"{tombstone.events:,} leaves, none missing", f"{len(leaves):,} leaves"
        yield _finding("tombstone_differs", tombstone, expected, recorded)
    elif leaves[tombstone.events] != tombstone.head:
        expected = f"the leaf {tombstone.head.hex()} of its last event"
        yield _finding("tombstone_differs", tombstone, expected, leaves[tombstone.events].hex())
    if tombstone.in_log:
        recorded = f"{tombstone.in_log:,} events of it"
        yield _finding("tombstone_differs", tombstone, "none of its events in the log", recorded)


def _with_file(tombstone: StoredTombstone, findings: list[LogFinding], path: Path) -> ArchiveAudit:
    """The audit with the file's: the file has to be the one that was written, and to be sound."""
    file, expected = str(path), f"{path}, SHA-256 {tombstone.sha256.hex()}"
    try:
        digest = hashlib.sha256(path.read_bytes()).digest()
    except OSError as error:
        reason = error.strerror or str(error)
        return ArchiveAudit((*findings, _finding("archive_lost", tombstone, expected, reason)))
    try:
        (verdict,) = audit(read_file(file))
    except (DamagedSource, ValueError) as damage:
        fault = _finding("archive_differs", tombstone, expected, str(damage))
        return ArchiveAudit((*findings, fault))
    if digest != tombstone.sha256:
        findings.append(_finding("archive_differs", tombstone, expected, digest.hex()))
    recorded_game = (verdict.game, verdict.events, verdict.head)
    if recorded_game != (tombstone.game, tombstone.events, tombstone.head.hex()):
        expected = f"{tombstone.events:,} events up to {tombstone.head.hex()}"
        recorded = f"{verdict.events:,} events of {verdict.game} up to {verdict.head}"
        findings.append(_finding("archive_differs", tombstone, expected, recorded))
    return ArchiveAudit(tuple(findings), verdict, file)


def _finding(
    code: LogFindingCode, tombstone: StoredTombstone, expected: str, recorded: str
) -> LogFinding:
    event = LoggedEvent(0, tombstone.game, 0, b"")
    return LogFinding(code, expected, recorded, event)
