"""The examination of a ledger: what an operator should know of it, each with its cure.

A check that cannot be made because the database is away, or lacks its tables, is left out.
"""

from collections.abc import Iterator, Mapping

import psycopg
from msgspec import Struct

from phaseledger.service.database import ledger_checks, server_checks
from phaseledger.service.database.examined_ledger import Examiner, Ledger, Severity

MARKS: Mapping[Severity, str] = {"ok": "ok     ", "warning": "warning", "fault": "FAULT  "}


class Diagnosis(Struct, frozen=True):
    """What one check has found."""

    check: str
    severity: Severity
    says: str
    cure: str = ""


def line_of(diagnosis: Diagnosis) -> str:
    """The diagnosis as a line for people."""
    cure = f"; cure: {diagnosis.cure}" if diagnosis.cure else ""
    return f"{MARKS[diagnosis.severity]}  {diagnosis.check}: {diagnosis.says}{cure}"


CHECKS: Mapping[str, Examiner] = {
    "server": server_checks.server,
    "durability": server_checks.durability,
    "tables": server_checks.tables,
    "role": server_checks.role,
    "guards": server_checks.guards,
    "sequences": server_checks.sequences,
    "locks": server_checks.locks,
    "connections": server_checks.connections,
    "keys": ledger_checks.keys,
    "public log": ledger_checks.public_log,
    "clock": server_checks.clock,
    "disk": ledger_checks.disks,
    "backup": ledger_checks.backups,
    "views": ledger_checks.views,
    "games": ledger_checks.games,
    "webhooks": ledger_checks.webhooks,
}
"""The checks of a ledger, in the order in which they are told."""
BEFORE_UPGRADE: Mapping[str, Examiner] = {
    "durability": server_checks.durability,
    "backup": ledger_checks.backups,
    "services": server_checks.services,
}
"""The checks before tables are migrated; they ask for no newer tables than those of 0.1.0."""
NEED_NO_TABLES = ("server", "durability", "tables", "clock")


def examined(ledger: Ledger, checks: Mapping[str, Examiner] = CHECKS) -> Iterator[Diagnosis]:
    """What the checks find. Raises psycopg.Error where the database goes away."""
    has_tables = True
    for name, check in checks.items():
        if not (has_tables or name in NEED_NO_TABLES):
            continue
        try:
            with ledger.conn.transaction():
                diagnoses = [Diagnosis(name, *rest) for rest in check(ledger)]
        except psycopg.errors.InsufficientPrivilege as refused:
            cure = "run it as the service, or as the owner of the tables"
            diagnoses = [
                Diagnosis(name, "warning", f"not looked at: {refused.diag.message_primary}", cure)
            ]
        yield from diagnoses
        if name == "tables":
            has_tables = all(diagnosis.severity == "ok" for diagnosis in diagnoses)
