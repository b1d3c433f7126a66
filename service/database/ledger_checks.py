"""What an operator should know of what a ledger has, and of its files on this machine."""

import shutil
from pathlib import Path

from phaseledger.replay.formats.sealing import SealingError
from phaseledger.replay.formats.signing.keys import KeysError, load
from phaseledger.service.database.examined_ledger import Findings, Ledger
from phaseledger.service.eventlog.measures import MEASURE
from phaseledger.service.settings import (
    keys_folder,
    published_folder,
    sealing_folder,
    sealing_keys_of,
)
from phaseledger.service.transparency import tree_sql
from phaseledger.service.transparency.tree import SignedLog

HOUR = 3_600
BACKUP_DAYS = 1.5
"""Days after which the newest backup is old, as the alert has it."""
MOST_BEHIND = 1_000
"""Events by which views may be behind; a service writes some thousands a second at most."""
FREE_BYTES, FREE_SHARE = 2 << 30, 0.1
"""A disk with less room than either is nearly full."""


def keys(ledger: Ledger) -> Findings:
    """Whether the keys are here that sign and unseal."""
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


def public_log(ledger: Ledger) -> Findings:
    """Whether one public log goes on, from what was published."""
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


def disks(ledger: Ledger) -> Findings:
    """The room that is left, and what the ledger takes."""
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


def backups(ledger: Ledger) -> Findings:
    """How old the newest backup is, and whether it was sound."""
    newest = ledger.rows(
        "SELECT extract(epoch FROM now() - at)::float8, details ->> 'sound' FROM {}.admin_events "
        "WHERE action = 'back_up' ORDER BY id DESC LIMIT 1"
    )
    cure = "phaseledger admin backup FOLDER, nightly: deploy/systemd has a timer"
    if not newest:
        yield "warning", "there was none yet, as far as the ledger knows", cure
        return
    ((age, sound),) = newest
    says = f"the newest is {age / HOUR:.0f} hours old"
    if sound == "no":
        cure = "phaseledger admin restore FOLDER --check says what is wrong; write another"
        yield "fault", f"{says}, and was not sound when it was restored", cure
    elif sound != "yes":
        cure = "phaseledger admin restore FOLDER --check"
        yield "warning", f"{says}, and was never restored", cure
    else:
        old = age > BACKUP_DAYS * 24 * HOUR
        says += ", was restored, and was sound"
        yield ("warning", says, cure) if old else ("ok", says, "")


def views(ledger: Ledger) -> Findings:
    """How far lists and scores are behind the log."""
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


def games(ledger: Ledger) -> Findings:
    """Whether records are known to be damaged."""
    ((damaged,),) = ledger.rows("SELECT count(*) FROM {}.set_aside_games WHERE voided_at IS NULL")
    if damaged:
        cure = "phaseledger admin set-aside lists them, with the reasons"
        yield "fault", f"the records of {damaged} are damaged; all others go on", cure
    else:
        yield "ok", "no record is known to be damaged; `phaseledger audit --all` looks at each", ""


def webhooks(ledger: Ledger) -> Findings:
    """Whether messages are overdue."""
    *_, waiting, overdue = ledger.rows(MEASURE)[0]
    if overdue > 300:
        cure = "look for `webhook` in the service's log; is a service running?"
        yield "warning", f"a message has been due for {overdue / 60:.0f} minutes", cure
    else:
        yield "ok", f"{waiting} messages wait for their time", ""
