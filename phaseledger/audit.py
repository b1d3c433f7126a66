"""Audit of games from their stored events: every decision is decided again from the seed.

::

    from phaseledger.audit import audit, read_file

    for verdict in audit(read_file("games.ndjson")):
        print(verdict.game, "sound" if verdict.sound else verdict.findings[0].text)

`audit` gives an `AuditVerdict` for each game; its findings name the first bad event, the rule, the
expected and the recorded value. `read_store` reads a PostgreSQL event log in place of a file;
`audit_archive` audits the games that were moved out of it. A `SourceError` says why a source cannot
be read.
"""

from phaseledger.replay.evidence.audit.archive import audit_archive
from phaseledger.replay.evidence.audit.audit import audit
from phaseledger.replay.formats.records.findings import AuditVerdict, Finding
from phaseledger.replay.formats.records.source import SourceError, read_file, read_store

__all__ = [
    "AuditVerdict",
    "Finding",
    "SourceError",
    "audit",
    "audit_archive",
    "read_file",
    "read_store",
]
