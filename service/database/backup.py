"""Backups of a whole ledger: what PostgreSQL's `pg_dump` writes, with the keys and checkpoints.

A backup is a folder: ``backup.json``, which is written last and says what belongs to it, a dump,
the operator's keys, and the last published checkpoint as it was before. It holds private keys, so
its owner alone may open it. Release 0.1.0 wrote a dump for each partition of a ledger.
"""

import hashlib
import shutil
import time
from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path
from typing import Annotated, Final, Literal

import msgspec
import psycopg
from msgspec import Meta, Struct
from psycopg.conninfo import make_conninfo
from psycopg.sql import SQL, Identifier

from phaseledger import __version__
from phaseledger.replay.formats import files
from phaseledger.replay.formats.records.source import DamagedSource
from phaseledger.replay.formats.signing.keys import load
from phaseledger.service.database import dumps
from phaseledger.service.database.public_log import origin_of, signer_of
from phaseledger.service.database.setup import require_reader
from phaseledger.service.eventlog.connection import fitted, require_usable
from phaseledger.service.settings import (
    Settings,
    SettingsError,
    keys_folder,
    sealing_folder,
)

VERSION: Final = "phaseledger-backup/v1"
MANIFEST = "backup.json"
KEYS, PUBLISHED = "keys", "published"
NOT_KEPT = (".lock", "admin.token")
"""Files of the folder of keys that are no keys."""

BackupProgress = Callable[[str], None]
"""Called with what begins, in words."""


class Dump(Struct, frozen=True):
    """The dump of a ledger, or of one partition of it."""

    number: Annotated[int, Meta(ge=1)]
    """The partition's; 1 for a ledger."""
    schema: str
    file: str
    sha256: str
    log: str
    """The name of its public log."""


class Manifest(Struct, frozen=True, forbid_unknown_fields=True):
    """What a backup holds."""

    format: Literal["phaseledger-backup/v1"]
    release: str
    """The version of phaseledger that made it."""
    made_at: str
    partitions: Annotated[tuple[Dump, ...], Meta(min_length=1, max_length=64)]


def back_up(settings: Settings, folder: Path, progress: BackupProgress) -> Manifest:
    """Write a backup of the ledger into the folder, while it is in use or not.

    The checkpoint is copied first: what it says was published is in the dump. It is what the dump
    is tried against, and no word on what was published later.

    Raises:
        SchemaError: the role of the DSN may not read every table.
        SettingsError: the folder is not empty, or cannot be written.
        KeysError: the keys cannot be read.
        StoreUnreachable: `pg_dump` fails; the message has its words.

    """
    require_reader(settings)
    keys = load(keys_folder(settings))
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        if any(folder.iterdir()):
            raise SettingsError(f"{folder} is not empty: name a folder that is not there yet.")
        folder.chmod(0o700)
        (folder / PUBLISHED).mkdir(mode=0o700)
        if (kept := signer_of(settings, keys).kept) and kept.exists():
            shutil.copyfile(kept, folder / PUBLISHED / kept.name)
        _copy_keys((keys_folder(settings), sealing_folder(settings)), folder / KEYS)
        progress("Dumping the ledger")
        dump = _dump(settings, origin_of(settings, keys), folder)
        made_at = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
        manifest = Manifest(VERSION, __version__, made_at, (dump,))
        text = msgspec.json.format(msgspec.json.encode(manifest), indent=2).decode()
        files.write(folder / MANIFEST, text + "\n")
    except OSError as error:
        named = error.filename or folder
        raise SettingsError(f"{named}: {error.strerror or error}; nothing is backed up.") from None
    return manifest


def _copy_keys(sources: Iterable[Path], folder: Path) -> None:
    folder.mkdir(mode=0o700)
    files_in = (path for source in sources if source.exists() for path in sorted(source.iterdir()))
    for path in {path.name: path for path in files_in}.values():
        if path.is_file() and path.name not in NOT_KEPT:
            with suppress(UnicodeDecodeError):  # what is no text is no key, such as a swap file
                files.write(folder / path.name, path.read_text(), path.stat().st_mode & 0o600)


def _dump(settings: Settings, origin: str, folder: Path) -> Dump:
    name, schema = "partition-1.dump", settings.schema
    dumps.take(settings.database_url, schema, folder / name)
    return Dump(number=1, schema=schema, file=name, sha256=_sha256(folder / name), log=origin)


def read_manifest(folder: Path) -> Manifest:
    """What the backup holds, whose dumps are seen to be as they were written.

    Raises:
        DamagedSource: it is none, it is not complete, or a dump was changed.

    """
    path = folder / MANIFEST
    try:
        manifest = msgspec.json.decode(path.read_bytes(), type=Manifest)
        for dump in manifest.partitions:
            if _sha256(folder / dump.file) != dump.sha256:
                raise DamagedSource(f"{folder / dump.file} is not what was written: use another.")
    except FileNotFoundError as error:
        raise DamagedSource(
            f"{folder} is no backup, or one that was not finished: {error.filename} is not there."
        ) from None
    except OSError as error:
        raise DamagedSource(f"{folder}: cannot be read: {error.strerror or error}.") from None
    except msgspec.MsgspecError as error:
        raise DamagedSource(f"{path} is no manifest of a backup: {error}.") from None
    return manifest


def require_empty(dsn: str, schema: str) -> None:
    """Raise SettingsError where the schema is there already, StoreUnfit for an unusable database.

    Raises psycopg.Error where the database is away.
    """
    with psycopg.connect(fitted(dsn)) as conn:
        require_usable(conn)
        if conn.execute("SELECT to_regnamespace(%s)", (schema,)).fetchone() != (None,):
            raise SettingsError(
                f"The database has a schema {schema!r} already, and nothing is written "
                "over it: name an empty database, or rename that schema (ALTER SCHEMA)."
            )


def require_own_keys(folder: Path, settings: Settings) -> None:
    """Raise SettingsError where the folder of keys has those of another ledger."""
    keys = keys_folder(settings)
    theirs, ours = ({path.name for path in place.glob("*.pub")} for place in (folder / KEYS, keys))
    if ours and not theirs <= ours:
        raise SettingsError(
            f"{keys} has keys of another ledger: name another folder with PHASELEDGER_KEYS_DIR."
        )


def place_keys(folder: Path, settings: Settings) -> None:
    """Put the backup's keys where there are none; newer ones stay, and retired ones retired.

    Not its checkpoints: they would say that nothing was published after it.

    Raises:
        SettingsError: the folder of keys cannot be written.

    """
    keys, sealing = keys_folder(settings), sealing_folder(settings)
    try:
        keys.mkdir(mode=0o700, parents=True, exist_ok=True)
        sealing.mkdir(mode=0o700, parents=True, exist_ok=True)
        for path in sorted((folder / KEYS).iterdir()):
            place = (sealing if path.suffix == ".seal" else keys) / path.name
            is_retired = path.suffix == ".key" and place.with_suffix(".retired").exists()
            if not is_retired and not place.exists():
                files.write(place, path.read_text(), 0o600)
    except OSError as error:
        raise SettingsError(f"{error.filename}: cannot be written: {error.strerror}.") from None


def dump_of(manifest: Manifest, settings: Settings) -> Dump:
    """The backup's dump of the settings' ledger; raises SettingsError where it has none."""
    several = len(manifest.partitions) > 1
    for dump in manifest.partitions:
        if dump.schema == settings.schema and (not several or dump.number == settings.ledger):
            return dump
    listed = " and ".join(
        f"{dump.schema!r}" + (f" (PHASELEDGER_LEDGER={dump.number})" if several else "")
        for dump in manifest.partitions
    )
    raise SettingsError(
        f"The backup has the schema {listed}, and the settings have {settings.schema!r} "
        f"(PHASELEDGER_LEDGER={settings.ledger}): give --schema, and the number, as they were."
    )


def make_database(dsn: str, name: str) -> str:
    """Make an empty database on that server; returns its DSN."""
    with psycopg.connect(dsn, autocommit=True) as conn:
        conn.execute(SQL("CREATE DATABASE {} TEMPLATE template0").format(Identifier(name)))
    return make_conninfo(dsn, dbname=name)


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
