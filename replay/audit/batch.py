"""Audits of many games, part by part, and what is told of them: findings, and sums."""

from functools import partial
from typing import Literal

from msgspec import Struct, structs

from phaseledger.replay.audit.audit import audit
from phaseledger.replay.batch.work import WorkUnit
from phaseledger.replay.records.findings import UNREADABLE, AuditVerdict, Finding, FindingCode
from phaseledger.replay.records.source import DamagedSource
from phaseledger.replay.terminal import DAMAGED, FINDINGS, SOUND


class AuditLine(Struct, frozen=True, omit_defaults=True):
    """One line of NDJSON: a `Finding`, or a file that cannot be read on (``damaged``)."""

    code: FindingCode | Literal["damaged"]
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
    """What the audit of one part came to."""

    sound: int
    wrong: int
    unfinished: int
    """Sound games without an end; they are among ``sound``."""
    events: int
    found: tuple[AuditLine, ...]
    verdicts: tuple[AuditVerdict, ...]
    """Of every game, if they were asked for."""

    @property
    def exit_code(self) -> int:
        """As `phaseledger audit` ends."""
        if any(found.code == "damaged" or found.code in UNREADABLE for found in self.found):
            return DAMAGED
        return FINDINGS if self.found else SOUND


def damaged_line(file: str, error: DamagedSource) -> AuditLine:
    """The finding that a file breaks off."""
    text = "The file cannot be read, or not to its end."
    return AuditLine("damaged", "", 0, "a file of events", str(error), text, source=file)


def audit_part(work: WorkUnit, *, every: bool) -> PartAudit:
    """Audit a part; ``every``: with the verdicts of sound games too."""
    count = wrong = unfinished = events = 0
    found: list[AuditLine] = []
    kept: list[AuditVerdict] = []
    told = partial(_line, source=work.file)
    try:
        for verdict in audit(work.rows()):
            count += 1
            events += verdict.events
            wrong += not verdict.sound
            unfinished += verdict.sound and verdict.status == "unfinished"
            found += map(told, verdict.findings)
            if every:
                kept.append(verdict)
    except DamagedSource as error:
        found.append(damaged_line(work.file, error))
    return PartAudit(count - wrong, wrong, unfinished, events, tuple(found), tuple(kept))


def _line(finding: Finding, source: str) -> AuditLine:
    return AuditLine(**structs.asdict(finding), source=source)
