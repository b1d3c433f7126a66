"""Audits of many games by work units, and their results: findings and totals."""

from collections.abc import Iterable, Sequence
from functools import partial
from pathlib import Path
from typing import Literal

import msgspec
from msgspec import Struct, structs

from phaseledger.replay.batch.work import WorkUnit
from phaseledger.replay.evidence.audit.archive import audit_archive
from phaseledger.replay.evidence.audit.audit import audit
from phaseledger.replay.evidence.audit.public_log import (
    EXPLAIN_LOG,
    KeptCheckpoint,
    LogFinding,
    LogFindingCode,
    audit_log,
)
from phaseledger.replay.formats.records.findings import (
    UNREADABLE,
    AuditVerdict,
    Finding,
    FindingCode,
)
from phaseledger.replay.formats.records.public_log import public_log
from phaseledger.replay.formats.records.source import DamagedSource, LogPart
from phaseledger.replay.terminal import DAMAGED, FINDINGS, SOUND
from phaseledger.replay.text import clean


class AuditLine(Struct, frozen=True, omit_defaults=True):
    """One line of NDJSON: a `Finding`, or a file that cannot be read on (``damaged``)."""

    code: FindingCode | LogFindingCode | Literal["damaged"]
    game: str
    seq: int
    expected: str
    recorded: str
    text: str
    rule: str = ""
    reject: str = ""
    place: int = 0
    source: str = ""
    """The file; empty for a store."""


class PartAudit(Struct, frozen=True):
    """The result of auditing one work unit."""

    sound: int
    wrong: int
    unfinished: int
    """Sound games without an end; they are among ``sound``."""
    events: int
    findings: tuple[AuditLine, ...]
    verdicts: tuple[AuditVerdict, ...]
    """The verdicts of all games; empty unless requested."""
    logs: tuple[str, ...] = ()
    """The names of the public logs that were audited."""
    archived: int = 0
    """Archived games of the store; they are among ``sound`` and ``wrong`` if their files are."""

    @property
    def exit_code(self) -> int:
        """The exit code of `phaseledger audit`."""
        return exit_code(finding.code for finding in self.findings)


def exit_code(codes: Iterable[str]) -> int:
    """The exit code of `phaseledger audit` for the codes of its findings."""
    distinct = set(codes)
    if distinct & {"damaged", *UNREADABLE}:
        return DAMAGED
    return FINDINGS if distinct else SOUND


RESULTS = msgspec.json.Decoder(PartAudit)
"""Decoder of the lines of a file of results."""


def damaged_line(file: str, error: DamagedSource) -> AuditLine:
    """The finding that a file cannot be read to its end."""
    text = "The file cannot be read, or not to its end."
    return AuditLine(
        code="damaged",
        game="",
        seq=0,
        expected="a file of events",
        recorded=clean(str(error)),
        text=text,
        source=clean(file),
    )


def audit_part(
    work: WorkUnit,
    *,
    every: bool,
    kept: Sequence[KeptCheckpoint] = (),
    archive: Path | None = None,
    with_referee: bool = False,
) -> PartAudit:
    """Audit a work unit; ``every``: with the verdicts of all games, sound ones too.

    A store's log is checked against the ``kept`` checkpoints; the files of its archived games are
    in the folder ``archive``. ``with_referee``: a second referee judges every event as well.
    """
    if work.part and not work.part.games:
        return _audit_whole_log(work.part, kept, archive, every=every)
    count = unsound = unfinished = events = 0
    findings: list[AuditLine] = []
    verdicts: list[AuditVerdict] = []
    to_line = partial(_line, source=clean(work.file))
    try:
        for verdict in audit(work.rows(), with_referee=with_referee):
            count += 1
            events += verdict.events
            unsound += not verdict.sound
            unfinished += verdict.sound and verdict.status == "unfinished"
            findings += map(to_line, verdict.findings)
            if every:
                verdicts.append(verdict)
    except DamagedSource as error:
        findings.append(damaged_line(work.file, error))
    return PartAudit(
        sound=count - unsound,
        wrong=unsound,
        unfinished=unfinished,
        events=events,
        findings=tuple(findings),
        verdicts=tuple(verdicts),
    )


def log_line(finding: LogFinding, source: str = "") -> AuditLine:
    """The line of a finding about a store's log, or about the file of an archived game."""
    code, expected, recorded, event = finding
    return AuditLine(
        code=code,
        game=event.game if event else "",
        seq=event.version if event else 0,
        expected=expected,
        recorded=recorded,
        text=EXPLAIN_LOG[code],
        source=source,
    )


def _audit_whole_log(
    part: LogPart, kept: Sequence[KeptCheckpoint], folder: Path | None, *, every: bool
) -> PartAudit:
    with public_log(part) as store:
        logs, findings = audit_log(store, kept)
        lines = [log_line(finding) for finding in findings]
        verdicts, archived = list[AuditVerdict](), 0
        for game in audit_archive(store, folder):
            archived += 1
            lines += [log_line(finding, game.file) for finding in game.findings]
            if game.verdict:
                lines += [_line(finding, game.file) for finding in game.verdict.findings]
                verdicts.append(game.verdict)
    unsound = sum(not verdict.sound for verdict in verdicts)
    return PartAudit(
        sound=len(verdicts) - unsound,
        wrong=unsound,
        unfinished=0,
        events=sum(verdict.events for verdict in verdicts),
        findings=tuple(lines),
        verdicts=tuple(verdicts) if every else (),
        logs=tuple(logs),
        archived=archived,
    )


def _line(finding: Finding, source: str) -> AuditLine:
    return AuditLine(**structs.asdict(finding), source=source)
